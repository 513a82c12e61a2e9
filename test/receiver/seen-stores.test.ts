/** The stores of seen keys: in memory, and as docs/receivers.md writes them for SQLite and Postgres. */
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { openSqlite, type SqliteDatabase } from '../../src/adapters/sqlite/index.js';
import { createMemorySeenStore } from '../../src/receiver/index.js';
import { createPool } from '../adapters/postgres/schema.js';
import { type Documented, documentedStore, documentedTable } from './documented.js';
import { seenContract, type SeenStage } from './seen-contract.js';

describe('in memory', () => {
  const seen = createMemorySeenStore({ maxKeys: 1_000 });
  seenContract(() => ({ seen }));
});

describe('in SQLite', () => {
  const { database, close } = openSqlite({ path: ':memory:' });
  let stage: SeenStage;
  beforeAll(async () => {
    const { createSeenStore } = (await import(
      documentedStore('SqliteDatabase').path
    )) as Documented<SqliteDatabase>;
    const seen = createSeenStore(database);
    const older = database.prepare('update seen set begun_at = begun_at - 20001 where key = ?');
    stage = { seen, age: (key) => older.run(key) };
  });
  afterAll(close);
  seenContract(() => stage);
});

describe('in Postgres', () => {
  const schema = `seen_${crypto.randomUUID().replaceAll('-', '')}`;
  const pool = createPool({ options: `-c search_path=${schema}` });
  let stage: SeenStage;
  beforeAll(async () => {
    await pool.query(`create schema ${schema}; ${documentedTable()}`);
    const { createSeenStore } = (await import(documentedStore('Pool').path)) as Documented<Pool>;
    const older = "update seen set begun_at = begun_at - interval '20.001 seconds' where key = $1";
    stage = { seen: createSeenStore(pool), age: (key) => pool.query(older, [key]) };
  });
  afterAll(async () => {
    await pool.query(`drop schema ${schema} cascade`);
    await pool.end();
  });
  seenContract(() => stage);
});
