/**
 * Prepares an attempt: from a leased delivery to a signed request. The answers of the host's parts are checked here.
 */
import type { DeliveryDetails } from '../delivery-details.js';
import { OptionError } from '../errors.js';
import type { Clock } from './clock.js';
import type { Delivery } from './delivery.js';
import { assertRate } from './rates.js';
import { assertRetryPolicy, defaultRetryPolicy, type RetryPolicy } from './retry.js';
import type { Claim } from './store.js';
import type { AttemptFailure, AttemptRequest } from './transport.js';

/** The settings of an endpoint, looked up for each attempt. */
export interface DeliveryTarget extends RetryPolicy {
  /** The customer's URL. */
  readonly url: string;
  /**
   * Most attempts a second by one scheduler: from 1 / 3,600, which is one an hour, to 10,000. Left out or `null`: no
   * limit.
   */
  readonly rate_limit_per_second?: number | null;
  /**
   * Since when its attempts have been failing, as `endpointFailing` reported it; Unix ms. Left out or `null`: they are
   * not failing. Read only if `pauseAfterDays` is set. Also accepted as drivers return a column of 64 bits, which is
   * text or a bigint, or of a time with its zone, which is a `Date` or text.
   */
  readonly failing_since?: number | bigint | string | Date | null;
  /**
   * `false`: a transport that keeps exchanges keeps none of this endpoint.
   * @defaultValue `true`
   */
  readonly exchange?: boolean;
}

/** Makes all headers of an attempt. Both signers of `headgate/signing` implement it. */
export interface DeliverySigner {
  /**
   * @param body - The raw request body.
   * @param about - The contents of the headers, besides the signature.
   * @returns All headers of docs/signing.md.
   */
  headers(
    body: Uint8Array,
    about: DeliveryDetails,
  ): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
}

/** The host's parts that prepare an attempt. */
export interface HostParts {
  readonly clock: Clock;
  readonly endpoints: (
    endpointId: string,
  ) => DeliveryTarget | null | undefined | Promise<DeliveryTarget | null | undefined>;
  readonly signer: (delivery: Delivery, target: DeliveryTarget) => DeliverySigner | Promise<DeliverySigner>;
}

const unsent = (failure: AttemptFailure['failure'], detail: string): AttemptFailure => ({
  ok: false,
  failure,
  transient: false,
  detail,
});
const GONE = unsent('endpoint_gone', 'The endpoint no longer exists');
const NO_ENDPOINT = unsent(
  'internal_error',
  'Not sent: the endpoint look-up returned neither an endpoint nor null',
);
const NO_URL = unsent('url_refused', 'The URL of the endpoint is not a string');
const NO_SIGNER = unsent('internal_error', 'Not sent: the function `signer` did not return a signer');
const NO_HEADERS = unsent(
  'internal_error',
  'Not sent: the signer did not return an object of headers with string values',
);

/** An attempt that is ready to start. */
export interface Prepared {
  /** The request to send, or the reason why none can be sent. */
  readonly next: AttemptRequest | AttemptFailure;
  /** Null when the endpoint is gone. */
  readonly policy: RetryPolicy | null;
  readonly started_at: number;
  /** The endpoint's rate limit. */
  readonly perSecond: number | null;
  /** The endpoint's `failing_since`, unchecked. */
  readonly failingSince: unknown;
}

/**
 * Looks up the endpoint and signs. Rejects with the errors of the host's parts, except an {@link OptionError}, which is
 * a failure of the attempt.
 *
 * @param claim - The leased delivery.
 * @param parts - The host's parts.
 */
export async function prepare({ delivery, body }: Claim, parts: HostParts): Promise<Prepared> {
  let policy = defaultRetryPolicy;
  let started_at = parts.clock.now();
  const unknown = { perSecond: null, failingSince: null };
  try {
    const target: unknown = await parts.endpoints(delivery.endpoint_id);
    if (target === null || target === undefined) return { next: GONE, policy: null, started_at, ...unknown };
    if (!isEndpoint(target)) return { next: NO_ENDPOINT, policy, started_at, ...unknown };
    const { url, rate_limit_per_second: perSecond = null, failing_since: failingSince = null } = target;
    const given = policyIn(target);
    try {
      assertRetryPolicy(given);
      policy = given;
      assertRate(perSecond);
    } catch (error) {
      return { next: refusedPolicy(error as OptionError), policy, started_at, ...unknown };
    }
    if (typeof url !== 'string') return { next: NO_URL, policy, started_at, perSecond, failingSince };
    const signer: unknown = await parts.signer(delivery, target);
    started_at = parts.clock.now();
    const next = isSigner(signer)
      ? requestOf(target, url, body, await signer.headers(body, detailsOf(delivery, started_at)))
      : NO_SIGNER;
    return { next, policy, started_at, perSecond, failingSince };
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    return { next: refusal(error), policy, started_at, ...unknown };
  }
}

const policyIn = (target: DeliveryTarget): RetryPolicy => {
  const { retry_max_attempts, retry_backoff_base_seconds, retry_after, retry_delays, on_exhausted } = target;
  return {
    retry_max_attempts,
    retry_backoff_base_seconds,
    ...(retry_after !== undefined && { retry_after }),
    ...(on_exhausted !== undefined && { on_exhausted }),
    // A copy, since the host may change its list during the attempt.
    ...(retry_delays !== undefined && { retry_delays: copyOf(retry_delays) }),
  };
};

const copyOf = (delays: readonly number[] | null): readonly number[] | null =>
  Array.isArray(delays) ? (delays as readonly number[]).slice() : delays;

/** The message of this package's own check names the field, and quotes no text. */
const refusedPolicy = ({ code, message }: OptionError): AttemptFailure =>
  unsent('internal_error', `Not sent: ${code}: ${message}`);

/** Only the code is recorded: the message of a host's error may hold a secret. */
const refusal = ({ code }: OptionError): AttemptFailure => unsent('internal_error', `Not sent: ${code}`);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Checks no members. */
const isEndpoint = (target: unknown): target is DeliveryTarget & { readonly url: unknown } =>
  isObject(target) && !Array.isArray(target);

const isSigner = (signer: unknown): signer is DeliverySigner =>
  (isObject(signer) || typeof signer === 'function') &&
  'headers' in signer &&
  typeof signer.headers === 'function';

const detailsOf = (delivery: Delivery, started_at: number): DeliveryDetails => ({
  eventId: delivery.event_id,
  eventType: delivery.event_type,
  origin: delivery.origin,
  timestamp: Math.floor(started_at / 1_000),
});

/**
 * Copies the headers. A `Headers` or a `Map` has no own properties: copied, it would send no signature, so it is
 * refused.
 */
function requestOf(
  { exchange }: DeliveryTarget,
  url: string,
  body: Uint8Array,
  headers: unknown,
): AttemptRequest | AttemptFailure {
  if (!isObject(headers) || Symbol.iterator in headers) return NO_HEADERS;
  const entries = Object.entries(headers) as [string, unknown][];
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
  if (!entries.every(isText)) return NO_HEADERS;
  return { url, headers: Object.fromEntries(entries), body, ...(exchange === false && { exchange }) };
}
