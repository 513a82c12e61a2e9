/** Damaged rows, and how a store in a database must handle them. */
import { expect } from 'vitest';
import {
  createScheduler,
  defaultRetryPolicy,
  type DeliveryStore,
  type Delivery,
  newDelivery,
  type Settlement,
  type StoreFailure,
} from '../../src/delivery/index.js';
import { createManualClock, createScriptedTransport } from '../../src/testing/index.js';

const NOW = 1_700_000_000_000;
/** A column, what it holds now, in SQL, and how many attempts can still be read. */
export interface Damage {
  readonly column: string;
  readonly sql: string;
  readonly attempts: number;
  /** Whether anybody can tell that it is damage. */
  readonly isTold: boolean;
}

/** Damage that both databases can have. */
export const damages: readonly Damage[] = [
  { column: 'attempts', sql: '-7', attempts: 0, isTold: true },
  { column: 'attempts', sql: '2147483647', attempts: 0, isTold: true },
  { column: 'attempts', sql: '3', attempts: 0, isTold: true },
  ...['event_type', 'origin', 'replay_of'].map((column) => ({
    ...{ column, sql: "'\n{'", attempts: 0, isTold: false },
  })),
  ...['created_at', 'finished_at', 'due_at'].flatMap((column) =>
    ['-9007199254740990', '-1'].map((sql) => ({ column, sql, attempts: 0, isTold: false })),
  ),
  { column: 'created_at', sql: '9223372036854775807', attempts: 0, isTold: false },
  { column: 'finished_at', sql: '9223372036854775807', attempts: 0, isTold: false },
  ...['-1', '2147483647'].map((sql) => ({ column: 'body_bytes', sql, attempts: 0, isTold: false })),
];

/** A store with three deliveries, one of which a test damages. */
export interface DamagedStore {
  readonly store: DeliveryStore;
  /** Writes SQL into a column of `evt_2:b`. */
  readonly damage: (column: string, sql: string) => Promise<void>;
}

const deliveries = ['a', 'b', 'c'].map((endpoint, n) =>
  newDelivery({ id: `evt_${n + 1}`, type: 'x' }, endpoint, { at: NOW }),
);

/** A store whose calls can be waited for: a manual clock goes on without them. */
function awaitable(store: DeliveryStore) {
  let pending = 0;
  let claims = 0;
  const counted = async <T>(call: () => Promise<T>): Promise<T> => {
    pending++;
    return call().finally(() => pending--);
  };
  const answered = async (): Promise<void> => {
    for (let quiet = 0; quiet < 5; quiet = pending === 0 ? quiet + 1 : 0) {
      await new Promise((turned) => setTimeout(turned, pending === 0 ? 0 : 1));
    }
  };
  const through: DeliveryStore = {
    ...store,
    claim: (request) => (claims++, counted(() => store.claim(request))),
    settle: (settlements) => counted(() => store.settle(settlements)),
  };
  return { through, answered, claims: () => claims };
}

/** Runs a scheduler on a store for `seconds`, and returns what it sent and reported. */
async function runFor(store: DeliveryStore, seconds: number) {
  const clock = createManualClock(NOW);
  const failures: StoreFailure[] = [];
  const delivered: Delivery[] = [];
  const { through, answered, claims } = awaitable(store);
  const scheduler = createScheduler({
    clock,
    store: through,
    transport: createScriptedTransport(clock, () => ({ outcome: 204 })),
    endpoints: (id) => ({ url: `https://${id}`, ...defaultRetryPolicy }),
    signer: { headers: () => ({}) },
    on: {
      storeFailed: (failure) => failures.push(failure),
      delivered: (delivery) => delivered.push(delivery),
    },
  });
  scheduler.start();
  for (let passed = 0; passed < seconds; passed++) {
    await clock.advance(1_000);
    await answered();
  }
  await scheduler.stop();
  return { failures, delivered: delivered.map(({ id }) => id).toSorted(), claims: claims() };
}

/** Rejects unless the others go on, the host is told, and the delivery goes on with what can be read of it. */
export async function expectGoesOn({ store, damage }: DamagedStore, { column, sql, ...expected }: Damage) {
  await store.enqueue(deliveries.map((one) => ({ body: Buffer.from(one.id), deliveries: [one] })));
  await damage(column, sql);
  expect(await store.get('evt_2:b'), 'reads').not.toBeNull();
  const { failures, delivered } = await runFor(store, 3);
  expect(delivered).toEqual(['evt_1:a', 'evt_2:b', 'evt_3:c']);
  const told = failures.map(({ operation, error }) => [operation, error]);
  const damaged = expect.objectContaining({
    ...{ name: 'StoreError', code: 'store_damaged' },
    message: expect.stringMatching(new RegExp(`evt_2:b.*${column}`)),
  });
  expect(told).toEqual(expected.isTold ? [['claim', damaged]] : []);
  const history = await store.get('evt_2:b');
  expect(history?.delivery.state).toBe('delivered');
  expect(history?.attempts, 'what could be read, and the one just made').toHaveLength(expected.attempts + 1);
  expect(history?.attempts.at(-1)).toEqual(history?.delivery.last_attempt);
}

const expired = { at: NOW, until: NOW + 1, limit: 9, perEndpoint: 9, inFlight: new Map<string, number>() };

/**
 * Rejects unless an attempt that ended when its row was damaged is recorded, once, and nothing else is told as
 * recorded.
 */
export async function expectRecords({ store, damage }: DamagedStore, { column, sql, attempts }: Damage) {
  await store.enqueue(deliveries.map((one) => ({ body: Buffer.from(one.id), deliveries: [one] })));
  const { claims } = await store.claim({ ...expired, lease: 'first' });
  await damage(column, sql);
  const settled = claims.map(({ delivery }, n) => settlement(delivery, NOW + n));
  const ofDamaged = settled.find(({ delivery }) => delivery.id === 'evt_2:b')!;
  for (const time of ['first', 'again']) {
    expect(await store.settle(settled), time).toEqual([true, true, true]);
    const history = await store.get('evt_2:b');
    expect(history?.attempts, 'what could be read, and the one just made').toHaveLength(attempts + 1);
    expect(history?.attempts.at(-1)).toEqual(ofDamaged.attempt);
  }
  const never = claims.map(({ delivery }, n) => settlement(delivery, NOW + n + 10));
  expect(await store.settle(never)).toEqual([false, false, false]);
}

/** As a scheduler would end its lease, delivered. */
function settlement(leased: Delivery, at: number): Settlement {
  const attempt = { number: 1, started_at: at, ended_at: at, outcome: { ok: true, status: 200 } } as const;
  const over = { state: 'delivered', due_at: null, lease: null, finished_at: at } as const;
  return { lease: 'first', attempt, delivery: { ...leased, ...over, attempts: 1, last_attempt: attempt } };
}

/** Rejects unless a delivery without its body stays, is told of once a lease, and goes when its body is there again. */
export async function expectWaitsForBody(store: DeliveryStore, remove: () => Promise<() => Promise<void>>) {
  await store.enqueue(deliveries.map((one) => ({ body: Buffer.from(one.id), deliveries: [one] })));
  const restore = await remove();
  const first = await runFor(store, 65);
  expect(first.delivered).toEqual(['evt_1:a', 'evt_3:c']);
  expect(first.failures.map(({ error }) => error)).toEqual(
    [0, 30_000, 60_000].map(() =>
      expect.objectContaining({ code: 'store_damaged', message: expect.stringContaining('body') }),
    ),
  );
  expect(first.claims, 'in no tight loop').toBeLessThan(60);
  expect((await store.get('evt_2:b'))?.delivery).toMatchObject({ state: 'leased', attempts: 0 });
  await restore();
  expect((await runFor(store, 95)).delivered, 'once its last lease has ended').toEqual(['evt_2:b']);
}
