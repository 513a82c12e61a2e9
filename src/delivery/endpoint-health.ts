/** What an attempt says about the endpoint it was for. The host remembers since when an endpoint fails, nobody else. */
import type { Attempt } from './delivery.js';
import type { FailureCode } from './transport.js';

/** A change of an endpoint that its host is to note. `since` is when its failures began; Unix ms. */
export interface HealthSign {
  /** It began to fail, it works again, or it has failed for too long. */
  readonly sign: 'failing' | 'recovered' | 'exhausted';
  readonly since: number;
}

/** Failures of our own side: they say nothing about the endpoint. */
const ours: ReadonlySet<FailureCode> = new Set(['internal_error', 'endpoint_gone']);

const DAY_MS = 86_400_000;

/**
 * The state and an attempt give what to tell: nothing is kept here, so what the host missed is told again by the next
 * attempt.
 *
 * @param failingSince - When the endpoint's failures began, as the attempt found it; Unix ms, `null` for none.
 * @param attempt - A recorded attempt.
 * @param pauseAfterDays - How long it may fail.
 * @returns `null` when there is nothing to note.
 */
export function healthSign(
  failingSince: number | null,
  { ended_at, outcome }: Pick<Attempt, 'ended_at' | 'outcome'>,
  pauseAfterDays: number,
): HealthSign | null {
  if (outcome.ok) return failingSince === null ? null : { sign: 'recovered', since: failingSince };
  if (ours.has(outcome.failure)) return null;
  if (failingSince === null) return { sign: 'failing', since: ended_at };
  const forMs = ended_at - failingSince;
  return forMs < pauseAfterDays * DAY_MS ? null : { sign: 'exhausted', since: failingSince };
}
