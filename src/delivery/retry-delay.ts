/** Retry delays beyond the policy's: Retry-After and, if the host asks for it, jitter. Delays are never shortened. */
import { invalid, kindOf } from './arguments.js';
import type { Attempt } from './delivery.js';
import { retryDelaySeconds, type RetryPolicy } from './retry.js';

/** How retry delays are lengthened. */
export interface RetryDelayOptions {
  /** A delay grows by up to this share of itself: 0..1. */
  readonly jitter: number;
  /** Returns a number from 0 up to 1; not called without jitter. */
  readonly random: () => number;
  /** A Retry-After counts as at most this many seconds; `Infinity`: only {@link MAX_LONGER_SECONDS} limits it. */
  readonly retryAfterCapSeconds: number;
}

/** Most seconds by which a Retry-After lengthens the policy's delay: an hour. */
const MAX_LONGER_SECONDS = 3_600;

/**
 * True for the statuses whose Retry-After says when the receiver wants the same request again: too many requests, and
 * service unavailable. In a redirect it is about another URL, and no other status gives it a meaning.
 *
 * @param status - The status of a failed attempt; `undefined` without an answer.
 */
export const countsRetryAfter = (status: number | undefined): boolean => status === 429 || status === 503;

/**
 * The time to add to the policy's delay after a failed attempt. A Retry-After lengthens the delay to what was asked
 * for, but by no more than an hour. Jitter is applied after it: otherwise a receiver that asks all senders to come back
 * in ten minutes would get all of them at once.
 *
 * @param policy - The endpoint's policy.
 * @param attempt - The attempt that failed.
 * @param options - How delays are lengthened.
 * @returns Whole milliseconds, at least 0; 0 when no attempt is left.
 */
export function extraDelayMs(
  policy: RetryPolicy,
  { number, outcome }: Pick<Attempt, 'number' | 'outcome'>,
  { jitter, random, retryAfterCapSeconds }: RetryDelayOptions,
): number {
  const delaySeconds = retryDelaySeconds(policy, number);
  if (delaySeconds === null || outcome.ok) return 0;
  const { retry_after_seconds: asked = 0 } = outcome;
  const isHonored = asked > 0 && policy.retry_after !== 'ignore' && countsRetryAfter(outcome.status);
  const honored = isHonored ? Math.min(asked, retryAfterCapSeconds, delaySeconds + MAX_LONGER_SECONDS) : 0;
  const atLeastMs = Math.max(delaySeconds, honored) * 1_000;
  const share = jitter === 0 ? 0 : jitter * random();
  return Math.ceil(atLeastMs * (1 + share)) - delaySeconds * 1_000;
}

/**
 * Guards the host's source of randomness.
 *
 * @param random - The host's function.
 * @param failed - Called with what it threw, or with an error when it returned anything but a number from 0 up to 1.
 * @returns A function that returns 0, which means no jitter, if the host's function fails.
 */
export const guardedRandom = (random: () => unknown, failed: (error: unknown) => void) => (): number => {
  try {
    const drawn = random();
    if (typeof drawn === 'number' && drawn >= 0 && drawn < 1) return drawn;
    // An async function returns a promise, whose rejection would be unhandled.
    Promise.resolve(drawn).catch(failed);
    throw invalid(`random drew ${kindOf(drawn)}: draw a number from 0 up to 1`);
  } catch (error) {
    failed(error);
    return 0;
  }
};
