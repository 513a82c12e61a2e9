/** The contract of `DueDates`. */
import assert from 'node:assert/strict';
import type { DueDates, MakeDueOptions, PendingFilter } from '../delivery/make-due.js';
import {
  attemptOnly,
  type Cases,
  claim,
  claimedIds,
  enqueue,
  fresh,
  NOW,
  refuses,
  type StoreUnderTest,
} from './contract.js';

/** Adds `evt_1:a`, `evt_2:b`, `evt_3:a` …, due a minute after one another. */
const waiting = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    fresh(`evt_${n + 1}`, n % 2 === 0 ? 'a' : 'b', NOW + (n + 1) * 60_000),
  );

/** All requirements of `DueDates`. */
export const makeDueCases: Cases<StoreUnderTest<DueDates>> = {
  'deliveries of an endpoint that are due later are due, and no others': async ({ store }) => {
    await enqueue(store, ...waiting(4));
    assert.deepEqual(await claimedIds(claim(store, 'none')), []);
    assert.equal(await store.makeDue({ endpointId: 'a' }, { at: NOW }), 2);
    assert.equal((await store.get('evt_1:a'))?.delivery.due_at, NOW);
    assert.equal((await store.get('evt_2:b'))?.delivery.due_at, NOW + 120_000);
    assert.deepEqual((await claimedIds(claim(store, 'lease'))).toSorted(), ['evt_1:a', 'evt_3:a']);
    assert.equal(await store.makeDue({ endpointId: 'a' }, { at: NOW }), 0, 'they are leased');
  },

  'named deliveries are due, within all conditions': async ({ store }) => {
    await enqueue(store, ...waiting(4));
    const ids = ['evt_2:b', 'evt_3:a', 'nobody', 'evt_2:b'];
    assert.equal(await store.makeDue({ ids, endpointId: 'b' }, { at: NOW }), 1);
    assert.equal(await store.makeDue({ ids }, { at: NOW }), 1);
    assert.equal(await store.makeDue({ ids: [] }, { at: NOW }), 0);
    assert.deepEqual((await claimedIds(claim(store, 'lease'))).toSorted(), ['evt_2:b', 'evt_3:a']);
  },

  'a retry keeps its attempts; what is due already or finished stays as it is': async ({ store }) => {
    await enqueue(store, fresh('evt_1', 'a'));
    const retried = await attemptOnly(store, 500, NOW);
    await enqueue(store, fresh('evt_2', 'a'), fresh('evt_3', 'a', NOW - 5));
    await attemptOnly(store, 200, NOW);
    assert.equal(await store.makeDue({ endpointId: 'a' }, { at: NOW + 1 }), 1);
    const history = await store.get(retried.id);
    assert.deepEqual(history?.delivery, { ...retried, due_at: NOW + 1 });
    assert.equal(history.attempts.length, 1);
    assert.equal((await store.get('evt_2:a'))?.delivery.due_at, NOW);
  },

  'no more than the limit, the earliest first': async ({ store }) => {
    await enqueue(store, ...waiting(5));
    const options = { at: NOW, limit: 2 };
    const ids = waiting(5).map(({ id }) => id);
    assert.equal(await store.makeDue({ ids }, options), 2);
    assert.deepEqual((await claimedIds(claim(store, 'lease'))).toSorted(), ['evt_1:a', 'evt_2:b']);
    assert.equal(await store.makeDue({ ids }, options), 2);
    assert.equal(await store.makeDue({ ids }, options), 1);
  },

  'what does not say which and when is refused, and changes nothing': async ({ store }) => {
    await enqueue(store, ...waiting(1));
    const filters: readonly unknown[] = [
      ...[undefined, null, {}, 'a', ['evt_1:a'], { endpoint_id: 'a' }, { endpointId: 'a', all: true }],
      ...[{ ids: undefined }, { ids: 'evt_1:a' }, { ids: [7] }, { endpointId: 7 }, { endpointId: null }],
    ];
    for (const filter of filters) await refuses(() => store.makeDue(filter as PendingFilter, { at: NOW }));
    const wrong: readonly unknown[] = [
      ...[undefined, null, {}, NOW, { at: NaN }, { at: 1.5 }, { at: new Date(NOW) }, { at: NOW, by: 'me' }],
      ...[0, -1, 1.5, NaN, '10', null, 100_001].map((limit) => ({ at: NOW, limit })),
    ];
    for (const one of wrong) await refuses(() => store.makeDue({ endpointId: 'a' }, one as MakeDueOptions));
    assert.equal((await store.get('evt_1:a'))?.delivery.due_at, NOW + 60_000);
  },
};
