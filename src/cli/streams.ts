/** The streams of a command. */

/** Where bytes come from. */
export interface Input extends AsyncIterable<Uint8Array> {
  readonly isTerminal: boolean;
}

/** Where text goes to. */
export interface Output {
  readonly isTerminal: boolean;
  /**
   * Resolves once more may be written.
   *
   * @throws {@link OutputClosed} (as a rejection) when nobody reads any more.
   */
  readonly write: (text: string) => Promise<void>;
}

/** Ends a command quietly: the reader of its output has gone, as `head` does. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}
