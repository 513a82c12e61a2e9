/** The contract of stores that keep the order of deliveries with the same ordering key. */
import assert from 'node:assert/strict';
import type { DueDates } from '../delivery/make-due.js';
import type { DeliveryDeletion } from '../delivery/retention.js';
import { type Delivery, newDelivery } from '../delivery/delivery.js';
import type { DeliveryStore } from '../delivery/store.js';
import {
  after,
  attempted,
  BODY,
  type Cases,
  claim,
  claimedIds,
  enqueue,
  LEASE_MS,
  nothingUntil,
  NOW,
  refuses,
  released,
  type DeadLettersUnderTest,
} from './contract.js';
import { holdCases } from './hold-contract.js';
import { attemptNext, enqueueSome, keyed, settleAs, stateOf } from './ordering-steps.js';

const waitingCases: Cases<DeadLettersUnderTest<DeliveryDeletion & DueDates>> = {
  'deliveries of a key are claimed one at a time, in the order in which they were enqueued': async ({
    store,
  }) => {
    // Neither the ids nor the due times tell the order.
    const [one, two, three] = [keyed('evt_9'), keyed('evt_5'), keyed('evt_1', 'k', 'a', NOW - 50)];
    assert.equal(await enqueue(store, one, two, three), 3);
    assert.equal(await enqueue(store, keyed('evt_0')), 1);
    for (const event of ['evt_9', 'evt_5', 'evt_1', 'evt_0']) await attemptNext(store, event, 'delivered');
    await nothingUntil(claim(store, 'none'), null);
  },

  'keys, endpoints and deliveries without a key do not wait for each other': async ({ store }) => {
    const others = [keyed('evt_2', 'other'), keyed('evt_3', 'k', 'b'), keyed('evt_4', null)];
    await enqueue(store, keyed('evt_1'), ...others, keyed('evt_5'), keyed('evt_6', null));
    const ids = await claimedIds(claim(store, 'lease'));
    assert.deepEqual(ids.toSorted(), ['evt_1:a', 'evt_2:a', 'evt_3:b', 'evt_4:a', 'evt_6:a']);
  },

  'the record of a delivery that waits says so, and keeps its due_at until it waits no longer': async ({
    store,
  }) => {
    const later = keyed('evt_3', 'k', 'a', NOW + 500);
    await enqueue(store, keyed('evt_1'), keyed('evt_2'), later);
    const { due_at: _, ...waiting } = { ...keyed('evt_2'), state: 'waiting' as const };
    assert.deepEqual(await store.get('evt_2:a'), { delivery: { ...waiting, due_at: NOW }, attempts: [] });
    await attemptNext(store, 'evt_1', 'delivered', NOW + 10);
    const pending = { ...keyed('evt_2'), due_at: NOW + 10 };
    assert.deepEqual(await store.get('evt_2:a'), { delivery: pending, attempts: [] });
    await nothingUntil(claim(store, 'early', { at: NOW + 9 }), NOW + 10);
    await attemptNext(store, 'evt_2', 'delivered', NOW + 20);
    assert.deepEqual(await store.get('evt_3:a'), { delivery: later, attempts: [] });
    await nothingUntil(claim(store, 'early', { at: NOW + 20 }), NOW + 500);
  },

  'while a delivery waits for its retry, those behind it wait; after a dead letter, the next one goes':
    async ({ store }) => {
      await enqueueSome(store, 2);
      await attemptNext(store, 'evt_1', 'retry');
      await nothingUntil(claim(store, 'early', { at: NOW + 59_999 }), NOW + 60_000);
      await attemptNext(store, 'evt_1', 'failed', NOW + 60_000);
      await attemptNext(store, 'evt_2', 'delivered', NOW + 60_000);
    },

  'a lease that ends or is given back lets nothing overtake': async ({ store }) => {
    await enqueueSome(store, 2);
    const [taken] = (await claim(store, 'unused')).claims;
    assert.ok(taken !== undefined);
    const delivery = released(taken.delivery, NOW + 10);
    assert.deepEqual(await store.settle([{ lease: 'unused', delivery, attempt: null }]), [true]);
    const [lost] = (await claim(store, 'crashed', { at: NOW + 10 })).claims;
    const end = NOW + 10 + LEASE_MS;
    await nothingUntil(claim(store, 'early', { at: end - 1 }), end);
    const [heir] = (await claim(store, 'heir', { at: end })).claims;
    assert.ok(lost !== undefined && heir !== undefined);
    assert.equal(heir.delivery.id, 'evt_1:a');
    const late = await store.settle([{ lease: 'crashed', ...attempted(lost.delivery, 200, end) }]);
    assert.deepEqual(late, [false]);
    await nothingUntil(claim(store, 'after', { at: end }), end + LEASE_MS);
    await settleAs(store, heir.delivery, 'delivered', end);
    await attemptNext(store, 'evt_2', 'delivered', end);
  },

  'a settlement that is repeated lets one delivery go, not two': async ({ store }) => {
    await enqueueSome(store, 3);
    const [one] = (await claim(store, 'first')).claims;
    assert.ok(one !== undefined);
    const settlement = { lease: 'first', ...attempted(one.delivery, 200, NOW) };
    for (let n = 0; n < 3; n++) assert.deepEqual(await store.settle([settlement]), [true]);
    assert.deepEqual(await claimedIds(claim(store, 'second')), ['evt_2:a']);
    assert.deepEqual(await store.settle([settlement]), [true]);
    await nothingUntil(claim(store, 'third'), NOW + LEASE_MS);
  },

  'many keys go on in one call': async ({ store }) => {
    const keys = Array.from({ length: 40 }, (_, n) => `key ${n}`);
    const deliveries = [1, 2, 3].flatMap((n) => keys.map((key) => keyed(`evt_${n} ${key}`, key)));
    assert.equal(await enqueue(store, ...deliveries), 120);
    for (const n of [1, 2, 3]) {
      const { claims } = await claim(store, `lease ${n}`, { limit: 200 });
      const events = claims.map(({ delivery }) => delivery.event_id);
      assert.deepEqual(events.toSorted(), keys.map((key) => `evt_${n} ${key}`).toSorted());
      const ends = claims.map(({ delivery }) => ({
        lease: `lease ${n}`,
        ...attempted(delivery, n === 2 ? 500 : 200, NOW, 1),
      }));
      await store.settle(ends);
    }
    await nothingUntil(claim(store, 'none'), null);
  },

  'a delivery that is enqueued again does nothing to its key, whatever happened to it': async ({ store }) => {
    await enqueueSome(store, 2);
    assert.equal(await enqueueSome(store, 2), 0, 'one pending, one waiting');
    await attemptNext(store, 'evt_1', 'delivered');
    assert.equal(await enqueueSome(store, 1), 0, 'delivered');
    await attemptNext(store, 'evt_2', 'delivered');
    assert.equal(await enqueueSome(store, 2), 0, 'with an idle key');
    assert.equal(await enqueueSome(store, 3), 1, 'before a new one');
    await attemptNext(store, 'evt_3', 'delivered');
    assert.equal(await enqueue(store, keyed('evt_4'), keyed('evt_4'), keyed('evt_5')), 2);
    await attemptNext(store, 'evt_4', 'delivered');
    await attemptNext(store, 'evt_5', 'delivered');
  },

  'replays wait for nothing, and nothing waits for them': async ({ store }) => {
    const replay = (event: string): Delivery =>
      newDelivery({ id: event, type: 'x' }, 'a', { at: NOW, replay: 'click', orderingKey: 'k' });
    await enqueue(store, replay('evt_0'), keyed('evt_1'), keyed('evt_2'), replay('evt_1'));
    const { claims } = await claim(store, 'lease');
    const ids = claims.map(({ delivery }) => delivery.id);
    assert.deepEqual(ids.toSorted(), ['evt_0:a:click', 'evt_1:a', 'evt_1:a:click']);
    for (const { delivery } of claims) {
      if (delivery.origin === 'replay') await settleAs(store, delivery, 'held');
    }
    assert.equal((await store.get('evt_0:a:click'))?.delivery.holds_key, undefined);
    await nothingUntil(claim(store, 'waiting'), NOW + LEASE_MS);
  },

  'a delivery that is leased as it is added holds its key, or waits without the lease': async ({ store }) => {
    const lease = { state: 'leased', lease: 'mine', due_at: NOW + 10 } as const;
    const [one, two] = [
      { ...keyed('evt_1'), ...lease },
      { ...keyed('evt_2'), ...lease },
    ];
    assert.equal(await enqueue(store, one, two), 2);
    assert.deepEqual((await store.get(one.id))?.delivery, one);
    assert.deepEqual((await store.get(two.id))?.delivery, { ...keyed('evt_2'), state: 'waiting' });
    assert.deepEqual(await store.settle([{ lease: 'mine', ...attempted(two, 200, NOW) }]), [false]);
    await settleAs(store, one, 'delivered');
    await attemptNext(store, 'evt_2', 'delivered');
  },

  'keys of any text are kept apart': async ({ store }) => {
    const keys = ['k', 'K', 'k\u0000', 'k\\u0000', 'k ', '😀', '\ud83d', '__proto__', 'x'.repeat(256)];
    await enqueue(store, ...keys.map((key, n) => keyed(`evt_${n}`, key)));
    const { claims } = await claim(store, 'lease');
    const found = claims.map(({ delivery }) => delivery.ordering_key);
    assert.deepEqual(found.toSorted(), keys.toSorted());
  },

  'an invalid key is refused, and nothing is stored': async ({ store }) => {
    for (const key of ['', 'x'.repeat(257), 7, {}, ['k']]) {
      const delivery = { ...keyed('evt_1'), ordering_key: key } as unknown as Delivery;
      await refuses(() => store.enqueue([{ body: BODY, deliveries: [delivery] }]));
    }
    assert.equal(await store.get('evt_1:a'), null);
    assert.equal(await enqueue(store, { ...keyed('evt_1'), ordering_key: null }), 1);
    assert.deepEqual((await store.get('evt_1:a'))?.delivery, keyed('evt_1', null));
  },
};

const removalCases: Cases<DeadLettersUnderTest<DeliveryDeletion & DueDates>> = {
  'where a delivery is deleted, those behind it go on, in their order': async ({ store }) => {
    await enqueueSome(store, 5);
    const [one] = (await claim(store, 'first')).claims;
    const gone = ['evt_1:a', 'evt_3:a'];
    assert.deepEqual(await store.deleteDeliveries(gone), [], 'they are unfinished');
    assert.deepEqual((await store.deleteDeliveries(gone, { unfinished: true })).toSorted(), gone);
    assert.ok(one !== undefined);
    const late = await store.settle([{ lease: 'first', ...attempted(one.delivery, 200, NOW) }]);
    assert.deepEqual(late, [false]);
    await attemptNext(store, 'evt_2', 'delivered');
    await attemptNext(store, 'evt_4', 'delivered');
    await attemptNext(store, 'evt_5', 'delivered');
    assert.equal(await enqueue(store, keyed('evt_1')), 1);
    await attemptNext(store, 'evt_1', 'delivered');
  },

  'where all deliveries of a key are deleted, the next one does not wait': async ({ store }) => {
    await enqueueSome(store, 3);
    const ids = ['evt_2:a', 'evt_1:a', 'evt_3:a'];
    assert.equal((await store.deleteDeliveries(ids, { unfinished: true })).length, 3);
    await enqueue(store, keyed('evt_4'));
    await attemptNext(store, 'evt_4', 'delivered');
  },

  'makeDue sends the delivery that others wait for, and not those': async ({ store }) => {
    await enqueueSome(store, 3);
    await attemptNext(store, 'evt_1', 'retry');
    assert.equal(await store.makeDue({ endpointId: 'a' }, { at: NOW + 1 }), 1);
    assert.equal(await store.makeDue({ ids: ['evt_2:a', 'evt_3:a'] }, { at: NOW - 1 }), 0);
    await attemptNext(store, 'evt_1', 'delivered', NOW + 1);
    await attemptNext(store, 'evt_2', 'delivered', NOW + 1);
  },

  'the deliveries of an endpoint that is gone fail one after another, whatever its policy was': async ({
    store,
  }) => {
    await enqueueSome(store, 3);
    for (const event of ['evt_1', 'evt_2', 'evt_3']) {
      const [only] = (await claim(store, event)).claims;
      assert.ok(only !== undefined);
      const outcome = { ok: false, failure: 'endpoint_gone', transient: false, detail: '' } as const;
      const attempt = { started_at: NOW, ended_at: NOW, outcome };
      const record = after(only.delivery, { type: 'attempt', lease: event, attempt, policy: null });
      await store.settle([{ lease: event, delivery: record, attempt: record.last_attempt }]);
      assert.equal(await stateOf(store, event), 'failed');
    }
  },

  'whatever several processes do at the same moment, each key is in order and none is stuck': async ({
    store,
    another,
  }) => {
    const other = (await another?.()) ?? store;
    let works = 0;
    const keys = ['k', 'l', 'm', 'n'];
    const rounds = 12;
    const seen = new Map<string, string[]>(keys.map((key) => [key, []]));
    const work = async (one: DeliveryStore): Promise<number> => {
      const { claims } = await claim(one, `work ${++works}`);
      const ends = claims.map(({ delivery }) => {
        seen.get(delivery.ordering_key ?? '')?.push(delivery.event_id);
        return { lease: delivery.lease ?? '', ...attempted(delivery, 200, NOW) };
      });
      // In another order than that of the keys that are enqueued.
      await one.settle(ends.reverse());
      return claims.length;
    };
    for (let n = 0; n < rounds; n++) {
      const batch = keys.map((key) => keyed(`evt_${n} ${key}`, key));
      const calls = [enqueue(store, ...batch), work(other), work(store)];
      await Promise.all(n % 2 === 0 ? calls : [...calls, work(other)]);
    }
    for (let left = 1; left > 0;) left = await work(store);
    for (const key of keys) {
      assert.deepEqual(
        seen.get(key),
        Array.from({ length: rounds }, (_, n) => `evt_${n} ${key}`),
      );
    }
  },
};

/** All requirements of stores that keep an order. */
export const orderingCases: Cases<DeadLettersUnderTest<DeliveryDeletion & DueDates>> = {
  ...waitingCases,
  ...holdCases,
  ...removalCases,
};
