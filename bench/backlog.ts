/**
 * Measures a claim while ten thousand or a million other rows stand beside the due ones.
 *
 *     npm ci --prefix bench && npx tsx bench/backlog.ts
 *
 * A thousand endpoints have two deliveries each that are due. Beside them stand rows of one kind, ten thousand or a
 * million: finished, due later, or due now at an endpoint that is full. A round claims twenty and settles them as
 * delivered; the figure is the median of a hundred rounds.
 */
import { Pool } from 'pg';
import { openDatabase } from '../src/adapters/sqlite/driver.js';
import { createSqliteStore } from '../src/adapters/sqlite/index.js';
import { createPostgresStore } from '../src/adapters/postgres/index.js';
import { type DeliveryStore, newDelivery, transition } from '../src/delivery/index.js';
import { readBenchLine } from './running/command-line.js';
import { findPostgres } from './throughput/servers.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NOW = 1_700_000_000_000;
const BATCH = 20;

const { smoke } = readBenchLine({});
const [FEW, MANY] = smoke ? [1_000, 5_000] : [10_000, 1_000_000];
const ROUNDS = smoke ? 5 : 100;
const ENDPOINTS = smoke ? 100 : 1_000;

/** State, `due_at`, `finished_at` and endpoint of row `i`, in the SQL that both databases speak. */
const KINDS = {
  finished: [`'delivered'`, 'null', `${NOW} - i`, `'endpoint-' || (i % 1000)`],
  'due later': [`'pending'`, `${NOW + 3_600_000} + i`, 'null', `'endpoint-' || (i % 1000)`],
  'due at a full endpoint': [`'pending'`, `${NOW} - i`, 'null', `'full'`],
} as const;

/** Fills the tables beside the store, since a million rows would take it a while. */
const insertion = (kind: keyof typeof KINDS, numbers: string, tables: readonly [string, string]): string => {
  const [state, due, finished, endpoint] = KINDS[kind];
  return `insert into ${tables[1]}
    (id, event_id, event_type, endpoint_id, origin, state, due_at, finished_at, attempts, created_at, body)
    select 'evt_' || i || ':a', 'evt_' || i, 'webhook.received', ${endpoint}, 'live', ${state}, ${due}, ${finished}, 0,
      ${NOW} - i, (select min(id) from ${tables[0]}) from ${numbers}`;
};

/** Two due deliveries for each endpoint. */
async function fillWork(store: DeliveryStore): Promise<void> {
  const body = new Uint8Array(1_024);
  for (let n = 0; n < 2 * ENDPOINTS; n++) {
    const event = { id: `work_${n}`, type: 'webhook.received' };
    await store.enqueue([
      { body, deliveries: [newDelivery(event, `endpoint-${n % ENDPOINTS}`, { at: NOW })] },
    ]);
  }
}

/** Milliseconds of each round. */
async function claimAll(store: DeliveryStore): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; times.length < ROUNDS; n++) {
    const at = NOW + n;
    const lease = `round ${n}`;
    const start = performance.now();
    const request = {
      lease,
      at,
      until: at + 30_000,
      limit: BATCH,
      perEndpoint: 8,
      inFlight: new Map([['full', 8]]),
    };
    const { claims } = await store.claim({ ...request, limit: n === 0 ? 0 : BATCH });
    if (n === 0) continue; // finds out what there is
    if (claims.length !== BATCH) throw new Error(`${claims.length} claimed where ${BATCH} are due`);
    const attempt = { started_at: at, ended_at: at, outcome: { ok: true, status: 204 } } as const;
    const settlements = claims.map(({ delivery }) => {
      const after = transition(delivery, { type: 'attempt', lease, attempt, policy: null });
      if (!after.ok) throw new Error(after.reason);
      return { lease, delivery: after.delivery, attempt: after.delivery.last_attempt };
    });
    if ((await store.settle(settlements)).includes(false)) throw new Error('a lease was lost');
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b);
}

async function onSqlite(kind: keyof typeof KINDS, size: number): Promise<readonly number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-'));
  const store = createSqliteStore({ path: join(folder, 'deliveries.db') });
  await fillWork(store);
  const database = openDatabase(join(folder, 'deliveries.db'));
  const numbers = `(with recursive n (i) as (select 1 union all select i + 1 from n where i < ${size}) select i from n)`;
  database.exec(insertion(kind, numbers, ['headgate_bodies', 'headgate_deliveries']));
  database.close();
  const times = await claimAll(store);
  store.close();
  rmSync(folder, { recursive: true });
  return times;
}

async function onPostgres(url: string, kind: keyof typeof KINDS, size: number): Promise<readonly number[]> {
  const pool = new Pool({ connectionString: url, max: 4 });
  const store = createPostgresStore({ pool, schema: 'backlog' });
  await store.migrate();
  await fillWork(store);
  const numbers = `generate_series(1, ${size}) as n (i)`;
  await pool.query(insertion(kind, numbers, ['backlog.bodies', 'backlog.deliveries']));
  await pool.query('vacuum analyze backlog.deliveries');
  const times = await claimAll(store);
  await pool.query('drop schema backlog cascade');
  await pool.end();
  return times;
}

const postgres = await findPostgres();
const rows: Record<string, Record<string, string>> = {};
for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
  for (const [name, measure] of [
    ['SQLite', (size: number) => onSqlite(kind, size)],
    ['Postgres', (size: number) => onPostgres(postgres.at, kind, size)],
  ] as const) {
    const medians: number[] = [];
    for (const size of [FEW, MANY]) medians.push((await measure(size))[ROUNDS >> 1] ?? NaN);
    const [few = NaN, many = NaN] = medians;
    rows[`${name}, ${kind}`] = {
      [`ms at ${FEW.toLocaleString('en')}`]: few.toFixed(2),
      [`ms at ${MANY.toLocaleString('en')}`]: many.toFixed(2),
      ratio: (many / few).toFixed(2),
    };
  }
}
console.log(`claim ${BATCH} and settle them, beside as many other rows`);
console.table(rows);
await postgres.stop();
