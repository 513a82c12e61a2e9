/** The error class of publishers. */
import { HeadgateError } from '../errors.js';

/**
 * Codes of {@link PublisherError}. docs/errors.md has causes and cures.
 *
 * - `invalid_event`: the event is not valid, or too large. Publishing it again does not help.
 * - `unauthorized`: the key is wrong, revoked, of another project, or lacks the scope `ingest`.
 * - `idempotency_conflict`: another event was published with this idempotency key.
 * - `unavailable`: every attempt failed. The event may be stored or not: publish it again with the same
 *   `idempotencyKey`.
 * - `aborted`: the signal fired. The event may be stored or not, as above.
 */
export type PublisherErrorCode =
  'invalid_event' | 'unauthorized' | 'idempotency_conflict' | 'unavailable' | 'aborted';

/** Members of a {@link PublisherError} besides its code and message. */
export interface PublisherErrorDetails {
  /** The key under which the event can be published again. */
  readonly idempotencyKey: string;
  /** The HTTP status of the last answer; `null` without one. */
  readonly status: number | null;
  /** The faults of the event, each with a code for programs and a JSON Pointer into the event. */
  readonly issues: readonly { readonly code: string; readonly pointer: string; readonly message: string }[];
}

/** An event that is not known to be stored. No message holds the key or an event. */
export class PublisherError extends HeadgateError<PublisherErrorCode> implements PublisherErrorDetails {
  override readonly name = 'PublisherError';
  readonly idempotencyKey: string;
  readonly status: number | null;
  readonly issues: PublisherErrorDetails['issues'];

  constructor(
    code: PublisherErrorCode,
    message: string,
    { idempotencyKey, status, issues, cause }: PublisherErrorDetails & ErrorOptions,
  ) {
    super(code, message, cause === undefined ? {} : { cause });
    this.idempotencyKey = idempotencyKey;
    this.status = status;
    this.issues = issues;
  }
}
