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

/** A time with its zone, as ISO 8601 and Postgres write it. */
const ZONED = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(?:Z|[+-]\d\d(?::?\d\d)?)$/;

/**
 * Reads the `failing_since` of an endpoint as databases return it.
 *
 * @param value - Unix ms as a number, a bigint or text; or a time with its zone, as a `Date` or text; or null.
 * @returns Unix ms; `NaN` for any other value.
 */
export function readFailingSince(value: unknown): number | null {
  if (value === null) return null;
  if (value instanceof Date) return value.getTime();
  const isDigits = typeof value === 'string' && /^\d{1,16}$/.test(value);
  if (typeof value === 'bigint' || isDigits) return Number(value);
  if (typeof value === 'string') return ZONED.test(value) ? Date.parse(value) : NaN;
  return Number.isFinite(value) ? (value as number) : NaN;
}

const DAY_MS = 86_400_000;

/**
 * The change of health that an attempt shows. It keeps no state: a change that the host missed is reported again after
 * the next attempt.
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
