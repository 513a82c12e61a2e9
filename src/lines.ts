/** Lines and columns of positions in a text. */

/** A position in a text, for people. */
export interface LineAndColumn {
  /** From 1; `\n`, `\r\n` and `\r` end a line. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

/**
 * Counts lines from one position to the next, so that any number of positions takes one pass over the text. Mutable.
 */
export class LineCounter {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** @param position - In UTF-16 units; not before that of the last call. */
  at(position: number): LineAndColumn {
    for (; this.#at < position; this.#at++) {
      const unit = this.#text.charCodeAt(this.#at);
      const endsLine = unit === LINE_FEED || (unit === CARRIAGE_RETURN && !this.#isBeforeLineFeed(position));
      if (endsLine) [this.#line, this.#lineStart] = [this.#line + 1, this.#at + 1];
    }
    return { line: this.#line, column: position - this.#lineStart + 1 };
  }

  #isBeforeLineFeed(position: number): boolean {
    return this.#at + 1 < position && this.#text.charCodeAt(this.#at + 1) === LINE_FEED;
  }
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
