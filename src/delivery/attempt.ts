/** One attempt, from a lease to what is to be recorded. */
import type { Clock } from './clock.js';
import type { Attempt, Delivery, Origin } from './delivery.js';
import { assertRetryPolicy, type RetryPolicy } from './retry.js';
import type { Claim } from './store.js';
import { afterAttempt, pendingAt } from './transition.js';
import type { AttemptFailure, AttemptOutcome, AttemptRequest, Transport } from './transport.js';

/** What an attempt reads of an endpoint, as it is at that moment. */
export interface DeliveryTarget extends RetryPolicy {
  /** The customer's URL. */
  readonly url: string;
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
   * @returns All headers of service.md 4.1.
   */
  headers(
    body: Uint8Array,
    about: AttemptAbout,
  ): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
}

/** Whom an attempt asks. */
export interface AttemptParts {
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
  /** Why there was none: what the host's look-up or signer threw; `null` when the scheduler was told to stop. */
  readonly error?: unknown;
}

/** How long a delivery rests whose endpoint could not be looked up, or whose attempt could not be signed. */
const RELEASE_MS = 60_000;

const GONE: AttemptFailure = {
  ok: false,
  failure: 'endpoint_gone',
  transient: false,
  detail: 'The endpoint no longer exists',
};

/**
 * Looks the endpoint up, signs, sends. Never rejects. What the host's own parts throw costs no attempt: nothing was
 * sent, and the delivery is due again a minute later.
 *
 * @param claim - The leased delivery.
 * @param parts - Whom to ask.
 * @param signal - Fires when the host gives the attempt up.
 */
export async function attemptDelivery(
  claim: Claim,
  parts: AttemptParts,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { delivery } = claim;
  const { clock } = parts;
  let prepared: Prepared | null;
  try {
    prepared = await prepare(claim, parts);
  } catch (error) {
    return { ...unattempted(delivery, clock.now() + RELEASE_MS), error };
  }
  const started_at = prepared?.started_at ?? clock.now();
  const outcome = prepared === null ? GONE : await send(parts.transport, prepared.request, signal);
  const ended_at = clock.now();
  if (signal.aborted && !outcome.ok) return unattempted(delivery, ended_at);
  const after = afterAttempt(delivery, { started_at, ended_at, outcome }, prepared?.policy ?? null);
  return { delivery: after, attempt: after.last_attempt };
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
});

/** An attempt about to start. */
interface Prepared {
  readonly request: AttemptRequest;
  readonly policy: RetryPolicy;
  readonly started_at: number;
}

/** Null when the endpoint is gone. Throws what the host's parts throw, and for a policy out of bounds. */
async function prepare({ delivery, body }: Claim, parts: AttemptParts): Promise<Prepared | null> {
  const target = await parts.endpoints(delivery.endpoint_id);
  if (target === null || target === undefined) return null;
  const { url, retry_max_attempts, retry_backoff_base_seconds } = target;
  const policy = { retry_max_attempts, retry_backoff_base_seconds };
  assertRetryPolicy(policy);
  const signer = await parts.signer(delivery);
  const started_at = parts.clock.now();
  const headers = await signer.headers(body, {
    eventId: delivery.event_id,
    eventType: delivery.event_type,
    origin: delivery.origin,
    timestamp: Math.floor(started_at / 1_000),
  });
  return { request: { url, headers, body }, policy, started_at };
}

/** A transport that breaks its word and rejects may have sent something: that counts as an attempt. */
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
