/** The base class of all errors of this package, and the errors that several modules throw. */

/**
 * The base class of every error that Headgate throws on purpose.
 *
 * `code` is API and never changes its meaning; `message` is for people and may be reworded.
 * No message holds a secret, a signature or a body.
 */
export class HeadgateError<Code extends string = string> extends Error {
  /** A stable snake_case word for the failure. */
  readonly code: Code;
  override readonly name: string = 'HeadgateError';

  /**
   * @param code - Stable word for programs.
   * @param message - Sentence for people: the fault, its position or pointer, the remedy.
   * @param options - `cause`, where another error led to this one.
   */
  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** One problem of an input. */
export interface Issue<Code extends string = string> {
  /** Stable snake_case word. */
  readonly code: Code;
  /** RFC 6901 pointer to the problem, from the root of the input; `''` is the whole input. */
  readonly pointer: string;
  /** The problem, and a way to fix it. */
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
 * - `store_failed`: anything else; `cause` is the database's error.
 */
export type StoreErrorCode =
  'store_locked' | 'store_full' | 'store_unreachable' | 'store_outdated' | 'store_damaged' | 'store_failed';

/** A call of a store that failed: all of it was recorded, or none. `cause` is the database's error. */
export class StoreError extends HeadgateError<StoreErrorCode> {
  override readonly name = 'StoreError';
}
