/** Jitter, Retry-After, rate limits, and reports of failing endpoints. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AttemptOutcome,
  defaultRetryPolicy,
  type Delivery,
  type DeliveryStore,
  type DeliveryTarget,
  OptionError,
} from '../../src/delivery/index.js';
import { failure, liveDelivery, NOW } from './arbitraries.js';
import { endpointOf, setStage, someDeliveries, type Stage, type StageOptions } from './stage.js';

const DAY = 86_400_000;
const ID = 'evt_1:endpoint-1';
const busy = (seconds: number): { outcome: AttemptOutcome } => ({
  outcome: { ...failure('http_status'), status: 429, retry_after_seconds: seconds } as AttemptOutcome,
});

/** Counts the claims of a stage. */
function counting() {
  const calls = { claim: 0 };
  const through = (store: DeliveryStore): DeliveryStore => ({
    ...store,
    claim: (request) => (calls.claim++, store.claim(request)),
  });
  return { calls, through };
}

const namesOf = ({ told }: Stage): readonly string[] => told.map(([name]) => name);

describe('jitter and Retry-After', () => {
  test.for([
    { name: 'neither', retry_after: 'ignore', options: {}, startsSeconds: [0, 60, 180] },
    {
      name: 'jitter',
      retry_after: 'ignore',
      options: { jitter: 0.5, random: () => 0.5 },
      startsSeconds: [0, 75, 225],
    },
    { name: 'Retry-After', options: {}, startsSeconds: [0, 600, 1_200] },
    { name: 'a capped Retry-After', options: { retryAfterCapSeconds: 90 }, startsSeconds: [0, 90, 210] },
    {
      name: 'both',
      options: { jitter: 0.5, random: () => 0.5, retryAfterCapSeconds: 90 },
      startsSeconds: [0, 112.5, 262.5],
    },
  ] as {
    readonly name: string;
    readonly retry_after?: 'ignore';
    readonly options: StageOptions;
    readonly startsSeconds: readonly number[];
  }[])(
    'with $name, attempts start $startsSeconds s after the first',
    async ({ options, startsSeconds, retry_after }) => {
      const policy = {
        ...{ retry_max_attempts: 3, retry_backoff_base_seconds: 60 },
        ...(retry_after !== undefined && { retry_after }),
      };
      const stage = setStage({ answer: () => busy(600), policy, ...options });
      stage.scheduler.start();
      await stage.enqueue(liveDelivery());
      await stage.clock.advance(DAY);
      expect(stage.sent().map(([ms]) => ms / 1_000)).toEqual(startsSeconds);
      expect(await stage.get(ID)).toMatchObject({ state: 'failed', attempts: 3 });
    },
  );

  test('no delay is longer than 30 days, whoever asks for it', async () => {
    const policy = { retry_max_attempts: 8, retry_backoff_base_seconds: 86_400 };
    const answer = () => busy(30 * 86_400);
    const stage = setStage({ answer, policy, jitter: 1, random: () => 0.999 });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(300 * DAY);
    const starts = stage.sent().map(([ms]) => ms);
    const delays = starts.slice(1).map((start, i) => start - starts[i]!);
    expect(delays).toHaveLength(7);
    expect(delays.slice(-2)).toEqual([30 * DAY, 30 * DAY]);
    expect(Math.max(...delays)).toBe(30 * DAY);
  });

  test('randomness of the platform spreads what failed together', async () => {
    const stage = setStage({ answer: () => ({ outcome: 500 }), jitter: 1, concurrencyPerEndpoint: 64 });
    stage.scheduler.start();
    await stage.enqueue(...someDeliveries(60));
    await stage.clock.advance(0);
    const dueAfter = await Promise.all(
      someDeliveries(60).map(async ({ id }) => ((await stage.get(id))?.due_at ?? 0) - NOW),
    );
    expect(Math.min(...dueAfter)).toBeGreaterThanOrEqual(60_000);
    expect(Math.max(...dueAfter)).toBeLessThanOrEqual(120_000);
    expect(new Set(dueAfter.map((ms) => Math.floor(ms / 10_000))).size).toBeGreaterThan(3);
  });
});

/** A stage whose endpoints have these limits; the others have none. */
const limitedStage = (limits: Readonly<Record<string, number>>, options: StageOptions = {}): Stage =>
  setStage({
    endpoints: (id) => ({
      url: `https://${id}`,
      ...defaultRetryPolicy,
      rate_limit_per_second: limits[id] ?? null,
    }),
    ...options,
  });

const sentTo = (stage: Stage, endpoint: string): readonly number[] =>
  stage.transport.sent.filter(({ request }) => endpointOf(request) === endpoint).map(({ at }) => at - NOW);

describe('a rate limit', () => {
  const situations = () =>
    fc.record({
      rate: fc.oneof(fc.constantFrom(0.5, 1, 3, 20), fc.double({ min: 0.2, max: 50, noNaN: true })),
      count: fc.integer({ min: 1, max: 40 }),
      takesMs: fc.constantFrom(0, 3, 400),
      concurrency: fc.constantFrom(2, 8, 64),
      concurrencyPerEndpoint: fc.constantFrom(1, 3, 8),
      others: fc.nat({ max: 20 }),
    });

  test('is kept in every stretch of time, and all is sent as soon as it and the slots allow', async () => {
    await fc.assert(
      fc.asyncProperty(situations(), async ({ rate, count, takesMs, others, ...caps }) => {
        const { calls, through } = counting();
        const stage = limitedStage(
          { a: rate },
          { through, ...caps, answer: () => ({ outcome: 204, afterMs: takesMs }) },
        );
        stage.scheduler.start();
        await stage.enqueue(...someDeliveries(count, 'a'), ...someDeliveries(others, 'b'));
        const rounds = Math.ceil((count + others) / Math.min(caps.concurrency, caps.concurrencyPerEndpoint));
        const enoughMs = (count / rate) * 1_000 + count + (rounds + 1) * (takesMs + 1);
        await stage.clock.advance(Math.ceil(enoughMs));
        const sent = sentTo(stage, 'a');
        expect(sent).toHaveLength(count);
        sent.forEach((from, i) => {
          sent.slice(i).forEach((to, n) => {
            expect(n + 1).toBeLessThanOrEqual(Math.max(1, rate) + (rate * (to - from)) / 1_000 + 0.01);
          });
        });
        expect(sentTo(stage, 'b')).toHaveLength(others);
        for (const { id } of someDeliveries(count, 'a')) {
          expect(await stage.get(id)).toMatchObject({ state: 'delivered', attempts: 1 });
        }
        const throttled = namesOf(stage).filter((name) => name === 'throttled').length;
        expect(calls.claim).toBeLessThanOrEqual(3 * (count + others + throttled) + 5);
        await stage.clock.advance(DAY);
        expect(stage.clock.waiting).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  test('makes nobody else wait, and gives back only what was claimed before it was known', async () => {
    const stage = limitedStage({ a: 1 });
    stage.scheduler.start();
    await stage.enqueue(...someDeliveries(1_000, 'a'), ...someDeliveries(30, 'b'));
    await stage.clock.advance(20_000);
    expect(sentTo(stage, 'a')).toEqual(Array.from({ length: 21 }, (_, n) => n * 1_000));
    expect(sentTo(stage, 'b')).toEqual(Array<number>(30).fill(0));
    const throttled = stage.told.filter(([name]) => name === 'throttled');
    expect(throttled).toHaveLength(7);
    for (const [, delivery] of throttled) {
      expect(delivery).toMatchObject({ state: 'pending', attempts: 0, due_at: NOW + 1_000, lease: null });
    }
    expect(namesOf(stage)).not.toContain('released');
  });

  test('does not wait for the answers to earlier attempts', async () => {
    const stage = limitedStage({ a: 1 }, { answer: () => ({ outcome: 204, afterMs: 6_000 }) });
    stage.scheduler.start();
    await stage.enqueue(...someDeliveries(9, 'a'));
    await stage.clock.advance(8_000);
    expect(sentTo(stage, 'a')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8].map((seconds) => seconds * 1_000));
  });

  test('does not cost an endpoint its turn where others fill every slot', async () => {
    const many = Array.from({ length: 20 }, (_, n) => `other-${n}`);
    const stage = limitedStage({ a: 2 }, { concurrency: 10, answer: () => ({ outcome: 204, afterMs: 100 }) });
    stage.scheduler.start();
    await stage.enqueue(
      ...many.flatMap((endpoint) => someDeliveries(100, endpoint)),
      ...someDeliveries(100, 'a'),
    );
    await stage.clock.advance(10_000);
    expect(sentTo(stage, 'a').length).toBeGreaterThanOrEqual(20);
  });

  test('that is lifted holds for no further attempt; one that is set holds from the next on', async () => {
    let rate: number | null = 0.1;
    const stage = setStage({
      endpoints: () => ({ url: 'https://a', ...defaultRetryPolicy, rate_limit_per_second: rate }),
    });
    stage.scheduler.start();
    await stage.enqueue(...someDeliveries(20));
    await stage.clock.advance(5_000);
    expect(stage.transport.sent).toHaveLength(1);
    rate = null;
    await stage.clock.advance(5_000);
    expect(stage.transport.sent).toHaveLength(20);
    rate = 0.5;
    await stage.enqueue(liveDelivery('evt_x', 'a', NOW), liveDelivery('evt_y', 'a', NOW));
    await stage.clock.advance(2_000);
    expect(sentTo(stage, 'a').slice(20)).toEqual([10_000, 12_000]);
  });

  test.for([0, -1, NaN, 20_000])(
    'of %s is a mistake of the host: a failed attempt that says so',
    async (rate) => {
      const stage = limitedStage({ a: rate });
      stage.scheduler.start();
      await stage.enqueue(liveDelivery('evt_1', 'a'));
      await stage.clock.advance(0);
      expect(stage.transport.sent).toEqual([]);
      expect(await stage.get('evt_1:a')).toMatchObject({
        attempts: 1,
        last_attempt: {
          outcome: {
            ...{ failure: 'internal_error', transient: false },
            detail: `Not sent: invalid_policy: rate_limit_per_second is ${rate}: give a number from 1/3600 to 10000, or null`,
          },
        },
      });
    },
  );

  test('takes no token for what is never sent', async () => {
    let working = false;
    const stage = limitedStage(
      { a: 1 / 3_600 },
      {
        signer: () => {
          if (!working) throw new OptionError('invalid_secret', '');
          return { headers: () => ({}) };
        },
      },
    );
    stage.scheduler.start();
    await stage.enqueue(liveDelivery('evt_1', 'a'));
    await stage.clock.advance(0);
    working = true;
    await stage.clock.advance(60_000);
    expect(sentTo(stage, 'a')).toEqual([60_000]);
  });

  test('keeps idle waiting until all is sent', async () => {
    const stage = limitedStage({ a: 0.5 });
    stage.scheduler.start();
    await stage.enqueue(...someDeliveries(3, 'a'));
    let idle = false;
    void stage.scheduler.idle().then(() => (idle = true));
    await stage.clock.advance(3_999);
    expect(idle).toBe(false);
    await stage.clock.advance(2_001);
    expect(idle).toBe(true);
    expect(sentTo(stage, 'a')).toEqual([0, 2_000, 4_000]);
  });
});

describe('an endpoint that fails for days', () => {
  const policy = { retry_max_attempts: 100, retry_backoff_base_seconds: 86_400 };

  /** A host that does what it is told. */
  function hostOf(answer: (day: number) => number, options: StageOptions = {}) {
    const heard: (readonly [string, number, number])[] = [];
    const target: { failing_since: number | null } = { failing_since: null };
    const note = (name: string, since: number, failing_since: number | null): void => {
      heard.push([name, dayOf(stage.clock.now()), dayOf(since)]);
      target.failing_since = failing_since;
    };
    const stage = setStage({
      answer: () => ({ outcome: answer(dayOf(stage.clock.now())) }),
      endpoints: (): DeliveryTarget => ({ url: 'https://a', ...policy, ...target }),
      pauseAfterDays: 5,
      ...options,
      on: {
        endpointFailing: (_, since) => note('failing', since, since),
        endpointRecovered: (_, since) => note('recovered', since, null),
        endpointExhausted: (_, since) => note('exhausted', since, since),
      },
    });
    return { stage, heard };
  }
  const dayOf = (at: number): number => (at - NOW) / DAY;

  test('is told as failing once, as exhausted at each failure from then on, and as recovered', async () => {
    const { stage, heard } = hostOf((day) => (day >= 31 ? 204 : 500));
    stage.scheduler.start();
    await stage.enqueue(liveDelivery('evt_1', 'a'));
    await stage.clock.advance(100 * DAY);
    // Attempts at day 0, 1, 3, 7, 15 and 31.
    expect(heard).toEqual([
      ['failing', 0, 0],
      ['exhausted', 7, 0],
      ['exhausted', 15, 0],
      ['recovered', 31, 0],
    ]);
    expect(namesOf(stage).slice(0, 4)).toEqual(['claimed', 'attempted', 'retrying', 'endpointFailing']);
  });

  test('a success in between starts the count again', async () => {
    const { stage, heard } = hostOf((day) => (day === 3 ? 204 : 500));
    stage.scheduler.start();
    await stage.enqueue(liveDelivery('evt_1', 'a'));
    await stage.clock.advance(3 * DAY);
    await stage.enqueue(liveDelivery('evt_2', 'a', NOW + 4 * DAY));
    await stage.clock.advance(8 * DAY);
    expect(heard).toEqual([
      ['failing', 0, 0],
      ['recovered', 3, 0],
      ['failing', 4, 4],
      ['exhausted', 11, 4],
    ]);
  });

  test("is nobody's business without the option, or when the attempt is not recorded", async () => {
    const off = hostOf(() => 500, { pauseAfterDays: undefined as unknown as number });
    off.stage.scheduler.start();
    await off.stage.enqueue(liveDelivery('evt_1', 'a'));
    await off.stage.clock.advance(10 * DAY);
    expect(off.heard).toEqual([]);
    const lost = hostOf(() => 500, {
      through: (store) => ({ ...store, settle: (all) => Promise.resolve(all.map(() => false)) }),
    });
    lost.stage.scheduler.start();
    await lost.stage.enqueue(liveDelivery('evt_1', 'a'));
    await lost.stage.clock.advance(0);
    expect(namesOf(lost.stage)).toEqual(['claimed', 'leaseLost']);
  });
});

describe('several listeners', () => {
  test('are each told everything, and what one throws is told to all', async () => {
    const seen: string[] = [];
    const error = new Error('mine');
    const on = [
      {
        delivered: () => {
          throw error;
        },
        callbackFailed: (what: unknown) => void seen.push(`first hears ${String(what)}`),
      },
      {
        delivered: ({ id }: Delivery) => void seen.push(`second hears ${id}`),
        callbackFailed: (what: unknown) => void seen.push(`second hears ${String(what)}`),
      },
    ];
    const stage = setStage({ on });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(0);
    expect(seen).toEqual([`second hears ${ID}`, 'first hears Error: mine', 'second hears Error: mine']);
  });
});

describe('what an attempt is told with', () => {
  test('lateness counts from when it was due, of a first attempt and of a retry', async () => {
    const late: (number | null)[] = [];
    const stage = setStage({
      answer: (_, earlier) => ({ outcome: earlier < 1 ? 500 : 204, afterMs: 40 }),
      concurrency: 1,
      on: { attempted: (_, __, lateMs) => void late.push(lateMs) },
    });
    await stage.enqueue(...someDeliveries(2));
    stage.scheduler.start();
    await stage.clock.advance(DAY);
    expect(late).toEqual([0, 40, 0]);
  });

  test('nobody knows it where the store does not tell', async () => {
    const late: (number | null)[] = [];
    const stage = setStage({
      through: (store) => ({
        ...store,
        claim: async (request) => {
          const { claims, nextDueAt } = await store.claim(request);
          return { claims: claims.map(({ delivery, body }) => ({ delivery, body })), nextDueAt };
        },
      }),
      on: { attempted: (_, __, lateMs) => void late.push(lateMs) },
    });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(0);
    expect(late).toEqual([null]);
  });
});
