/**
 * Times the lists of deliveries and dead letters with a million rows: `npx tsx examples/host/bench/deliveries.ts`. With
 * `DATABASE_URL` it uses a schema of that server, else SQLite in a temporary folder; `--smoke` makes ten thousand rows.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../src/api/app.js';
import type { Scope } from '../src/api/route.js';
import { type Database, openDatabase } from '../src/db/index.js';
import { deadLetterRoutes } from '../src/delivering/dead-letters.js';
import { deliveryRoutes } from '../src/delivering/deliveries.js';
import { newId } from '../src/ids.js';
import { tagFact } from '../src/stored/facts.js';
import { KEEP_POSTING, postingRows } from '../src/stored/postings.js';
import { insertDeliveries } from '../test/db/library-rows.js';

const ROWS = process.argv.includes('--smoke') ? 10_000 : 1_000_000;
const REPEATS = 9;
const AT = 1_700_000_000_000;
const PROJECT = newId(AT);
const ENDPOINTS = Array.from({ length: 100 }, () => newId(AT));
const REDELIVERY = newId(AT);
const FAILURES = ['http_status', 'timeout', 'dns_failure'];

/** One in ten failed and is a dead letter, one in a hundred is pending, one in ten thousand is a replay. */
async function fill(db: Database): Promise<void> {
  await db.insert('bulk_actions', [
    {
      ...{
        id: REDELIVERY,
        project_id: PROJECT,
        filter: '{}',
        state: 'done',
        kind: 'redelivery',
        total: 0,
        sent: 0,
      },
      ...{ cursor: '{}', lease_until: 0, created_at: AT, created_by: 'bench', ended_at: AT },
    },
  ]);
  const sizeOfBatch = 5_000;
  for (let from = 0; from < ROWS; from += sizeOfBatch) {
    const numbers = Array.from({ length: Math.min(sizeOfBatch, ROWS - from) }, (_, i) => from + i);
    await db.transaction(async (tx) => {
      await insertDeliveries(db, tx, numbers.map(rowOf));
      const tagged = numbers.filter((n) => n % 20 === 0);
      const ids = [...new Set(tagged.map(eventOf))];
      const facts = [tagFact('urgent')];
      const rows = postingRows(ids.map((id) => ({ project: PROJECT, id, facts })));
      await tx.insert('event_postings', rows, KEEP_POSTING);
    });
  }
}

const eventOf = (n: number): string => `evt_${String(Math.floor(n / 2)).padStart(26, '0')}`;

function rowOf(n: number) {
  const state = n % 10 === 0 ? 'failed' : n % 100 === 1 ? 'pending' : 'delivered';
  const isReplay = n % 10_000 < 2;
  const endpoint_id = ENDPOINTS[n % 7 === 0 ? 0 : (n * 31) % 100]!;
  const id = `${eventOf(n)}:${endpoint_id}${n % 2 === 0 ? '' : ':2'}`;
  return {
    ...{
      id,
      project_id: PROJECT,
      event_id: eventOf(n),
      event_type: n % 1_000 === 0 ? 'rare' : 'webhook.received',
    },
    ...{ endpoint_id, origin: isReplay ? 'replay' : 'live', state, attempts: 1 },
    due_at: state === 'pending' ? AT + n : null,
    failure: state === 'failed' ? FAILURES[n % 3 === 0 ? 0 : (n / 10) % 3]! : null,
    status_code: state === 'failed' ? 500 + (n % 7) : 200,
    ...{ dead: state === 'failed' ? 1 : 0, redelivery_id: isReplay ? REDELIVERY : null, created_at: AT + n },
    finished_at: state === 'pending' ? null : AT + n + 5,
  };
}

const dates = (from: number, to: number): string =>
  `from=${new Date(AT + from).toISOString()}&to=${new Date(AT + to).toISOString()}`;

const DELIVERIES = {
  endpoint: `endpoint=${ENDPOINTS[0]}`,
  state: 'state=pending',
  failed: 'state=failed',
  origin: 'origin=replay',
  redelivery: `redelivery=${REDELIVERY}`,
  time: dates(ROWS / 4, ROWS / 2),
  event: `event=${eventOf(ROWS / 2)}`,
};
const LETTERS = {
  endpoint: `endpoint=${ENDPOINTS[0]}`,
  type: 'type=rare',
  noType: 'type=none',
  tag: 'tag=urgent',
  noTag: 'tag=none',
  failure: 'failure=dns_failure',
  status: 'status_from=506&status_to=599',
  noStatus: 'status_from=400&status_to=499',
  time: dates(ROWS / 4, ROWS / 2),
};

const nameOf = (filter: string): string => filter.split('=')[0] ?? '';

/** Every filter alone, and all pairs of different ones. */
function combined(
  path: string,
  filters: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] {
  const all = Object.entries(filters);
  const pairs = all.flatMap(([a, x], i) =>
    all
      .slice(i + 1)
      .filter(([, y]) => nameOf(x) !== nameOf(y))
      .map(([b, y]) => [`${a} + ${b}`, `${x}&${y}`] as const),
  );
  return [['all', ''] as const, ...all, ...pairs].map(([name, query]) => [
    `${path}: ${name}`,
    `${path}?${query}`,
  ]);
}

const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-'));
const { DATABASE_URL: postgres } = process.env;
const schema = `bench_${process.pid}`;
const db = await openDatabase(
  postgres === undefined ? { sqlite: join(folder, 'bench.db') } : { postgres, schema },
);
console.log(`${db.dialect}, ${ROWS} deliveries`);
await fill(db);
await db.run('analyze');
const parts = { db, now: () => AT + ROWS, wake: () => undefined };
const app = createApp({
  routes: [...deliveryRoutes(parts), ...deadLetterRoutes(parts)],
  authenticate: () =>
    Promise.resolve({ project: PROJECT, scopes: new Set<Scope>(['read']), actor: 'bench', isSession: false }),
  projectExists: () => Promise.resolve(true),
  served: ({ error }) => error !== undefined && console.error(error),
  now: () => AT,
  isStopping: () => false,
});
const timings: [number, string][] = [];
for (const [name, path] of [...combined('deliveries', DELIVERIES), ...combined('dead-letters', LETTERS)]) {
  const times: number[] = [];
  for (let i = 0; i < REPEATS; i++) {
    const began = performance.now();
    const response = await app.request(`http://host/projects/${PROJECT}/${path}`);
    await response.text();
    if (response.status !== 200) throw new Error(`${name}: ${response.status}`);
    times.push(performance.now() - began);
  }
  timings.push([times.sort((a, b) => a - b)[Math.floor(REPEATS / 2)]!, name]);
}
timings.sort(([a], [b]) => b - a);
for (const [ms, name] of timings.slice(0, 8)) console.log(`${ms.toFixed(1).padStart(8)} ms  ${name}`);
console.log(
  `${timings
    .at(Math.floor(timings.length / 2))![0]
    .toFixed(1)
    .padStart(8)} ms  median of ${timings.length}`,
);
if (postgres !== undefined) await db.run(`drop schema ${schema} cascade`);
await db.close();
rmSync(folder, { recursive: true });
