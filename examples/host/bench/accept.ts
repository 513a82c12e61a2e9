/**
 * How many events a second are accepted, beside the limit: a bare node:http server that group-commits the same rows to the
 * same store. 64 connections, events of 1 KB; the host has 20 rules and sends every event to two endpoints meanwhile.
 *
 *     npx tsx examples/host/bench/accept.ts [--smoke] [--only sqlite|postgres]
 *
 * Rounds alternate between the two. Then the host alone at half of its rate: the time to the 202.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startReceiver, startSender } from './asked.js';
import { benchOptions, median, percentile, printTable } from './table.js';
import { addProject, build, cpuOf, type DatabaseName, postgresUrl, startWhole, stopShared } from './whole.js';
import { RULES } from './workload.js';

const { isSmoke, databases } = benchOptions();
const ROUNDS = isSmoke ? 1 : 3;
const EVENTS = isSmoke ? 500 : 3_000;
const SECONDS = isSmoke ? 2 : 10;
const CONNECTIONS = 64;
const ENDPOINTS = 2;

interface Limit {
  readonly address: string;
  readonly pid: number;
  stop(): Promise<void>;
}

async function startLimit(database: DatabaseName): Promise<Limit> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-'));
  const place =
    database === 'postgres' ? [await postgresUrl(), `limit_${process.pid}`] : [join(folder, 'limit.db')];
  const child = fork(join(import.meta.dirname, 'limit-process.ts'), place);
  const [address] = (await once(child, 'message')) as [string];
  return {
    ...{ address, pid: child.pid ?? 0 },
    async stop() {
      child.kill();
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Round {
  readonly perSecond: number;
  /** Processor time of an accepted event until it was delivered, in µs. */
  readonly cpu: number;
  readonly p99: number;
  readonly refused: number;
}

async function measure(database: DatabaseName): Promise<void> {
  const [limit, receiver, host] = [
    await startLimit(database),
    await startReceiver(),
    await startWhole(database),
  ];
  const sender = startSender();
  const project = await addProject(host, {
    rules: RULES,
    endpoints: Array.from({ length: ENDPOINTS }, (_, i) => `${receiver.url}/${i}`),
  });
  let due = 0;
  /** Work that a round leaves behind does not fall into the next. */
  const delivered = async (): Promise<void> => {
    while ((await receiver.received()) < due) await sleep(50);
  };
  const round = async (address: string, pid: number): Promise<Round> => {
    const began = cpuOf(pid);
    const { ms, times, refused } = await sender.send({
      send: address,
      count: EVENTS,
      connections: CONNECTIONS,
    });
    if (pid === host.pid) due += ENDPOINTS * times.length;
    await delivered();
    const cpu = ((cpuOf(pid) - began) / times.length) * 1_000;
    return { perSecond: (times.length / ms) * 1_000, cpu, p99: percentile(times, 0.99), refused };
  };
  const sides = [
    { name: 'bare node:http', address: limit.address, pid: limit.pid, rounds: [] as Round[] },
    { name: 'the host', address: project.address, pid: host.pid, rounds: [] as Round[] },
  ] as const;
  for (const { address, pid } of sides) await round(address, pid); // warms up
  for (let i = 0; i < ROUNDS; i++) {
    for (const { address, pid, rounds } of sides) rounds.push(await round(address, pid));
  }
  printTable(
    `Accepted events, ${database}, medians of ${ROUNDS} rounds of ${EVENTS}`,
    sides.map(({ name, rounds }) => ({
      '': name,
      'a second': median(rounds.map(({ perSecond }) => perSecond)).toFixed(0),
      'p99 of the 202, ms': median(rounds.map(({ p99 }) => p99)).toFixed(1),
      'CPU an event, µs': median(rounds.map(({ cpu }) => cpu)).toFixed(0),
      refused: rounds.reduce((sum, { refused }) => sum + refused, 0),
    })),
  );
  const [bare, own] = sides.map(({ rounds }) => rounds);
  const ratios = own?.map(({ perSecond }, i) => perSecond / (bare?.[i]?.perSecond ?? NaN)) ?? [];
  console.log(`\nratio, median of rounds: ${median(ratios).toFixed(2)} (target 0.5)`);
  const rate = Math.floor(median(own?.map(({ perSecond }) => perSecond) ?? []) / 2);
  const { times, refused } = await sender.send({ send: project.address, rate, seconds: SECONDS });
  printTable(`The 202 at half that rate, ${database} (target: p99 at most 50 ms)`, [
    {
      'events a second': rate,
      'p50, ms': percentile(times, 0.5).toFixed(1),
      'p99, ms': percentile(times, 0.99).toFixed(1),
      refused,
    },
  ]);
  sender.stop();
  receiver.stop();
  await Promise.all([limit.stop(), host.stop()]);
}

build();
for (const database of databases) await measure(database);
await stopShared();
