/**
 * Measures the memory of a pending delivery, and the cost of a claim while up to a million wait.
 *
 *     node --expose-gc --import tsx bench/delivery.ts
 *
 * Each size is filled anew: one event for every ten deliveries, a thousand endpoints. A round claims twenty, as a
 * scheduler does, and settles them an hour ahead, so that the store keeps its size.
 */
import { createMemoryStore, type MemoryStore } from '../src/adapters/memory/index.js';
import { type Delivery, newDelivery } from '../src/delivery/index.js';
import { pendingAt } from '../src/delivery/transition.js';
import { readBenchLine } from './running/command-line.js';

const { smoke } = readBenchLine({});
const SIZES = smoke ? [1_000, 10_000] : [10_000, 100_000, 1_000_000];
const ENDPOINTS = Array.from(
  { length: 1_000 },
  (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
);
const PER_EVENT = 10;
const BATCH = 20;
const ROUNDS = 2_000;
const NOW = 1_700_000_000_000;

const heapBytes = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
};

async function fill(store: MemoryStore, size: number): Promise<void> {
  const body = new Uint8Array(0);
  for (let event = 0; event * PER_EVENT < size; event++) {
    const about = { id: `evt_${String(event).padStart(26, '0')}`, type: 'webhook.received' };
    const deliveries = Array.from({ length: PER_EVENT }, (_, n): Delivery => {
      const endpoint = ENDPOINTS[(event * PER_EVENT + n) % ENDPOINTS.length] ?? '';
      return newDelivery(about, endpoint, { at: NOW - size + event });
    });
    await store.enqueue([{ body, deliveries }]);
  }
}

/** Claims a batch and puts it off. Throws unless the batch is full and right. */
async function round(store: MemoryStore, n: number): Promise<void> {
  const lease = `round ${n}`;
  const request = { lease, at: NOW, until: NOW + 30_000, limit: BATCH, perEndpoint: 8, inFlight: new Map() };
  const { claims } = await store.claim(request);
  const dues = new Set(claims.map(({ delivery }) => delivery.id));
  if (dues.size !== BATCH) throw new Error(`${dues.size} claimed where ${BATCH} are due`);
  const later = claims.map(({ delivery }) => ({
    lease,
    delivery: pendingAt(delivery, NOW - delivery.created_at + NOW),
    attempt: null,
  }));
  if ((await store.settle(later)).includes(false)) throw new Error('a lease was lost');
}

/** A row of the table. */
async function measure(size: number): Promise<string> {
  const before = heapBytes();
  const store = createMemoryStore();
  const filledAt = performance.now();
  await fill(store, size);
  const fillMs = performance.now() - filledAt;
  if (store.size().unfinished !== size) throw new Error('the store has another size');
  const bytes = (heapBytes() - before) / size;
  const rounds = Math.min(ROUNDS, size / BATCH / 2);
  const startedAt = performance.now();
  for (let n = 0; n < rounds; n++) await round(store, n);
  const micros = ((performance.now() - startedAt) * 1_000) / (rounds * BATCH);
  const columns = [size, bytes.toFixed(0), ((size / fillMs) * 1_000).toFixed(0), micros.toFixed(2)];
  return `| ${columns.map((column) => column.toLocaleString('en').padStart(12)).join(' | ')} |`;
}

await measure(SIZES[0]!); // warms up
console.log('|      pending | bytes / each | enqueued / s | µs / claim + settle |');
console.log('| -----------: | -----------: | -----------: | ------------------: |');
for (const size of SIZES) console.log(await measure(size));
