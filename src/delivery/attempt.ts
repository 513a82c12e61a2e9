/** One attempt, from a lease to what is to be recorded. */
import { OptionError } from '../errors.js';
import type { Clock } from './clock.js';
import type { Attempt, Delivery, Origin } from './delivery.js';
import { extraDelayMs, type Lengthening } from './lengthening.js';
import { assertRate } from './rates.js';
import { assertRetryPolicy, defaultRetryPolicy, type RetryPolicy } from './retry.js';
import type { Claim } from './store.js';
import { afterAttempt, pendingAt } from './transition.js';
import type { AttemptFailure, AttemptOutcome, AttemptRequest, Transport } from './transport.js';

/** What an attempt reads of an endpoint, as it is at that moment. */
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

/** What the headers of an attempt tell. */
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
   * @param about - What the headers tell.
   * @returns All headers of docs/signing.md.
   */
  headers(
    body: Uint8Array,
    about: AttemptAbout,
  ): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
}

/** Whom an attempt asks. */
export interface AttemptParts extends Lengthening {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly endpoints: (
    endpointId: string,
  ) => DeliveryTarget | null | undefined | Promise<DeliveryTarget | null | undefined>;
  readonly signer: (delivery: Delivery) => DeliverySigner | Promise<DeliverySigner>;
}

/** What came of a lease: the record as it is to be, and the attempt to add to its history, if there was one. */
export interface AttemptResult {
  readonly delivery: Delivery;
  readonly attempt: Attempt | null;
  /** Why there was none: what the host's look-up or signer threw; `undefined` when it was given up. */
  readonly error?: unknown;
  /** There was none since the endpoint's rate limit did not let it go. */
  readonly throttled?: boolean;
  /** The endpoint's `failing_since` as the attempt found it; null without one. */
  readonly failingSince: number | null;
}

/**
 * Asks whether an attempt may be sent now.
 *
 * @param perSecond - The endpoint's rate limit; `null` for none.
 * @returns `null` when it may; else when it is worth asking again. Unix ms.
 */
export type Admit = (perSecond: number | null) => number | null;

/** How long a delivery rests whose endpoint could not be looked up, or whose attempt could not be signed. */
const RELEASE_MS = 60_000;

const GONE: AttemptFailure = {
  ok: false,
  failure: 'endpoint_gone',
  transient: false,
  detail: 'The endpoint no longer exists',
};

/**
 * Looks the endpoint up, signs, sends. Never rejects. An {@link OptionError} of the host's own parts is a failed
 * attempt, since waiting does not mend it. Whatever else they throw costs none: nothing was sent, and the delivery is
 * due again a minute later.
 *
 * @param claim - The leased delivery.
 * @param parts - Whom to ask.
 * @param signal - Fires when the attempt is to end; nothing is sent from then on.
 * @param admit - Asked once, when everything is ready to be sent.
 */
export async function attemptDelivery(
  claim: Claim,
  parts: AttemptParts,
  signal: AbortSignal,
  admit: Admit,
): Promise<AttemptResult> {
  const { delivery } = claim;
  const { clock } = parts;
  const isGivenUp = (): boolean => signal.aborted;
  let prepared: Prepared;
  try {
    prepared = await prepare(claim, parts);
  } catch (error) {
    return { ...unattempted(delivery, clock.now() + RELEASE_MS), error };
  }
  if (isGivenUp()) return unattempted(delivery, clock.now());
  const { next, policy, started_at, failingSince } = prepared;
  const sendable = !('failure' in next);
  const tokenAt = sendable ? admit(prepared.perSecond) : null;
  if (tokenAt !== null) return { ...unattempted(delivery, tokenAt), throttled: true };
  const outcome = sendable ? await send(parts.transport, next, signal) : next;
  const ended_at = clock.now();
  if (isGivenUp() && !outcome.ok) return unattempted(delivery, ended_at);
  const attempt = { number: delivery.attempts + 1, started_at, ended_at, outcome };
  const extra_ms = policy === null ? 0 : extraDelayMs(policy, attempt, parts);
  return { delivery: afterAttempt(delivery, attempt, policy, extra_ms), attempt, failingSince };
}

/**
 * A lease given back as if it had never been.
 *
 * @param delivery - The leased record.
 * @param due_at - When anybody may claim it again; Unix ms.
 */
export const unattempted = (delivery: Delivery, due_at: number): AttemptResult => ({
  delivery: pendingAt(delivery, due_at),
  attempt: null,
  failingSince: null,
});

/** An attempt about to start. */
interface Prepared {
  /** What to send, or why nothing can be sent. */
  readonly next: AttemptRequest | AttemptFailure;
  /** Null when the endpoint is gone. */
  readonly policy: RetryPolicy | null;
  readonly started_at: number;
  /** The endpoint's rate limit. */
  readonly perSecond: number | null;
  readonly failingSince: number | null;
}

/** Throws what the host's parts throw, save for an {@link OptionError}. */
async function prepare({ delivery, body }: Claim, parts: AttemptParts): Promise<Prepared> {
  let policy = defaultRetryPolicy;
  let started_at = parts.clock.now();
  const unknown = { perSecond: null, failingSince: null };
  try {
    const target = await parts.endpoints(delivery.endpoint_id);
    if (target === null || target === undefined) return { next: GONE, policy: null, started_at, ...unknown };
    policy = policyOf(target);
    const { url, rate_limit_per_second: perSecond = null, failing_since: failingSince = null } = target;
    assertRate(perSecond);
    const signer = await parts.signer(delivery);
    started_at = parts.clock.now();
    const headers = await signer.headers(body, {
      eventId: delivery.event_id,
      eventType: delivery.event_type,
      origin: delivery.origin,
      timestamp: Math.floor(started_at / 1_000),
    });
    return { next: { url, headers, body }, policy, started_at, perSecond, failingSince };
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
const refusal = ({ code }: OptionError): AttemptFailure => ({
  ok: false,
  failure: 'internal_error',
  transient: false,
  detail: `Not sent: ${code}`,
});

/** A transport that breaks its word and rejects may have sent: that counts as an attempt. */
async function send(
  transport: Transport,
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  try {
    return await transport.send(request, signal);
  } catch {
    return { ok: false, failure: 'internal_error', transient: true, detail: 'The transport threw' };
  }
}
