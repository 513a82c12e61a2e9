/** Everybody who delivers, made ready in the process that measures. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import { createPostgresStore } from '../../src/adapters/postgres/index.js';
import { createSqliteStore } from '../../src/adapters/sqlite/index.js';
import { bareUndici, type Contender, headgate } from './delivering.js';

/** Where everything is. */
export interface Places {
  readonly url: string;
  readonly postgres: string;
  /** Null where there is none. */
  readonly redisPort: number | null;
  /** Only these; all where it is empty. */
  readonly only: readonly string[];
}

const makers: Readonly<Record<string, (places: Places) => Contender | Promise<Contender> | null>> = {
  memory: ({ url }) => headgate('memory', createMemoryStore(), url, () => Promise.resolve()),
  sqlite: ({ url }) => onSqlite(url),
  postgres: ({ url, postgres }) => onPostgres(postgres, url),
  'pg-boss': async ({ url, postgres }) => (await import('./peers.js')).pgBoss(postgres, url),
  bullmq: async ({ url, redisPort }) =>
    redisPort === null
      ? absent('BullMQ', 'no redis-server here')
      : (await import('./peers.js')).bullmq(redisPort, url),
};

/** Bare undici first, which all are compared with. */
export async function contenders(places: Places): Promise<readonly Contender[]> {
  const chosen = Object.entries(makers).filter(
    ([name]) => places.only.length === 0 || places.only.includes(name),
  );
  const made: Contender[] = [bareUndici(places.url)];
  for (const [, make] of chosen) {
    const contender = await make(places);
    if (contender !== null) made.push(contender);
  }
  return made;
}

function absent(name: string, why: string): null {
  console.log(`${name} is left out: ${why}`);
  return null;
}

function onSqlite(url: string): Contender {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-'));
  const store = createSqliteStore({ path: join(folder, 'deliveries.db') });
  return headgate('SQLite', store, url, () => {
    store.close();
    rmSync(folder, { recursive: true });
    return Promise.resolve();
  });
}

async function onPostgres(connectionString: string, url: string): Promise<Contender> {
  const pool = new Pool({ connectionString, max: 4 });
  const store = createPostgresStore({ pool, schema: `bench_${process.pid}` });
  await store.migrate();
  return headgate('Postgres', store, url, () => pool.end());
}
