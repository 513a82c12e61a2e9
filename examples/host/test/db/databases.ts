/** Databases for tests: SQLite in a folder of its own, and a schema of its own on the Postgres of the run. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { type Database, type DatabaseOptions, openDatabase } from '../../src/db/index.js';

/** One of the two databases. */
export interface TestDatabase {
  readonly name: 'SQLite' | 'Postgres';
  /** A fresh database; closed and removed after the tests of the file. */
  readonly open: () => Promise<Database>;
  /** Creates an empty database, and returns a function that connects to it, for tests of several processes. */
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
  const sqlite = (): Connect => {
    const folder = mkdtempSync(join(tmpdir(), 'headgate-host-'));
    endings.push(() => rmSync(folder, { recursive: true, force: true }));
    return connectTo({ sqlite: join(folder, 'host.db') });
  };
  const postgres = (): Connect => {
    const url = inject('postgres');
    const schema = `t_${randomBytes(6).toString('hex')}`;
    endings.push(() => dropSchemas(url, schema));
    return connectTo({ postgres: url, schema, connections: 8 });
  };
  return [
    { name: 'SQLite', create: sqlite, open: () => sqlite()() },
    { name: 'Postgres', create: postgres, open: () => postgres()() },
  ];
}

async function dropSchemas(url: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `drop schema if exists ${schema} cascade; drop schema if exists ${schema}_deliveries cascade`,
  );
  await client.end();
}
