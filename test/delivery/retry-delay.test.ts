/** The time that jitter and Retry-After add to the policy's delay. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RetryPolicy, retryDelaySeconds } from '../../src/delivery/index.js';
import { extraDelayMs, type RetryDelayOptions } from '../../src/delivery/retry-delay.js';
import { attemptsOf, outcomes, policies } from './arbitraries.js';

const DAY = 86_400;
const MONTH = 30 * DAY;

const shares = () => fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const caps = () =>
  fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: MONTH }));
/** Values of Retry-After, valid and invalid. */
const wishes = () =>
  fc.oneof(
    fc.constant(undefined),
    fc.integer({ min: 0, max: 900 }),
    fc.constantFrom(-1, 0.5, 100_000.0005, 1e300, Infinity, NaN),
  );

/** A failed attempt of a policy that allows another. */
const situations = (): fc.Arbitrary<Situation> =>
  policies()
    .filter((policy) => attemptsOf(policy) > 1)
    .chain((policy) =>
      fc.record({
        policy: fc.constant(policy),
        number: fc.integer({ min: 1, max: attemptsOf(policy) - 1 }),
        share: shares(),
        jitter: shares(),
        cap: caps(),
        wish: wishes(),
        status: fc.constantFrom(429, 503),
      }),
    );

interface Situation {
  readonly policy: RetryPolicy;
  readonly number: number;
  readonly share: number;
  readonly jitter: number;
  readonly cap: number;
  readonly wish: number | undefined;
  readonly status: number;
}

const failed = (wish: number | undefined, status = 429) => ({
  ok: false as const,
  failure: 'http_status' as const,
  status,
  transient: true,
  detail: 'Busy',
  ...(wish !== undefined && { retry_after_seconds: wish }),
});

const options = ({ jitter, share, cap }: Pick<Situation, 'jitter' | 'share' | 'cap'>): RetryDelayOptions => ({
  jitter,
  random: () => share,
  retryAfterCapSeconds: cap,
});

const extraOf = (situation: Situation): number =>
  extraDelayMs(
    situation.policy,
    { number: situation.number, outcome: failed(situation.wish, situation.status) },
    options(situation),
  );

const always = (law: (extraMs: number, delayMs: number, situation: Situation) => void) =>
  fc.assert(
    fc.property(situations(), (situation) => {
      const delayMs = (retryDelaySeconds(situation.policy, situation.number) ?? NaN) * 1_000;
      law(extraOf(situation), delayMs, situation);
    }),
    { numRuns: 1_000 },
  );

describe('whatever a receiver asks for', () => {
  test('a delay is lengthened by whole milliseconds, never shortened', () => {
    always((extraMs) => {
      expect(Number.isSafeInteger(extraMs)).toBe(true);
      expect(extraMs).toBeGreaterThanOrEqual(0);
    });
  });

  test('a delay is lengthened by no more than an hour, apart from jitter', () => {
    always((_, delayMs, situation) => {
      const plainMs = extraOf({ ...situation, jitter: 0 });
      expect(plainMs).toBeLessThanOrEqual(3_600_000);
      expect(delayMs + plainMs).toBeLessThanOrEqual(Math.max(delayMs, situation.cap * 1_000));
    });
  });

  test('the receiver is not tried again before it asked to be, up to the cap and to an hour more', () => {
    always((extraMs, delayMs, { cap, wish = 0 }) => {
      if (!(wish > 0)) return;
      const asked = Math.min(wish * 1_000, cap * 1_000, delayMs + 3_600_000);
      expect(delayMs + extraMs).toBeGreaterThanOrEqual(asked);
    });
  });

  test('a policy that ignores it, and every status but 429 and 503, leave the delay as it is', () => {
    fc.assert(
      fc.property(situations(), fc.integer({ min: 300, max: 999 }), (situation, status) => {
        const plain = { ...situation, jitter: 0 };
        const ignoring = { ...situation.policy, retry_after: 'ignore' as const };
        expect(extraOf({ ...plain, policy: ignoring })).toBe(0);
        if (status !== 429 && status !== 503) expect(extraOf({ ...plain, status })).toBe(0);
        const honoring = { ...situation.policy, retry_after: 'honor' as const };
        expect(extraOf({ ...plain, policy: honoring })).toBe(extraOf(plain));
      }),
    );
  });

  test('jitter lengthens by the share that was drawn', () => {
    always((extraMs, delayMs, situation) => {
      const plainMs = delayMs + extraOf({ ...situation, jitter: 0 });
      const expected = plainMs * (1 + situation.jitter * situation.share);
      expect(Math.abs(delayMs + extraMs - expected)).toBeLessThanOrEqual(1 + expected * 1e-12);
    });
  });
});

test('an endpoint that ignores Retry-After has no delay added without jitter, and no randomness is drawn', () => {
  const random = (): never => expect.unreachable();
  fc.assert(
    fc.property(policies(), outcomes(), wishes(), (policy, outcome, wish) => {
      const off = { jitter: 0, random, retryAfterCapSeconds: Infinity };
      const asked = outcome.ok ? outcome : failed(wish);
      const ignoring = { ...policy, retry_after: 'ignore' as const };
      expect(extraDelayMs(ignoring, { number: 1, outcome: asked }, off)).toBe(0);
    }),
  );
});

test.for([
  { what: 'a success', number: 1, outcome: { ok: true as const, status: 200 } },
  { what: 'the last attempt', number: 5, outcome: failed(900) },
])('$what has no delay to lengthen', ({ number, outcome }) => {
  const policy = { retry_max_attempts: 5, retry_backoff_base_seconds: 60 };
  const eager = { jitter: 1, random: () => 0.99, retryAfterCapSeconds: MONTH };
  expect(extraDelayMs(policy, { number, outcome }, eager)).toBe(0);
});

test.for([
  { wish: 30, cap: 3_600, jitter: 0, extra: 0, because: 'the policy waits longer' },
  { wish: 90, cap: 3_600, jitter: 0, extra: 30_000, because: 'the receiver asks for more than the policy' },
  { wish: 9_000, cap: 120, jitter: 0, extra: 60_000, because: 'the cap holds' },
  { wish: 3_660, cap: Infinity, jitter: 0, extra: 3_600_000, because: 'an hour more is allowed' },
  { wish: 3_661, cap: Infinity, jitter: 0, extra: 3_600_000, because: 'more than an hour is not' },
  { wish: undefined, cap: Infinity, jitter: 0.5, extra: 15_000, because: 'half of half a minute is random' },
  {
    wish: 120,
    cap: 3_600,
    jitter: 0.5,
    extra: 90_000,
    because: 'jitter counts on what the receiver asked for',
  },
])(
  'after a delay of 60 s and a wish of $wish s come $extra ms more: $because',
  ({ wish, cap, jitter, extra }) => {
    const policy = { retry_max_attempts: 5, retry_backoff_base_seconds: 60 };
    expect(extraOf({ policy, number: 1, share: 0.5, jitter, cap, wish, status: 503 })).toBe(extra);
  },
);
