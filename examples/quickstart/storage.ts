/** Where the deliveries live while the example runs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DeadLetters, DeliveryStore } from 'headgate/delivery';
import { createMemoryStore } from 'headgate/memory';
import { createPostgresStore } from 'headgate/postgres';
import { createSqliteStore } from 'headgate/sqlite';
import { Pool } from 'pg';

/** Which store, in words that a worker process can be told. */
export type Storage =
  | { readonly kind: 'memory' }
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly schema: string };

/** A store that is open. */
export interface OpenStorage {
  readonly store: DeliveryStore & { readonly deadLetters: DeadLetters };
  /** Closes it; what it holds stays. */
  readonly close: () => Promise<void>;
}

/** `--store sqlite` (a file in a temporary folder), `--store memory`, or the Postgres that DATABASE_URL names. */
export function chosenStorage(): Storage {
  const { DATABASE_URL: url } = process.env;
  const { values } = parseArgs({ options: { store: { type: 'string' } } });
  const { store = url === undefined ? 'sqlite' : 'postgres' } = values;
  if (store === 'memory') return { kind: 'memory' };
  if (store === 'sqlite')
    return { kind: 'sqlite', path: join(mkdtempSync(join(tmpdir(), 'headgate-')), 'deliveries.db') };
  if (store === 'postgres' && url !== undefined)
    return { kind: 'postgres', url, schema: `headgate_${process.pid}` };
  throw new Error('--store is sqlite or memory; for Postgres set DATABASE_URL');
}

export async function open(storage: Storage): Promise<OpenStorage> {
  if (storage.kind === 'memory') return { store: createMemoryStore(), close: () => Promise.resolve() };
  if (storage.kind === 'sqlite') {
    const store = createSqliteStore({ path: storage.path });
    const close = (): Promise<void> => {
      store.close();
      return Promise.resolve();
    };
    return { store, close };
  }
  const pool = new Pool({ connectionString: storage.url });
  pool.on('error', (error) => console.error(error.message)); // or a lost connection would end the process
  const store = createPostgresStore({ pool, schema: storage.schema });
  await store.migrate();
  return { store, close: () => pool.end() };
}

/** Removes what the example has stored. */
export async function remove(storage: Storage): Promise<void> {
  if (storage.kind === 'sqlite') rmSync(join(storage.path, '..'), { recursive: true });
  if (storage.kind !== 'postgres') return;
  const pool = new Pool({ connectionString: storage.url });
  await pool.query(`drop schema ${storage.schema} cascade`);
  await pool.end();
}

const places = {
  memory: 'in memory',
  sqlite: 'in SQLite, a temporary file',
  postgres: 'in Postgres, a schema of their own',
} as const satisfies Record<Storage['kind'], string>;

export const describe = ({ kind }: Storage): string => places[kind];
