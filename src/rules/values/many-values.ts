/** The values that an event has at a path with stars, and whether some of them is what a leaf asks for. */
import { ownKeys, type Json } from '../../json.js';
import type { TextFinder } from '../../patterns/index.js';
import { compareCodePoints } from '../../unicode.js';
import { STAR, child, type Segment } from '../path.js';
import { Elements } from './elements.js';
import { numberIn } from './numbers.js';

/** Values that are gone through one by one, over all questions, before tables of them are made. */
const FREE = 1 << 12;

/**
 * Texts that are searched as one are joined, with `\udc00` and an end mark after each. A `\udc00` in a text is followed
 * by another mark, so nothing is found across an end. A text that is looked for must not begin with a mark, so there
 * are two pairs.
 */
const ESCAPE = '\udc00';
const MARKS = [
  ['\udc01', '\udc02'],
  ['\udc03', '\udc04'],
] as const;

/** Members that are looked for in each value before the values are sorted into columns, by member. */
const FREE_MEMBERS = 4;

/**
 * Made for one event and one path, and discarded with the event. However many leaves ask, and however many values there
 * are, each answer takes about as long as with one value.
 */
export class ManyValues {
  /** All that are present, in the order of their arrays unless the index read them. */
  readonly all: unknown[] = [];
  /** UTF-16 units of the strings, and one for each value: work that a pattern of cost 1 may take. */
  units = 0;
  #asked = 0;
  readonly #below = new Map<unknown, ManyValues>();
  #isSorted = false;
  #elements: Elements | null = null;
  #nested: Elements | null = null;
  readonly #rows = new Map<string, string>();
  #byStart: readonly string[] | null = null;
  #byEnd: readonly string[] | null = null;
  #extremes: readonly unknown[] | null = null;

  add(value: unknown): void {
    if (value === undefined) return;
    this.all.push(value);
    this.units += typeof value === 'string' ? value.length + 1 : 1;
  }

  /** The values that a segment leads to from these. */
  below(segment: Segment): ManyValues {
    if (this.all.length === 0) return this;
    const key = segment === STAR ? STAR : segment.key;
    const known = this.#below.get(key);
    if (known !== undefined) return known;
    if (this.#isSorted) return NOTHING;
    if (segment !== STAR && this.#below.size >= FREE_MEMBERS) {
      this.#sort();
      return this.#below.get(key) ?? NOTHING;
    }
    const values = new ManyValues();
    this.#below.set(key, values);
    for (const value of this.all) {
      if (segment !== STAR) values.add(child(value, segment));
      else if (Array.isArray(value)) {
        for (const element of value as readonly unknown[]) values.add(element);
      }
    }
    return values;
  }

  /** Finds all members of all values, so that each of them is read once, however many paths lead to different ones. */
  #sort(): void {
    this.below(STAR);
    this.#isSorted = true;
    const found = new Set(this.#below.keys());
    for (const value of this.all) {
      if (typeof value !== 'object' || value === null) continue;
      for (const key of Array.isArray(value) ? value.keys() : ownKeys(value)) {
        const name = String(key);
        if (found.has(name)) continue;
        let column = this.#below.get(name);
        if (column === undefined) this.#below.set(name, (column = new ManyValues()));
        column.add((value as Readonly<Record<PropertyKey, unknown>>)[key]);
      }
    }
  }

  /** Counts a question; true as long as it is cheaper to go through the values than to make a table of them. */
  get isCheap(): boolean {
    this.#asked += this.all.length;
    return this.#asked <= FREE;
  }

  /** Whether a value equals one of some, as `eq` compares them. */
  hasEqual(values: readonly Json[]): boolean {
    const elements = (this.#elements ??= new Elements(this.all));
    return values.some((value) => elements.has(value));
  }

  /** Whether a value is a string that contains a text, or an array with an element equal to it. */
  hasContaining(value: Json, texts: TextFinder): boolean {
    if (typeof value === 'string' && this.#hasText(value, texts)) return true;
    this.#nested ??= new Elements(this.all.filter((each): each is unknown[] => Array.isArray(each)).flat());
    return this.#nested.has(value);
  }

  #hasText(text: string, texts: TextFinder): boolean {
    const [first, second] = MARKS;
    const [inner, end] = first.some((mark) => text.startsWith(mark)) ? second : first;
    const escaped = (one: string): string => one.replaceAll(ESCAPE, ESCAPE + inner);
    let row = this.#rows.get(inner);
    if (row === undefined) {
      row = this.#strings()
        .map((one) => `${escaped(one)}${ESCAPE}${end}`)
        .join('');
      this.#rows.set(inner, row);
    }
    return row !== '' && texts.has(row, escaped(text));
  }

  /** Whether a value is a string with a text at one end. */
  hasAffix(end: 'start' | 'end', text: string): boolean {
    if (end === 'start') {
      this.#byStart ??= this.#strings().sort();
      return hasPrefix(this.#byStart, text);
    }
    this.#byEnd ??= this.#strings().map(reversed).sort();
    return hasPrefix(this.#byEnd, reversed(text));
  }

  /** Values of which one is within a bound if and only if any of all is. */
  get extremes(): readonly unknown[] {
    return (this.#extremes ??= extremesOf(this.all));
  }

  #strings(): string[] {
    return this.all.filter((value) => typeof value === 'string');
  }
}

const NOTHING = /* @__PURE__ */ new ManyValues();

/** Whether one of some sorted texts begins with a text. */
function hasPrefix(sorted: readonly string[], text: string): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return sorted[low]?.startsWith(text) === true;
}

/** By UTF-16 units, so that the end of a text becomes its beginning. */
const reversed = (text: string): string => text.split('').reverse().join('');

/**
 * The least and the greatest of the numbers, of the strings, and of the strings that spell no number: bounds order a
 * number against those that spell one, too. NaN, which an event made by hand may have, is beside them.
 */
function extremesOf(values: readonly unknown[]): readonly unknown[] {
  const numbers = new Extremes<unknown>((a, b) => order(numberOf(a), numberOf(b)));
  const strings = new Extremes<string>(compareCodePoints);
  const words = new Extremes<string>(compareCodePoints);
  let odd: readonly unknown[] = [];
  for (const value of values) {
    if (typeof value === 'number') {
      if (Number.isNaN(value)) odd = [value];
      else numbers.add(value);
    } else if (typeof value === 'string') {
      strings.add(value);
      if (numberIn(value) === undefined) words.add(value);
      else numbers.add(value);
    }
  }
  return [...numbers.both, ...strings.both, ...words.both, ...odd];
}

const numberOf = (value: unknown): number =>
  typeof value === 'string' ? (numberIn(value) as number) : (value as number);

const order = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);

/** The least and the greatest of what was added. */
class Extremes<T> {
  both: readonly T[] = [];
  readonly #compare: (a: T, b: T) => number;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  add(value: T): void {
    const [least = value, greatest = value] = this.both;
    if (this.both.length > 0 && this.#compare(value, least) >= 0 && this.#compare(value, greatest) <= 0) {
      return;
    }
    this.both = [
      this.#compare(value, least) < 0 ? value : least,
      this.#compare(value, greatest) > 0 ? value : greatest,
    ];
  }
}
