/** Reads the answers of transports. Every outcome that is recorded was read here, so every store can write it. */
import { isCount, isIntegerIn } from '../integers.js';
import { countsRetryAfter } from './retry-delay.js';
import {
  type AttemptFailure,
  type AttemptOutcome,
  type Exchange,
  type FailureCode,
  MAX_EXCHANGE_BODY_BYTES,
} from './transport.js';

/** Longest recorded `detail`, in code points. A transport may quote names, and a name may be a megabyte long. */
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

/** The transport may have sent the request, so this counts as an attempt, and a retry may help. */
const noOutcome = (detail: string): AttemptFailure => ({
  ok: false,
  failure: 'internal_error',
  transient: true,
  detail,
});

/** The outcome of a transport that rejects, against its contract. */
export const THREW = noOutcome('The transport threw');
const UNREADABLE = noOutcome('The transport returned no outcome that could be recorded');

/**
 * The outcome in a transport's answer, with known members of valid types only. `detail` has at most 500 code points.
 *
 * @param answer - Any value. One that is not an outcome is read as an `internal_error`.
 */
export function outcomeOf(answer: unknown): AttemptOutcome {
  try {
    return read(answer) ?? UNREADABLE;
  } catch {
    // A getter or a proxy threw.
    return UNREADABLE;
  }
}

type Members = { readonly [member in keyof AttemptFailure]?: unknown };

function read(answer: unknown): AttemptOutcome | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { ok, status, failure, transient, retry_after_seconds, detail }: Members = answer;
  if (ok === true) return isIntegerIn(status, 200, 299) ? { ok, status } : null;
  if (ok !== false || !isCode(failure)) return null;
  const isStatus = isIntegerIn(status, 0, 999);
  const isAsked = isStatus && countsRetryAfter(status) && isCount(retry_after_seconds);
  return {
    ok,
    failure,
    transient: transient !== false,
    detail: typeof detail === 'string' ? wellFormed(bounded(detail)) : '',
    ...(isStatus && { status }),
    ...(isAsked && { retry_after_seconds }),
  };
}

/**
 * The exchange in a transport's answer; `undefined` if it has none, or one that is malformed. It is the transport's own
 * object: nothing in it is recorded unless a store's `keepExchange` makes text of it.
 */
export function exchangeOf(answer: unknown): Exchange | undefined {
  try {
    const { exchange } = answer as { readonly exchange?: Exchange };
    if (exchange === undefined) return undefined;
    const { request_head, response, timings } = exchange;
    const isHead = request_head === null || typeof request_head === 'string';
    const isReadable =
      isHead && typeof timings.total_ms === 'number' && (response === null || isResponse(response));
    return isReadable ? exchange : undefined;
  } catch {
    return undefined; // null, or a getter that threw
  }
}

const isResponse = ({ status, headers, body }: NonNullable<Exchange['response']>): boolean =>
  isIntegerIn(status, 0, 999) &&
  Array.isArray(headers) &&
  body instanceof Uint8Array &&
  body.length <= MAX_EXCHANGE_BODY_BYTES;

const isCode = (value: unknown): value is FailureCode =>
  typeof value === 'string' && Object.hasOwn(CODES, value);

/** NUL and halves of characters, which databases refuse. */
const UNSTORABLE = /[\0\p{Cs}]/gu;

/** The text with a replacement character for each one that a database cannot store. */
export const wellFormed = (text: string): string => text.replace(UNSTORABLE, '\uFFFD');

function bounded(detail: string): string {
  if (detail.length <= MAX_DETAIL) return detail;
  // A code point has at most two UTF-16 units.
  const points = Array.from(detail.slice(0, 2 * MAX_DETAIL + 2));
  return points.length <= MAX_DETAIL ? detail : `${points.slice(0, MAX_DETAIL - 1).join('')}…`;
}
