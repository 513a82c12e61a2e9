/** What `DeadLetters` must do. */
import assert from 'node:assert/strict';
import type { DeadLetterFilter, DeadLetters } from '../delivery/dead-letters.js';
import { newDelivery } from '../delivery/delivery.js';
import type { DeliveryStore } from '../delivery/store.js';
import {
  attemptOnly,
  BODY,
  type Cases,
  type DeadLettersUnderTest,
  claim,
  claimedIds,
  enqueue,
  fresh,
  NOW,
} from './contract.js';

/** `evt_1:a` … failed one millisecond after another; endpoints a and b in turn, every third of type `c`. */
async function failSome(store: DeliveryStore, count: number): Promise<void> {
  for (let n = 1; n <= count; n++) {
    const event = { id: `evt_${n}`, type: n % 3 === 0 ? 'c' : 'webhook.received' };
    const delivery = newDelivery(event, n % 2 === 1 ? 'a' : 'b', { at: NOW + n });
    await enqueue(store, delivery);
    await attemptOnly(store, 500, NOW + n, 1);
  }
}

async function listedIds(deadLetters: DeadLetters, filter: DeadLetterFilter): Promise<readonly string[]> {
  const { letters, next } = await deadLetters.list(filter);
  assert.equal(next, null, 'all on one page');
  return letters.map(({ id }) => id);
}

/** Everything that `DeadLetters` must do. */
export const deadLetterCases: Cases<DeadLettersUnderTest> = {
  'only what failed is a dead letter, with its record': async ({ store, deadLetters }) => {
    await enqueue(store, fresh('evt_1', 'a'));
    assert.deepEqual(await deadLetters.list({}), { letters: [], next: null });
    const retried = await attemptOnly(store, 500, NOW);
    assert.equal(await deadLetters.count({}), 0);
    const failed = await attemptOnly(store, 500, NOW + 60_000, 2);
    assert.deepEqual(await deadLetters.list({}), { letters: [failed], next: null });
    assert.deepEqual((await store.get(failed.id))?.attempts, [retried.last_attempt, failed.last_attempt]);
  },

  'the newest failure comes first': async ({ store, deadLetters }) => {
    await failSome(store, 4);
    assert.deepEqual(await listedIds(deadLetters, {}), ['evt_4:b', 'evt_3:a', 'evt_2:b', 'evt_1:a']);
    assert.equal(await deadLetters.count({}), 4);
  },

  'a filter narrows by id, endpoint, type and time, all at once': async ({ store, deadLetters }) => {
    await failSome(store, 6);
    const filters: readonly (readonly [DeadLetterFilter, readonly string[]])[] = [
      [{ ids: ['evt_2:b', 'nobody'] }, ['evt_2:b']],
      [{ ids: [] }, []],
      [{ endpointId: 'a' }, ['evt_5:a', 'evt_3:a', 'evt_1:a']],
      [{ eventType: 'c' }, ['evt_6:b', 'evt_3:a']],
      [{ failedFrom: NOW + 5 }, ['evt_6:b', 'evt_5:a']],
      [{ failedBefore: NOW + 2 }, ['evt_1:a']],
      [{ endpointId: 'a', failedFrom: NOW + 2, failedBefore: NOW + 5 }, ['evt_3:a']],
    ];
    for (const [filter, ids] of filters) {
      assert.deepEqual(await listedIds(deadLetters, filter), ids, JSON.stringify(filter));
      assert.equal(await deadLetters.count(filter), ids.length, JSON.stringify(filter));
    }
  },

  'pages give every letter once, also while others go and come': async ({ store, deadLetters }) => {
    await failSome(store, 7);
    const first = await deadLetters.list({}, { limit: 3 });
    assert.deepEqual(
      first.letters.map(({ id }) => id),
      ['evt_7:a', 'evt_6:b', 'evt_5:a'],
    );
    assert.ok(first.next !== null);
    await deadLetters.discard({ ids: ['evt_5:a', 'evt_3:a'] });
    await enqueue(store, fresh('evt_8', 'b', NOW + 8));
    await attemptOnly(store, 500, NOW + 8, 1);
    const second = await deadLetters.list({}, { limit: 3, cursor: first.next });
    assert.deepEqual(
      second.letters.map(({ id }) => id),
      ['evt_4:b', 'evt_2:b', 'evt_1:a'],
    );
    assert.equal(second.next, null);
  },

  'letters that failed in the same instant page apart': async ({ store, deadLetters }) => {
    for (const event of ['evt_1', 'evt_2', 'evt_3']) {
      await enqueue(store, fresh(event, 'a'));
      await attemptOnly(store, 500, NOW, 1);
    }
    const seen: string[] = [];
    let page = await deadLetters.list({}, { limit: 1 });
    seen.push(...page.letters.map(({ id }) => id));
    while (page.next !== null && seen.length < 4) {
      page = await deadLetters.list({}, { limit: 1, cursor: page.next });
      seen.push(...page.letters.map(({ id }) => id));
    }
    assert.deepEqual(seen.toSorted(), ['evt_1:a', 'evt_2:a', 'evt_3:a']);
  },

  'a cursor that no page gave is refused': async ({ deadLetters }) => {
    await assert.rejects(deadLetters.list({}, { cursor: 'nonsense' }), { code: 'invalid_option' });
  },

  'a letter that is sent again leaves the queue, and a replay takes its event up': async (subject) => {
    const { store, deadLetters } = subject;
    await failSome(store, 2);
    const at = NOW + 1_000;
    assert.equal(await deadLetters.redeliver({ ids: ['evt_1:a'] }, { at, replay: 'click' }), 1);
    assert.deepEqual(await listedIds(deadLetters, {}), ['evt_2:b']);
    const { claims } = await claim(store, 'lease', { at });
    const { delivery, body } = claims[0] ?? {};
    assert.equal(claims.length, 1);
    assert.deepEqual(Array.from(body ?? []), Array.from(BODY));
    assert.equal(delivery?.id, 'evt_1:a:click');
    assert.equal(delivery.origin, 'replay');
    assert.equal(delivery.replay_of, 'evt_1:a');
    assert.equal(delivery.attempts, 0);
    assert.equal((await store.get('evt_1:a'))?.delivery.state, 'failed');
  },

  'a letter sent again carries its own body, not a newer one': async ({ store, deadLetters }) => {
    await failSome(store, 1);
    const since = newDelivery({ id: 'evt_1', type: 'c' }, 'b', { at: NOW + 9, replay: 'other rules' });
    await store.enqueue([{ body: Uint8Array.of(9), deliveries: [since] }]);
    await attemptOnly(store, 500, NOW + 9, 1);
    assert.equal(await deadLetters.redeliver({}, { at: NOW + 10, replay: 'click' }), 2);
    const { claims } = await claim(store, 'lease', { at: NOW + 10 });
    const bodies = claims.map(({ delivery, body }) => [delivery.endpoint_id, body.join()]);
    assert.deepEqual(Object.fromEntries(bodies), { a: BODY.join(), b: '9' });
  },

  'the same action sends a letter once': async ({ store, deadLetters }) => {
    await failSome(store, 1);
    const at = NOW + 1_000;
    assert.equal(await deadLetters.redeliver({}, { at, replay: 'click' }), 1);
    assert.equal(await deadLetters.redeliver({}, { at, replay: 'click' }), 0);
    const replay = await attemptOnly(store, 500, at, 1);
    assert.deepEqual(await deadLetters.list({}), { letters: [replay], next: null });
    assert.equal(await deadLetters.redeliver({}, { at, replay: 'click' }), 0);
    assert.equal(await deadLetters.count({}), 1, 'the letter stays');
    assert.equal(await deadLetters.redeliver({}, { at, replay: 'again' }), 1);
    assert.deepEqual(await claimedIds(claim(store, 'lease', { at })), ['evt_1:a:again']);
  },

  'what is discarded is gone, and is not sent': async ({ store, deadLetters }) => {
    await failSome(store, 4);
    assert.equal(await deadLetters.discard({ endpointId: 'a' }), 2);
    assert.equal(await deadLetters.discard({ endpointId: 'a' }), 0);
    assert.equal(await deadLetters.redeliver({ endpointId: 'a' }, { at: NOW + 9, replay: 'click' }), 0);
    assert.deepEqual(await listedIds(deadLetters, {}), ['evt_4:b', 'evt_2:b']);
  },
};
