/** One attempt, from a lease to what is to be recorded. */
import type { OptionError } from '../errors.js';
import { invalid } from './arguments.js';
import type { Attempt, Delivery } from './delivery.js';
import { extraDelayMs, type Lengthening } from './lengthening.js';
import { outcomeOf, THREW } from './outcome.js';
import { type HostParts, type Prepared, prepare } from './preparation.js';
import type { Claim } from './store.js';
import { afterAttempt, pendingAt } from './transition.js';
import type { AttemptRequest, Transport } from './transport.js';

/** Whom an attempt asks. */
export interface AttemptParts extends HostParts, Lengthening {
  readonly transport: Transport;
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

/**
 * Looks the endpoint up, signs, sends. Never rejects, whatever the host's parts answer. An {@link OptionError} of theirs,
 * or an answer of the wrong type, is a failed attempt, since waiting does not mend it. Whatever else they throw costs none:
 * nothing was sent, and the delivery is due again a minute later.
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
    return { ...unattempted(delivery, clock.now() + RELEASE_MS), error: error ?? threwNothing() };
  }
  if (isGivenUp()) return unattempted(delivery, clock.now());
  const { next, policy, started_at, failingSince } = prepared;
  const sendable = !('failure' in next);
  const tokenAt = sendable ? admit(prepared.perSecond) : null;
  if (tokenAt !== null) return { ...unattempted(delivery, tokenAt), throttled: true };
  const outcome = outcomeOf(sendable ? await send(parts.transport, next, signal) : next);
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

/** An error for a host that threw none: `undefined` means something else where it is told. */
const threwNothing = (): OptionError => invalid('endpoints or the signer threw undefined: throw an error');

/** A transport that breaks its word and rejects may have sent: that counts as an attempt. */
async function send(transport: Transport, request: AttemptRequest, signal: AbortSignal): Promise<unknown> {
  try {
    return await transport.send(request, signal);
  } catch {
    return THREW;
  }
}
