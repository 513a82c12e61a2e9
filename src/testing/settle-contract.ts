/** The part of the contract of `DeliveryStore` that is about the end of leases. */
import assert from 'node:assert/strict';
import {
  attempted,
  attemptOnly,
  type Cases,
  claim,
  claimedIds,
  enqueue,
  fresh,
  LEASE_MS,
  nothingUntil,
  NOW,
  released,
  type StoreUnderTest,
} from './contract.js';

/** The requirements of `settle`. */
export const settleCases: Cases<StoreUnderTest> = {
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
    await nothingUntil(claim(store, 'early', { at: NOW + 59_999 }), NOW + 60_000);
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
    await nothingUntil(claim(store, 'after', { at: NOW + 1e9 }), null);
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

  'a lease given back before an attempt was made is not that of the next attempt, even if both are due at once':
    async ({ store }) => {
      await enqueue(store, fresh('evt_1', 'a'));
      const [one] = (await claim(store, 'first')).claims;
      assert.ok(one !== undefined);
      const at = NOW + 60_000;
      const givenBack = { lease: 'first', delivery: released(one.delivery, at), attempt: null };
      assert.deepEqual(await store.settle([givenBack]), [true]);
      const [two] = (await claim(store, 'second', { at })).claims;
      assert.ok(two !== undefined);
      const failed = { lease: 'second', ...attempted(two.delivery, 500, NOW) };
      assert.equal(failed.delivery.due_at, at);
      assert.deepEqual(await store.settle([failed]), [true]);
      assert.deepEqual(await store.settle([givenBack]), [false]);
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
