/** Retry policies: how often a delivery is attempted, and the delays between attempts. See docs/delivery.md. */
import { OptionError } from '../errors.js';
import { isIntegerIn } from '../integers.js';
import { isPlainObject, kindOf } from './arguments.js';

/** How often a delivery to an endpoint is attempted, and with which delays. */
export interface RetryPolicy {
  /** Attempts in all, including the first: 1..100. */
  readonly retry_max_attempts: number;
  /** Delay after the first failure, in seconds: 1..86,400. Doubles on each retry. */
  readonly retry_backoff_base_seconds: number;
  /**
   * Whether the Retry-After of an answer lengthens the delay after it; it never shortens one. Only answers with status
   * 429 or 503 count. `'ignore'` leaves every delay as it is.
   * @defaultValue `'honor'`
   */
  readonly retry_after?: 'honor' | 'ignore';
  /**
   * The delay before each retry, in seconds: 1 to 20 delays of 1..2,592,000 (30 days). With `n` delays there are `n +
   * 1` attempts; `retry_max_attempts` and `retry_backoff_base_seconds` then count for nothing, but must still be valid.
   * @defaultValue `null`: the delay doubles
   */
  readonly retry_delays?: readonly number[] | null;
  /**
   * The fate of an ordering key after a dead letter. `'continue'`: the next delivery of the key is sent. `'hold'`: the
   * key waits until the dead letter is discarded, or until its redelivery is delivered.
   * @defaultValue `'continue'`
   */
  readonly on_exhausted?: 'continue' | 'hold';
}

/** Five attempts, the first retry after a minute. */
export const defaultRetryPolicy: RetryPolicy = Object.freeze({
  retry_max_attempts: 5,
  retry_backoff_base_seconds: 60,
});

/** Highest `retry_max_attempts`. */
const MAX_ATTEMPTS = 100;
/** Highest `retry_backoff_base_seconds`: a day. */
const MAX_BASE_SECONDS = 86_400;
/** Longest delay: 30 days. */
export const MAX_DELAY_SECONDS = 30 * 86_400;
/** Most `retry_delays`. */
const MAX_DELAYS = 20;

/**
 * Delay before the attempt that follows a failed one.
 *
 * @param policy - The endpoint's policy.
 * @param attempt - The attempt that failed, counted from 1.
 * @returns Whole seconds from the end of that attempt, at most 30 days, or `null` when none is left.
 * @throws {@link OptionError} `invalid_policy` when the policy is out of bounds, `invalid_attempt` unless
 * `attempt` is a positive integer.
 * @see docs/delivery.md
 */
export function retryDelaySeconds(policy: RetryPolicy, attempt: number): number | null {
  assertRetryPolicy(policy);
  if (!isIntegerIn(attempt, 1, Number.MAX_SAFE_INTEGER)) {
    throw new OptionError(
      'invalid_attempt',
      `attempt ${String(attempt)}: count attempts from 1, in integers`,
    );
  }
  const { retry_delays: delays } = policy;
  if (delays !== undefined && delays !== null) return delays[attempt - 1] ?? null;
  if (attempt >= policy.retry_max_attempts) return null;
  return Math.min(policy.retry_backoff_base_seconds * 2 ** (attempt - 1), MAX_DELAY_SECONDS);
}

/**
 * All delays of a policy in order: delay `i` (from 0) follows the failure of attempt `i + 1`.
 *
 * @example
 * ```ts
 * import { defaultRetryPolicy, retrySchedule } from 'headgate/delivery';
 *
 * console.log(retrySchedule(defaultRetryPolicy)); // [ 60, 120, 240, 480 ]
 * ```
 * @param policy - The endpoint's policy.
 * @returns Whole seconds; one fewer than there are attempts.
 * @throws {@link OptionError} `invalid_policy` when the policy is out of bounds.
 */
export function retrySchedule(policy: RetryPolicy): readonly number[] {
  const delays: number[] = [];
  for (let attempt = 1; ; attempt++) {
    const delay = retryDelaySeconds(policy, attempt);
    if (delay === null) return delays;
    delays.push(delay);
  }
}

/**
 * Checks a policy. Hosts call it when a policy is saved.
 *
 * @param policy - The endpoint's policy.
 * @throws {@link OptionError} `invalid_policy`, naming the field and its bounds.
 */
export function assertRetryPolicy(policy: RetryPolicy): void {
  if (!isPlainObject(policy)) throw invalidPolicy(`the policy is ${kindOf(policy)}: give an object`);
  assertWithin('retry_max_attempts', policy.retry_max_attempts, MAX_ATTEMPTS);
  assertWithin('retry_backoff_base_seconds', policy.retry_backoff_base_seconds, MAX_BASE_SECONDS);
  assertDelays(policy.retry_delays);
  assertOneOf('retry_after', policy.retry_after, ['honor', 'ignore']);
  assertOneOf('on_exhausted', policy.on_exhausted, ['continue', 'hold']);
}

function assertOneOf(
  field: keyof RetryPolicy,
  value: unknown,
  [one, other]: readonly [string, string],
): void {
  if (value === undefined || value === one || value === other) return;
  throw invalidPolicy(`${field} is ${kindOf(value)}: give '${one}' or '${other}', or leave it out`);
}

function assertDelays(delays: unknown): void {
  if (delays === undefined || delays === null) return;
  if (!Array.isArray(delays)) {
    throw invalidPolicy(`retry_delays is ${kindOf(delays)}: give a list of seconds, or null`);
  }
  if (delays.length < 1 || delays.length > MAX_DELAYS) {
    throw invalidPolicy(`retry_delays has ${delays.length} delays: give 1 to ${MAX_DELAYS}, or null`);
  }
  // A list with holes has no value there, which `some` and `every` would pass over.
  Array.from(delays as unknown[]).forEach((delay, i) => {
    if (isIntegerIn(delay, 1, MAX_DELAY_SECONDS)) return;
    throw invalidPolicy(
      `retry_delays[${i}] is ${kindOf(delay)}: give whole seconds from 1 to ${MAX_DELAY_SECONDS}`,
    );
  });
}

function assertWithin(field: keyof RetryPolicy, value: unknown, max: number): void {
  if (isIntegerIn(value, 1, max)) return;
  throw invalidPolicy(`${field} is ${kindOf(value)}: give an integer from 1 to ${max}`);
}

/** @param sentence - Names the field, its type and what to give instead. It quotes no text: that may be a secret. */
export const invalidPolicy = (sentence: string): OptionError => new OptionError('invalid_policy', sentence);
