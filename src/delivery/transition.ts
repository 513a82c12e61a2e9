/** The life of a delivery as a pure function: a record and a step give the next record. See docs/delivery.md. */
import type { Attempt, Delivery } from './delivery.js';
import { MAX_DELAY_SECONDS, type RetryPolicy, retryDelaySeconds } from './retry.js';

/** Somebody takes the delivery for a while, to attempt it. */
export interface ClaimStep {
  readonly type: 'claim';
  /** Token of the new lease; no other claim of this delivery has had it. */
  readonly lease: string;
  /** Unix ms. */
  readonly at: number;
  /** End of the lease; Unix ms. */
  readonly until: number;
}

/** The holder of the lease has made an attempt. */
export interface AttemptStep {
  readonly type: 'attempt';
  /** Token of the lease under which it was made. */
  readonly lease: string;
  /** The attempt; its number follows from the record. */
  readonly attempt: Omit<Attempt, 'number'>;
  /** The endpoint's policy at the attempt; `null` when the endpoint is gone, which leaves nobody to try again. */
  readonly policy: RetryPolicy | null;
  /**
   * What comes on top of the policy's delay, in whole milliseconds; never less than nothing. With it, too, no delay is
   * longer than 30 days.
   * @defaultValue `0`
   */
  readonly extra_ms?: number;
}

/** The holder of the lease gives it back without an attempt. */
export interface ReleaseStep {
  readonly type: 'release';
  /** Token of the lease. */
  readonly lease: string;
  /** Unix ms. */
  readonly due_at: number;
}

/** What can befall a delivery. */
export type DeliveryStep = ClaimStep | AttemptStep | ReleaseStep;

/** Why a step did not apply: the delivery is not due, is finished, or the lease is another's. */
export type StepRefusal = 'not_due' | 'finished' | 'lease_lost';

/** The record after a step; or why the step did not apply, which in operation is nobody's fault and no exception. */
export type Transition =
  { readonly ok: true; readonly delivery: Delivery } | { readonly ok: false; readonly reason: StepRefusal };

/**
 * The record after a step. A crash is no step: the lease simply ends, `due_at` passes, and the attempt is repeated
 * under its old number.
 *
 * @param delivery - The record before; never changed.
 * @param step - What happened.
 * @throws {@link OptionError} `invalid_policy` when the policy of an attempt is out of bounds.
 */
export function transition(delivery: Delivery, step: DeliveryStep): Transition {
  if (delivery.due_at === null) return { ok: false, reason: 'finished' };
  if (step.type === 'claim') {
    if (delivery.due_at > step.at) return { ok: false, reason: 'not_due' };
    return { ok: true, delivery: { ...delivery, state: 'leased', lease: step.lease, due_at: step.until } };
  }
  if (delivery.lease !== step.lease) return { ok: false, reason: 'lease_lost' };
  if (step.type === 'release') return { ok: true, delivery: pendingAt(delivery, step.due_at) };
  return { ok: true, delivery: afterAttempt(delivery, step.attempt, step.policy, step.extra_ms) };
}

/**
 * The record waiting for its next attempt.
 *
 * @param delivery - The record before.
 * @param due_at - Unix ms.
 */
export const pendingAt = (delivery: Delivery, due_at: number): Delivery => ({
  ...delivery,
  state: 'pending',
  due_at,
  lease: null,
});

/**
 * The record once an attempt has ended: delivered, failed, or pending again.
 *
 * @param delivery - The record before.
 * @param attempt - What was tried.
 * @param policy - The endpoint's policy; `null` when the endpoint is gone.
 * @param extraMs - What comes on top of the policy's delay.
 */
export function afterAttempt(
  delivery: Delivery,
  attempt: Omit<Attempt, 'number'>,
  policy: RetryPolicy | null,
  extraMs = 0,
): Delivery {
  const number = delivery.attempts + 1;
  const attempted = { ...delivery, attempts: number, last_attempt: { ...attempt, number } };
  const delay = policy === null || attempt.outcome.ok ? null : retryDelaySeconds(policy, number);
  if (delay !== null) {
    const delayMs = delay * 1_000 + Math.max(extraMs, 0);
    return pendingAt(attempted, attempt.ended_at + Math.min(delayMs, MAX_DELAY_SECONDS * 1_000));
  }
  return {
    ...attempted,
    state: attempt.outcome.ok ? 'delivered' : 'failed',
    due_at: null,
    lease: null,
    finished_at: attempt.ended_at,
  };
}
