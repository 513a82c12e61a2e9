/** The contract of `Retention`. */
import assert from 'node:assert/strict';
import { newDelivery } from '../delivery/delivery.js';
import type { DeleteFinishedOptions } from '../delivery/retention.js';
import type { DeliveryStore } from '../delivery/store.js';
import {
  attemptOnly,
  BODY,
  type Cases,
  claim,
  enqueue,
  fresh,
  NOW,
  refuses,
  type RetentionUnderTest,
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

/** All requirements of `Retention`. */
export const retentionCases: Cases<RetentionUnderTest> = {
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
