/** The contract of `DeliveryStore`. */
import assert from 'node:assert/strict';
import { byteBudget, MAX_BODY_BYTES } from '../delivery/byte-budget.js';
import type { DeliveryStore, Dispatch } from '../delivery/store.js';
import {
  after,
  attempted,
  backlogOf,
  BODY,
  type Cases,
  claim,
  claimedIds,
  enqueue,
  fresh,
  LEASE_MS,
  nothingUntil,
  NOW,
  refuses,
  type StoreUnderTest,
} from './contract.js';
import { settleCases } from './settle-contract.js';

/**
 * Adds deliveries of `evt_1` … with bodies of these sizes, due one after another: each to an endpoint of its own, or
 * all to one.
 */
async function enqueueSized(
  store: DeliveryStore,
  sizes: readonly number[],
  endpoint?: string,
): Promise<void> {
  const dispatches = sizes.map((size, n) => ({
    body: new Uint8Array(size),
    deliveries: [fresh(`evt_${n + 1}`, endpoint ?? `${n + 1}`, NOW - 100 + n)],
  }));
  await store.enqueue(dispatches);
}

const enqueueCases: Cases<StoreUnderTest> = {
  'a delivery comes out as it went in, leased, with its body': async ({ store }) => {
    const delivery = fresh('evt_1', 'a');
    assert.equal(await enqueue(store, delivery), 1);
    assert.deepEqual(await store.get(delivery.id), { delivery, attempts: [] });
    const { claims } = await claim(store, 'lease');
    const step = { type: 'claim', lease: 'lease', at: NOW, until: NOW + LEASE_MS } as const;
    const leased = after(delivery, step);
    assert.deepEqual(
      claims.map((one) => one.delivery),
      [leased],
    );
    assert.deepEqual(Array.from(claims[0]?.body ?? []), Array.from(BODY));
    assert.deepEqual(await store.get(delivery.id), { delivery: leased, attempts: [] });
  },

  'a delivery that is leased as it is added is claimed when its lease ends, and may be settled before':
    async ({ store }) => {
      const lease = { state: 'leased', lease: 'mine', due_at: NOW + 10 } as const;
      const [one, two] = [
        { ...fresh('evt_1', 'a'), ...lease },
        { ...fresh('evt_2', 'a'), ...lease },
      ];
      assert.equal(await enqueue(store, one, two), 2);
      assert.deepEqual(await store.get(one.id), { delivery: one, attempts: [] });
      await nothingUntil(claim(store, 'early'), NOW + 10);
      assert.deepEqual(await store.settle([{ lease: 'mine', ...attempted(two, 200, NOW) }]), [true]);
      assert.deepEqual(await claimedIds(claim(store, 'later', { at: NOW + 10 })), [one.id]);
      assert.deepEqual(await store.settle([{ lease: 'mine', ...attempted(one, 200, NOW) }]), [false]);
    },

  'ids of any text and empty bodies are kept as they are': async ({ store }) => {
    const delivery = fresh("evt_'; drop table\u0000 😀 \ue000", '__proto__');
    await store.enqueue([{ body: new Uint8Array(), deliveries: [delivery] }]);
    const { claims } = await claim(store, 'lease');
    const found = claims.map((one) => [one.delivery.event_id, one.delivery.endpoint_id, one.body.length]);
    assert.deepEqual(found, [[delivery.event_id, '__proto__', 0]]);
  },

  'enqueueing again does nothing, whatever happened to the delivery': async ({ store }) => {
    const delivery = fresh('evt_1', 'a');
    await enqueue(store, delivery, delivery);
    assert.equal(await enqueue(store, delivery), 0, 'while pending');
    const { claims } = await claim(store, 'lease');
    assert.equal(claims.length, 1);
    assert.equal(await enqueue(store, delivery), 0, 'while leased');
    await store.settle(claims.map((one) => ({ lease: 'lease', ...attempted(one.delivery, 200, NOW) })));
    assert.equal(await enqueue(store, delivery), 0, 'when delivered');
    assert.deepEqual(await claimedIds(claim(store, 'later', { at: NOW + 1 })), []);
  },

  'every delivery carries the body it was first enqueued with, copied, whatever else its event is sent as':
    async ({ store }) => {
      // A Buffer's own `slice` copies nothing.
      const [first, second] = [Buffer.of(1, 2), Uint8Array.of(1, 3)];
      await store.enqueue([
        { body: first, deliveries: [fresh('evt_1', 'a'), fresh('evt_1', 'b')] },
        { body: second, deliveries: [fresh('evt_1', 'b'), fresh('evt_1', 'c')] },
        { body: first, deliveries: [fresh('evt_1', 'd')] },
      ]);
      first.fill(0);
      second.fill(0);
      const { claims } = await claim(store, 'lease');
      const bodies = claims.map(({ delivery, body }) => [delivery.endpoint_id, body.join()]);
      assert.deepEqual(Object.fromEntries(bodies), { a: '1,2', b: '1,2', c: '1,3', d: '1,2' });
    },

  'a body of up to 32 MiB is taken, and a larger one refused at once': async ({ store }) => {
    const dispatch = (size: number): Dispatch => ({
      body: new Uint8Array(size),
      deliveries: [fresh(`evt_${size}`, 'a')],
    });
    const refusal = { name: 'OptionError', code: 'body_too_large' };
    await assert.rejects(store.enqueue([dispatch(1), dispatch(MAX_BODY_BYTES + 1)]), refusal);
    assert.equal(await store.get('evt_1:a'), null, 'all or nothing');
    assert.equal(await store.enqueue([dispatch(MAX_BODY_BYTES)]), 1);
    const [only] = (await claim(store, 'lease')).claims;
    assert.equal(only?.body.length, MAX_BODY_BYTES);
  },

  'an invalid dispatch is refused, and none of it is stored': async ({ store }) => {
    const good = { body: BODY, deliveries: [fresh('evt_1', 'a')] };
    const delivery = fresh('evt_2', 'a');
    const wrong: readonly unknown[] = [
      ...[good, undefined, null, 'text', [undefined], [null], [[good]], ['text'], [delivery]],
      ...['{"id":"evt_1"}', undefined, { id: 'evt_1' }, new ArrayBuffer(2), [1, 2]].map((body) => [
        { ...good, body },
      ]),
      ...[undefined, delivery, [undefined], ['evt_2:a'], [[delivery]]].map((deliveries) => [
        { ...good, deliveries },
      ]),
      ...[
        ...[{ id: undefined }, { id: 7 }, { event_id: null }, { event_type: 1 }, { endpoint_id: undefined }],
        ...[{ origin: 'Live' }, { origin: null }, { replay_of: 1 }, { created_at: '1' }, { created_at: NaN }],
        ...[{ due_at: null }, { due_at: undefined }, { due_at: NaN }, { due_at: 1.5 }, { due_at: 2 ** 60 }],
        ...[{ due_at: new Date(NOW) }, { due_at: Infinity }, { due_at: '2024-01-01' }],
      ].map((fault) => [{ body: BODY, deliveries: [{ ...delivery, ...fault }] }]),
    ];
    for (const dispatches of wrong) {
      const all = Array.isArray(dispatches) ? [good, ...(dispatches as unknown[])] : dispatches;
      await refuses(() => store.enqueue(all as readonly Dispatch[]));
    }
    assert.equal(await store.get('evt_1:a'), null);
    assert.equal(await store.get('evt_2:a'), null);
  },

  'an id that is not a string is refused': async ({ store }) => {
    for (const id of [undefined, null, 7, ['evt_1:a'], { id: 'evt_1:a' }]) {
      await refuses(() => store.get(id as never));
    }
  },

  'an unknown delivery is null': async ({ store }) => {
    assert.equal(await store.get('nobody'), null);
  },
};

const claimCases: Cases<StoreUnderTest> = {
  'nothing is claimed before it is due': async ({ store }) => {
    await enqueue(store, fresh('evt_1', 'a', NOW + 10));
    await nothingUntil(claim(store, 'early', { at: NOW + 9 }), NOW + 10);
    assert.deepEqual(await claimedIds(claim(store, 'due', { at: NOW + 10 })), ['evt_1:a']);
  },

  'of an endpoint the earliest due comes first, up to the limit': async ({ store }) => {
    await enqueue(store, ...[3, 1, 4, 2].map((ms) => fresh(`evt_${ms}`, 'a', NOW + ms)));
    const at = NOW + 10;
    assert.deepEqual(await claimedIds(claim(store, 'first', { at, limit: 3 })), [
      'evt_1:a',
      'evt_2:a',
      'evt_3:a',
    ]);
    assert.deepEqual(await claimedIds(claim(store, 'second', { at, limit: 3 })), ['evt_4:a']);
    assert.deepEqual(await claimedIds(claim(store, 'none', { at, limit: 0 })), []);
  },

  'endpoints take turns, the earliest due first': async ({ store }) => {
    const backlog = [1, 2, 3, 4].map((ms) => fresh(`evt_${ms}`, 'a', NOW + ms));
    await enqueue(store, ...backlog, fresh('evt_6', 'c', NOW + 6), fresh('evt_5', 'b', NOW + 5));
    const ids = await claimedIds(claim(store, 'lease', { at: NOW + 10, limit: 4 }));
    assert.deepEqual(ids.toSorted(), ['evt_1:a', 'evt_2:a', 'evt_5:b', 'evt_6:c']);
    const more = fresh('evt_9', 'd', NOW + 9);
    await enqueue(store, more);
    const inFlight = new Map([['a', 2]]);
    assert.deepEqual(await claimedIds(claim(store, 'next', { at: NOW + 10, limit: 1, inFlight })), [more.id]);
  },

  'no endpoint gets more than its free slots': async ({ store }) => {
    await enqueue(store, ...[1, 2, 3, 4].map((n) => fresh(`evt_${n}`, 'a')), fresh('evt_5', 'b'));
    const request = { perEndpoint: 3, inFlight: new Map([['a', 1]]) };
    const { claims } = await claim(store, 'lease', request);
    assert.equal(claims.filter(({ delivery }) => delivery.endpoint_id === 'a').length, 2);
    assert.equal(claims.length, 3);
    const full = { perEndpoint: 3, inFlight: new Map(Object.entries({ a: 3, b: 1 })) };
    assert.deepEqual(await claimedIds(claim(store, 'full', full)), []);
  },

  'nextDueAt is the earliest left at an endpoint with a free slot': async ({ store }) => {
    assert.equal((await claim(store, 'empty')).nextDueAt, null);
    await enqueue(store, fresh('evt_1', 'a'), fresh('evt_2', 'a', NOW + 5), fresh('evt_3', 'b', NOW + 7));
    const first = await claim(store, 'first', { perEndpoint: 1 });
    assert.equal(first.nextDueAt, NOW + 7, 'endpoint a has no slot left');
    const second = await claim(store, 'second', { perEndpoint: 2, inFlight: new Map([['a', 1]]) });
    assert.equal(second.nextDueAt, NOW + 5, 'endpoint a has one');
    const at = NOW + 10;
    const third = await claim(store, 'third', { at, inFlight: new Map([['a', 1]]) });
    assert.equal(third.claims.length, 2);
    assert.equal(third.nextDueAt, NOW + LEASE_MS, 'the end of a lease counts');
  },

  'a claim brings no more bytes than there is room for, and the rest comes once there is': async ({
    store,
  }) => {
    await enqueueSized(store, [4, 4, 4, 4, 4]);
    const bytes = byteBudget(10);
    const first = await claim(store, 'first', { bytes: { ...bytes, perEndpoint: bytes.max } });
    assert.equal(first.claims.length, 2);
    assert.equal(first.nextDueAt, null, 'the caller asks again when something in flight ends');
    assert.notEqual(first.isRestrained, false, 'some wait for bytes');
    const full = { ...bytes, perEndpoint: bytes.max, inFlight: 8 };
    assert.deepEqual(await claimedIds(claim(store, 'full', { bytes: full })), []);
    const rest: string[] = [];
    for (const lease of ['second', 'third']) {
      rest.push(...(await claimedIds(claim(store, lease, { bytes: { ...bytes, perEndpoint: bytes.max } }))));
    }
    assert.deepEqual(rest, ['evt_3:3', 'evt_4:4', 'evt_5:5']);
  },

  'a body that is larger than the room goes alone, and nothing overtakes it': async ({ store }) => {
    await enqueueSized(store, [20, 1, 1]);
    const bytes = byteBudget(10);
    const busy = { ...bytes, inFlight: 1 };
    assert.deepEqual(await claimedIds(claim(store, 'busy', { bytes: busy })), []);
    assert.deepEqual(await claimedIds(claim(store, 'alone', { bytes })), ['evt_1:1']);
    assert.deepEqual(await claimedIds(claim(store, 'after', { bytes })), ['evt_2:2', 'evt_3:3']);
  },

  'a body counts once, however many deliveries of a claim carry it': async ({ store }) => {
    const endpoints = Array.from({ length: 6 }, (_, n) => `${n}`);
    const deliveries = endpoints.map((endpoint) => fresh('evt_1', endpoint));
    await store.enqueue([{ body: new Uint8Array(8), deliveries }]);
    assert.equal((await claim(store, 'lease', { bytes: byteBudget(10) })).claims.length, 6);
  },

  'an endpoint has its share of the bytes, and holds up no other': async ({ store }) => {
    await enqueueSized(store, [2, 2, 2, 2, 2, 2], 'a');
    await enqueue(store, fresh('evt_9', 'b', NOW + 1));
    const room = { max: 1_000, perEndpoint: 5, inFlight: 0, inFlightByEndpoint: new Map<string, number>() };
    const at = NOW + 1;
    const first = await claim(store, 'first', { at, bytes: room });
    const ids = first.claims.map(({ delivery }) => delivery.id);
    assert.deepEqual(ids.toSorted(), ['evt_1:a', 'evt_2:a', 'evt_9:b']);
    assert.notEqual(first.isRestrained, false, 'some wait for bytes');
    const used = { ...room, inFlight: 4, inFlightByEndpoint: new Map([['a', 4]]) };
    const request = { at, bytes: used, inFlight: new Map([['a', 2]]) };
    await enqueue(store, fresh('evt_8', 'c', NOW + 1));
    assert.deepEqual(await claimedIds(claim(store, 'second', request)), ['evt_8:c']);
    assert.deepEqual(await claimedIds(claim(store, 'third', { at, bytes: room })), ['evt_3:a', 'evt_4:a']);
  },

  'beside an endpoint that is full, what is due is claimed at once, and so is what joins it': async ({
    store,
  }) => {
    const [claims, limit] = [6, 10];
    const inFlight = new Map([['full', 100]]);
    const due = (name: string, count: number, at: (n: number) => number): Promise<number> =>
      enqueue(
        store,
        ...Array.from({ length: count }, (_, n) => fresh(`${name}_${n}`, `${name}_${n}`, at(n))),
      );
    const taken: string[] = [];
    const takeAll = async (at: number): Promise<void> => {
      for (let n = 0; n < claims; n++) {
        const ids = await claimedIds(claim(store, `${at} ${n}`, { at, limit, inFlight }));
        assert.equal(ids.length, limit, `claim ${n + 1} at ${at - NOW} ms`);
        taken.push(...ids);
      }
    };
    await enqueue(store, ...Array.from({ length: 40 }, (_, n) => fresh(`full_${n}`, 'full')));
    await due('backlog', 2 * claims * limit - 45, () => NOW);
    taken.push(...(await claimedIds(claim(store, 'search', { limit: 5, inFlight }))));
    await due('late', 10, () => NOW);
    await takeAll(NOW);
    await due('next', 40, (n) => NOW + 1 + Math.floor(n / 10));
    await takeAll(NOW + 100);
    assert.equal(new Set(taken).size, 2 * claims * limit + 5);
    assert.deepEqual(await claimedIds(claim(store, 'empty', { at: NOW + 100, inFlight })), []);
  },

  'an endpoint whose next body has no room takes no turn from another': async ({ store }) => {
    await enqueue(store, ...Array.from({ length: 40 }, (_, n) => fresh(`evt_a${n}`, 'a', NOW + n)));
    await store.enqueue([{ body: new Uint8Array(2), deliveries: [fresh('evt_c', 'c')] }]);
    await store.enqueue([{ body: new Uint8Array(), deliveries: [fresh('evt_b', 'b')] }]);
    const inFlight = new Map(Object.entries({ b: 1, c: 1 }));
    const bytes = { max: 100, perEndpoint: 6, inFlight: 5, inFlightByEndpoint: new Map([['c', 5]]) };
    const request = { at: NOW + 100, limit: 2, perEndpoint: 9, inFlight, bytes };
    const ids = await claimedIds(claim(store, 'lease', request));
    assert.deepEqual(ids.toSorted(), ['evt_a0:a', 'evt_b:b']);
  },

  'an endpoint of which nothing is left takes no turn from another': async ({ store }) => {
    await enqueue(store, fresh('evt_b', 'b'), fresh('evt_c', 'c'), ...backlogOf('a', NOW + 1));
    const request = { at: NOW + 100, limit: 4, perEndpoint: 3, inFlight: new Map([['b', 2]]) };
    const ids = await claimedIds(claim(store, 'first', request));
    assert.deepEqual(ids.toSorted(), ['evt_a0:a', 'evt_a1:a', 'evt_b:b', 'evt_c:c']);
    assert.deepEqual(await claimedIds(claim(store, 'next', { at: NOW + 100, limit: 1 })), ['evt_a2:a']);
  },

  'nothing overtakes what is due earlier at its endpoint, however much there is': async ({ store }) => {
    await enqueue(store, fresh('evt_b', 'b', NOW - 2), fresh('evt_c', 'c', NOW - 1), ...backlogOf('a', NOW));
    assert.deepEqual(await claimedIds(claim(store, 'first', { at: NOW + 100, limit: 1 })), ['evt_b:b']);
    await enqueue(store, fresh('evt_late', 'a', NOW + 101));
    const ids = await claimedIds(claim(store, 'next', { at: NOW + 101, limit: 16 }));
    const first15 = Array.from({ length: 15 }, (_, n) => `evt_a${n}:a`);
    assert.deepEqual(ids.toSorted(), [...first15, 'evt_c:c'].toSorted());
  },

  'two claims never share a delivery, whichever process makes them': async ({ store, another }) => {
    await enqueue(store, ...Array.from({ length: 40 }, (_, n) => fresh(`evt_${n}`, `${n % 5}`)));
    const other = (await another?.()) ?? store;
    const claims = [store, other, store, other].map((one, n) =>
      claimedIds(claim(one, `lease ${n}`, { limit: 15 })),
    );
    const ids = (await Promise.all(claims)).flat();
    assert.equal(ids.length, 40);
    assert.equal(new Set(ids).size, 40);
  },
};

/** All requirements of `DeliveryStore`. */
export const storeCases: Cases<StoreUnderTest> = { ...enqueueCases, ...claimCases, ...settleCases };
