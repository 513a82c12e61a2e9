/** The package's own stores, empty. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import { createPostgresStore } from '../../src/adapters/postgres/index.js';
import { createSqliteStore } from '../../src/adapters/sqlite/index.js';
import type { DeliveryStore } from '../../src/delivery/index.js';

/** A store, and what removes it. */
export interface OpenStore {
  readonly store: DeliveryStore;
  readonly close: () => Promise<void>;
}

/** By name; each is given the connection string of a Postgres. */
export const stores = {
  memory: () => Promise.resolve({ store: createMemoryStore(), close: () => Promise.resolve() }),
  SQLite: () => {
    const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-'));
    const store = createSqliteStore({ path: join(folder, 'deliveries.db') });
    const close = (): Promise<void> => {
      store.close();
      rmSync(folder, { recursive: true });
      return Promise.resolve();
    };
    return Promise.resolve({ store, close });
  },
  Postgres: async (connectionString) => {
    const pool = new Pool({ connectionString, max: 4 });
    const schema = `bench_${process.pid}`;
    const store = createPostgresStore({ pool, schema });
    await store.migrate();
    const close = async (): Promise<void> => {
      await pool.query(`drop schema ${schema} cascade`);
      await pool.end();
    };
    return { store, close };
  },
} as const satisfies Readonly<Record<string, (postgres: string) => Promise<OpenStore>>>;
