/** Databases for tests: a file of SQLite, and a database or a schema on the Postgres of the run. */
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject, onTestFinished } from 'vitest';
import { type Database, type DatabaseOptions, openDatabase } from '../../src/db/index.js';
import { databaseUrl, on, SCHEMA } from './templates.js';

/** One of the two databases. */
export interface TestDatabase {
  readonly name: 'SQLite' | 'Postgres';
  /** A database with all tables and nothing in them, for one test; closed and removed after the tests of the file. */
  readonly open: () => Promise<Database>;
  /** Names a database without tables, and returns a function that connects to it, for tests of several processes. */
  readonly create: () => Connect;
}

/** Connects to a database; other processes do so by its options. */
export type Connect = (() => Promise<Database>) & { readonly options: DatabaseOptions };

/** Both, for `describe.each(databases())`. */
export function databases(): readonly TestDatabase[] {
  const endings: (() => Promise<void> | void)[] = [];
  afterAll(async () => {
    for (const end of endings.reverse()) await end();
  });
  const tracked = async (opening: Promise<Database>): Promise<Database> => {
    const db = await opening;
    endings.push(() => db.close());
    return db;
  };
  const connectTo = (options: DatabaseOptions): Connect =>
    Object.assign(() => tracked(openDatabase(options)), { options });
  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), 'headgate-host-'));
    endings.push(() => rmSync(made, { recursive: true, force: true }));
    return made;
  };
  const url = inject('postgres');
  const templates = inject('templates');
  const sqlite = (): Connect => connectTo({ sqlite: join(folder(), 'host.db') });
  const postgres = (): Connect => {
    const schema = newName();
    endings.push(() => on(url, `drop schema if exists ${schema}, ${schema}_deliveries cascade`));
    return connectTo({ postgres: url, schema, connections: CONNECTIONS });
  };
  const openSqlite = (): Promise<Database> => {
    const path = join(folder(), 'host.db');
    copyFileSync(templates.sqlite, path);
    return tracked(openDatabase({ sqlite: path }));
  };
  const copyPostgres = async (): Promise<Database> => {
    const name = newName();
    await on(url, `create database ${name} template ${templates.postgres} strategy file_copy`);
    const options = { postgres: databaseUrl(url, name), schema: SCHEMA, connections: CONNECTIONS };
    const db = await openDatabase(options);
    endings.push(async () => {
      if (spare.includes(db)) return;
      await db.close();
      await on(url, `drop database ${name} with (force)`);
    });
    return db;
  };
  const openPostgres = async (): Promise<Database> => {
    const db = spare.pop() ?? (await copyPostgres());
    whenTestEnds(async () => {
      if (await renew(db)) spare.push(db);
    });
    return db;
  };
  return [
    { name: 'SQLite', create: sqlite, open: openSqlite },
    { name: 'Postgres', create: postgres, open: openPostgres },
  ];
}

/** Databases on Postgres whose tests are over, as if they were new. They end with the server. */
const spare: Database[] = [];

/** Calls a function after the hooks of a test; never outside of one. */
function whenTestEnds(call: () => Promise<void>): void {
  try {
    onTestFinished(call);
  } catch {
    // Tests that share a database have it until the file ends.
  }
}

/** Makes the database of a test like new. False if it cannot be, as one that the test has closed. */
const renew = (db: Database): Promise<boolean> =>
  db.get<{ readonly renew: boolean }>('select tests.renew()').then(
    (row) => row?.renew === true,
    () => false,
  );

/** The number of connections in a database's pool. */
const CONNECTIONS = 8;

const newName = (): string => `t_${randomBytes(6).toString('hex')}`;
