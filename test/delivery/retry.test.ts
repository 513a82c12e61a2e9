/** Retry policies and their delays. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assertRetryPolicy,
  defaultRetryPolicy,
  OptionError,
  retryDelaySeconds,
  retrySchedule,
} from '../../src/delivery/index.js';
import { attemptsOf, delayLists, doublingPolicies, policies } from './arbitraries.js';

const policy = (max: number, base: number) => ({
  retry_max_attempts: max,
  retry_backoff_base_seconds: base,
});
const THIRTY_DAYS = 2_592_000;

describe('the schedule, for every policy', () => {
  test('has one delay fewer than attempts', () => {
    fc.assert(
      fc.property(doublingPolicies(), (p) => {
        expect(retrySchedule(p)).toHaveLength(p.retry_max_attempts - 1);
      }),
    );
  });

  test('is the list of delays if the policy has one', () => {
    fc.assert(
      fc.property(doublingPolicies(), delayLists(), (p, retry_delays) => {
        expect(retrySchedule({ ...p, retry_delays })).toEqual(retry_delays);
        expect(retrySchedule({ ...p, retry_delays: null })).toEqual(retrySchedule(p));
      }),
    );
  });

  test('begins with the base, doubles, and stays at 30 days once there', () => {
    fc.assert(
      fc.property(doublingPolicies(), (p) => {
        let expected = p.retry_backoff_base_seconds;
        for (const delay of retrySchedule(p)) {
          expect(delay).toBe(expected);
          expected = Math.min(expected + expected, THIRTY_DAYS);
        }
      }),
    );
  });

  test('sums to base × (2^retries − 1) as long as no delay is capped', () => {
    const uncapped = fc.record({
      retry_max_attempts: fc.integer({ min: 1, max: 14 }),
      retry_backoff_base_seconds: fc.integer({ min: 1, max: 300 }),
    });
    fc.assert(
      fc.property(uncapped, (p) => {
        const sum = retrySchedule(p).reduce((total, delay) => total + delay, 0);
        expect(sum).toBe(p.retry_backoff_base_seconds * (2 ** (p.retry_max_attempts - 1) - 1));
      }),
    );
  });

  test('is whole seconds, from the base or one to 30 days', () => {
    fc.assert(
      fc.property(policies(), (p) => {
        const least = p.retry_delays === undefined ? p.retry_backoff_base_seconds : 1;
        for (const delay of retrySchedule(p)) {
          expect(Number.isSafeInteger(delay)).toBe(true);
          expect(delay).toBeGreaterThanOrEqual(least);
          expect(delay).toBeLessThanOrEqual(THIRTY_DAYS);
        }
      }),
    );
  });

  test('is what retryDelaySeconds says attempt by attempt', () => {
    fc.assert(
      fc.property(policies(), (p) => {
        const attempts = attemptsOf(p);
        const delays = Array.from({ length: attempts }, (_, i) => retryDelaySeconds(p, i + 1));
        expect(delays).toEqual([...retrySchedule(p), null]);
      }),
    );
  });
});

describe('retryDelaySeconds', () => {
  test.for([
    { max: 5, base: 60, attempt: 1, delay: 60, because: 'the first retry waits the base' },
    { max: 5, base: 60, attempt: 4, delay: 480, because: 'it doubles on each retry' },
    { max: 5, base: 60, attempt: 5, delay: null, because: 'the fifth attempt was the last' },
    { max: 5, base: 60, attempt: 6, delay: null, because: 'the policy was cut while it ran' },
    { max: 1, base: 60, attempt: 1, delay: null, because: 'one attempt has no retry' },
    { max: 100, base: 60, attempt: 15, delay: 983_040, because: 'under 30 days it still doubles' },
    { max: 100, base: 60, attempt: 17, delay: THIRTY_DAYS, because: 'no delay passes 30 days' },
    { max: 100, base: 86_400, attempt: 99, delay: THIRTY_DAYS, because: '2^98 never leaks' },
    { max: 100, base: 1, attempt: 2 ** 53 - 1, delay: null, because: 'any attempt may be asked for' },
  ])(
    'of $max attempts with base $base, after attempt $attempt: $delay, since $because',
    ({ max, base, attempt, delay }) => {
      expect(retryDelaySeconds(policy(max, base), attempt)).toBe(delay);
    },
  );

  test.for([0, -1, 1.5, NaN, Infinity, 2 ** 53, '1' as unknown as number, undefined as unknown as number])(
    'refuses attempt %s',
    (attempt) => {
      const call = () => retryDelaySeconds(defaultRetryPolicy, attempt);
      expect(call).toThrow(OptionError);
      expect(call).toThrow(expect.objectContaining({ code: 'invalid_attempt' }));
      expect(call).toThrow('count attempts from 1');
    },
  );
});

describe('a policy out of bounds is refused everywhere, naming the field', () => {
  test.for([
    { max: 0, base: 60, field: 'retry_max_attempts' },
    { max: 101, base: 60, field: 'retry_max_attempts' },
    { max: 2.5, base: 60, field: 'retry_max_attempts' },
    { max: NaN, base: 60, field: 'retry_max_attempts' },
    { max: '5' as unknown as number, base: 60, field: 'retry_max_attempts' },
    { max: 5, base: 0, field: 'retry_backoff_base_seconds' },
    { max: 5, base: 86_401, field: 'retry_backoff_base_seconds' },
    { max: 5, base: 0.5, field: 'retry_backoff_base_seconds' },
    { max: 5, base: Infinity, field: 'retry_backoff_base_seconds' },
    { max: 5, base: undefined as unknown as number, field: 'retry_backoff_base_seconds' },
  ])('$max attempts, base $base: $field', ({ max, base, field }) => {
    const refusal = expect.objectContaining({
      code: 'invalid_policy',
      message: expect.stringContaining(field),
    });
    expect(() => retryDelaySeconds(policy(max, base), 1)).toThrow(refusal);
    expect(() => retrySchedule(policy(max, base))).toThrow(refusal);
    expect(() => assertRetryPolicy(policy(max, base))).toThrow(refusal);
  });

  test.for([
    { given: null, message: 'the policy is null' },
    { given: undefined, message: 'the policy is undefined' },
    { given: [5, 60], message: 'the policy is an array' },
    { given: { ...policy(5, 60), retry_after: 'never' }, message: 'retry_after is a string' },
    { given: { ...policy(5, 60), retry_after: null }, message: 'retry_after is null' },
    { given: { ...policy(5, 60), on_exhausted: 'stop' }, message: 'on_exhausted is a string' },
    { given: { ...policy(5, 60), retry_max_attempts: '5' }, message: 'retry_max_attempts is a string' },
    { given: { retryMaxAttempts: 5 }, message: 'retry_max_attempts is undefined' },
    { given: { ...policy(5, 60), retry_delays: 60 }, message: 'retry_delays is 60' },
    { given: { ...policy(5, 60), retry_delays: '60,120' }, message: 'retry_delays is a string' },
    { given: { ...policy(5, 60), retry_delays: [] }, message: 'retry_delays has 0 delays' },
    { given: { ...policy(5, 60), retry_delays: Array(21).fill(1) }, message: 'retry_delays has 21 delays' },
    { given: { ...policy(5, 60), retry_delays: [60, 0] }, message: 'retry_delays\\[1\\] is 0' },
    { given: { ...policy(5, 60), retry_delays: [2_592_001] }, message: 'retry_delays\\[0\\] is 2592001' },
    { given: { ...policy(5, 60), retry_delays: [1.5] }, message: 'retry_delays\\[0\\] is 1.5' },
    { given: { ...policy(5, 60), retry_delays: ['60'] }, message: 'retry_delays\\[0\\] is a string' },
    { given: { ...policy(5, 60), retry_delays: Array(2) }, message: 'retry_delays\\[0\\] is undefined' },
    { given: { ...policy(0, 60), retry_delays: [60] }, message: 'retry_max_attempts is 0' },
  ])('$message', ({ given, message }) => {
    const refusal = expect.objectContaining({
      code: 'invalid_policy',
      message: expect.stringMatching(new RegExp(`^${message}: give `)),
    });
    expect(() => assertRetryPolicy(given as never)).toThrow(refusal);
  });

  test('its bounds themselves are within', () => {
    for (const retry_delays of [undefined, null, [1], [2_592_000], Array<number>(20).fill(60)]) {
      expect(() => assertRetryPolicy({ ...policy(5, 60), retry_delays } as never)).not.toThrow();
    }
    for (const retry_after of ['honor', 'ignore', undefined] as const) {
      expect(() => assertRetryPolicy({ ...policy(5, 60), retry_after } as never)).not.toThrow();
    }
    expect(() => assertRetryPolicy(policy(1, 1))).not.toThrow();
    expect(() => assertRetryPolicy(policy(100, 86_400))).not.toThrow();
  });
});

test('by default five attempts spread over fifteen minutes', () => {
  expect(defaultRetryPolicy).toEqual({ retry_max_attempts: 5, retry_backoff_base_seconds: 60 });
  expect(retrySchedule(defaultRetryPolicy)).toEqual([60, 120, 240, 480]);
});
