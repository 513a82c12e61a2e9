/** The contract of stores that read bodies again instead of storing them. */
import assert from 'node:assert/strict';
import type { Delivery } from '../delivery/delivery.js';
import type { DeliveryStore, Dispatch } from '../delivery/store.js';
import type { ColumnsUnderTest } from './columns-contract.js';
import {
  attemptOnly,
  BODY,
  type Cases,
  claim,
  claimedIds,
  enqueue,
  fresh,
  LEASE_MS,
  nothingUntil,
  NOW,
} from './contract.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Deliveries of one event whose body is not stored. */
const unstored = (body: Uint8Array, ...deliveries: readonly Delivery[]): Dispatch => ({
  ...{ body, deliveries, storeBody: false },
});

const textsOf = async (store: DeliveryStore, lease: string, at = NOW): Promise<readonly string[]> =>
  (await claim(store, lease, { at })).claims.map(
    ({ delivery, body }) => `${delivery.id} ${String.fromCharCode(...body)}`,
  );

/** All requirements of stores with `readBodies`. */
export const bodyCases: Cases<ColumnsUnderTest> = {
  'a body that is not stored is read when its delivery is claimed': async ({ store, heard }) => {
    heard.bodies.set('evt_1', bytesOf('one'));
    const one = unstored(bytesOf('one'), fresh('evt_1', 'a'), fresh('evt_1', 'b', NOW + 1));
    assert.equal(await store.enqueue([one]), 2);
    assert.equal(await store.enqueue([one]), 0);
    await enqueue(store, fresh('evt_2', 'c', NOW + 2));
    assert.deepEqual(heard.read, []);
    const claimed = await textsOf(store, 'x', NOW + 2);
    assert.deepEqual(claimed, ['evt_1:a one', 'evt_1:b one', 'evt_2:c {"id":"evt_1"}']);
    assert.deepEqual(heard.read, [['evt_1:a', 'evt_1:b']]);
    await enqueue(store, fresh('evt_3', 'd'));
    assert.deepEqual(await textsOf(store, 'y'), ['evt_3:d {"id":"evt_1"}']);
    assert.equal(heard.read.length, 1, 'a body that is stored is not read');
  },

  'a retry and a redelivery read the body again': async ({ store, deadLetters, heard }) => {
    heard.bodies.set('evt_1', BODY);
    await store.enqueue([unstored(BODY, fresh('evt_1', 'a'))]);
    const { due_at: retryAt } = await attemptOnly(store, 500, NOW);
    await attemptOnly(store, 500, retryAt ?? NOW, 2);
    assert.equal(await deadLetters.redeliver({}, { at: NOW, replay: 'again' }), 1);
    await attemptOnly(store, 200, NOW);
    assert.deepEqual(heard.read, [['evt_1:a'], ['evt_1:a'], ['evt_1:a:again']]);
  },

  'a body that cannot be read is damage, and others are claimed': async ({ store, heard }) => {
    heard.bodies.set('evt_2', BODY);
    await store.enqueue([unstored(BODY, fresh('evt_1', 'a')), unstored(BODY, fresh('evt_2', 'b'))]);
    const { claims, damaged } = await claim(store, 'x');
    assert.deepEqual(
      claims.map(({ delivery }) => delivery.id),
      ['evt_2:b'],
    );
    assert.deepEqual(
      damaged?.map(({ code }) => code),
      ['store_damaged'],
    );
    heard.bodies.set('evt_1', BODY);
    const later = claim(store, 'y', { at: NOW + LEASE_MS, inFlight: new Map([['b', 1]]), perEndpoint: 1 });
    assert.deepEqual(await claimedIds(later), ['evt_1:a']);
  },

  'whatever readBodies returns instead of bytes is a body that cannot be read': async ({ store, heard }) => {
    const answers = [
      null,
      7,
      'text',
      {},
      { 0: BODY, length: 1 },
      [],
      [null],
      ['text'],
      [[1]],
      [new ArrayBuffer(2)],
    ];
    for (const [n, answer] of answers.entries()) {
      heard.answer = answer;
      await store.enqueue([unstored(BODY, fresh(`evt_${n}`, 'a'))]);
      const { claims, damaged } = await claim(store, `lease ${n}`);
      assert.deepEqual(
        [claims, damaged?.map(({ code }) => code)],
        [[], ['store_damaged']],
        JSON.stringify(answer),
      );
    }
  },

  'nextDueAt is the end of the lease of a body that cannot be read, or what is left beside it': async ({
    store,
    heard,
  }) => {
    await store.enqueue([unstored(BODY, fresh('evt_1', 'a'))]);
    await nothingUntil(claim(store, 'x'), NOW + LEASE_MS);
    heard.bodies.set('evt_3', BODY);
    await store.enqueue([unstored(BODY, fresh('evt_2', 'a', NOW + 1))]);
    await store.enqueue([unstored(BODY, fresh('evt_3', 'a', NOW + 2))]);
    await nothingUntil(claim(store, 'y', { at: NOW + 2, limit: 1 }), NOW + 2);
    assert.deepEqual(await claimedIds(claim(store, 'z', { at: NOW + 2, limit: 1 })), ['evt_3:a']);
  },

  'deliveries whose bodies could not be read are claimed when their leases have ended': async (subject) => {
    const { store, heard } = subject;
    heard.bodies.set('evt_1', BODY);
    await store.enqueue([unstored(BODY, fresh('evt_1', 'a'))]);
    heard.fails = true;
    await assert.rejects(claim(store, 'x'));
    heard.fails = false;
    assert.deepEqual(await claimedIds(claim(store, 'y')), []);
    assert.deepEqual(await claimedIds(claim(store, 'z', { at: NOW + LEASE_MS })), ['evt_1:a']);
  },

  'bodies that are not stored count among the bytes in flight': async ({ store, heard }) => {
    for (const [i, endpoint] of ['a', 'b', 'c', 'd'].entries()) {
      const event = i === 1 ? 'evt_0' : `evt_${i}`;
      heard.bodies.set(event, BODY);
      await store.enqueue([unstored(BODY, fresh(event, endpoint, NOW + i))]);
    }
    const max = 2 * BODY.length;
    const bytes = { max, perEndpoint: max, inFlight: 0, inFlightByEndpoint: new Map<string, number>() };
    // Two deliveries of one event share its body.
    const claimed = await claimedIds(claim(store, 'x', { at: NOW + 9, bytes }));
    assert.deepEqual(claimed, ['evt_0:a', 'evt_0:b', 'evt_2:c']);
  },
};
