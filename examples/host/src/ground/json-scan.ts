/**
 * Finds what `JSON.parse` does not tell: where text is not JSON, whether a key stands twice in one object,
 * and which numbers are beyond a double. By a loop, so that depth cannot overflow the stack.
 */

/** The first place at which text is not acceptable JSON. */
export interface JsonFault {
  /** UTF-16 units before it. */
  readonly position: number;
  /** From 1. */
  readonly line: number;
  /** UTF-16 units into the line, from 1. */
  readonly column: number;
  /** Says what is wrong or missing there. Quotes nothing of the text. */
  readonly problem: string;
}

/** Facts about a text that is JSON. */
export interface JsonFacts {
  /** Parsers differ in which value of a repeated key they take; `JSON.parse` takes the last. */
  readonly hasRepeatedKeys: boolean;
}

/** Reads a text as JSON of RFC 8259, in which all numbers are finite as a double. */
export function scanJson(text: string): JsonFacts | JsonFault {
  const scanner = new Scanner(text);
  try {
    scanner.document();
    return { hasRepeatedKeys: scanner.hasRepeatedKeys };
  } catch (error) {
    if (!(error instanceof Unacceptable)) throw error;
    return { ...placeOf(text, error.position), problem: error.message };
  }
}

/**
 * The same JSON, in which an object has each key once, with its last value. It cuts out the members before, so its work is linear at
 * any depth, and all that stays is spelled as it was.
 *
 * @param text - JSON, as `scanJson` finds it.
 */
export function withoutRepeatedKeys(text: string): string {
  const cuts = new Int32Array(text.length);
  new Scanner(text, cuts).document();
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < cuts.length; at++) {
    const end = cuts[at] as number;
    if (end === 0) continue;
    parts.push(text.slice(from, at));
    from = end;
    at = end - 1;
  }
  return parts.join('') + text.slice(from);
}

/** Line and column of a position. Lines end with CR LF, LF or CR. */
function placeOf(text: string, position: number): Omit<JsonFault, 'problem'> {
  let [line, start] = [1, 0];
  for (let at = 0; at < position; at++) {
    const unit = text.charCodeAt(at);
    const isEnd = unit === LINE_FEED || (unit === CARRIAGE_RETURN && !isFollowedBy(text, at, position));
    if (isEnd) [line, start] = [line + 1, at + 1];
  }
  return { position, line, column: position - start + 1 };
}

/** Whether the line feed of a CR LF comes next, before an end. */
const isFollowedBy = (text: string, at: number, end: number): boolean =>
  at + 1 < end && text.charCodeAt(at + 1) === LINE_FEED;

/** Ends a scan at the first fault. Never leaves this file. */
class Unacceptable extends Error {
  readonly position: number;

  constructor(position: number, problem: string) {
    super(problem);
    this.position = position;
  }
}

/** The keys of an object that is being read. Most objects of webhooks are small, and the first key needs no set. */
interface OpenObject {
  readonly close: '}';
  first: string | null;
  others: Set<string> | null;
  /** Where repeated keys are cut out: the members so far, and the last of them. */
  members: Map<string, Member> | null;
  last: Member | null;
}
type Open = OpenObject | { readonly close: ']' };

/** A member of an object, from its key to the next one's; `end` is not known before that. */
interface Member {
  readonly start: number;
  end: number;
}

const OPEN_LIST: Open = { close: ']' };

/** One pass over one text; made and thrown away by {@link scanJson}. */
class Scanner {
  readonly #text: string;
  readonly #open: Open[] = [];
  readonly #cuts: Int32Array | null;
  #at = 0;
  hasRepeatedKeys = false;

  /** @param cuts - For each position of the text; gets the end of each member that begins there and has a later one of its key. */
  constructor(text: string, cuts: Int32Array | null = null) {
    this.#text = text;
    this.#cuts = cuts;
  }

  document(): void {
    do this.#value();
    while (this.#hasMore());
    if (this.#at < this.#text.length) throw this.#fault('more text after the value');
  }

  /** Reads a scalar, an empty container, or the beginning of a container up to its first value. */
  #value(): void {
    for (;;) {
      this.#blanks();
      if (this.#take('{')) {
        if (this.#takeAfterBlanks('}')) return;
        this.#open.push({ close: '}', first: null, others: null, members: null, last: null });
        this.#key();
      } else if (this.#take('[')) {
        if (this.#takeAfterBlanks(']')) return;
        this.#open.push(OPEN_LIST);
      } else {
        this.#scalar();
        return;
      }
    }
  }

  /** Closes the containers that end after a value. True where another value follows. */
  #hasMore(): boolean {
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) {
      if (this.#takeAfterBlanks(',')) {
        if (open.close === '}') this.#key();
        return true;
      }
      if (!this.#take(open.close)) throw this.#fault(`a comma or ${open.close} is missing`);
      this.#open.pop();
    }
    this.#blanks();
    return false;
  }

  #key(): void {
    this.#blanks();
    const start = this.#at;
    if (this.#text[start] !== '"') throw this.#fault('a key in double quotes is missing');
    const hasEscape = this.#string();
    const spelled = this.#text.slice(start, this.#at);
    const key = hasEscape ? (JSON.parse(spelled) as string) : spelled.slice(1, -1);
    if (this.#cuts === null) this.#note(key);
    else this.#cut(this.#cuts, key, start);
    if (!this.#takeAfterBlanks(':')) throw this.#fault('a colon is missing');
  }

  #note(key: string): void {
    const open = this.#open.at(-1) as OpenObject;
    if (open.first === null) {
      open.first = key;
    } else {
      const others = (open.others ??= new Set([open.first]));
      if (others.size === others.add(key).size) this.hasRepeatedKeys = true;
    }
  }

  #cut(cuts: Int32Array, key: string, start: number): void {
    const open = this.#open.at(-1) as OpenObject;
    const before = open.last;
    open.last = { start, end: 0 };
    if (before === null) {
      open.first = key;
      return;
    }
    before.end = start;
    const members = (open.members ??= new Map([[open.first ?? '', before]]));
    const earlier = members.get(key);
    if (earlier !== undefined) cuts[earlier.start] = earlier.end;
    members.set(key, open.last);
  }

  #scalar(): void {
    const char = this.#text[this.#at] ?? '';
    if (char === '"') {
      this.#string();
    } else if (char === '-' || isDigit(char.charCodeAt(0))) {
      this.#number();
    } else {
      const word = WORDS.find((one) => this.#text.startsWith(one, this.#at));
      if (word === undefined) throw this.#fault('a value is missing');
      this.#at += word.length;
    }
  }

  /** @returns True for a string with an escape. */
  #string(): boolean {
    const text = this.#text;
    let hasEscape = false;
    let at = this.#at + 1;
    let plain = 0;
    for (let unit = text.charCodeAt(at); unit !== QUOTE; unit = text.charCodeAt(++at)) {
      if (unit >= 0x20 && unit !== BACKSLASH) {
        if (++plain === LONG) at = endOfPlain(text, at) - 1;
        continue;
      }
      this.#at = at;
      if (unit !== BACKSLASH) throw this.#fault(Number.isNaN(unit) ? ENDLESS : CONTROL);
      this.#escape();
      hasEscape = true;
      at = this.#at;
      plain = 0;
    }
    this.#at = at + 1;
    return hasEscape;
  }

  #escape(): void {
    this.#at++;
    const char = this.#text[this.#at] ?? '';
    if (char === 'u' && /^[\da-f]{4}$/i.test(this.#text.slice(this.#at + 1, this.#at + 5))) this.#at += 4;
    else if (char === '' || !'"\\/bfnrt'.includes(char)) throw this.#fault('a string has an unknown escape');
  }

  #number(): void {
    const start = this.#at;
    this.#take('-');
    if (!this.#take('0')) this.#digits();
    if (this.#take('.')) this.#digits();
    const hasExponent = this.#take('e') || this.#take('E');
    if (hasExponent) {
      if (!this.#take('+')) this.#take('-');
      this.#digits();
    }
    const mayBeInfinite = hasExponent || this.#at - start > MAX_FINITE_DIGITS;
    if (!mayBeInfinite || Number.isFinite(Number(this.#text.slice(start, this.#at)))) return;
    this.#at = start;
    throw this.#fault('a number is beyond 1.8e308');
  }

  #digits(): void {
    const start = this.#at;
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at++;
    if (this.#at === start) throw this.#fault('a digit is missing');
  }

  #blanks(): void {
    const text = this.#text;
    let at = this.#at;
    while (isBlank(text.charCodeAt(at))) at++;
    this.#at = at;
  }

  #takeAfterBlanks(char: string): boolean {
    this.#blanks();
    return this.#take(char);
  }

  #take(char: string): boolean {
    if (this.#text.charCodeAt(this.#at) !== char.charCodeAt(0)) return false;
    this.#at++;
    return true;
  }

  #fault(problem: string): Unacceptable {
    return new Unacceptable(this.#at, problem);
  }
}

/** A regular expression reads a long string three times as fast as a loop, and a short one more slowly. */
const LONG = 64;
const PLAIN = /[ !#-[\]-\uffff]*/y;

/** The position of the first unit, from a position on, that is not plain in a string. */
function endOfPlain(text: string, from: number): number {
  PLAIN.lastIndex = from;
  PLAIN.test(text);
  return PLAIN.lastIndex;
}

const WORDS = ['true', 'false', 'null'];
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ENDLESS = 'a string has no end';
const CONTROL = 'a string has a control character in it';
/** A number without exponent and with fewer characters is finite. */
const MAX_FINITE_DIGITS = 300;

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;
