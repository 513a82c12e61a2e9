/** The contract of `DeadLetters`. */
import assert from 'node:assert/strict';
import type {
  DeadLetterCondition,
  DeadLetterFilter,
  DeadLetterPageOptions,
  DeadLetters,
} from '../delivery/dead-letters.js';
import { newDelivery, type ReplayOptions } from '../delivery/delivery.js';
import type { DeliveryStore } from '../delivery/store.js';
import {
  attemptOnly,
  backlogOf,
  BODY,
  type Cases,
  type DeadLettersUnderTest,
  claim,
  claimedIds,
  enqueue,
  fresh,
  NOW,
  refuses,
} from './contract.js';

/** Adds dead letters `evt_1:a`, `evt_2:b` … that failed one millisecond after another; every third has the type `c`. */
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

/** All requirements of `DeadLetters`. */
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

  'a page that cannot be is refused': async ({ deadLetters }) => {
    const wrong: readonly unknown[] = [
      ...[
        { cursor: 'nonsense' },
        { cursor: 7 },
        { cursor: null },
        { after: '1 evt_1:a' },
        'nonsense',
        [],
        10,
        null,
      ],
      ...[0, -1, 1.5, NaN, Infinity, '10', null, 10_001, 1e300].map((limit) => ({ limit })),
    ];
    for (const page of wrong) await refuses(() => deadLetters.list({}, page as DeadLetterPageOptions));
  },

  'a filter that names anything else is refused, and touches no letter': async ({ store, deadLetters }) => {
    await failSome(store, 2);
    const wrong: readonly unknown[] = [
      ...[
        undefined,
        null,
        'evt_1:a',
        ['evt_1:a'],
        [],
        new Map([['endpointId', 'a']]),
        new Set(['a']),
        7,
        true,
      ],
      ...[
        { endpoint_id: 'b' },
        { endpointID: 'b' },
        { id: 'evt_1:a' },
        { endpointId: 'b', type: 'c' },
        { all: 'yes' },
      ],
      ...['ids', 'endpointId', 'eventType', 'failedFrom', 'failedBefore', 'all'].map((key) => ({
        [key]: undefined,
      })),
      ...['ids', 'endpointId', 'eventType', 'failedFrom', 'failedBefore', 'all'].map((key) => ({
        [key]: null,
      })),
      ...['evt_1:a', ['evt_1:a', 7], [undefined], new Set(['evt_1:a']), {}].map((ids) => ({ ids })),
      ...[['b'], 7, { id: 'b' }].flatMap((id) => [{ endpointId: id }, { eventType: id }]),
      ...[NaN, Infinity, -Infinity, '2024-01-01', new Date(NOW), NOW / 1_000, NOW * 1_000].flatMap((at) => [
        { failedFrom: at },
        { failedBefore: at },
      ]),
      ...[{ all: false }, { all: true, endpointId: 'b' }],
    ];
    for (const one of wrong) {
      const filter = one as DeadLetterCondition;
      await refuses(() => deadLetters.list(filter));
      await refuses(() => deadLetters.count(filter));
      await refuses(() => deadLetters.redeliver(filter, { at: NOW, replay: 'click' }));
      await refuses(() => deadLetters.discard(filter));
    }
    assert.deepEqual(await listedIds(deadLetters, {}), ['evt_2:b', 'evt_1:a']);
  },

  'everything is discarded only if the host says all': async ({ store, deadLetters }) => {
    await failSome(store, 2);
    await refuses(() => deadLetters.discard({} as DeadLetterCondition));
    assert.equal(await deadLetters.discard({ ids: [] }), 0);
    const all = { all: true } as DeadLetterFilter;
    await refuses(() => deadLetters.list(all));
    await refuses(() => deadLetters.count(all));
    await refuses(() => deadLetters.redeliver(all, { at: NOW, replay: 'click' }));
    assert.equal(await deadLetters.count({}), 2);
    assert.equal(await deadLetters.discard({ all: true }), 2);
    assert.equal(await deadLetters.count({}), 0);
  },

  'what does not say when and by which action letters are redelivered is refused': async (subject) => {
    const { store, deadLetters } = subject;
    await failSome(store, 1);
    const wrong: readonly unknown[] = [
      ...[
        undefined,
        null,
        {},
        'click',
        NOW,
        { at: NOW },
        { replay: 'click' },
        { at: NOW, replay: 'click', to: 'b' },
      ],
      ...[undefined, null, NaN, Infinity, 1.5, '1', new Date(NOW)].map((at) => ({ at, replay: 'click' })),
      ...[undefined, null, 7, ['click']].map((replay) => ({ at: NOW, replay })),
    ];
    for (const one of wrong) await refuses(() => deadLetters.redeliver({}, one as ReplayOptions));
    assert.deepEqual(await listedIds(deadLetters, {}), ['evt_1:a']);
  },

  'a letter that is redelivered leaves the queue, and a replay takes its event up': async (subject) => {
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

  'a replay has its turn at once, however much is due elsewhere': async ({ store, deadLetters }) => {
    await failSome(store, 2);
    await enqueue(store, ...backlogOf('c', NOW));
    const at = NOW + 100;
    assert.deepEqual(await claimedIds(claim(store, 'first', { at, limit: 1 })), ['evt_c0:c']);
    assert.equal(await deadLetters.redeliver({}, { at, replay: 'click' }), 2);
    const next = claim(store, 'next', { at, limit: 2, inFlight: new Map([['c', 1]]) });
    assert.deepEqual((await claimedIds(next)).toSorted(), ['evt_1:a:click', 'evt_2:b:click']);
  },

  'a redelivered letter carries its own body, not a newer one': async ({ store, deadLetters }) => {
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
