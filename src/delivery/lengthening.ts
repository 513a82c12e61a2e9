/** What lengthens the delay before a retry, where the host asks for it. Nothing shortens one. */
import { invalid, kindOf } from './arguments.js';
import type { Attempt } from './delivery.js';
import { retryDelaySeconds, type RetryPolicy } from './retry.js';

/** How delays are lengthened. */
export interface Lengthening {
  /** Largest share of itself that a delay grows by: 0..1. */
  readonly jitter: number;
  /** Draws from 0 up to 1; not called without jitter. */
  readonly random: () => number;
  /** Most of a Retry-After that is honored, in seconds; 0: none of it. */
  readonly retryAfterCapSeconds: number;
}

/**
 * What comes on top of the policy's delay after a failed attempt. Jitter counts on what Retry-After made of the delay:
 * a receiver that asks everybody to come back in ten minutes would else get all of them at once.
 *
 * @param policy - The endpoint's policy.
 * @param attempt - The attempt that failed.
 * @param lengthening - What the host asked for.
 * @returns Whole milliseconds, at least 0; 0 when no attempt is left.
 */
export function extraDelayMs(
  policy: RetryPolicy,
  { number, outcome }: Pick<Attempt, 'number' | 'outcome'>,
  { jitter, random, retryAfterCapSeconds }: Lengthening,
): number {
  const delaySeconds = retryDelaySeconds(policy, number);
  if (delaySeconds === null || outcome.ok) return 0;
  const { retry_after_seconds: asked = 0 } = outcome;
  const honored = asked > 0 ? Math.min(asked, retryAfterCapSeconds) : 0;
  const atLeastMs = Math.max(delaySeconds, honored) * 1_000;
  const share = jitter === 0 ? 0 : jitter * random();
  return Math.ceil(atLeastMs * (1 + share)) - delaySeconds * 1_000;
}

/**
 * A source of randomness that always draws.
 *
 * @param random - The host's.
 * @param failed - Told what it threw, or what it drew instead of a number from 0 up to 1.
 * @returns Draws 0 where the host's fails: no jitter.
 */
export const dependable = (random: () => unknown, failed: (error: unknown) => void) => (): number => {
  try {
    const drawn = random();
    if (typeof drawn === 'number' && drawn >= 0 && drawn < 1) return drawn;
    // An async function draws a promise, and nobody else would hear of its rejection.
    Promise.resolve(drawn).catch(failed);
    throw invalid(`random drew ${kindOf(drawn)}: draw a number from 0 up to 1`);
  } catch (error) {
    failed(error);
    return 0;
  }
};
