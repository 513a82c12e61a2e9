/** The contracts find faulty stores. */
import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import type { DeadLetters, DeliveryDeletion, DeliveryStore } from '../../src/delivery/index.js';
import { deadLettersContract, deletionContract, deliveryStoreContract } from '../../src/testing/index.js';

type Fault<Port> = readonly [fault: string, broken: (port: Port) => Partial<Port>];

/** Names of the cases that a store with a fault does not meet. */
async function unmet(
  cases: readonly { name: string; run: () => Promise<void> }[],
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const { name, run } of cases) await run().catch(() => names.push(name));
  return names;
}

/** Does a call twice and answers the second time. */
const twice = async <T>(call: () => Promise<T>): Promise<T> => {
  await call();
  return call();
};

describe('the contract of stores finds a store that', () => {
  test.for<Fault<DeliveryStore>>([
    ['forgets deliveries', () => ({ enqueue: () => Promise.resolve(1) })],
    ['miscounts what is new', (s) => ({ enqueue: (d) => s.enqueue(d).then(() => d.length) })],
    ['enqueues only the first dispatch', (s) => ({ enqueue: (d) => s.enqueue(d.slice(0, 1)) })],
    ['claims what is not due yet', (s) => ({ claim: (r) => s.claim({ ...r, at: r.at + 1 }) })],
    ['claims what is due too late', (s) => ({ claim: (r) => s.claim({ ...r, at: r.at - 1 }) })],
    ['lets leases end too early', (s) => ({ claim: (r) => s.claim({ ...r, until: r.until - 1 }) })],
    ['lets leases end too late', (s) => ({ claim: (r) => s.claim({ ...r, until: r.until + 1 }) })],
    ['ignores the limit', (s) => ({ claim: (r) => s.claim({ ...r, limit: 1_000 }) })],
    ['ignores slots', (s) => ({ claim: (r) => s.claim({ ...r, perEndpoint: 1_000 }) })],
    ['ignores what is in flight', (s) => ({ claim: (r) => s.claim({ ...r, inFlight: new Map() }) })],
    ['ignores bytes', (s) => ({ claim: ({ bytes: _, ...r }) => s.claim(r) })],
    [
      'shares no bytes out among endpoints',
      (s) => ({ claim: (r) => s.claim(r.bytes ? { ...r, bytes: { ...r.bytes, perEndpoint: 1e9 } } : r) }),
    ],
    [
      'starves a body that is larger than the room',
      (s) => ({
        claim: (r) => s.claim(r.bytes ? { ...r, bytes: { ...r.bytes, inFlight: r.bytes.inFlight + 1 } } : r),
      }),
    ],
    [
      'counts a body for each delivery',
      (s) => ({
        claim: async (r) => {
          const found = await s.claim(r);
          const room = r.bytes?.max ?? Infinity;
          return {
            ...found,
            claims: found.claims.filter(({ body }, n) => n === 0 || body.length * (n + 1) <= room),
          };
        },
      }),
    ],
    [
      'takes a body of any size',
      (s) => ({ enqueue: (all) => s.enqueue(all.filter((one) => one.body.length < 2 ** 25 + 1)) }),
    ],
    ['takes what is no dispatch', (s) => ({ enqueue: (all) => s.enqueue(all).catch(() => 0) })],
    ['looks for what is no id', (s) => ({ get: (id) => s.get([id].join()) })],
    ['claims twice over', (s) => ({ claim: (r) => twice(() => s.claim(r)) })],
    [
      'never says what is next',
      (s) => ({ claim: (r) => s.claim(r).then((f) => ({ ...f, nextDueAt: null })) }),
    ],
    [
      'gives everybody the same lease',
      (s) => ({
        claim: (r) => s.claim({ ...r, lease: 'lease' }),
        settle: (all) => s.settle(all.map((one) => ({ ...one, lease: 'lease' }))),
      }),
    ],
    [
      'reverses the order',
      (s) => ({ claim: (r) => s.claim(r).then((f) => ({ ...f, claims: f.claims.toReversed() })) }),
    ],
    [
      'loses bodies',
      (s) => ({
        claim: async (r) => {
          const found = await s.claim(r);
          return { ...found, claims: found.claims.map((one) => ({ ...one, body: new Uint8Array() })) };
        },
      }),
    ],
    [
      'sends an event with the first body it had',
      (s) => {
        const bodies = new Map<string, Uint8Array>();
        return {
          enqueue: (all) =>
            s.enqueue(
              all.map(({ body, deliveries }) => {
                const event = deliveries[0]!.event_id;
                if (!bodies.has(event)) bodies.set(event, body.slice());
                return { body: bodies.get(event)!, deliveries };
              }),
            ),
        };
      },
    ],
    [
      'says every lease held',
      (s) => ({ settle: (all) => s.settle(all).then((held) => held.map(() => true)) }),
    ],
    ['says no lease held', (s) => ({ settle: (all) => s.settle(all).then((held) => held.map(() => false)) })],
    [
      'tells a repeated settlement as lost',
      (s) => {
        const settled = new Set<string>();
        const isFirst = (id: string): boolean => !settled.has(id) && settled.add(id).has(id);
        return {
          settle: async (all) => {
            const held = await s.settle(all);
            return all.map(({ lease, delivery }, i) => held[i]! && isFirst(`${lease} ${delivery.id}`));
          },
        };
      },
    ],
    ['writes nothing', () => ({ settle: (all) => Promise.resolve(all.map(() => true)) })],
    [
      'forgets attempts',
      (s) => ({ settle: (all) => s.settle(all.map((one) => ({ ...one, attempt: null }))) }),
    ],
    [
      'adds an attempt to a lease given back',
      (s) => ({
        settle: (all) =>
          s.settle(
            all.map((one) => ({
              ...one,
              attempt: one.attempt ?? {
                number: 1,
                started_at: 0,
                ended_at: 0,
                outcome: { ok: true, status: 200 },
              },
            })),
          ),
      }),
    ],
    ['knows nobody', () => ({ get: () => Promise.resolve(null) })],
    [
      'knows everybody',
      (s) => ({ get: (id) => s.get(id === 'nobody' ? 'evt_1:a' : id).then((h) => h ?? ({} as never)) }),
    ],
  ])('%s', async ([, broken]) => {
    const cases = deliveryStoreContract(() => {
      const store = createMemoryStore();
      return Promise.resolve({ store: { ...store, ...broken(store) } });
    });
    expect((await unmet(cases)).length).toBeGreaterThan(0);
  });
});

describe('the contract of dead letters finds a queue that', () => {
  test.for<Fault<DeadLetters>>([
    ['lists nothing', () => ({ list: () => Promise.resolve({ letters: [], next: null }) })],
    [
      'lists the oldest first',
      (q) => ({ list: (f, p) => q.list(f, p).then((x) => ({ ...x, letters: x.letters.toReversed() })) }),
    ],
    ['ignores filters', (q) => ({ list: (_, p) => q.list({}, p) })],
    [
      'ignores the cursor',
      (q) => ({ list: (f, p) => q.list(f, p?.limit === undefined ? {} : { limit: p.limit }) }),
    ],
    ['has no second page', (q) => ({ list: (f, p) => q.list(f, p).then((x) => ({ ...x, next: null })) })],
    ['counts all', (q) => ({ count: () => q.count({}) })],
    ['takes any filter', (q) => ({ count: (f) => q.count(f).catch(() => 0) })],
    ['lists by any filter', (q) => ({ list: (f, p) => q.list(f, p).catch(() => q.list({}, p)) })],
    ['sends by any filter', (q) => ({ redeliver: (f, o) => q.redeliver(f, o).catch(() => 0) })],
    [
      'discards all where nothing is said',
      (q) => ({ discard: (f) => q.discard(Object.keys(f).length === 0 ? { all: true } : f) }),
    ],
    ['turns pages of any size', (q) => ({ list: (f, p) => q.list(f, p?.cursor === undefined ? {} : p) })],
    ['sends nothing', (q) => ({ redeliver: (f) => q.count(f) })],
    ['sends all', (q) => ({ redeliver: (_, o) => q.redeliver({}, o) })],
    ['sends too late', (q) => ({ redeliver: (f, o) => q.redeliver(f, { ...o, at: o.at + 1 }) })],
    [
      'sends the same action again',
      (q) => {
        let n = 0;
        return { redeliver: (f, o) => q.redeliver(f, { ...o, replay: `${o.replay}${n++ || ''}` }) };
      },
    ],
    ['discards nothing', (q) => ({ discard: (f) => q.count('all' in f ? {} : f) })],
    ['discards all', (q) => ({ discard: () => q.discard({ all: true }) })],
  ])('%s', async ([, broken]) => {
    const cases = deadLettersContract(() => {
      const store = createMemoryStore();
      return Promise.resolve({ store, deadLetters: { ...store.deadLetters, ...broken(store.deadLetters) } });
    });
    expect((await unmet(cases)).length).toBeGreaterThan(0);
  });
});

describe('the contract of deletion finds a store that', () => {
  test.for<Fault<DeliveryDeletion & DeliveryStore>>([
    ['deletes nothing', () => ({ deleteDeliveries: (ids) => Promise.resolve(ids) })],
    ['tells nothing', (s) => ({ deleteDeliveries: (ids, o) => s.deleteDeliveries(ids, o).then(() => []) })],
    ['knows no options', (s) => ({ deleteDeliveries: (ids) => s.deleteDeliveries(ids) })],
    [
      'deletes the unfinished always',
      (s) => ({ deleteDeliveries: (ids) => s.deleteDeliveries(ids, { unfinished: true }) }),
    ],
    ['tells all', (s) => ({ deleteDeliveries: (ids) => s.deleteDeliveries(ids).then(() => ids) })],
    ['deletes the first alone', (s) => ({ deleteDeliveries: (ids) => s.deleteDeliveries(ids.slice(0, 1)) })],
    ['deletes others', (s) => ({ deleteDeliveries: (ids) => s.deleteDeliveries([...ids, 'evt_5:a']) })],
    ['takes what is no id', (s) => ({ deleteDeliveries: (ids) => s.deleteDeliveries([...ids].map(String)) })],
  ])('%s', async ([, broken]) => {
    const cases = deletionContract(() => {
      const store = createMemoryStore();
      return Promise.resolve({ store: { ...store, ...broken(store) }, deadLetters: store.deadLetters });
    });
    expect((await unmet(cases)).length).toBeGreaterThan(0);
  });
});

test('a store is closed after its case, also after one that fails', async () => {
  let closed = 0;
  const close = () => {
    closed++;
    return Promise.resolve();
  };
  const cases = deliveryStoreContract(() => {
    const store = createMemoryStore();
    const get = () => Promise.reject(new Error('down'));
    return Promise.resolve({ store: { ...store, get }, close });
  });
  expect((await unmet(cases)).length).toBeGreaterThan(0);
  expect(closed).toBe(cases.length);
});

test('a host may hand its store over with no close', async () => {
  const cases = deliveryStoreContract(() => Promise.resolve({ store: createMemoryStore() }));
  expect(await unmet(cases)).toEqual([]);
});
