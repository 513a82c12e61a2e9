/** Reads JSON token by token, as RFC 8259 defines it. It keeps one byte for each open container, and never recurses. */
import { jsonErrorAt } from './json-error.js';
import { type LineAndColumn, LineCounter } from './lines.js';

/**
 * The kind of a token. A `name` is the name of an object's member, a `literal` is `true`, `false` or `null`, and `end`
 * comes after the whole value. Commas, colons and white space are checked, but are not tokens.
 */
export type JsonToken = '{' | '}' | '[' | ']' | 'name' | 'string' | 'number' | 'literal' | 'end';

/**
 * The tokens of a JSON text, one at a time. Use it for what `JSON.parse` does not tell: where a value is in the text,
 * how a number is written, whether a name comes twice. It takes time linear in the text and text of any depth.
 *
 * @example
 * ```ts
 * import { JsonTokens } from 'headgate';
 *
 * const text = '{"id":12345678901234567890}';
 * const tokens = new JsonTokens(text);
 * for (let token = tokens.next(); token !== 'end'; token = tokens.next()) {
 *   if (token === 'number') console.log(text.slice(tokens.start, tokens.end)); // 12345678901234567890
 * }
 * ```
 */
export class JsonTokens {
  /** UTF-16 units before the token that was read last, with its quote if it is a name or a string. */
  start = 0;
  /** UTF-16 units up to its end. */
  end = 0;
  /** True for a name or a string without escapes, and for a number without exponent. */
  isPlain = true;
  readonly #text: string;
  readonly #lines: LineCounter;
  #expects: Expected = VALUE;
  /** The unit that closes the innermost open container, and those that close the others; 0 if none is open. */
  #closer = 0;
  #outer = new Uint8Array(FIRST_DEPTH);
  #depth = 0;

  /** @param text - Without a byte order mark. */
  constructor(text: string) {
    this.#text = text;
    this.#lines = new LineCounter(text);
  }

  /**
   * Reads the next token. After `end` it returns `end` again.
   *
   * @throws {@link JsonError} at the first unit that cannot be JSON.
   */
  next(): JsonToken {
    const text = this.#text;
    let at = endOfSpace(text, this.end);
    if (this.#expects === MORE) {
      if (this.#depth === 0) return this.#last(at);
      const unit = unitAt(text, at);
      if (unit === this.#closer) return this.#close(at);
      if (unit !== COMMA) throw jsonErrorAt(text, at, `a comma or ${String.fromCharCode(this.#closer)}`);
      at = endOfSpace(text, at + 1);
      this.#expects = this.#closer === CLOSE_OBJECT ? NAME : VALUE;
    } else if (this.#expects === COLON) {
      if (unitAt(text, at) !== COLON_UNIT) throw jsonErrorAt(text, at, 'a colon');
      at = endOfSpace(text, at + 1);
      this.#expects = VALUE;
    }
    return this.#expects === NAME || this.#expects === NAME_OR_END ? this.#name(at) : this.#value(at);
  }

  /** The name or string that was read last, without quotes and escapes. */
  string(): string {
    const { start, end, isPlain } = this;
    return isPlain
      ? this.#text.slice(start + 1, end - 1)
      : (JSON.parse(this.#text.slice(start, end)) as string);
  }

  /** The position of the token for people. Asking for any number of tokens takes one pass over the text. */
  position(): LineAndColumn {
    return this.#lines.at(this.start);
  }

  #last(at: number): JsonToken {
    if (at < this.#text.length) throw jsonErrorAt(this.#text, at, 'nothing after the value');
    this.start = this.end = at;
    return 'end';
  }

  #name(at: number): JsonToken {
    const unit = unitAt(this.#text, at);
    if (unit === QUOTE) return this.#string(at, 'name', COLON);
    if (this.#expects === NAME) throw jsonErrorAt(this.#text, at, 'a name in double quotes');
    if (unit === CLOSE_OBJECT) return this.#close(at);
    throw jsonErrorAt(this.#text, at, 'a name in double quotes or }');
  }

  #value(at: number): JsonToken {
    const unit = unitAt(this.#text, at);
    switch (unit) {
      case OPEN_OBJECT:
        return this.#begin(at, '{', CLOSE_OBJECT, NAME_OR_END);
      case OPEN_ARRAY:
        return this.#begin(at, '[', CLOSE_ARRAY, VALUE_OR_END);
      case QUOTE:
        return this.#string(at, 'string', MORE);
      case LETTER_T:
        return this.#literal(at, 'true');
      case LETTER_F:
        return this.#literal(at, 'false');
      case LETTER_N:
        return this.#literal(at, 'null');
    }
    if (unit === MINUS || isDigit(unit)) return this.#number(at);
    if (this.#expects === VALUE) throw jsonErrorAt(this.#text, at, 'a value');
    if (unit === CLOSE_ARRAY) return this.#close(at);
    throw jsonErrorAt(this.#text, at, 'a value or ]');
  }

  #found(kind: JsonToken, start: number, end: number, expects: Expected): JsonToken {
    this.start = start;
    this.end = end;
    this.#expects = expects;
    return kind;
  }

  #begin(at: number, kind: '{' | '[', closer: number, expects: Expected): JsonToken {
    if (this.#depth === this.#outer.length) {
      const wider = new Uint8Array(2 * this.#depth);
      wider.set(this.#outer);
      this.#outer = wider;
    }
    this.#outer[this.#depth++] = this.#closer;
    this.#closer = closer;
    return this.#found(kind, at, at + 1, expects);
  }

  /** Ends the innermost container. */
  #close(at: number): JsonToken {
    const kind = this.#closer === CLOSE_OBJECT ? '}' : ']';
    this.#closer = this.#outer[--this.#depth] as number;
    return this.#found(kind, at, at + 1, MORE);
  }

  #string(start: number, kind: 'name' | 'string', expects: Expected): JsonToken {
    const text = this.#text;
    this.isPlain = true;
    let at = endOfOrdinary(text, start + 1);
    for (; text.charCodeAt(at) !== QUOTE; at = endOfOrdinary(text, at)) {
      this.isPlain = false;
      at = endOfEscape(text, at);
    }
    return this.#found(kind, start, at + 1, expects);
  }

  #literal(start: number, word: string): JsonToken {
    const text = this.#text;
    if (text.startsWith(word, start)) return this.#found('literal', start, start + word.length, MORE);
    let at = start;
    while (text[at] === word[at - start]) at++;
    throw jsonErrorAt(text, at, word);
  }

  #number(start: number): JsonToken {
    const text = this.#text;
    let at = unitAt(text, start) === MINUS ? start + 1 : start;
    at = unitAt(text, at) === ZERO ? at + 1 : endOfDigits(text, at);
    if (unitAt(text, at) === POINT) at = endOfDigits(text, at + 1);
    const unit = unitAt(text, at);
    this.isPlain = unit !== LETTER_E && unit !== CAPITAL_E;
    if (!this.isPlain) {
      const sign = unitAt(text, at + 1);
      at = endOfDigits(text, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
    }
    return this.#found('number', start, at, MORE);
  }
}

/** Kinds of tokens that may come next; `MORE` is a comma or the end of the innermost container. */
const VALUE = 0;
const VALUE_OR_END = 1;
const NAME = 2;
const NAME_OR_END = 3;
const COLON = 4;
const MORE = 5;
type Expected = 0 | 1 | 2 | 3 | 4 | 5;

/** Levels that are open at first; it doubles when needed. */
const FIRST_DEPTH = 32;

const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const COLON_UNIT = 0x3a;
const CAPITAL_E = 0x45;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const LETTER_E = 0x65;
const LETTER_F = 0x66;
const LETTER_N = 0x6e;
const LETTER_T = 0x74;
const LETTER_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** -1 at the end: the NaN of `charCodeAt` would make every comparison slower. */
const unitAt = (text: string, at: number): number => (at < text.length ? text.charCodeAt(at) : -1);

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

function endOfSpace(text: string, from: number): number {
  let at = from;
  for (let unit = unitAt(text, at); unit <= 0x20 && unit >= 0; unit = unitAt(text, ++at)) {
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) break;
  }
  return at;
}

/** @throws JsonError if there is no digit. */
function endOfDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(unitAt(text, at))) at++;
  if (at === from) throw jsonErrorAt(text, at, 'a digit');
  return at;
}

/** A regular expression reads a long string three times as fast as a loop, and a short one more slowly. */
const LONG = 64;
const ORDINARY = /[ !#-[\]-\uffff]*/y;

/** The position of the first quote, backslash or control character, or the end of the text. */
function endOfOrdinary(text: string, from: number): number {
  const most = Math.min(text.length, from + LONG);
  for (let at = from; at < most; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 || unit === QUOTE || unit === BACKSLASH) return at;
  }
  ORDINARY.lastIndex = most;
  ORDINARY.test(text);
  return ORDINARY.lastIndex;
}

/** @throws JsonError for anything but an escape. */
function endOfEscape(text: string, start: number): number {
  if (start >= text.length) throw jsonErrorAt(text, start, 'the double quote that ends the string');
  if (text.charCodeAt(start) !== BACKSLASH) {
    throw jsonErrorAt(text, start, 'an escape, such as \\n, for a control character');
  }
  const unit = unitAt(text, start + 1);
  if (unit !== LETTER_U) {
    if (unit >= 0 && '"\\/bfnrt'.includes(String.fromCharCode(unit))) return start + 2;
    throw jsonErrorAt(text, start + 1, 'one of " \\ / b f n r t u');
  }
  for (let at = start + 2; at < start + 6; at++) {
    const digit = unitAt(text, at);
    if (!isDigit(digit) && !isHexLetter(digit)) throw jsonErrorAt(text, at, 'a hexadecimal digit');
  }
  return start + 6;
}

const isHexLetter = (unit: number): boolean => (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x66;
