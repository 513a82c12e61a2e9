/** From a lease to a signed request: what the host's look-up and signer answer, looked at before anything is sent. */
import { OptionError } from '../errors.js';
import type { Clock } from './clock.js';
import type { Delivery, Origin } from './delivery.js';
import { assertRate } from './rates.js';
import { assertRetryPolicy, defaultRetryPolicy, type RetryPolicy } from './retry.js';
import type { Claim } from './store.js';
import type { AttemptFailure, AttemptRequest } from './transport.js';

/** The endpoint's settings, looked up at each attempt. */
export interface DeliveryTarget extends RetryPolicy {
  /** The customer's URL. */
  readonly url: string;
  /**
   * Most attempts a second of one scheduler, from one an hour (1 / 3,600) to 10,000; `0.5` is one every two seconds.
   * Left out or `null`: no limit.
   */
  readonly rate_limit_per_second?: number | null;
  /**
   * Since when its attempts fail, as `endpointFailing` told the host; Unix ms. Left out or `null`: they do not. Read
   * where `pauseAfterDays` is set.
   */
  readonly failing_since?: number | null;
}

/** The contents of an attempt's headers, besides the signature. */
export interface AttemptAbout {
  /** The event's id. */
  readonly eventId: string;
  /** The event's type. */
  readonly eventType: string;
  readonly origin: Origin;
  /** When the attempt starts; Unix seconds. */
  readonly timestamp: number;
}

/** Makes all headers of an attempt; both signers of `headgate/signing` are this. */
export interface DeliverySigner {
  /**
   * @param body - The raw request body.
   * @param about - The contents of the other headers.
   * @returns All headers of docs/signing.md.
   */
  headers(
    body: Uint8Array,
    about: AttemptAbout,
  ): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
}

/** The host's parts, besides the transport. */
export interface HostParts {
  readonly clock: Clock;
  readonly endpoints: (
    endpointId: string,
  ) => DeliveryTarget | null | undefined | Promise<DeliveryTarget | null | undefined>;
  readonly signer: (delivery: Delivery) => DeliverySigner | Promise<DeliverySigner>;
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
  'Not sent: the look-up of the endpoint gave neither one nor null',
);
const NO_URL = unsent('url_refused', 'The URL of the endpoint is no text');
const NO_SIGNER = unsent('internal_error', 'Not sent: what was found to sign it is no signer');
const NO_HEADERS = unsent('internal_error', 'Not sent: the signer gave no object of headers, each a text');

/** An attempt about to start. */
export interface Prepared {
  /** The request to send, or the reason why none can be sent. */
  readonly next: AttemptRequest | AttemptFailure;
  /** Null when the endpoint is gone. */
  readonly policy: RetryPolicy | null;
  readonly started_at: number;
  /** The endpoint's rate limit. */
  readonly perSecond: number | null;
  readonly failingSince: number | null;
}

/**
 * Looks the endpoint up and signs. Throws what the host's parts throw, save for an {@link OptionError}.
 *
 * @param claim - The leased delivery.
 * @param parts - Whom to ask.
 */
export async function prepare({ delivery, body }: Claim, parts: HostParts): Promise<Prepared> {
  let policy = defaultRetryPolicy;
  let started_at = parts.clock.now();
  const unknown = { perSecond: null, failingSince: null };
  try {
    const target: unknown = await parts.endpoints(delivery.endpoint_id);
    if (target === null || target === undefined) return { next: GONE, policy: null, started_at, ...unknown };
    if (!isEndpoint(target)) return { next: NO_ENDPOINT, policy, started_at, ...unknown };
    policy = policyOf(target);
    const { url, rate_limit_per_second: perSecond = null, failing_since: failingSince = null } = target;
    assertRate(perSecond);
    if (typeof url !== 'string') return { next: NO_URL, policy, started_at, perSecond, failingSince };
    const signer: unknown = await parts.signer(delivery);
    started_at = parts.clock.now();
    const next = isSigner(signer)
      ? requestOf(url, await signer.headers(body, aboutOf(delivery, started_at)), body)
      : NO_SIGNER;
    return { next, policy, started_at, perSecond, failingSince };
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    return { next: refusal(error), policy, started_at, ...unknown };
  }
}

function policyOf({ retry_max_attempts, retry_backoff_base_seconds }: DeliveryTarget): RetryPolicy {
  const policy = { retry_max_attempts, retry_backoff_base_seconds };
  assertRetryPolicy(policy);
  return policy;
}

/** Only the code is told: a host's message may hold what no record should. */
const refusal = ({ code }: OptionError): AttemptFailure => unsent('internal_error', `Not sent: ${code}`);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Its members may be anything. */
const isEndpoint = (target: unknown): target is DeliveryTarget & { readonly url: unknown } =>
  isObject(target) && !Array.isArray(target);

const isSigner = (signer: unknown): signer is DeliverySigner =>
  (isObject(signer) || typeof signer === 'function') &&
  'headers' in signer &&
  typeof signer.headers === 'function';

const aboutOf = (delivery: Delivery, started_at: number): AttemptAbout => ({
  eventId: delivery.event_id,
  eventType: delivery.event_type,
  origin: delivery.origin,
  timestamp: Math.floor(started_at / 1_000),
});

/** The headers are copied. A `Headers` or a `Map` has none of its own, and would be sent as no signature at all. */
function requestOf(url: string, headers: unknown, body: Uint8Array): AttemptRequest | AttemptFailure {
  if (!isObject(headers) || Symbol.iterator in headers) return NO_HEADERS;
  const entries = Object.entries(headers) as [string, unknown][];
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
  return entries.every(isText) ? { url, headers: Object.fromEntries(entries), body } : NO_HEADERS;
}
