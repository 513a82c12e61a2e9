/** Lateness of attempts that were due at known instants. Runs as one built file. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpTransport } from '../../src/adapters/http/index.js';
import { createScheduler, type DeliveryStore, newDelivery } from '../../src/delivery/index.js';
import { eventBody, signer } from './delivering.js';
import { stores } from './stores.js';

const PER_SECOND = 1_000;
const ENDPOINTS = 50;

/** The argument of this process, as JSON. */
export interface LatenessMeasuring {
  readonly url: string;
  readonly postgres: string;
  /** Deliveries on each store. */
  readonly count: number;
  /** Time to enqueue before the first is due. */
  readonly aheadMs: number;
}

const { url, postgres, count, aheadMs } = JSON.parse(process.argv[2] ?? '{}') as LatenessMeasuring;

async function enqueueAhead(store: DeliveryStore): Promise<void> {
  const from = Date.now() + aheadMs;
  for (let n = 0; n < count; n += 500) {
    const dispatches = Array.from({ length: 500 }, (_, i) => {
      const at = from + ((n + i) * 1_000) / PER_SECOND;
      const event = { id: `evt_${n + i}`, type: 'webhook.received' };
      return {
        body: eventBody(n + i),
        deliveries: [newDelivery(event, `endpoint-${(n + i) % ENDPOINTS}`, { at })],
      };
    });
    await store.enqueue(dispatches);
  }
  if (Date.now() > from) throw new Error('enqueueing took longer than there was time');
}

/** Milliseconds of every attempt, in ascending order. */
async function lateness(store: DeliveryStore): Promise<readonly number[]> {
  const transport = createHttpTransport({ allow: ['127.0.0.0/8'] });
  const late: number[] = [];
  const scheduler = createScheduler({
    store,
    transport,
    signer,
    endpoints: () => ({ url, retry_max_attempts: 5, retry_backoff_base_seconds: 60 }),
    on: { attempted: (_delivery, { outcome }, lateMs) => void late.push(outcome.ok ? (lateMs ?? NaN) : NaN) },
  });
  await enqueueAhead(store);
  scheduler.start();
  await scheduler.idle();
  await scheduler.stop();
  await transport.close();
  if (late.length !== count || late.some(Number.isNaN)) {
    throw new Error(`${late.length} attempts, or some failed`);
  }
  return late.sort((a, b) => a - b);
}

const rows: Record<string, Record<string, number>> = {};
for (const [name, open] of Object.entries(stores)) {
  const { store, close } = await open(postgres);
  const late = await lateness(store);
  const at = (share: number): number => late[Math.ceil(share * late.length) - 1] ?? NaN;
  rows[name] = { 'p50 ms': at(0.5), 'p99 ms': at(0.99), 'p99.9 ms': at(0.999), 'longest ms': at(1) };
  await close();
  await sleep(500);
}
console.log(
  `lateness of ${count.toLocaleString('en')} attempts, ${PER_SECOND.toLocaleString('en')} due a second`,
);
console.table(rows);
process.exit();
