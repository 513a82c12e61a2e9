/**
 * Databases as earlier versions made them. Up to step 5 of the host, deliveries are in two ledgers, and attempts are
 * lines of a history; from then on, they are rows of the library's tables alone.
 */
import { postgresMigrations } from 'headgate/postgres';
import { createSqliteStore, openSqlite } from 'headgate/sqlite';
import pg from 'pg';
import { COLUMNS } from '../../src/db/library.js';
import { migrationChecksum } from '../../src/db/migration-plan.js';
import type { DatabaseOptions, Row } from '../../src/db/port.js';
import { stepsFor } from '../../src/db/schema.js';

/** The library's tables in SQLite before attempts were rows. */
const LIBRARY = `
  create table headgate_migrations (version integer primary key, applied_at text not null default current_timestamp) strict;
  insert into headgate_migrations (version) values (1), (2);
  create table headgate_bodies (
    id integer primary key, event_id text not null, digest blob not null, created_at integer not null, bytes blob not null,
    unique (event_id, digest)
  ) strict;
  create table headgate_deliveries (
    number integer primary key, id text not null unique, event_id text not null, event_type text not null,
    endpoint_id text not null, origin text not null, replay_of text, state text not null,
    attempts integer not null default 0, due_at integer, lease text, history text not null default '',
    created_at integer not null, finished_at integer, dead_letter integer not null default 0,
    body integer not null references headgate_bodies (id), body_bytes integer
  ) strict;
  create index headgate_due on headgate_deliveries (due_at) where state = 'pending';
  create index headgate_lanes on headgate_deliveries (endpoint_id, due_at) where state = 'pending';
  create index headgate_leases on headgate_deliveries (due_at) where state = 'leased';
  create index headgate_holders on headgate_deliveries (body);
  create index headgate_finished on headgate_deliveries (finished_at) where finished_at is not null and dead_letter = 0;
  create index headgate_letters on headgate_deliveries (finished_at, id) where dead_letter = 1;
  create index headgate_letters_of_endpoint on headgate_deliveries (endpoint_id, finished_at, id) where dead_letter = 1;`;

/** Writes in an old database. */
export interface OldDatabase {
  readonly dialect: 'sqlite' | 'postgres';
  /** Runs SQL in which `{library}` begins the names of the library's tables. */
  run(sql: string): Promise<void>;
  /** Inserts rows into a table of the host, or, with `{library}` before its name, of the library. */
  insert(table: string, rows: readonly Row[]): Promise<void>;
  close(): Promise<void>;
}

/** Steps of the host before deliveries were in one ledger. */
const TWO_LEDGERS = 5;
/**
 * Steps of the library on Postgres before a delivery's attempts were rows, and before leased deliveries had their own
 * index.
 */
const [HISTORIES, ONE_INDEX] = [4, 7];

/** Makes the tables as the host's version `steps` had them. */
export async function makeOldDatabase(options: DatabaseOptions, steps: number): Promise<OldDatabase> {
  const isFirst = steps <= TWO_LEDGERS;
  const old =
    'sqlite' in options
      ? sqlite(options.sqlite, isFirst)
      : await postgres(options.postgres, options.schema!, isFirst ? HISTORIES : ONE_INDEX);
  const all = stepsFor(old.dialect).slice(0, steps);
  for (const step of all) await old.run(step);
  await old.run(
    `create table host_version (version bigint not null);
    insert into host_version values (${steps});
    create table host_steps (number integer primary key, checksum text not null)`.replaceAll(
      'bigint',
      old.dialect === 'sqlite' ? 'integer' : 'bigint',
    ),
  );
  await old.insert(
    'host_steps',
    all.map((step, i) => ({ number: i + 1, checksum: migrationChecksum(step) })),
  );
  return old;
}

function sqlite(path: string, isFirst: boolean): OldDatabase {
  if (!isFirst) createSqliteStore({ path, columns: COLUMNS }).close();
  const { database, close } = openSqlite({ path });
  if (isFirst) database.exec(LIBRARY);
  const named = (sql: string): string => sql.replaceAll('{library}', 'headgate_');
  return {
    dialect: 'sqlite',
    run(sql) {
      database.exec(named(sql));
      return Promise.resolve();
    },
    insert(table, rows) {
      for (const row of rows) {
        const names = Object.keys(row);
        const sql = `insert into ${named(table)} (${names.join()}) values (${names.map(() => '?').join()})`;
        database.prepare(sql).run(...Object.values(row));
      }
      return Promise.resolve();
    },
    close() {
      close();
      return Promise.resolve();
    },
  };
}

/** @param version - The version of the library's tables. */
async function postgres(url: string, schema: string, version: number): Promise<OldDatabase> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` });
  await client.connect();
  await client.query(`create schema ${schema}`);
  for (const { sql } of postgresMigrations(`${schema}_deliveries`).slice(0, version)) await client.query(sql);
  if (version > HISTORIES) {
    const columns = Object.keys(COLUMNS).map((name) => `add column ${name} text collate "C"`);
    await client.query(`alter table ${schema}_deliveries.deliveries ${columns.join()}`);
  }
  const named = (sql: string): string => sql.replaceAll('{library}', `${schema}_deliveries.`);
  return {
    dialect: 'postgres',
    run: async (sql) => void (await client.query(named(sql))),
    async insert(table, rows) {
      const names = Object.keys(rows[0] ?? {}).join();
      const sql = `insert into ${named(table)} (${names}) overriding system value
        select ${names} from json_populate_recordset(null::${named(table)}, $1::json)`;
      await client.query(sql, [JSON.stringify(rows)]);
    },
    close: () => client.end(),
  };
}
