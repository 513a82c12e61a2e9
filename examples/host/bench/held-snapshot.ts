/**
 * 300 events a second on Postgres while another session holds a snapshot open, as a long report or a forgotten
 * transaction does: no row that is dead since then can be cleaned up, and indexes fill with entries that lead nowhere.
 * Then the same beside a million deliveries that wait at an endpoint that hangs.
 *
 *     npx tsx examples/host/bench/held-snapshot.ts [--smoke]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startReceiver, startSender } from './asked.js';
import { hanging } from './receiving.js';
import { ENDPOINTS, type Run, sendSteadily } from './steady.js';
import { subjectOf } from './subjects.js';
import { benchOptions, printTable } from './table.js';
import { addProject, build, newSchema, postgresUrl, startWhole, stopShared } from './whole.js';
import { BODY, RULES } from './workload.js';

const { isSmoke } = benchOptions();
const RATE = isSmoke ? 50 : 300;
/** Seconds of a row of the table. */
const SECONDS = isSmoke ? 1 : 60;
/** The snapshot is held before the row that shows it, for ten minutes with that one. */
const HELD_SECONDS = isSmoke ? 1 : 540;
const WAITING = isSmoke ? 1_000 : 1_000_000;

build();
const schema = newSchema();
const client = new pg.Client(await postgresUrl());
await client.connect();
const sender = startSender();
const receiver = await startReceiver();
const hang = await hanging();
const whole = await startWhole('postgres', { HEADGATE_SCHEMA: schema });
const endpoints = Array.from({ length: ENDPOINTS }, (_, i) => `${receiver.url}/${i}`);
const { address } = await addProject(whole, { rules: RULES.slice(0, 1), endpoints });
const other = await addProject(whole, { rules: [], endpoints: [hang.url] });
const host = subjectOf([whole], [address]);

/** Entries of indexes, and rows of scans, that statements on deliveries have read so far. */
async function readSoFar(): Promise<number> {
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ n: string }>(
    `select (select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes where schemaname = $1 and relname = 'deliveries') +
      (select coalesce(sum(seq_tup_read), 0) from pg_stat_user_tables where schemaname = $1 and relname = 'deliveries') as n`,
    [`${schema}_deliveries`],
  );
  return Number(rows[0]?.n);
}

const rows: Record<string, string | number>[] = [];

async function measure(what: string): Promise<void> {
  const before = await readSoFar();
  const run: Run = await sendSteadily(host, sender, { rate: RATE, seconds: SECONDS, body: BODY });
  const read = (await readSoFar()) - before;
  rows.push({
    '': what,
    'recorded a second': (RATE * (SECONDS / (SECONDS + run.drained))).toFixed(1),
    'p99 of the 202, ms': run.p99.toFixed(1),
    'CPU an event, µs': run.cpu.toFixed(0),
    'of Postgres, µs': run.postgres.toFixed(0),
    'read on deliveries, a delivery': (read / (RATE * SECONDS * ENDPOINTS)).toFixed(1),
  });
  console.error(rows.at(-1));
}

/** Copies a delivery to the endpoint that hangs. */
async function fillBacklog(): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(other.address, { method: 'POST', headers, body: BODY });
  await sleep(1_000);
  const table = `"${schema}_deliveries".deliveries`;
  const { rows: names } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_schema = $1 and table_name = 'deliveries' and column_name not in ('number', 'id') and is_generated = 'NEVER'`,
    [`${schema}_deliveries`],
  );
  const columns = names.map(({ name }) => `"${name}"`).join(', ');
  const { rowCount } = await client.query(`insert into ${table} (id, ${columns})
    select id || '_' || n, ${columns.replace('"state"', "'pending'").replace('"lease"', 'null')}
      from (select * from ${table} where state in ('pending', 'leased') limit 1) as one, generate_series(1, ${WAITING}) as g (n)`);
  if (rowCount !== WAITING) throw new Error('no delivery waits at the endpoint that hangs');
}

await sendSteadily(host, sender, { rate: RATE, seconds: SECONDS / 4, body: BODY });
await measure('nothing besides');
await client.query('begin isolation level repeatable read');
await client.query('select 1 from pg_class limit 1');
await client.query('create temp table held (n int)'); // takes a transaction id, as a session that writes does
await sendSteadily(host, sender, { rate: RATE, seconds: HELD_SECONDS, body: BODY });
await measure(`a snapshot is held for ${HELD_SECONDS + SECONDS} s`);
await client.query('rollback');
await fillBacklog();
await measure(`${WAITING} deliveries wait`);
printTable(
  `${RATE} events a second, postgres (targets: rate at least 95 %, reads at most twice as many)`,
  rows,
);
await host.stop();
for (const one of [sender, receiver, hang]) one.stop();
await client.end();
await stopShared();
