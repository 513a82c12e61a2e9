/** Finds where a text stops being JSON, as RFC 8259 defines it. */

/** Where a text stops being JSON. */
export interface JsonFault {
  /** UTF-16 units before the first one that cannot stand where it does. */
  readonly position: number;
  /** The token that could stand there, in words such as `a digit`. */
  readonly expected: string;
}

/** The first fault of a text; null for JSON. Takes time linear in the text, and no depth overflows the stack. */
export function findJsonFault(text: string): JsonFault | null {
  const scanner = new Scanner(text);
  while (!scanner.isDone()) {
    const expected = scanner.step();
    if (expected !== null) return { position: scanner.at, expected };
  }
  return null;
}

/** The tokens that may come next. `end` is that of an empty container, `more` a comma. */
type Next = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'more or end';

const SPACE = /[ \t\n\r]*/y;
/** All but control characters, the quote and the backslash. */
const ORDINARY = /[ !#-[\]-\uffff]*/y;
const ESCAPED = /["\\/bfnrt]/y;
const HEX_DIGIT = /[\da-fA-F]/y;
const DIGITS = /\d+/y;
const SIGN = /[+-]/y;
const EXPONENT = /[eE]/y;
const LITERALS = ['true', 'false', 'null'];

/** Reads a text token by token. Made for one text. */
class Scanner {
  /** UTF-16 units read. After a step that failed, the place of the fault. */
  at = 0;
  readonly #text: string;
  /** The brackets that close what is open, innermost last. */
  readonly #open: ('}' | ']')[] = [];
  #next: Next = 'value';

  constructor(text: string) {
    this.#text = text;
  }

  /** Skips white space; true at the end of a whole value. */
  isDone(): boolean {
    this.#take(SPACE);
    return this.at === this.#text.length && this.#next === 'more or end' && this.#open.length === 0;
  }

  /** Reads the next token; returns what was expected in its place, or null when it was there. */
  step(): string | null {
    switch (this.#next) {
      case 'value':
        return this.#value('a value');
      case 'value or end':
        return this.#close(']') ? null : this.#value('a value or ]');
      case 'name':
        return this.#name('a name in double quotes');
      case 'name or end':
        return this.#close('}') ? null : this.#name('a name in double quotes or }');
      case 'colon':
        return this.#skip(':', 'value') ? null : 'a colon';
      case 'more or end':
        return this.#moreOrEnd();
    }
  }

  #moreOrEnd(): string | null {
    const end = this.#open.at(-1);
    if (end === undefined) return 'nothing after the value';
    return this.#skip(',', end === '}' ? 'name' : 'value') || this.#close(end) ? null : `a comma or ${end}`;
  }

  #value(expected: string): string | null {
    if (this.#skip('{', 'name or end')) {
      this.#open.push('}');
      return null;
    }
    if (this.#skip('[', 'value or end')) {
      this.#open.push(']');
      return null;
    }
    if (this.#skip('"', 'more or end')) return this.#restOfString();
    const literal = LITERALS.find((word) => this.#text[this.at] === word[0]);
    this.#next = 'more or end';
    return literal === undefined ? this.#number(expected) : this.#literal(literal);
  }

  #name(expected: string): string | null {
    return this.#skip('"', 'colon') ? this.#restOfString() : expected;
  }

  #literal(word: string): string | null {
    for (const unit of word) {
      if (!this.#skip(unit)) return word;
    }
    return null;
  }

  /** @param expected - Where there is no number at all. */
  #number(expected: string): string | null {
    const isNegative = this.#skip('-');
    if (!this.#skip('0') && !this.#take(DIGITS)) return isNegative ? 'a digit' : expected;
    if (this.#skip('.') && !this.#take(DIGITS)) return 'a digit';
    if (!this.#take(EXPONENT)) return null;
    this.#take(SIGN);
    return this.#take(DIGITS) ? null : 'a digit';
  }

  #restOfString(): string | null {
    for (this.#take(ORDINARY); !this.#skip('"'); this.#take(ORDINARY)) {
      if (this.at === this.#text.length) return 'the double quote that ends the text';
      if (!this.#skip('\\')) return 'an escape, such as \\n, for a control character';
      const expected = this.#restOfEscape();
      if (expected !== null) return expected;
    }
    return null;
  }

  #restOfEscape(): string | null {
    if (!this.#skip('u')) return this.#take(ESCAPED) ? null : 'one of " \\ / b f n r t u';
    for (let digits = 0; digits < 4; digits++) {
      if (!this.#take(HEX_DIGIT)) return 'a hexadecimal digit';
    }
    return null;
  }

  #close(end: '}' | ']'): boolean {
    const isThere = this.#skip(end, 'more or end');
    if (isThere) this.#open.pop();
    return isThere;
  }

  /** Reads one unit, if it is there; then `next` may come. */
  #skip(unit: string, next = this.#next): boolean {
    if (this.#text[this.at] !== unit) return false;
    this.at++;
    this.#next = next;
    return true;
  }

  /** Reads what a pattern finds here; false where that is nothing. */
  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const length = pattern.exec(this.#text)?.[0].length ?? 0;
    this.at += length;
    return length > 0;
  }
}
