/** From what a transport answers to what is recorded: every recorded attempt goes through here. */
import type { AttemptFailure, AttemptOutcome, FailureCode } from './transport.js';

/** Longest `detail` of a record, in code points. A transport may quote names, and a name may be a megabyte. */
const MAX_DETAIL = 500;

const CODES: Readonly<Record<FailureCode, true>> = {
  http_status: true,
  timeout: true,
  connection_refused: true,
  connection_reset: true,
  connection_failed: true,
  dns_failure: true,
  tls_failure: true,
  protocol_error: true,
  headers_too_large: true,
  address_refused: true,
  url_refused: true,
  endpoint_gone: true,
  internal_error: true,
};

/** The transport may have sent, so this is an attempt, and worth another. */
const noOutcome = (detail: string): AttemptFailure => ({
  ok: false,
  failure: 'internal_error',
  transient: true,
  detail,
});

/** A transport that breaks its word and rejects. */
export const THREW = noOutcome('The transport threw');
const UNREADABLE = noOutcome('The transport gave no outcome that could be recorded');

/**
 * An outcome of known members, each of its type: whatever a transport answers, a store can write it. `detail` has at
 * most 500 code points.
 *
 * @param answer - What the transport gave. What cannot be read as an outcome is an `internal_error`.
 */
export function outcomeOf(answer: unknown): AttemptOutcome {
  try {
    return read(answer) ?? UNREADABLE;
  } catch {
    // A getter threw, or a proxy did.
    return UNREADABLE;
  }
}

type Members = { readonly [member in keyof AttemptFailure]?: unknown };

function read(answer: unknown): AttemptOutcome | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { ok, status, failure, transient, retry_after_seconds, detail }: Members = answer;
  if (ok === true) return isIntegerIn(status, 200, 299) ? { ok, status } : null;
  if (ok !== false || !isCode(failure)) return null;
  return {
    ok,
    failure,
    transient: transient !== false,
    detail: typeof detail === 'string' ? bounded(detail) : '',
    ...(isIntegerIn(status, 0, 999) && { status }),
    ...(isIntegerIn(retry_after_seconds, 0, Number.MAX_SAFE_INTEGER) && { retry_after_seconds }),
  };
}

const isCode = (value: unknown): value is FailureCode =>
  typeof value === 'string' && Object.hasOwn(CODES, value);

const isIntegerIn = (value: unknown, min: number, max: number): value is number =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;

function bounded(detail: string): string {
  if (detail.length <= MAX_DETAIL) return detail;
  // No code point takes more than two units.
  const points = Array.from(detail.slice(0, 2 * MAX_DETAIL + 2));
  return points.length <= MAX_DETAIL ? detail : `${points.slice(0, MAX_DETAIL - 1).join('')}…`;
}
