/** The port of a source: a provider, or a scheme, whose requests a channel can verify. */
import type { HeaderPairs } from '../http/headers.js';
import { type TopicOf, typeInBody } from './topic.js';

/** A request as it came in, before its body is read. */
export interface SourceRequest {
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
  /** Unix milliseconds. */
  readonly now: number;
}

/** The settings of a channel's source. */
export interface SourceSettings {
  /** Several while one is rotated: a request that fits any of them is genuine. */
  readonly secrets: readonly string[];
  /** Name of the header that carries a token; `null` for all sources but `token`. */
  readonly header: string | null;
}

/**
 * Why a request was refused. Counted for the operator; the sender does not learn it.
 *
 * - `missing_header`: a header that the source needs was not sent.
 * - `repeated_header`: it was sent more than once, so that two readers may see two values.
 * - `malformed_header`: its value has not the form of the source.
 * - `timestamp_mismatch`: two headers tell different times.
 * - `timestamp_too_old`, `timestamp_in_future`: the time is more than {@link TOLERANCE_SECONDS} away.
 * - `signature_mismatch`: the body was not signed with any of the secrets, or the token is not one of them.
 * - `unusable_settings`: the channel has no secret for its source, or one that the source cannot use.
 * - `unknown_source`: there is no source of that name.
 */
export type SourceFailureCode =
  | 'missing_header'
  | 'repeated_header'
  | 'malformed_header'
  | 'timestamp_mismatch'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'signature_mismatch'
  | 'unusable_settings'
  | 'unknown_source';

/** Whether a request is genuine. */
export type Verdict = { readonly ok: true } | { readonly ok: false; readonly code: SourceFailureCode };

export const GENUINE: Verdict = { ok: true };
export const refused = (code: SourceFailureCode): Verdict => ({ ok: false, code });

/** The provider's own id of a delivery, equal when the provider sends the delivery again. */
export interface DeliveryId {
  readonly id: string;
  /** Whether the signature covers the id. If it does not, anyone who captured a request can change the id. */
  readonly isSigned: boolean;
  /** Whether the id is part of the body. Such a provider may print an event again each time it sends it. */
  readonly isInBody: boolean;
}

/** How far the time of a signature may be from now, on either side, included. */
export const TOLERANCE_SECONDS = 300;

/** One source. Holds no state, throws nothing, and compares secrets in constant time. */
export interface Source {
  readonly name: string;
  /** The settings it needs; the others must be empty. */
  readonly needs: readonly (keyof SourceSettings)[];
  /** The problem of a secret that is meant for this source; `null` for a good one. Never quotes it. */
  readonly secretProblem: (secret: string) => string | null;
  /** @param settings - Checked: see `checkSourceSettings`. */
  readonly verify: (request: SourceRequest, settings: SourceSettings) => Verdict;
  /** The provider's id of a genuine request; `null` if it has none. */
  readonly deliveryId: (request: Pick<SourceRequest, 'headers' | 'body'>) => DeliveryId | null;
  /**
   * The text that the provider demands in the answer before it sends anything, where this body asks for it;
   * else `null`. Such a request is not an event.
   */
  readonly challenge: (body: Uint8Array) => string | null;
  /** The provider's name of what happened; null if the request has none. */
  readonly topic: TopicOf;
  /** Names, in lower case, of headers whose value is a secret of the settings. They must not be stored. */
  readonly secretHeaders: (settings: SourceSettings) => readonly string[];
}

/** The members that most sources share: secrets are required, may be any text, and are in no header. */
export const signedSource = {
  needs: ['secrets'],
  secretProblem: () => null,
  challenge: () => null,
  topic: typeInBody,
  secretHeaders: () => [],
} as const satisfies Partial<Source>;
