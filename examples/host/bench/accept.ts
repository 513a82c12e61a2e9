/**
 * How many events a second are accepted, beside the limit: a bare node:http server that group-commits the same rows to
 * the same store. 64 connections, events of 1 KB; the host has 20 rules and sends every event to two endpoints
 * meanwhile.
 *
 *     npx tsx examples/host/bench/accept.ts [--smoke] [--only sqlite|postgres]
 *
 * Rounds alternate between the two. Then the host alone at half of its rate: the time to the 202.
 */
import { startAccepting } from './accepting.js';
import { benchOptions, median, percentile, printTable } from './table.js';
import { build, type DatabaseName, stopShared } from './whole.js';
import { RULES } from './workload.js';

const { isSmoke, databases } = benchOptions();
const ROUNDS = isSmoke ? 1 : 3;
const EVENTS = isSmoke ? 500 : 3_000;
const SECONDS = isSmoke ? 2 : 10;

async function measure(database: DatabaseName): Promise<void> {
  const accepting = await startAccepting(database, { rules: RULES, events: EVENTS });
  const { bare, host } = accepting;
  await accepting.measure(ROUNDS);
  printTable(
    `Accepted events, ${database}, medians of ${ROUNDS} rounds of ${EVENTS}`,
    [bare, host].map(({ name, rounds }) => ({
      '': name,
      'a second': median(rounds.map(({ perSecond }) => perSecond)).toFixed(0),
      'p99 of the 202, ms': median(rounds.map(({ p99 }) => p99)).toFixed(1),
      'CPU an event, µs': median(rounds.map(({ cpu }) => cpu)).toFixed(0),
      refused: rounds.reduce((sum, { refused }) => sum + refused, 0),
    })),
  );
  console.log(`\nratio, median of rounds: ${accepting.ratio().toFixed(2)} (target 0.5)`);
  const rate = Math.floor(median(host.rounds.map(({ perSecond }) => perSecond)) / 2);
  const { times, refused } = await accepting.sendAt(rate, SECONDS);
  printTable(`The 202 at half that rate, ${database} (target: p99 at most 50 ms)`, [
    {
      'events a second': rate,
      'p50, ms': percentile(times, 0.5).toFixed(1),
      'p99, ms': percentile(times, 0.99).toFixed(1),
      refused,
    },
  ]);
  await accepting.stop();
}

build();
for (const database of databases) await measure(database);
await stopShared();
