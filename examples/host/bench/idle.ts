/**
 * Measures an idle host with ten endpoints, twenty rules and two SDK clients: processor time, and the statements that
 * Postgres ran.
 *
 *     npx tsx examples/host/bench/idle.ts [--smoke] [--only sqlite|postgres]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { listening } from './listening.js';
import { sendPaced } from './load.js';
import { receiving } from './receiving.js';
import { benchOptions, printTable } from './table.js';
import { addProject, build, cpuOf, type DatabaseName, startWhole, stopShared, type Whole } from './whole.js';
import { BODY, RULES } from './workload.js';

const { isSmoke, databases } = benchOptions();
const SECONDS = isSmoke ? 2 : 20;
/** Wait before measuring, in which the work of the start ends: V8 still collects its garbage twenty seconds later. */
const SETTLE_MS = isSmoke ? 1_000 : 30_000;

/** Transactions that the server has ended; every idle statement is one. */
async function transactions({ postgres }: Whole): Promise<number> {
  if (postgres === null) return NaN;
  const client = new pg.Client(postgres);
  await client.connect();
  const { rows } = await client.query<{ n: string }>(
    'select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()',
  );
  await client.end();
  return Number(rows[0]?.n);
}

async function measure(database: DatabaseName): Promise<void> {
  const host = await startWhole(database);
  const receiver = await receiving(() => undefined);
  const endpoints = Array.from({ length: 10 }, (_, i) => `${receiver.url}/${i}`);
  const project = await addProject(host, { rules: RULES, endpoints });
  const clients = await Promise.all(
    ['a', 'b'].map((name) => listening(host, project, name, () => undefined)),
  );
  await sendPaced(project.address, [BODY], { rate: 20, seconds: 1 });
  await sleep(SETTLE_MS);
  const [cpu, ran] = [cpuOf(host.pid), await transactions(host)];
  await sleep(SECONDS * 1_000);
  const [used, statements] = [cpuOf(host.pid) - cpu, (await transactions(host)) - ran];
  printTable(`Idle for ${SECONDS} s, ${database} (target: under 1 % of a core)`, [
    {
      'CPU, ms': used.toFixed(0),
      '% of a core': (used / SECONDS / 10).toFixed(2),
      'transactions a second': Number.isNaN(statements) ? 'not counted' : (statements / SECONDS).toFixed(1),
    },
  ]);
  await Promise.all(clients.map((client) => client.close()));
  await host.stop();
  receiver.stop();
}

build();
for (const database of databases) await measure(database);
await stopShared();
