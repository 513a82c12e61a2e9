/** The ground floor of every error that this package throws. */

/**
 * Whatever Headgate throws on purpose is one of these.
 *
 * `code` is API and never changes its meaning; `message` is for people and may be reworded.
 * No message holds a secret, a signature or a body.
 */
export class HeadgateError<Code extends string = string> extends Error {
  /** What went wrong, as a stable snake_case word. */
  readonly code: Code;
  override readonly name: string = 'HeadgateError';

  /**
   * @param code - Stable word for programs.
   * @param message - Sentence for people: what is wrong, where, what to do.
   * @param options - What caused it.
   */
  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** One thing wrong in what was handed in. */
export interface Issue<Code extends string = string> {
  /** Stable snake_case word. */
  readonly code: Code;
  /** RFC 6901 pointer to the culprit, from the root of what was handed in; `''` is the whole of it. */
  readonly pointer: string;
  /** What is wrong, and what to write instead. */
  readonly message: string;
}

/** Codes of {@link OptionError}. */
export type OptionErrorCode =
  | 'invalid_option'
  | 'invalid_window'
  | 'invalid_attempt'
  | 'invalid_policy'
  | 'invalid_secret'
  | 'invalid_brand'
  | 'invalid_timestamp'
  | 'invalid_header'
  | 'invalid_body'
  | 'body_too_large';

/** An argument or option that cannot work; thrown when something is configured, never while events flow. */
export class OptionError extends HeadgateError<OptionErrorCode> {
  override readonly name = 'OptionError';
}

/**
 * Codes of {@link StoreError}.
 *
 * - `store_locked`: somebody else holds a lock for too long.
 * - `store_full`: no room left to write.
 * - `store_unreachable`: no connection, or the connection broke.
 * - `store_outdated`: the tables are not there, or are of another version of the package.
 * - `store_damaged`: a record cannot be read as it was written.
 * - `store_failed`: anything else; `cause` has what the database said.
 */
export type StoreErrorCode =
  'store_locked' | 'store_full' | 'store_unreachable' | 'store_outdated' | 'store_damaged' | 'store_failed';

/** A database that did not do what a store asked of it: nothing has happened, or all of it has. `cause` is its error. */
export class StoreError extends HeadgateError<StoreErrorCode> {
  override readonly name = 'StoreError';
}
