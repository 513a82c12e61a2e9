/** The part of the contract of order that is about dead letters that hold their keys. */
import assert from 'node:assert/strict';
import type { DueDates } from '../delivery/make-due.js';
import type { DeliveryDeletion } from '../delivery/retention.js';
import type { DeadLetters } from '../delivery/dead-letters.js';
import type { Delivery } from '../delivery/delivery.js';
import type { DeliveryStore } from '../delivery/store.js';
import {
  type Cases,
  claim,
  enqueue,
  LEASE_MS,
  nothingUntil,
  NOW,
  type DeadLettersUnderTest,
} from './contract.js';
import { attemptNext, enqueueSome, keyed, settleAs, stateOf } from './ordering-steps.js';

/** Fails `evt_1` of three for good, with `hold`. */
async function holdKey(store: DeliveryStore): Promise<Delivery> {
  await enqueueSome(store, 3);
  const letter = await attemptNext(store, 'evt_1', 'held');
  await nothingUntil(claim(store, 'held'), null);
  return letter;
}

const redeliver = (deadLetters: DeadLetters, replay: string, at = NOW): Promise<number> =>
  deadLetters.redeliver({}, { at, replay });

/** The requirements of keys that dead letters hold. */
export const holdCases: Cases<DeadLettersUnderTest<DeliveryDeletion & DueDates>> = {
  'a dead letter that holds its key says so, and holds no other': async ({ store, deadLetters }) => {
    const letter = await holdKey(store);
    assert.equal(letter.holds_key, true);
    assert.deepEqual((await deadLetters.list({})).letters, [letter]);
    await enqueue(store, keyed('evt_4', 'other'), keyed('evt_5'));
    await attemptNext(store, 'evt_4', 'delivered');
    assert.equal(await stateOf(store, 'evt_5'), 'waiting');
  },

  'a key is held until the dead letter is discarded': async ({ store, deadLetters }) => {
    await holdKey(store);
    assert.equal(await deadLetters.discard({ ids: ['evt_1:a'] }), 1);
    assert.equal((await store.get('evt_1:a'))?.delivery.holds_key, undefined);
    await attemptNext(store, 'evt_2', 'held');
    await nothingUntil(claim(store, 'held again'), null);
    assert.equal(await deadLetters.discard({ all: true }), 1);
    await attemptNext(store, 'evt_3', 'delivered');
  },

  'or until its redelivery was delivered, however often it fails and is redelivered': async (subject) => {
    const { store, deadLetters } = subject;
    await holdKey(store);
    assert.equal(await redeliver(deadLetters, 'first'), 1);
    assert.equal((await store.get('evt_1:a'))?.delivery.holds_key, undefined);
    assert.equal((await store.get('evt_1:a:first'))?.delivery.holds_key, true);
    await attemptNext(store, 'evt_1', 'retry');
    await nothingUntil(claim(store, 'early'), NOW + 60_000);
    await attemptNext(store, 'evt_1', 'held', NOW + 60_000);
    await nothingUntil(claim(store, 'held', { at: NOW + 1e9 }), null);
    assert.equal(await redeliver(deadLetters, 'second', NOW + 60_000), 1);
    const delivered = await attemptNext(store, 'evt_1', 'delivered', NOW + 60_000);
    assert.deepEqual((await store.get(delivered.id))?.delivery, delivered);
    await attemptNext(store, 'evt_2', 'delivered', NOW + 60_000);
  },

  'or until its redelivery failed for good without hold, or was discarded or deleted': async (subject) => {
    const { store, deadLetters } = subject;
    await holdKey(store);
    await redeliver(deadLetters, 'first');
    const failed = await attemptNext(store, 'evt_1', 'failed');
    assert.deepEqual((await store.get(failed.id))?.delivery, failed);
    await attemptNext(store, 'evt_2', 'held');
    assert.equal(await deadLetters.redeliver({ ids: ['evt_2:a'] }, { at: NOW, replay: 'again' }), 1);
    await store.deleteDeliveries(['evt_2:a:again'], { unfinished: true });
    await attemptNext(store, 'evt_3', 'delivered');
  },

  'or until it is deleted': async ({ store }) => {
    await holdKey(store);
    assert.deepEqual(await store.deleteDeliveries(['evt_1:a']), ['evt_1:a']);
    await attemptNext(store, 'evt_2', 'delivered');
  },

  'where a delivery that waits is deleted, or one that is known is enqueued again, the key stays held':
    async ({ store, deadLetters }) => {
      await holdKey(store);
      await enqueue(store, keyed('evt_4'), keyed('evt_5'));
      const remove = (id: string) => store.deleteDeliveries([id], { unfinished: true });
      assert.deepEqual(await remove('evt_2:a'), ['evt_2:a']);
      assert.equal(await enqueueSome(store, 1), 0);
      await nothingUntil(claim(store, 'by the letter'), null);
      assert.equal(await redeliver(deadLetters, 'click'), 1);
      const [replay] = (await claim(store, 'replay')).claims;
      assert.deepEqual(await remove('evt_3:a'), ['evt_3:a']);
      await nothingUntil(claim(store, 'by the redelivery'), NOW + LEASE_MS);
      await settleAs(store, replay?.delivery, 'held');
      assert.deepEqual(await remove('evt_4:a'), ['evt_4:a']);
      await nothingUntil(claim(store, 'by its dead letter'), null);
      assert.equal(await deadLetters.discard({ all: true }), 1);
      await attemptNext(store, 'evt_5', 'delivered');
    },

  'the redelivery of a dead letter that does not hold its key changes nothing': async ({
    store,
    deadLetters,
  }) => {
    await enqueueSome(store, 3);
    await attemptNext(store, 'evt_1', 'failed');
    const [two] = (await claim(store, 'second')).claims;
    await redeliver(deadLetters, 'click');
    await attemptNext(store, 'evt_1', 'held');
    assert.equal((await store.get('evt_1:a:click'))?.delivery.holds_key, undefined);
    await deadLetters.discard({ all: true });
    await nothingUntil(claim(store, 'waiting'), NOW + LEASE_MS);
    await settleAs(store, two?.delivery, 'delivered');
    await attemptNext(store, 'evt_3', 'delivered');
  },

  'where many letters are discarded, each key that was held goes on once': async ({ store, deadLetters }) => {
    const keys = ['k', 'l', 'm'];
    await enqueue(store, ...[1, 2, 3].flatMap((n) => keys.map((key) => keyed(`evt_${n} ${key}`, key))));
    const { claims } = await claim(store, 'first');
    await settleAs(store, claims[0]?.delivery, 'held');
    await settleAs(store, claims[1]?.delivery, 'failed');
    await settleAs(store, claims[2]?.delivery, 'held');
    const second = await claim(store, 'second');
    assert.equal(second.claims.length, 1);
    assert.equal(await deadLetters.discard({ all: true }), 3);
    assert.equal((await claim(store, 'third')).claims.length, 2);
    await nothingUntil(claim(store, 'fourth'), NOW + LEASE_MS);
  },
};
