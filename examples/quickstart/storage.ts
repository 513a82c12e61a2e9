/** The storage of the deliveries while the example runs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DeadLetters, DeliveryStore } from 'headgate/delivery';
import { createMemoryStore } from 'headgate/memory';
import { createPostgresStore } from 'headgate/postgres';
import { createSqliteStore } from 'headgate/sqlite';
import { Pool } from 'pg';

/** The chosen store, as plain data that a worker process can receive. */
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

const USAGE = `usage: npm run quickstart -- [--store sqlite|memory|postgres]

  sqlite     a file in a temporary folder; the default
  memory     in this process, which is then not killed
  postgres   the server that DATABASE_URL names; the default where it is set`;

/** The store chosen on the command line. Exits after --help or an unknown argument. */
export function chosenStorage(): Storage {
  try {
    const options = { store: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
    const { values } = parseArgs({ options });
    if (values.help !== true) return storageNamed(values.store);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(USAGE);
    process.exit(2);
  }
  console.log(USAGE);
  process.exit(0);
}

function storageNamed(name: string | undefined): Storage {
  const { DATABASE_URL: url } = process.env;
  const store = name ?? (url === undefined ? 'sqlite' : 'postgres');
  if (store === 'memory') return { kind: 'memory' };
  if (store === 'sqlite') {
    return { kind: 'sqlite', path: join(mkdtempSync(join(tmpdir(), 'headgate-')), 'deliveries.db') };
  }
  if (store === 'postgres' && url !== undefined) {
    return { kind: 'postgres', url, schema: `headgate_${process.pid}` };
  }
  throw new Error(store === 'postgres' ? 'Set DATABASE_URL for Postgres.' : `There is no store '${store}'.`);
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
