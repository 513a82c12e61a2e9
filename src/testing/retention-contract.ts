/** The contracts of `DeliveryDeletion` and `Retention`. */
import assert from 'node:assert/strict';
import { newDelivery } from '../delivery/delivery.js';
import type { DeliveryDeletion, Retention, DeleteFinishedOptions } from '../delivery/retention.js';
import type { DeliveryStore } from '../delivery/store.js';
import {
  attempted,
  attemptOnly,
  backlogOf,
  BODY,
  type Cases,
  claim,
  claimedIds,
  enqueue,
  fresh,
  NOW,
  refuses,
  type DeadLettersUnderTest,
} from './contract.js';

/** Adds deliveries of events 1 to 4: delivered, failed, waiting for a retry, and leased, all at `NOW`. */
async function oneOfEach(store: DeliveryStore): Promise<void> {
  for (const [event, status, maxAttempts] of [
    ['evt_1', 200, 1],
    ['evt_2', 500, 1],
    ['evt_3', 500, 9],
  ] as const) {
    await enqueue(store, fresh(event, 'a'));
    await attemptOnly(store, status, NOW, maxAttempts);
  }
  await enqueue(store, fresh('evt_4', 'a'));
  await claim(store, 'lease', { limit: 1 });
}

const known = async (store: DeliveryStore): Promise<readonly string[]> => {
  const all = await Promise.all([1, 2, 3, 4].map((n) => store.get(`evt_${n}:a`)));
  return all.flatMap((history) => history?.delivery.event_id ?? []);
};

/** The bodies that a claim finds, by id. */
async function bodiesOf(store: DeliveryStore, at: number): Promise<Readonly<Record<string, string>>> {
  const { claims } = await claim(store, 'lease', { at });
  return Object.fromEntries(claims.map(({ delivery, body }) => [delivery.id, body.join()]));
}

/** All requirements of `DeliveryDeletion`. */
export const deletionCases: Cases<DeadLettersUnderTest<DeliveryDeletion>> = {
  'finished deliveries that are named go, dead letters among them; all others stay': async (subject) => {
    const { store, deadLetters } = subject;
    await oneOfEach(store);
    await enqueue(store, fresh('evt_5', 'a', NOW + 1));
    await attemptOnly(store, 200, NOW + 1);
    const ids = ['evt_1:a', 'evt_2:a', 'evt_3:a', 'evt_4:a', 'nobody', 'evt_1:a'];
    assert.deepEqual((await store.deleteDeliveries(ids)).toSorted(), ['evt_1:a', 'evt_2:a']);
    assert.deepEqual(await known(store), ['evt_3', 'evt_4']);
    assert.equal(await deadLetters.count({}), 0);
    assert.equal((await store.get('evt_5:a'))?.delivery.state, 'delivered');
    assert.deepEqual(await store.deleteDeliveries(ids), []);
    assert.deepEqual(await store.deleteDeliveries([]), []);
  },

  'with unfinished, pending and leased deliveries go too: none of them is claimed, and their leases are lost':
    async ({ store }) => {
      await enqueue(store, fresh('evt_1', 'a'), fresh('evt_2', 'a'), fresh('evt_3', 'a', NOW + 1));
      const { claims } = await claim(store, 'lease', { limit: 2 });
      const ids = ['evt_1:a', 'evt_3:a'];
      assert.deepEqual(await store.deleteDeliveries(ids, {}), []);
      assert.deepEqual(await store.deleteDeliveries(ids, { unfinished: false }), []);
      assert.deepEqual((await store.deleteDeliveries(ids, { unfinished: true })).toSorted(), ids);
      assert.deepEqual(await known(store), ['evt_2']);
      const settlements = claims.map(({ delivery }) => ({
        lease: 'lease',
        ...attempted(delivery, 500, NOW),
      }));
      const kept = claims.map(({ delivery }) => delivery.id === 'evt_2:a');
      assert.deepEqual(await store.settle(settlements), kept);
      assert.deepEqual(await bodiesOf(store, NOW + 2), {});
      await refuses(() => store.deleteDeliveries(ids, { unfinished: 1 } as never));
    },

  'what was deleted takes no turn from what is left': async ({ store }) => {
    const gone = backlogOf('a', NOW);
    await enqueue(store, ...gone, fresh('evt_b', 'b', NOW + 50));
    const at = NOW + 100;
    assert.deepEqual(await claimedIds(claim(store, 'first', { at, limit: 1 })), ['evt_a0:a']);
    await store.deleteDeliveries(
      gone.map(({ id }) => id),
      { unfinished: true },
    );
    await enqueue(store, fresh('evt_c', 'c', at + 1));
    assert.deepEqual(await claimedIds(claim(store, 'next', { at: at + 1, limit: 1 })), ['evt_b:b']);
  },

  'a deleted delivery may come again, once, and is not forgotten with the old one': async ({ store }) => {
    await oneOfEach(store);
    const ids = ['evt_1:a', 'evt_2:a'];
    await store.deleteDeliveries(ids);
    const again = [fresh('evt_1', 'a'), fresh('evt_2', 'a')];
    assert.equal(await enqueue(store, ...again), 2);
    assert.equal(await enqueue(store, ...again), 0);
    assert.deepEqual(await store.deleteDeliveries(ids), [], 'they are unfinished');
    assert.deepEqual(await bodiesOf(store, NOW), { 'evt_1:a': BODY.join(), 'evt_2:a': BODY.join() });
  },

  'the body of a deleted delivery stays as long as another needs it': async ({ store, deadLetters }) => {
    const deliveries = [fresh('evt_1', 'a'), fresh('evt_1', 'b', NOW + 9)];
    await store.enqueue([{ body: BODY, deliveries }]);
    await attemptOnly(store, 500, NOW, 1);
    await deadLetters.redeliver({}, { at: NOW + 5, replay: 'click' });
    assert.deepEqual(await store.deleteDeliveries(['evt_1:a']), ['evt_1:a']);
    const bodies = { 'evt_1:a:click': BODY.join(), 'evt_1:b': BODY.join() };
    assert.deepEqual(await bodiesOf(store, NOW + 10), bodies);
  },

  'a deleted dead letter is not redelivered, and counts nowhere': async ({ store, deadLetters }) => {
    await oneOfEach(store);
    await store.deleteDeliveries(['evt_2:a']);
    assert.deepEqual(await deadLetters.list({}), { letters: [], next: null });
    assert.equal(await deadLetters.redeliver({}, { at: NOW, replay: 'click' }), 0);
    assert.equal(await deadLetters.discard({ all: true }), 0);
  },

  'ids of any text are found': async ({ store }) => {
    const delivery = fresh("evt_'; drop table\u0000 😀 \\ \ue000", '__proto__');
    await enqueue(store, delivery);
    await attemptOnly(store, 200, NOW);
    assert.deepEqual(await store.deleteDeliveries([delivery.id]), [delivery.id]);
    assert.equal(await store.get(delivery.id), null);
  },

  'anything but a list of ids is refused, and deletes nothing': async ({ store }) => {
    await oneOfEach(store);
    const wrong: readonly unknown[] = [
      ...[undefined, null, 'evt_1:a', {}, new Set(['evt_1:a']), 7],
      ...[undefined, null, 7, { id: 'evt_1:a' }].map((id) => ['evt_1:a', id]),
    ];
    for (const ids of wrong) await refuses(() => store.deleteDeliveries(ids as readonly string[]));
    assert.deepEqual(await known(store), ['evt_1', 'evt_2', 'evt_3', 'evt_4']);
  },
};

/** All requirements of `Retention`. */
export const retentionCases: Cases<DeadLettersUnderTest<Retention>> = {
  ...deletionCases,

  'bodies of deliveries that were deleted by their ids are not left over': async ({ store }) => {
    await oneOfEach(store);
    await store.deleteDeliveries(['evt_1:a', 'evt_2:a']);
    assert.deepEqual(await store.deleteFinished({ before: NOW + 1 }), { deliveries: 0, bodies: 0 });
  },

  'what finished before goes; what is under way or a dead letter stays': async ({ store }) => {
    await oneOfEach(store);
    assert.deepEqual(await store.deleteFinished({ before: NOW }), { deliveries: 0, bodies: 0 });
    assert.deepEqual(await known(store), ['evt_1', 'evt_2', 'evt_3', 'evt_4']);
    assert.deepEqual(await store.deleteFinished({ before: NOW + 1 }), { deliveries: 1, bodies: 1 });
    assert.deepEqual(await known(store), ['evt_2', 'evt_3', 'evt_4']);
  },

  'a letter goes once it is disposed of': async ({ store, deadLetters }) => {
    await oneOfEach(store);
    await deadLetters.discard({ all: true });
    assert.deepEqual(await store.deleteFinished({ before: NOW + 1 }), { deliveries: 2, bodies: 2 });
    assert.deepEqual(await known(store), ['evt_3', 'evt_4']);
  },

  'a body stays as long as any delivery may send it': async ({ store, deadLetters }) => {
    await store.enqueue([{ body: BODY, deliveries: [fresh('evt_1', 'a'), fresh('evt_1', 'b', NOW + 9)] }]);
    await attemptOnly(store, 500, NOW, 1);
    await deadLetters.redeliver({}, { at: NOW + 5, replay: 'click' });
    assert.deepEqual(await store.deleteFinished({ before: NOW + 1 }), { deliveries: 1, bodies: 0 });
    const { claims } = await claim(store, 'lease', { at: NOW + 10 });
    assert.deepEqual(
      claims.map(({ delivery, body }) => [delivery.id, body.join()]),
      [
        ['evt_1:a:click', BODY.join()],
        ['evt_1:b', BODY.join()],
      ],
    );
  },

  'many go in batches, however small': async ({ store }) => {
    for (let n = 1; n <= 7; n++) {
      await enqueue(store, newDelivery({ id: `evt_${n}`, type: 'x' }, 'a', { at: NOW }));
      await attemptOnly(store, 200, NOW);
    }
    assert.deepEqual(await store.deleteFinished({ before: NOW + 1, batchSize: 2 }), {
      deliveries: 7,
      bodies: 7,
    });
    assert.deepEqual(await store.deleteFinished({ before: NOW + 1 }), { deliveries: 0, bodies: 0 });
  },

  'what went may come again': async ({ store }) => {
    await enqueue(store, fresh('evt_1', 'a'));
    await attemptOnly(store, 200, NOW);
    await store.deleteFinished({ before: NOW + 1 });
    assert.equal(await enqueue(store, fresh('evt_1', 'a')), 1);
    assert.equal((await claim(store, 'lease')).claims.length, 1);
  },

  'what does not say since when is refused, and deletes nothing': async ({ store }) => {
    await oneOfEach(store);
    const wrong: readonly unknown[] = [
      ...[undefined, null, {}, NOW, new Date(NOW), [NOW], { before: NOW, batch: 2 }, { olderThan: NOW }],
      ...[undefined, null, NaN, Infinity, '2024-01-01', new Date(NOW), NOW / 1_000, NOW * 1_000].map(
        (before) => ({
          before,
        }),
      ),
      ...[0, -1, 1.5, NaN, Infinity, '10', null].map((batchSize) => ({ before: NOW + 1, batchSize })),
    ];
    for (const options of wrong) await refuses(() => store.deleteFinished(options as DeleteFinishedOptions));
    assert.deepEqual(await known(store), ['evt_1', 'evt_2', 'evt_3', 'evt_4']);
  },
};
