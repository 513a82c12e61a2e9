/** A schema of its own for each case, on the server that the tests share. */
import pg from 'pg';
import { inject } from 'vitest';
import {
  createPostgresStore,
  type PostgresStore,
  type PostgresStoreOptions,
} from '../../../src/adapters/postgres/index.js';

/** A store in an empty schema, with a pool of its own. */
export interface Fixture {
  readonly store: PostgresStore;
  readonly pool: pg.Pool;
  readonly schema: string;
  /** Drops the schema and ends the pool. */
  readonly close: () => Promise<void>;
}

/** A pool on the server of the tests; what idle connections have to say is of no interest. */
export function createPool(options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: inject('postgres'), max: 4, ...options });
  pool.on('error', () => undefined);
  return pool;
}

/** A name that needs its quotes. */
export const schemaName = (): string => `Headgate "${crypto.randomUUID()}`;
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** @param options - Beside `pool` and `schema`. */
export async function createFixture(
  options: Omit<PostgresStoreOptions, 'pool' | 'schema'> = {},
): Promise<Fixture> {
  const pool = createPool();
  const schema = schemaName();
  const store = createPostgresStore({ pool, schema, ...options });
  await store.migrate();
  const close = async () => {
    await pool.query(`drop schema ${quoted(schema)} cascade`);
    await pool.end();
  };
  return { store, pool, schema, close };
}
