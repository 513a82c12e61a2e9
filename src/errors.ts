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

  /** @param code - Stable word for programs. @param message - Sentence for people: what is wrong, where, what to do. */
  constructor(code: Code, message: string) {
    super(message);
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
  | 'invalid_body';

/** An argument or option that cannot work; thrown when something is configured, never while events flow. */
export class OptionError extends HeadgateError<OptionErrorCode> {
  override readonly name = 'OptionError';
}
