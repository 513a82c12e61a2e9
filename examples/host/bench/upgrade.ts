/**
 * Brings a database of the version before one ledger up to date, with a million events of seven facts and a delivery
 * each; a tenth of the deliveries were retried once.
 *
 *     npx tsx examples/host/bench/upgrade.ts [--smoke] [--only sqlite|postgres]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../../test/postgres/start.js';
import { type DatabaseOptions, openDatabase } from '../src/db/index.js';
import { makeOldDatabase, type OldDatabase } from '../test/db/old-database.js';
import { benchOptions, printTable } from './table.js';

const { isSmoke, databases } = benchOptions();
const DELIVERIES = isSmoke ? 10_000 : 1_000_000;
const AT = 1_700_000_000_000;
/** Stands for the line break of a dialect. */
const NEWLINE = "'newline'";

const line = (number: string, status: number, failure: string): string =>
  `'{"number":' || ${number} || ',"started_at":${AT},"ended_at":${AT + 5},"outcome":{"ok":${failure === '' ? 'true' : 'false'},"status":${status}${failure}}}' || ${NEWLINE}`;

const FACTS = ['status:processed', 'type:"t"', 'channel:c', 'tag:"a"', 'rule:r', 'endpoint:e', 'endpoint:f'];

/** Rows of both ledgers and of facts, made by the database itself. */
function fill(old: OldDatabase): readonly string[] {
  const isSqlite = old.dialect === 'sqlite';
  const newline = isSqlite ? 'char(10)' : 'chr(10)';
  const dead = (sql: string): string => (isSqlite ? `case when ${sql} then 1 else 0 end` : sql);
  const numbers = isSqlite
    ? `(with recursive g (n) as (select 1 union all select n + 1 from g where n < ${DELIVERIES}) select n from g) as g`
    : `generate_series(1, ${DELIVERIES}) as g (n)`;
  const digits = isSqlite ? "printf('%09d', n)" : "lpad(n::text, 9, '0')";
  const event = `'evt_' || ${digits} || '${'0'.repeat(17)}'`;
  const id = `${event} || ':' || (n % 100)`;
  const facts = FACTS.map((fact) => `select '${fact}' as fact`).join(' union all ');
  const failed = line('1', 503, ',"failure":"http_status","transient":true,"detail":"it said no"');
  const arrived = line('case when n % 10 = 0 then 2 else 1 end', 204, '');
  const history = `(case when n % 10 = 0 then ${failed} else '' end || ${arrived})`.replaceAll(
    NEWLINE,
    newline,
  );
  const attempts = 'case when n % 10 = 0 then 2 else 1 end';
  return [
    `insert into events (id, project_id, channel_id, type, status, received_at, decide_failures)
      select ${event}, 'p', 'c', 't', 'processed', ${AT}, 0 from ${numbers}`,
    `insert into event_facts (project_id, fact, event_id)
      select 'p', fact, ${event} from ${numbers} cross join (${facts}) as facts`,
    `insert into {library}bodies (event_id, digest, created_at, bytes)
      select ${event}, ${isSqlite ? "x'00'" : "'\\x00'"}, ${AT}, ${isSqlite ? "x'7b7d'" : "'{}'"} from ${numbers}`,
    `insert into {library}deliveries (id, event_id, event_type, endpoint_id, origin, state, attempts, history, created_at,
        finished_at, dead_letter, body, body_bytes)
      select ${id}, ${event}, 't', n % 100, 'live', case when n % 50 = 0 then 'failed' else 'delivered' end, ${attempts},
        ${history}, ${AT}, ${AT}, ${dead('n % 50 = 0')}, n, 2 from ${numbers}`,
    `insert into deliveries (id, project_id, event_id, event_type, endpoint_id, origin, state, attempts, dead, created_at,
        finished_at, status_code)
      select ${id}, 'p', ${event}, 't', n % 100, 'live', case when n % 50 = 0 then 'failed' else 'delivered' end,
        ${attempts}, case when n % 50 = 0 then 1 else 0 end, ${AT}, ${AT}, 204 from ${numbers}`,
    `insert into attempts (delivery_id, number, url, started_at, ended_at, ok, status_code)
      select ${id}, ${attempts}, 'https://e.example/hooks', ${AT}, ${AT + 5}, 1, 204 from ${numbers}`,
  ];
}

async function measure(options: DatabaseOptions): Promise<number> {
  const old = await makeOldDatabase(options, 5);
  for (const sql of fill(old)) await old.run(sql);
  await old.close();
  const began = performance.now();
  const db = await openDatabase(options, ({ taken, steps }) => console.error(`step ${taken} of ${steps}`));
  const ms = performance.now() - began;
  const { n } = (await db.get<{ n: number }>('select count(*) as n from {attempts}'))!;
  if (n !== DELIVERIES * 1.1) throw new Error(`${n} attempts`);
  await db.close();
  return ms;
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
const rows: Record<string, string>[] = [];
for (const name of databases) {
  if (name === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'headgate-upgrade-'));
    rows.push({ database: 'SQLite', seconds: seconds(await measure({ sqlite: join(folder, 'host.db') })) });
    rmSync(folder, { recursive: true });
  } else {
    const server = await startPostgres();
    const ms = await measure({ postgres: server.url, schema: 'upgrade' });
    rows.push({ database: 'Postgres', seconds: seconds(ms) });
    await server.stop();
  }
}
printTable(`An upgrade with ${DELIVERIES.toLocaleString('en')} events and deliveries`, rows);
