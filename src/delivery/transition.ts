/** The states of a delivery as a pure function: a record and a step give the next record. See docs/delivery.md. */
import { type Attempt, type Delivery, isOrdered } from './delivery.js';
import { MAX_DELAY_SECONDS, type RetryPolicy, retryDelaySeconds } from './retry.js';

/** A scheduler leases the delivery, to attempt it. */
export interface ClaimStep {
  readonly type: 'claim';
  /** Token of the new lease; unique among the claims of this delivery. */
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
  /** The endpoint's policy at the attempt; `null` when the endpoint is gone, after which there is no retry. */
  readonly policy: RetryPolicy | null;
  /**
   * Added to the policy's delay, in whole milliseconds; negative values count as 0. The sum is capped at 30 days.
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

/** A step in the life of a delivery. */
export type DeliveryStep = ClaimStep | AttemptStep | ReleaseStep;

/**
 * Why a step did not apply: the delivery is not due or waits behind another one, it is finished, or it has another
 * lease.
 */
export type StepRefusal = 'not_due' | 'finished' | 'lease_lost';

/** The record after a step; or why the step did not apply, which is normal in operation and not an exception. */
export type Transition =
  { readonly ok: true; readonly delivery: Delivery } | { readonly ok: false; readonly reason: StepRefusal };

/**
 * The record after a step. A crash is not a step: the lease ends, `due_at` passes, and the attempt is repeated with the
 * same number.
 *
 * @param delivery - The record before; it is not changed.
 * @param step - The step.
 * @throws {@link OptionError} `invalid_policy` when the policy of an attempt is out of bounds.
 */
export function transition(delivery: Delivery, step: DeliveryStep): Transition {
  if (delivery.due_at === null) return { ok: false, reason: 'finished' };
  if (step.type === 'claim') {
    const mayBeClaimed = delivery.state !== 'waiting' && delivery.due_at <= step.at;
    if (!mayBeClaimed) return { ok: false, reason: 'not_due' };
    return { ok: true, delivery: { ...delivery, state: 'leased', lease: step.lease, due_at: step.until } };
  }
  if (delivery.lease !== step.lease) return { ok: false, reason: 'lease_lost' };
  if (step.type === 'release') return { ok: true, delivery: pendingAt(delivery, step.due_at) };
  return { ok: true, delivery: afterAttempt(delivery, step.attempt, step.policy, step.extra_ms) };
}

/**
 * The record of a delivery that waits for its next attempt.
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
 * The record of a new delivery that waits behind another one of its key. If it was leased, it waits from the time when
 * it was made.
 *
 * @param delivery - The record before, without attempts.
 */
export const waiting = (delivery: Delivery): Delivery => ({
  ...delivery,
  state: 'waiting',
  lease: null,
  due_at: typeof delivery.lease === 'string' ? delivery.created_at : delivery.due_at,
});

/**
 * The record of a delivery that waits no longer: it is due at once, but no earlier than it would be without an order.
 *
 * @param delivery - The record before, in state `waiting`.
 * @param freeAt - When the delivery before it finished; `null` if it was deleted. Unix ms.
 */
export const promoted = (delivery: Delivery, freeAt: number | null): Delivery =>
  pendingAt(delivery, Math.max(delivery.due_at ?? delivery.created_at, freeAt ?? -Infinity));

/**
 * The record after an attempt: delivered, failed, or pending again.
 *
 * @param delivery - The record before.
 * @param attempt - The attempt, after it ended.
 * @param policy - The endpoint's policy; `null` when the endpoint is gone.
 * @param extraMs - Added to the policy's delay.
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
  const { holds_key: heldKey = false, ...finished } = attempted;
  const holds = !attempt.outcome.ok && policy?.on_exhausted === 'hold' && (heldKey || isOrdered(delivery));
  return {
    ...finished,
    state: attempt.outcome.ok ? 'delivered' : 'failed',
    due_at: null,
    lease: null,
    finished_at: attempt.ended_at,
    ...(holds && { holds_key: true }),
  };
}
