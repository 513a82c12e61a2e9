/** Settlements in a store that loses answers, refuses some, or never answers. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DeliveryStore, Settlement } from '../../src/delivery/index.js';
import { liveDelivery, NOW } from './arbitraries.js';
import { isOver, setStage, someDeliveries, type Stage } from './stage.js';

const HOUR = 3_600_000;
const ID = 'evt_1:endpoint-1';
const namesOf = (stage: Stage): readonly string[] => stage.told.map(([name]) => name);
const never = new Promise<never>(() => undefined);

/** A store that does what it is asked, and whose answers are lost as `isLost` says. */
function forgetful(isLost: (operation: 'claim' | 'settle') => boolean) {
  const pass = <T>(operation: 'claim' | 'settle', answer: T): T => {
    if (isLost(operation)) throw new Error('the connection broke');
    return answer;
  };
  return (store: DeliveryStore): DeliveryStore => ({
    ...store,
    claim: async (request) => pass('claim', await store.claim(request)),
    settle: async (settlements) => pass('settle', await store.settle(settlements)),
  });
}

describe('where the answer of the store is lost', () => {
  test.for([
    { outcome: 204, told: ['attempted', 'delivered'] },
    { outcome: 500, told: ['attempted', 'retrying'] },
    { outcome: 500, retry_max_attempts: 1, told: ['attempted', 'deadLettered'] },
  ])('what is recorded is told as recorded: $told', async ({ outcome, told, retry_max_attempts = 5 }) => {
    let lost = 3;
    const stage = setStage({
      through: forgetful((operation) => operation === 'settle' && lost-- > 0),
      answer: () => ({ outcome }),
      policy: { retry_max_attempts, retry_backoff_base_seconds: 60 },
    });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(10_000);
    expect(namesOf(stage)).toEqual(['claimed', 'storeFailed', 'storeFailed', 'storeFailed', ...told]);
    expect((await stage.store.get(ID))?.attempts).toHaveLength(1);
  });

  test('a retry that is claimed before its own first attempt is told starts the next attempt', async () => {
    let lost = true;
    const stage = setStage({
      through: forgetful((operation) => operation === 'settle' && lost),
      answer: (_, earlier) => ({ outcome: earlier === 0 ? 500 : 204 }),
      policy: { retry_max_attempts: 5, retry_backoff_base_seconds: 1 },
      pollMs: 500,
    });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(5_000);
    lost = false;
    await stage.clock.advance(HOUR);
    const { delivery, attempts } = (await stage.store.get(ID))!;
    expect(delivery.state).toBe('delivered');
    expect(attempts.map(({ number }) => number)).toEqual([1, 2]);
    expect(stage.transport.sent).toHaveLength(2);
    const told = namesOf(stage).filter((name) => name !== 'storeFailed');
    expect(told.toSorted()).toEqual([
      'attempted',
      'attempted',
      'claimed',
      'claimed',
      'delivered',
      'retrying',
    ]);
  });

  test('a retry is under way once, also when its first attempt is told late and its own lease has ended', async () => {
    let tell: () => void = () => undefined;
    const late = new Promise<void>((resolve) => (tell = resolve));
    let settles = 0;
    const stage = setStage({
      through: (store) => ({
        ...store,
        settle: async (settlements) => {
          const held = await store.settle(settlements);
          if (++settles === 1) await late;
          return held;
        },
      }),
      answer: (_, earlier) => (earlier === 0 ? { outcome: 500 } : { outcome: 204, afterMs: 10_000 }),
      policy: { retry_max_attempts: 5, retry_backoff_base_seconds: 1 },
      pollMs: 500,
    });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(5_000);
    expect(stage.transport.sent, 'the retry has begun').toHaveLength(2);
    tell();
    await stage.clock.advance(0);
    expect(namesOf(stage)).toContain('retrying');
    stage.clock.set(stage.clock.now() + HOUR);
    stage.scheduler.wake();
    await stage.clock.advance(0);
    expect(stage.transport.sent).toHaveLength(2);
    await stage.clock.advance(HOUR);
    expect((await stage.store.get(ID))?.delivery.state).toBe('delivered');
  });

  test('every attempt is recorded once and told once, in order, or told as lost with its lease', async () => {
    const lossiness = fc.infiniteStream(fc.boolean());
    const outcomes = fc.array(fc.constantFrom(204, 500), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(lossiness, outcomes, fc.integer({ min: 1, max: 4 }), async (losses, script, count) => {
        let calls = 0;
        const stage = setStage({
          through: forgetful(() => calls++ < 60 && losses.next().value === true),
          answer: (_, earlier) => ({ outcome: script[earlier % script.length] ?? 204 }),
          policy: { retry_max_attempts: 4, retry_backoff_base_seconds: 1 },
          pollMs: 1_000,
        });
        stage.scheduler.start();
        const deliveries = someDeliveries(count);
        await stage.enqueue(...deliveries);
        await stage.clock.advance(HOUR);
        const told = (name: string) => stage.told.filter(([said]) => said === name).length;
        const histories = await Promise.all(deliveries.map(({ id }) => stage.store.get(id)));
        const recorded = histories.flatMap((history) => history!.attempts);
        for (const history of histories) {
          expect(['delivered', 'failed']).toContain(history!.delivery.state);
          expect(history!.attempts.map(({ number }) => number)).toEqual(
            history!.attempts.map((_, i) => i + 1),
          );
        }
        // A lease is lost where no answer came for as long as it lasted, and the answer to the claim of its heir was
        // lost.
        expect(stage.transport.sent).toHaveLength(recorded.length + told('leaseLost'));
        expect(told('attempted')).toBe(recorded.length);
        expect(told('delivered') + told('deadLettered')).toBe(count);
        await stage.scheduler.stop();
        expect(stage.clock.waiting).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});

/** A store that refuses whole batches for the sake of some of their records; counts its calls. */
function choosy(isRefused: (settlement: Settlement) => boolean) {
  const calls = { settle: 0 };
  const through = (store: DeliveryStore): DeliveryStore => ({
    ...store,
    settle: (settlements) => {
      calls.settle++;
      if (settlements.some(isRefused)) throw new Error('a trigger said no');
      return store.settle(settlements);
    },
  });
  return { calls, through };
}

describe('a record that the store refuses', () => {
  test('holds nobody up for long, wherever it stands among others, and is written once it can be', async () => {
    const counts = fc.record({ good: fc.integer({ min: 1, max: 40 }), bad: fc.integer({ min: 1, max: 3 }) });
    await fc.assert(
      fc.asyncProperty(counts, fc.integer({ min: 0, max: 40 }), async ({ good, bad }, index) => {
        let mended = false;
        const { calls, through } = choosy(
          ({ delivery }) => !mended && delivery.endpoint_id.startsWith('bad'),
        );
        const stage = setStage({ through, concurrencyPerEndpoint: 50, leaseMs: 86_400_000 });
        const deliveries = [...someDeliveries(good, 'good')];
        deliveries.splice(index % (good + 1), 0, ...someDeliveries(bad, 'bad'));
        stage.scheduler.start();
        await stage.enqueue(...deliveries);
        await stage.clock.advance(60_000);
        expect(stage.store.size()).toMatchObject({ finished: good, unfinished: bad });
        expect(namesOf(stage).filter((name) => name === 'delivered')).toHaveLength(good);
        const before = calls.settle;
        await stage.clock.advance(HOUR);
        // Each is tried twice a minute at most.
        expect(calls.settle - before).toBeLessThanOrEqual(bad * 2 * 61);
        mended = true;
        await stage.clock.advance(60_000);
        expect(stage.store.size()).toMatchObject({ finished: good + bad, unfinished: 0 });
        expect(stage.transport.sent).toHaveLength(good + bad);
      }),
      { numRuns: 50 },
    );
  });

  test('nor those that come while it is tried again', async () => {
    const { through } = choosy(({ delivery }) => delivery.endpoint_id === 'bad');
    const stage = setStage({ through, leaseMs: 86_400_000 });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery('evt_0', 'bad'));
    for (let n = 1; n <= 300; n++) {
      await stage.enqueue(liveDelivery(`evt_${n}`, 'good'));
      await stage.clock.advance(1_000);
    }
    await stage.clock.advance(1_000);
    expect(stage.store.size()).toMatchObject({ finished: 300, unfinished: 1 });
    const failures = namesOf(stage).filter((name) => name === 'storeFailed');
    expect(failures.length).toBeLessThan(25);
  });
});

describe('a store that does not answer', () => {
  test.for(['claim', 'settle'] as const)(
    'to a %s is told as failing, and asked again: once it answers, all is sent and recorded once',
    async (operation) => {
      let hangs = true;
      const stage = setStage({
        leaseMs: 20_000,
        through: (store) => ({
          ...store,
          [operation]: (given: never) => (hangs ? never : store[operation](given)),
        }),
      });
      stage.scheduler.start();
      await stage.enqueue(liveDelivery());
      await stage.clock.advance(19_000);
      expect(stage.told.at(-1)).toMatchObject([
        'storeFailed',
        { operation, failures: 1, error: { code: 'store_unreachable' }, retryAt: NOW + 19_250 },
      ]);
      hangs = false;
      await stage.clock.advance(HOUR);
      expect((await stage.store.get(ID))?.attempts).toHaveLength(1);
      expect(stage.transport.sent).toHaveLength(1);
      expect(namesOf(stage).at(-1)).toBe('delivered');
    },
  );

  test('in time, but later, is believed when it does', async () => {
    let answer: () => void = () => undefined;
    const stage = setStage({
      leaseMs: 20_000,
      through: (store) => ({
        ...store,
        settle: async (settlements) => {
          const held = await store.settle(settlements);
          await new Promise<void>((resolve) => (answer = resolve));
          return held;
        },
      }),
    });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(19_100);
    answer();
    await stage.clock.advance(0);
    expect(namesOf(stage)).toEqual(['claimed', 'storeFailed', 'attempted', 'delivered']);
  });

  test.for(['claim', 'settle'] as const)('to a %s keeps no stop waiting for ever', async (operation) => {
    const stage = setStage({
      leaseMs: 20_000,
      through: (store) => ({ ...store, [operation]: () => never }),
    });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(0);
    expect(await isOver(stage.scheduler.stop(), () => stage.clock.advance(2 * 20_000))).toBe(true);
    expect(stage.clock.waiting).toBe(0);
  });
});

describe('after a stop with a signal', () => {
  test.for(['refuses', 'never answers'] as const)(
    'no timer is left a second later, where the store %s, and a start finds every slot free',
    async (how) => {
      let broken = true;
      const stage = setStage({
        concurrency: 2,
        through: (store) => ({
          ...store,
          settle: (settlements) => {
            if (!broken) return store.settle(settlements);
            return how === 'refuses' ? Promise.reject(new Error('store down')) : never;
          },
        }),
      });
      stage.scheduler.start();
      await stage.enqueue(...someDeliveries(3));
      await stage.clock.advance(25_000);
      const stopped = stage.scheduler.stop({ signal: AbortSignal.abort() });
      expect(await isOver(stopped, () => stage.clock.advance(1_000))).toBe(true);
      expect(stage.clock.waiting).toBe(0);
      // A refused settlement is not recorded; one without an answer may be.
      const lost = namesOf(stage).filter((name) => name === 'leaseLost');
      expect(lost).toHaveLength(how === 'refuses' ? 2 : 0);
      broken = false;
      stage.scheduler.start();
      await stage.clock.advance(HOUR);
      expect(stage.store.size()).toMatchObject({ finished: 3, unfinished: 0 });
    },
  );

  test('without one, a record that was set aside is written at once', async () => {
    let refuses = true;
    const stage = setStage({
      through: (store) => ({
        ...store,
        settle: async (settlements) => {
          if (refuses && settlements.some(({ delivery }) => delivery.event_id === 'evt_1')) {
            throw new Error('not this one');
          }
          return store.settle(settlements);
        },
      }),
    });
    stage.scheduler.start();
    await stage.enqueue(...someDeliveries(2));
    await stage.clock.advance(10_000);
    expect(stage.store.size()).toMatchObject({ finished: 1, unfinished: 1 });
    refuses = false;
    expect(await isOver(stage.scheduler.stop(), () => stage.clock.advance(0))).toBe(true);
    expect(stage.store.size()).toMatchObject({ finished: 2, unfinished: 0 });
    expect(stage.clock.waiting).toBe(0);
  });

  test('without one, a store that refuses is asked at once, and then until the leases end', async () => {
    const calls: number[] = [];
    const stage = setStage({
      through: (store) => ({
        ...store,
        settle: () => {
          calls.push(stage.clock.now() - NOW);
          throw new Error('store down');
        },
      }),
    });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(20_000);
    expect(calls.at(-1)).toBe(15_750);
    const stopped = stage.scheduler.stop();
    expect(await isOver(stopped, () => stage.clock.advance(9_999))).toBe(false);
    expect(await isOver(stopped, () => stage.clock.advance(1))).toBe(true);
    expect(calls.slice(-2)).toEqual([20_000, 30_000]);
    expect(namesOf(stage).at(-1)).toBe('leaseLost');
    expect(stage.clock.waiting).toBe(0);
  });
});

test('a settlement has the URL that its attempt used; one without a request has none', async () => {
  const urls: (string | undefined)[] = [];
  const stage = setStage({
    through: (store) => ({
      ...store,
      settle: (settlements) => {
        urls.push(...settlements.map(({ url }) => url));
        return store.settle(settlements);
      },
    }),
    answer: () => ({ outcome: 204 }),
  });
  stage.scheduler.start();
  await stage.enqueue(liveDelivery());
  await stage.clock.advance(1_000);
  expect(urls).toHaveLength(1);
  expect(urls[0]).toMatch(/^https?:\/\//);
});
