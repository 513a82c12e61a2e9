/** One attempt: from a leased delivery to the result that is recorded. */
import type { OptionError } from '../errors.js';
import { invalid } from './arguments.js';
import type { Attempt, Delivery } from './delivery.js';
import { extraDelayMs, type RetryDelayOptions } from './retry-delay.js';
import { exchangeOf, outcomeOf, THREW } from './outcome.js';
import { type HostParts, type Prepared, prepare } from './preparation.js';
import type { Claim } from './store.js';
import type { BeginTrace } from './tracing.js';
import { afterAttempt, pendingAt } from './transition.js';
import type { AttemptRequest, Exchange, Transport } from './transport.js';

/** The parts of the host that an attempt uses. */
export interface AttemptParts extends HostParts, RetryDelayOptions {
  readonly transport: Transport;
}

/** The result of a lease: the new record, and the attempt to add to its history, if one was made. */
export interface AttemptResult {
  readonly delivery: Delivery;
  readonly attempt: Attempt | null;
  /** Why none was made: the error of the host's look-up or signer; `undefined` when the attempt was given up. */
  readonly error?: unknown;
  /** None was made, because the endpoint's rate limit did not allow one. */
  readonly throttled?: boolean;
  /** The endpoint's `failing_since` when it was looked up, unchecked; null without one. */
  readonly failingSince: unknown;
  /** The URL that was used; left out where nothing was sent. */
  readonly url?: string;
  /** Left out unless the transport keeps exchanges. */
  readonly exchange?: Exchange;
}

/**
 * Asks whether an attempt may be sent now.
 *
 * @param perSecond - The endpoint's rate limit; `null` for none.
 * @returns `null` when it may; otherwise when to ask again, in Unix ms.
 */
export type Admit = (perSecond: number | null) => number | null;

/** Wait before a delivery is due again, after its endpoint could not be looked up or its attempt not be signed. */
const RELEASE_MS = 60_000;

/**
 * Looks up the endpoint, signs, and sends. Never rejects, whatever the host's parts return or throw. If one throws an
 * {@link OptionError} or returns a value of the wrong type, that is recorded as a failed attempt, since waiting does
 * not help. After any other error no attempt is counted: nothing was sent, and the delivery is due again a minute
 * later.
 *
 * @param claim - The leased delivery.
 * @param parts - The host's parts.
 * @param signal - Ends the attempt when it fires; nothing is sent afterwards.
 * @param admit - Called once, when the request is ready to be sent.
 * @param begin - Begins the trace of the attempt; called once it is admitted.
 */
export async function attemptDelivery(
  claim: Claim,
  parts: AttemptParts,
  signal: AbortSignal,
  admit: Admit,
  begin: BeginTrace,
): Promise<AttemptResult> {
  const { delivery } = claim;
  const { clock } = parts;
  const isAborted = (): boolean => signal.aborted;
  let prepared: Prepared;
  try {
    prepared = await prepare(claim, parts);
  } catch (error) {
    return { ...unattempted(delivery, clock.now() + RELEASE_MS), error: error ?? threwNothing() };
  }
  if (isAborted()) return unattempted(delivery, clock.now());
  const { next, policy, started_at, failingSince } = prepared;
  const sendable = !('failure' in next);
  const tokenAt = sendable ? admit(prepared.perSecond) : null;
  if (tokenAt !== null) return { ...unattempted(delivery, tokenAt), throttled: true };
  const trace = begin(delivery, started_at, next);
  const posted = (request: AttemptRequest): Promise<unknown> => send(parts.transport, request, signal);
  const answer: unknown = sendable ? await trace.send(next, posted) : next;
  const outcome = outcomeOf(answer);
  const ended_at = clock.now();
  const isGivenUp = isAborted() && !outcome.ok;
  trace.ended(isGivenUp ? null : outcome, ended_at);
  if (isGivenUp) return unattempted(delivery, ended_at);
  const attempt = { number: delivery.attempts + 1, started_at, ended_at, outcome };
  const extra_ms = policy === null ? 0 : extraDelayMs(policy, attempt, parts);
  const record = afterAttempt(delivery, attempt, policy, extra_ms);
  const exchange = exchangeOf(answer);
  const sent = { ...(sendable && { url: next.url }), ...(exchange !== undefined && { exchange }) };
  return { delivery: record, attempt, failingSince, ...sent };
}

/**
 * The result of a lease that is given back unused.
 *
 * @param delivery - The leased record.
 * @param due_at - When it may be claimed again; Unix ms.
 */
export const unattempted = (delivery: Delivery, due_at: number): AttemptResult => ({
  delivery: pendingAt(delivery, due_at),
  attempt: null,
  failingSince: null,
});

/** Stands for a thrown `undefined`, which the callbacks use for a lease that was given up. */
const threwNothing = (): OptionError => invalid('endpoints or the signer threw undefined: throw an error');

/** A transport that rejects, against its contract, may have sent the request: that counts as an attempt. */
async function send(transport: Transport, request: AttemptRequest, signal: AbortSignal): Promise<unknown> {
  try {
    return await transport.send(request, signal);
  } catch {
    return THREW;
  }
}
