/** The streams of a command. */

/** A source of bytes. */
export interface Input extends AsyncIterable<Uint8Array> {
  readonly isTerminal: boolean;
}

/** A destination of text. */
export interface Output {
  readonly isTerminal: boolean;
  /**
   * Resolves once the text is written.
   *
   * @throws (as a rejection) {@link OutputClosed} if nobody reads any more, {@link OutputFailed} if it cannot be
   *   written.
   */
  readonly write: (text: string) => Promise<void>;
}

/** Ends a command quietly: the reader of its output has gone, as `head` does. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** Ends a command whose output is lost: the disk is full, for example. */
export class OutputFailed extends Error {
  override readonly name = 'OutputFailed';
}
