/** The contract of `DeliveryStore`. */
import assert from 'node:assert/strict';
import { byteBudget, MAX_BODY_BYTES } from '../delivery/byte-budget.js';
import type { DeliveryStore, Dispatch } from '../delivery/store.js';
import {
  after,
  attempted,
  attemptOnly,
  BODY,
  type Cases,
  claim,
  claimedIds,
  enqueue,
  fresh,
  LEASE_MS,
  NOW,
  refuses,
  released,
  type StoreUnderTest,
} from './contract.js';

/**
 * Adds deliveries of `evt_1` … with bodies of these sizes, due one after another: each to an endpoint of its own, or all to one.
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

  'ids of any text and empty bodies are kept as they are': async ({ store }) => {
    const delivery = fresh("evt_'; drop table\u0000 😀 \ue000", '__proto__');
    await store.enqueue([{ body: new Uint8Array(), deliveries: [delivery] }]);
    const { claims } = await claim(store, 'lease');
    const found = claims.map((one) => [one.delivery.event_id, one.delivery.endpoint_id, one.body.length]);
    assert.deepEqual(found, [[delivery.event_id, '__proto__', 0]]);
  },

  'enqueueing again does nothing, whatever became of the delivery': async ({ store }) => {
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

  'what is no dispatch is refused, and nothing of it stored': async ({ store }) => {
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

  'an id that is no text is refused': async ({ store }) => {
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
    assert.deepEqual(await claim(store, 'early', { at: NOW + 9 }), { claims: [], nextDueAt: NOW + 10 });
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
    assert.equal(first.nextDueAt, null, 'whoever has something in flight asks again when it ends');
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
    const ids = await claimedIds(claim(store, 'first', { at, bytes: room }));
    assert.deepEqual(ids.toSorted(), ['evt_1:a', 'evt_2:a', 'evt_9:b']);
    const used = { ...room, inFlight: 4, inFlightByEndpoint: new Map([['a', 4]]) };
    const request = { at, bytes: used, inFlight: new Map([['a', 2]]) };
    await enqueue(store, fresh('evt_8', 'c', NOW + 1));
    assert.deepEqual(await claimedIds(claim(store, 'second', request)), ['evt_8:c']);
    assert.deepEqual(await claimedIds(claim(store, 'third', { at, bytes: room })), ['evt_3:a', 'evt_4:a']);
  },

  'two claims never share a delivery': async ({ store }) => {
    await enqueue(store, ...Array.from({ length: 40 }, (_, n) => fresh(`evt_${n}`, `${n % 5}`)));
    const claims = ['a', 'b', 'c', 'd'].map((lease) => claimedIds(claim(store, lease, { limit: 15 })));
    const ids = (await Promise.all(claims)).flat();
    assert.equal(ids.length, 40);
    assert.equal(new Set(ids).size, 40);
  },
};

const settleCases: Cases<StoreUnderTest> = {
  'a lease that ends can be claimed again, by whom it then belongs to': async ({ store }) => {
    await enqueue(store, fresh('evt_1', 'a'));
    const [lost] = (await claim(store, 'crashed')).claims;
    const end = NOW + LEASE_MS;
    assert.deepEqual(await claimedIds(claim(store, 'early', { at: end - 1 })), []);
    const [taken] = (await claim(store, 'heir', { at: end })).claims;
    assert.ok(lost !== undefined && taken !== undefined, 'claimed at the end of the lease');
    assert.equal(taken.delivery.attempts, 0);
    const late = await store.settle([{ lease: 'crashed', ...attempted(lost.delivery, 200, end) }]);
    assert.deepEqual(late, [false]);
    assert.deepEqual(await store.get('evt_1:a'), { delivery: taken.delivery, attempts: [] });
    assert.deepEqual(await store.settle([{ lease: 'heir', ...attempted(taken.delivery, 200, end) }]), [true]);
  },

  'a lease that has ended but was taken by nobody still counts': async ({ store }) => {
    await enqueue(store, fresh('evt_1', 'a'));
    const [late] = (await claim(store, 'slow')).claims;
    assert.ok(late !== undefined);
    const end = NOW + 2 * LEASE_MS;
    assert.deepEqual(await store.settle([{ lease: 'slow', ...attempted(late.delivery, 200, end) }]), [true]);
    assert.deepEqual(await claimedIds(claim(store, 'after', { at: end })), []);
  },

  'a failed attempt waits for its next one, and every attempt is kept': async ({ store }) => {
    await enqueue(store, fresh('evt_1', 'a'));
    const first = await attemptOnly(store, 500, NOW);
    assert.deepEqual(await claim(store, 'early', { at: NOW + 59_999 }), {
      claims: [],
      nextDueAt: NOW + 60_000,
    });
    const second = await attemptOnly(store, 204, NOW + 60_000);
    assert.equal(second.state, 'delivered');
    assert.deepEqual(await store.get('evt_1:a'), {
      delivery: second,
      attempts: [first.last_attempt, second.last_attempt],
    });
  },

  'what is finished is never claimed again': async ({ store }) => {
    await enqueue(store, fresh('evt_1', 'a'), fresh('evt_2', 'b', NOW + 1));
    await attemptOnly(store, 200, NOW);
    const failed = await attemptOnly(store, 500, NOW + 1, 1);
    assert.equal(failed.state, 'failed');
    assert.deepEqual(await claim(store, 'after', { at: NOW + 1e9 }), { claims: [], nextDueAt: null });
    assert.deepEqual((await store.get('evt_2:b'))?.delivery, failed);
  },

  'a lease given back leaves no attempt': async ({ store }) => {
    await enqueue(store, fresh('evt_1', 'a'));
    const [taken] = (await claim(store, 'unused')).claims;
    assert.ok(taken !== undefined);
    const delivery = released(taken.delivery, NOW + 10);
    assert.deepEqual(await store.settle([{ lease: 'unused', delivery, attempt: null }]), [true]);
    assert.deepEqual(await store.get('evt_1:a'), { delivery, attempts: [] });
    assert.deepEqual(await claimedIds(claim(store, 'next', { at: NOW + 10 })), ['evt_1:a']);
  },

  'a settlement whose answer was lost can be repeated: told as recorded, and written once': async ({
    store,
  }) => {
    await enqueue(store, fresh('evt_1', 'a'), fresh('evt_2', 'b'), fresh('evt_3', 'c'), fresh('evt_4', 'd'));
    const { claims } = await claim(store, 'first');
    const [one, two, three, four] = claims.map(({ delivery }) => delivery);
    assert.ok(one !== undefined && two !== undefined && three !== undefined && four !== undefined);
    const batch = [
      { lease: 'first', ...attempted(one, 200, NOW) },
      { lease: 'first', ...attempted(two, 500, NOW) },
      { lease: 'first', ...attempted(three, 500, NOW, 1) },
      { lease: 'first', delivery: released(four, NOW + 10), attempt: null },
    ];
    assert.deepEqual(await store.settle(batch), [true, true, true, true]);
    const recorded = await Promise.all(batch.map(({ delivery }) => store.get(delivery.id)));
    for (let again = 0; again < 2; again++) {
      assert.deepEqual(await store.settle(batch), [true, true, true, true]);
      assert.deepEqual(await Promise.all(batch.map(({ delivery }) => store.get(delivery.id))), recorded);
    }
    assert.deepEqual(await claimedIds(claim(store, 'next', { at: NOW + 10 })), [four.id]);
  },

  'also when somebody has made the next attempt since; but no attempt that was never recorded, nor a lease given back':
    async ({ store }) => {
      await enqueue(store, fresh('evt_1', 'a'), fresh('evt_2', 'b'));
      const { claims } = await claim(store, 'first');
      const [one, two] = claims.map(({ delivery }) => delivery);
      assert.ok(one !== undefined && two !== undefined);
      const recorded = { lease: 'first', ...attempted(one, 500, NOW) };
      const givenBack = { lease: 'first', delivery: released(two, NOW + 1), attempt: null };
      assert.deepEqual(await store.settle([recorded, givenBack]), [true, true]);
      const at = NOW + 60_000;
      const next = (await claim(store, 'second', { at })).claims.map(({ delivery }) => delivery);
      assert.equal(next.length, 2);
      const never = { lease: 'first', ...attempted(one, 500, NOW + 1) };
      assert.deepEqual(await store.settle([recorded]), [true], 'while its next attempt is under way');
      assert.deepEqual(await store.settle([never]), [false]);
      assert.deepEqual(await store.settle([givenBack]), [false], 'it is under another lease');
      await store.settle(next.map((delivery) => ({ lease: 'second', ...attempted(delivery, 200, at) })));
      assert.deepEqual(await store.settle([recorded]), [true], 'once it is delivered');
      assert.deepEqual(await store.settle([never]), [false]);
      assert.equal((await store.get(one.id))?.attempts.length, 2);
      assert.equal((await store.get(two.id))?.attempts.length, 1);
    },

  'each settlement of a batch is told by itself': async ({ store }) => {
    await enqueue(store, fresh('evt_1', 'a'), fresh('evt_2', 'b'));
    const { claims } = await claim(store, 'lease');
    const [one, two] = claims.map(({ delivery }) => attempted(delivery, 200, NOW));
    assert.ok(one !== undefined && two !== undefined);
    const stranger = attempted({ ...fresh('evt_3', 'c'), state: 'leased', lease: 'lease' }, 200, NOW);
    const batch = [
      { lease: 'wrong', ...one },
      { lease: 'lease', ...stranger },
      { lease: 'lease', ...two },
    ];
    assert.deepEqual(await store.settle(batch), [false, false, true]);
    assert.deepEqual(await store.settle([]), []);
    assert.equal((await store.get(one.delivery.id))?.delivery.state, 'leased');
    assert.equal(await store.get('evt_3:c'), null);
  },
};

/** All requirements of `DeliveryStore`. */
export const storeCases: Cases<StoreUnderTest> = { ...enqueueCases, ...claimCases, ...settleCases };
