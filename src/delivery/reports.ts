/** Reports the result of a lease to the host's callbacks. */
import { invalid, kindOf } from './arguments.js';
import type { AttemptResult } from './attempt.js';
import type { SchedulerCallbacks, Tell } from './callbacks.js';
import type { Attempt, Delivery } from './delivery.js';
import { type HealthSign, healthSign, readFailingSince } from './endpoint-health.js';
import type { Claim } from './store.js';

/**
 * Reports how a lease ended.
 *
 * @param tell - Calls the callbacks.
 * @param claim - The leased delivery.
 * @param result - The result of the lease.
 * @param held - Whether the result is recorded; if not, another scheduler has taken the lease over.
 */
export function reportResult(tell: Tell, claim: Claim, result: AttemptResult, held: boolean): void {
  const { delivery, attempt, error, throttled } = result;
  if (!held) tell((on) => on.leaseLost?.(delivery, attempt));
  else if (attempt !== null) reportAttempt(tell, delivery, attempt, claim.dueAt);
  else if (throttled === true) tell((on) => on.throttled?.(delivery));
  else tell((on) => on.released?.(delivery, error));
}

function reportAttempt(tell: Tell, delivery: Delivery, attempt: Attempt, dueAt: number | undefined): void {
  // Negative where the clock was set back meanwhile.
  const lateMs = dueAt === undefined ? null : Math.max(attempt.started_at - dueAt, 0);
  tell((on) => on.attempted?.(delivery, attempt, lateMs));
  if (delivery.state === 'delivered') tell((on) => on.delivered?.(delivery));
  else if (delivery.state === 'failed') tell((on) => on.deadLettered?.(delivery));
  else tell((on) => on.retrying?.(delivery));
}

const CALLBACK_OF = {
  failing: 'endpointFailing',
  recovered: 'endpointRecovered',
  exhausted: 'endpointExhausted',
} as const satisfies Record<HealthSign['sign'], keyof SchedulerCallbacks>;

/**
 * Reports a change of an endpoint's health after a recorded attempt.
 *
 * @param tell - Calls the callbacks.
 * @param result - The result of the lease.
 * @param pauseAfterDays - How long an endpoint may fail.
 */
export function reportHealth(tell: Tell, result: AttemptResult, pauseAfterDays: number): void {
  const { delivery, attempt, failingSince } = result;
  if (attempt === null) return;
  const since = readFailingSince(failingSince);
  if (Number.isNaN(since)) {
    const message = `failing_since is ${kindOf(failingSince)}: give Unix milliseconds, or a time with its zone, or null`;
    tell((on) => on.callbackFailed?.(invalid(message)));
    return;
  }
  const found = healthSign(since, attempt, pauseAfterDays);
  if (found !== null) tell((on) => on[CALLBACK_OF[found.sign]]?.(delivery.endpoint_id, found.since));
}
