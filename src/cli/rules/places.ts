/** The places of JSON pointers in a text, by one loop over it, however deep it is and however many pointers there are. */

/** A place in a text, for people. */
export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

/** A value that is asked for, or on the way to one. */
interface Wanted {
  readonly children: Map<string, Wanted>;
  /** UTF-16 units before the value, and before the key of a member. */
  at: number;
  keyAt: number;
  /** How often its parent had been met when it was last met: of repeated keys, the last one counts. */
  during: number;
  met: number;
}

const wanted = (): Wanted => ({ children: new Map(), at: 0, keyAt: 0, during: 0, met: 0 });

/** A pointer, and whether the key of the value is meant. */
export interface Request {
  /** RFC 6901. */
  readonly pointer: string;
  readonly ofKey: boolean;
}

/**
 * The place of each pointer; where it leads nowhere, that of the innermost value on the way which is there.
 *
 * @param text - JSON.
 */
export function placesOf(text: string, requests: readonly Request[]): readonly Position[] {
  const root = wanted();
  const trails = requests.map(({ pointer }) => trailOf(root, pointer));
  new Walk(text).mark(root);
  const lines = lineStarts(text);
  return trails.map((trail, nth) => {
    const { target, isThere } = innermost(root, trail);
    const useKey = isThere && requests[nth]?.ofKey === true;
    return positionOf(lines, useKey ? target.keyAt : target.at);
  });
}

/** A key that stands in its object a second time. */
export interface RepeatedKey extends Position {
  readonly key: string;
  /** Place in the outermost array, from 0; 0 where there is none. */
  readonly index: number;
}

/**
 * Every key that an object has already. Of equal keys the last one counts, and nobody tells.
 *
 * @param text - JSON.
 */
export function repeatedKeys(text: string): readonly RepeatedKey[] {
  const walk = new Walk(text);
  walk.mark(wanted());
  const lines = lineStarts(text);
  return walk.repeated.map(({ key, at, index }) => ({ key, index, ...positionOf(lines, at) }));
}

/** The tokens of a pointer; adds what is on its way. */
function trailOf(root: Wanted, pointer: string): readonly string[] {
  const tokens = pointer.split('/').slice(1);
  const trail = tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  let at = root;
  for (const key of trail) {
    const child = at.children.get(key) ?? wanted();
    at.children.set(key, child);
    at = child;
  }
  return trail;
}

function innermost(root: Wanted, trail: readonly string[]): { target: Wanted; isThere: boolean } {
  let target = root;
  for (const key of trail) {
    const child = target.children.get(key);
    if (child === undefined || child.met === 0 || child.during !== target.met) {
      return { target, isThere: false };
    }
    target = child;
  }
  return { target, isThere: trail.length > 0 };
}

/** A container that is open. */
interface Frame {
  readonly node: Wanted | undefined;
  /** Of the next member; -1 in an object. */
  index: number;
  isKeyNext: boolean;
  /** Of an object, as they are met. */
  readonly keys: Set<string>;
}

const NO_KEYS = new Set<string>();
const SCALAR = /[^\s,\]}]*/y;

/** One way through a text. Made for it. */
class Walk {
  readonly repeated: { readonly key: string; readonly at: number; readonly index: number }[] = [];
  readonly #text: string;
  readonly #frames: Frame[] = [];
  #at = 0;
  #keyAt = 0;
  /** The value that comes next, where it is wanted. */
  #next: Wanted | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Marks every wanted value that is there. */
  mark(root: Wanted): void {
    this.#next = root;
    while (this.#at < this.#text.length) this.#token(this.#text[this.#at] as string);
  }

  #token(unit: string): void {
    switch (unit) {
      case '{':
      case '[':
        this.#open(unit === '[');
        break;
      case '}':
      case ']':
        this.#frames.pop();
        this.#at++;
        break;
      case ',':
        this.#separate();
        break;
      case '"':
        this.#string();
        break;
      case ':':
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        this.#at++;
        break;
      default:
        this.#scalar();
    }
  }

  /** A value begins here. */
  #begin(): Wanted | undefined {
    const node = this.#next;
    this.#next = undefined;
    if (node === undefined) return undefined;
    node.at = this.#at;
    node.keyAt = this.#keyAt;
    node.during = this.#frames.at(-1)?.node?.met ?? 0;
    node.met++;
    return node;
  }

  #open(isArray: boolean): void {
    const node = this.#begin();
    this.#frames.push({
      node,
      index: isArray ? 0 : -1,
      isKeyNext: !isArray,
      keys: isArray ? NO_KEYS : new Set(),
    });
    this.#at++;
    if (!isArray) return;
    this.#keyAt = this.#at;
    this.#next = node?.children.get('0');
  }

  #separate(): void {
    this.#at++;
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    if (frame.index < 0) {
      frame.isKeyNext = true;
    } else {
      frame.index++;
      this.#next = frame.node?.children.get(String(frame.index));
    }
  }

  #string(): void {
    const frame = this.#frames.at(-1);
    const start = this.#at;
    if (frame?.isKeyNext !== true) this.#begin();
    this.#at = endOfString(this.#text, start);
    if (frame?.isKeyNext !== true) return;
    frame.isKeyNext = false;
    this.#keyAt = start;
    const key = JSON.parse(this.#text.slice(start, this.#at)) as string;
    const index = Math.max(0, this.#frames[0]?.index ?? 0);
    if (frame.keys.has(key)) this.repeated.push({ key, at: start, index });
    frame.keys.add(key);
    this.#next = frame.node?.children.get(key);
  }

  #scalar(): void {
    this.#begin();
    SCALAR.lastIndex = this.#at;
    this.#at += Math.max(1, SCALAR.exec(this.#text)?.[0].length ?? 0);
  }
}

/** The index after the quote that ends a string. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/** Where each line begins; `\n`, `\r\n` and `\r` end one. */
function lineStarts(text: string): readonly number[] {
  return [0, ...Array.from(text.matchAll(/\r\n?|\n/g), ({ index, 0: end }) => index + end.length)];
}

function positionOf(starts: readonly number[], at: number): Position {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: at - (starts[low] ?? 0) + 1 };
}
