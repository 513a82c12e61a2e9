/**
 * Keys of `contains`, and of the literals that patterns need: the subject is looked through once,
 * whatever the number of texts.
 *
 * Each text is known by one of its grams: as many units as the largest power of two that fits, taken
 * where it is rarest among all texts. A window of that size slides over the subject, and where its hash
 * is the hash of a gram, the whole text is compared.
 */
import type { TextFinder } from '../../patterns/index.js';
import type { FoundKeys, Keys } from './keys.js';
import type { Reading } from './reading.js';
import { Stamps } from './stamps.js';
import { HashTable } from './texts.js';

/** Units of the largest gram. */
const LARGEST_GRAM = 8;

/** A gram size is worth a pass over the subject from this many texts on; fewer make do with a smaller gram, if there is one. */
const WORTH_A_PASS = 32;

/** Times that a gram may be met in one subject before its texts are searched for one by one. */
const PATIENCE = 16;

/** Counters of grams; they are shared, so a count is at least the true one. */
const COUNTER_BITS = 18;

/** The texts that rules look for anywhere in the string at one path. */
export class Substrings {
  readonly #keys: Keys;
  readonly #group: number;
  readonly #known = new Map<string, number>();

  constructor(keys: Keys) {
    this.#keys = keys;
    this.#group = keys.newGroup();
  }

  /** The key that a subject has if and only if it is a string in which a text that is not empty occurs. */
  keyOf(text: string): number {
    let key = this.#known.get(text);
    if (key === undefined) this.#known.set(text, (key = this.#keys.add(this.#group, prior(text))));
    return key;
  }

  /** What finds the keys that are wanted; `null` when none is. */
  seal(wanted: (key: number) => boolean): FindSubstrings | null {
    const texts = [...this.#known].filter(([, key]) => wanted(key));
    return texts.length === 0 ? null : new FindSubstrings(texts);
  }
}

/** As for a prefix, at a few hundred places. */
const prior = (text: string): number => Math.min(0.9, 256 * 8 ** -text.length);

type KeyedText = readonly [text: string, key: number];

/** Finds texts in a subject. */
export class FindSubstrings {
  readonly #passes: readonly Pass[];

  constructor(texts: readonly KeyedText[]) {
    this.#passes = bySize(texts).map(([size, some]) => new Pass(size, some));
  }

  find(subject: unknown, found: FoundKeys, { subjects: { texts } }: Reading): void {
    if (typeof subject !== 'string') return;
    for (const pass of this.#passes) pass.find(subject, found, texts);
  }
}

/** Texts by the size of the gram that they are known by. */
function bySize(texts: readonly KeyedText[]): readonly (readonly [number, readonly KeyedText[]])[] {
  const sizes: [number, KeyedText[]][] = [];
  for (let size = LARGEST_GRAM; size >= 1; size /= 2) {
    sizes.push([
      size,
      texts.filter(([{ length }]) => length >= size && (length < 2 * size || size === LARGEST_GRAM)),
    ]);
  }
  sizes.forEach(([, some], i) => {
    const smaller = sizes.slice(i + 1).find(([, others]) => others.length > 0);
    if (some.length < WORTH_A_PASS && smaller !== undefined) smaller[1].push(...some.splice(0));
  });
  return sizes.filter(([, some]) => some.length > 0);
}

/** A part of a text: the hash of its units, and where in the text it stands. */
interface Gram {
  readonly hash: number;
  readonly offset: number;
}

/** One look through the subject, for grams of one size. */
class Pass {
  readonly #size: number;
  /** By how many bits a hash moves with each unit: a unit is gone when it has left the window. */
  readonly #shift: number;
  readonly #table: HashTable;
  /** By slot of the table, as are the keys. */
  readonly #texts: readonly string[];
  readonly #keys: Int32Array;
  /** Where in its text a gram stands. */
  readonly #offsets: Int32Array;
  /** Grams met in this subject, by the first text that has each, and how often. */
  readonly #met: Stamps;
  readonly #meetings: Uint8Array;
  /** Grams all of whose texts are decided. */
  readonly #settled: Stamps;

  constructor(size: number, texts: readonly KeyedText[]) {
    this.#size = size;
    this.#shift = 32 / size;
    const grams = this.#chooseGrams(texts);
    this.#table = new HashTable(Int32Array.from(grams, ({ hash }) => hash));
    const ordered = Array.from(this.#table.order, (entry) => texts[entry] as KeyedText);
    this.#texts = ordered.map(([text]) => text);
    this.#keys = Int32Array.from(ordered, ([, key]) => key);
    this.#offsets = this.#table.order.map((entry) => (grams[entry] as Gram).offset);
    this.#met = new Stamps(texts.length);
    this.#meetings = new Uint8Array(texts.length);
    this.#settled = new Stamps(texts.length);
  }

  /** The rarest gram of each text. */
  #chooseGrams(texts: readonly KeyedText[]): readonly Gram[] {
    const counters = new Int32Array(1 << COUNTER_BITS);
    for (const [text] of texts) {
      this.#eachGram(text, (hash) => {
        counters[counterOf(hash)] = (counters[counterOf(hash)] as number) + 1;
      });
    }
    return texts.map(([text]) => {
      let rarest = Infinity;
      let chosen: Gram = { hash: 0, offset: 0 };
      this.#eachGram(text, (hash, offset) => {
        const count = counters[counterOf(hash)] as number;
        if (count >= rarest) return;
        rarest = count;
        chosen = { hash, offset };
      });
      return chosen;
    });
  }

  #eachGram(text: string, see: (hash: number, start: number) => void): void {
    const before = this.#size - 1;
    let hash = 0;
    for (let at = 0; at < text.length; at++) {
      hash = slide(hash, this.#shift, text.charCodeAt(at));
      if (at >= before) see(hash, at - before);
    }
  }

  find(subject: string, found: FoundKeys, texts: TextFinder): void {
    const shift = this.#shift;
    const before = this.#size - 1;
    const { filter } = this.#table;
    this.#met.clear();
    this.#settled.clear();
    let hash = 0;
    for (let at = 0; at < subject.length; at++) {
      hash = slide(hash, shift, subject.charCodeAt(at));
      if (filter.mayHave(hash) && at >= before) this.#look(hash, subject, at - before, found, texts);
    }
  }

  /** A window may be the gram of some texts. */
  #look(hash: number, subject: string, start: number, found: FoundKeys, texts: TextFinder): void {
    const first = this.#table.first(hash);
    if (first < 0 || this.#settled.has(first)) return;
    const meetings = this.#met.add(first) ? 1 : (this.#meetings[first] as number) + 1;
    this.#meetings[first] = meetings;
    const patient = meetings <= PATIENCE;
    let undecided = 0;
    for (let slot = first; slot >= 0; slot = this.#table.after(slot)) {
      const text = this.#texts[slot] as string;
      const key = this.#keys[slot] as number;
      if (found.has(key)) continue;
      const from = start - (this.#offsets[slot] as number);
      if (patient ? subject.startsWith(text, from) : texts.has(subject, text)) found.add(key);
      else if (patient) undecided++;
    }
    if (undecided === 0) this.#settled.add(first);
  }
}

/** The hash of a window after one more unit. */
const slide = (hash: number, shift: number, unit: number): number =>
  (shift === 32 ? 0 : hash << shift) ^ Math.imul(unit, 0x9e3779b1);

const counterOf = (hash: number): number => Math.imul(hash, 0x85ebca6b) >>> (32 - COUNTER_BITS);
