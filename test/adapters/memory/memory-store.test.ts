/** The memory store: its contracts, its model, and what it keeps. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMemoryStore, type MemoryStoreOptions } from '../../../src/adapters/memory/index.js';
import { newDelivery, OptionError, transition } from '../../../src/delivery/index.js';
import {
  columnsContract,
  deadLettersContract,
  deletionContract,
  deliveryStoreContract,
  dueDatesContract,
  orderingContract,
} from '../../../src/testing/index.js';
import { expectLikePlain } from '../model.js';

const NOW = 1_700_000_000_000;
const LEASE_MS = 30_000;
const create = (options?: MemoryStoreOptions) => {
  const store = createMemoryStore(options);
  return Promise.resolve({ store, deadLetters: store.deadLetters });
};

describe('the memory store meets the contract of delivery stores', () => {
  for (const { name, run } of deliveryStoreContract(() => create())) test(name, run);
});

describe('the memory store meets the contract of dead letters', () => {
  for (const { name, run } of deadLettersContract(() => create())) test(name, run);
});

describe('the memory store meets the contract of deletion', () => {
  for (const { name, run } of deletionContract(() => create())) test(name, run);
});

describe('the memory store meets the contract of due dates', () => {
  for (const { name, run } of dueDatesContract(() => create())) test(name, run);
});

describe('the memory store meets the contract of order', () => {
  for (const { name, run } of orderingContract(() => create())) test(name, run);
});

describe('the memory store meets the contract of columns', () => {
  for (const { name, run } of columnsContract(create)) test(name, run);
});

test('whatever is done to it, it does what a plain list would do', async () => {
  await expectLikePlain({ create, exact: true, numRuns: 150 });
});

const outcome = (ok: boolean) =>
  ok
    ? ({ ok, status: 200 } as const)
    : ({ ok, failure: 'timeout', transient: true, detail: 'No answer' } as const);

describe('what it holds', () => {
  const everything = { at: NOW, until: NOW + LEASE_MS, limit: 99, perEndpoint: 9, inFlight: new Map() };
  /** Enqueues, claims and ends one delivery. */
  async function finish(
    store: ReturnType<typeof createMemoryStore>,
    event: string,
    endpoint: string,
    ok: boolean,
  ) {
    const delivery = newDelivery({ id: event, type: 'x' }, endpoint, { at: NOW });
    await store.enqueue([{ body: new Uint8Array(100), deliveries: [delivery] }]);
    await end(store, ok);
  }
  async function end(store: ReturnType<typeof createMemoryStore>, ok: boolean, limit = 1) {
    const { claims } = await store.claim({ ...everything, lease: 'l', limit });
    for (const { delivery } of claims) {
      const attempt = { started_at: NOW, ended_at: NOW, outcome: outcome(ok) };
      const after = transition(delivery, { type: 'attempt', lease: 'l', attempt, policy: null });
      if (after.ok) await store.settle([{ lease: 'l', delivery: after.delivery, attempt: null }]);
    }
  }

  test('what is deleted makes no room for others, and its id may be used again', async () => {
    const store = createMemoryStore({ keepFinished: 2 });
    await finish(store, 'evt_1', 'a', true);
    await finish(store, 'evt_2', 'a', false);
    await store.deleteDeliveries(['evt_1:a', 'evt_2:a']);
    expect(store.size()).toEqual({ unfinished: 0, deadLetters: 0, finished: 0, bodies: 0 });
    const again = newDelivery({ id: 'evt_1', type: 'x' }, 'a', { at: NOW + 1 });
    await store.enqueue([{ body: new Uint8Array(9), deliveries: [again] }]);
    for (const event of ['evt_3', 'evt_4', 'evt_5']) await finish(store, event, 'a', true);
    expect((await store.get('evt_1:a'))?.delivery.state, 'not forgotten with the old one').toBe('pending');
    expect(store.size()).toEqual({ unfinished: 1, deadLetters: 0, finished: 2, bodies: 1 });
    await store.deleteDeliveries(['evt_4:a']);
    await finish(store, 'evt_6', 'a', true);
    expect(store.size()).toEqual({ unfinished: 1, deadLetters: 0, finished: 2, bodies: 1 });
  });

  test('a body goes when its last delivery is delivered; a dead letter keeps it', async () => {
    const store = createMemoryStore();
    const both = ['a', 'b'].map((endpoint) => newDelivery({ id: 'evt_1', type: 'x' }, endpoint, { at: NOW }));
    await store.enqueue([{ body: new Uint8Array(9), deliveries: both }]);
    expect(store.size()).toEqual({ unfinished: 2, deadLetters: 0, finished: 0, bodies: 1 });
    await end(store, true);
    expect(store.size()).toEqual({ unfinished: 1, deadLetters: 0, finished: 1, bodies: 1 });
    await end(store, false);
    expect(store.size()).toEqual({ unfinished: 0, deadLetters: 1, finished: 1, bodies: 1 });
    await store.deadLetters.redeliver({}, { at: NOW, replay: 'click' });
    expect(store.size()).toEqual({ unfinished: 1, deadLetters: 0, finished: 2, bodies: 1 });
    await end(store, true);
    expect(store.size()).toEqual({ unfinished: 0, deadLetters: 0, finished: 3, bodies: 0 });
  });

  test('a body that is not stored is none of its bodies, before and after its last delivery', async () => {
    const store = createMemoryStore({ readBodies: (deliveries) => deliveries.map(() => new Uint8Array(9)) });
    const both = ['a', 'b'].map((endpoint) => newDelivery({ id: 'evt_1', type: 'x' }, endpoint, { at: NOW }));
    await store.enqueue([{ body: new Uint8Array(9), deliveries: both, storeBody: false }]);
    expect(store.size()).toEqual({ unfinished: 2, deadLetters: 0, finished: 0, bodies: 0 });
    await end(store, true, 2);
    expect(store.size()).toEqual({ unfinished: 0, deadLetters: 0, finished: 2, bodies: 0 });
  });

  test('of each event each body once, as long as a delivery is unfinished or failed', async () => {
    const chosen = fc.record({
      event: fc.constantFrom('evt_1', 'evt_2'),
      bytes: fc.constantFrom('', 'a', 'b', 'ab'),
      end: fc.constantFrom('not', 'well', 'badly', 'again', 'discarded'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(chosen, { maxLength: 12 }), async (script) => {
        const store = createMemoryStore();
        const held = new Map<string, string>();
        for (const [n, { event, bytes, end: ending }] of script.entries()) {
          const delivery = newDelivery({ id: event, type: 'x' }, `${n}`, { at: NOW });
          await store.enqueue([{ body: new TextEncoder().encode(bytes), deliveries: [delivery] }]);
          if (ending === 'not') await store.claim({ ...everything, lease: 'held' });
          else await end(store, ending === 'well', 99);
          if (ending !== 'well' && ending !== 'discarded') held.set(delivery.id, `${event} ${bytes}`);
          if (ending === 'discarded') await store.deadLetters.discard({ ids: [delivery.id] });
          if (ending !== 'again') continue;
          await store.deadLetters.redeliver({ ids: [delivery.id] }, { at: NOW, replay: 'click' });
          const { claims } = await store.claim({ ...everything, lease: 'again' });
          expect(claims.map(({ body }) => new TextDecoder().decode(body))).toEqual([bytes]);
        }
        expect(store.size().bodies).toBe(new Set(held.values()).size);
      }),
      { numRuns: 200 },
    );
  });

  test('a discarded letter takes its body along', async () => {
    const store = createMemoryStore();
    await finish(store, 'evt_1', 'a', false);
    await store.deadLetters.discard({ all: true });
    expect(store.size()).toEqual({ unfinished: 0, deadLetters: 0, finished: 1, bodies: 0 });
  });

  test.for([0, 1, 3])('of finished deliveries the last %i stay known', async (keepFinished) => {
    const store = createMemoryStore({ keepFinished });
    for (const n of [1, 2, 3, 4, 5]) await finish(store, `evt_${n}`, 'a', true);
    const known = await Promise.all([1, 2, 3, 4, 5].map((n) => store.get(`evt_${n}:a`)));
    expect(known.map((history) => history !== null)).toEqual(
      [1, 2, 3, 4, 5].map((n) => n > 5 - keepFinished),
    );
    expect(store.size()).toEqual({ unfinished: 0, deadLetters: 0, finished: keepFinished, bodies: 0 });
  });

  test('dead letters are never forgotten by themselves, unless the host says so', async () => {
    const store = createMemoryStore({ keepFinished: 1 });
    for (const n of [1, 2, 3]) await finish(store, `evt_${n}`, 'a', false);
    expect(store.size()).toEqual({ unfinished: 0, deadLetters: 3, finished: 0, bodies: 3 });
  });

  test.for([0, 1, 2])(
    'of dead letters the %i that failed last stay, where the host says so',
    async (keep) => {
      const store = createMemoryStore({ keepDeadLetters: keep });
      for (const n of [1, 2, 3]) await finish(store, `evt_${n}`, 'a', false);
      const { letters } = await store.deadLetters.list({});
      expect(letters.map(({ event_id }) => event_id)).toEqual(['evt_3', 'evt_2'].slice(0, keep));
      expect(store.size()).toEqual({ unfinished: 0, deadLetters: keep, finished: 3 - keep, bodies: keep });
      expect((await store.get('evt_1:a'))?.delivery.state).toBe('failed');
    },
  );

  test.for([
    { keepFinished: -1 },
    { keepFinished: 1.5 },
    { keepFinished: NaN },
    { keepFinished: Infinity },
    { keepDeadLetters: -1 },
    { keepDeadLetters: 1.5 },
    { keepDeadLetters: NaN },
    { keepDeadLetters: '5' },
    { keepFinished: null },
  ])('%o is refused, by name', (options) => {
    const create = () => createMemoryStore(options as MemoryStoreOptions);
    expect(create).toThrow(OptionError);
    expect(create).toThrow(Object.keys(options)[0]);
  });
});

test('a page of no letters is refused', async () => {
  const { deadLetters } = createMemoryStore();
  for (const limit of [0, -1, 1.5]) {
    await expect(deadLetters.list({}, { limit })).rejects.toMatchObject({ code: 'invalid_option' });
  }
  await expect(deadLetters.list({}, { cursor: 'x 1' })).rejects.toMatchObject({ code: 'invalid_option' });
});
