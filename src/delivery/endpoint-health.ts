/** The health of an endpoint, from its attempts. The host alone stores since when an endpoint has been failing. */
import type { Attempt } from './delivery.js';
import type { FailureCode } from './transport.js';

/** A change of an endpoint's health that the host should record. `since` is when its failures began; Unix ms. */
export interface HealthSign {
  /** It began to fail, it works again, or it has failed for too long. */
  readonly sign: 'failing' | 'recovered' | 'exhausted';
  readonly since: number;
}

/** Failures on the sender's side, which say nothing about the endpoint. */
const SENDER_FAILURES: ReadonlySet<FailureCode> = new Set(['internal_error', 'endpoint_gone']);

const DAY_MS = 86_400_000;

/**
 * The change of health that an attempt shows. It keeps no state: a change that the host missed is reported again after the
 * next attempt.
 *
 * @param failingSince - When the endpoint's failures began, as looked up for the attempt; Unix ms, `null` for none.
 * @param attempt - A recorded attempt.
 * @param pauseAfterDays - How long it may fail.
 * @returns `null` for no change.
 */
export function healthSign(
  failingSince: number | null,
  { ended_at, outcome }: Pick<Attempt, 'ended_at' | 'outcome'>,
  pauseAfterDays: number,
): HealthSign | null {
  if (outcome.ok) return failingSince === null ? null : { sign: 'recovered', since: failingSince };
  if (SENDER_FAILURES.has(outcome.failure)) return null;
  if (failingSince === null) return { sign: 'failing', since: ended_at };
  const forMs = ended_at - failingSince;
  return forMs < pauseAfterDays * DAY_MS ? null : { sign: 'exhausted', since: failingSince };
}
