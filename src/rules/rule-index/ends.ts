/** Keys of `starts_with`, and of `ends_with`: a subject is hashed unit by unit from its end, and looked up wherever a known text might be over. */
import type { FoundKeys, Keys } from './keys.js';
import { HashTable, extend } from './texts.js';

/** Which end of a subject. */
export type End = 'start' | 'end';

/** The prefixes, or the suffixes, that rules look for at one path. */
export class Ends {
  readonly #end: End;
  readonly #keys: Keys;
  readonly #group: number;
  readonly #known = new Map<string, number>();

  constructor(end: End, keys: Keys) {
    this.#end = end;
    this.#keys = keys;
    this.#group = keys.newGroup();
  }

  /** The key that a subject has if and only if it begins, or ends, with a text that is not empty. */
  keyOf(text: string): number {
    let key = this.#known.get(text);
    if (key === undefined) this.#known.set(text, (key = this.#keys.add(this.#group, endPrior(text))));
    return key;
  }

  /** What finds the keys that are wanted; `null` when none is. */
  seal(wanted: (key: number) => boolean): FindEnds | null {
    const texts = [...this.#known].filter(([, key]) => wanted(key));
    return texts.length === 0 ? null : new FindEnds(this.#end, texts);
  }
}

/** Each unit, it is thought, is one of eight that are likely there. */
const endPrior = (text: string): number => 8 ** -text.length;

/** Finds prefixes, or suffixes, of a subject. */
class FindEnds {
  readonly #backwards: boolean;
  readonly #table: HashTable;
  /** By slot of the table. */
  readonly #texts: readonly string[];
  readonly #keys: Int32Array;
  /** Each once, ascending. */
  readonly #lengths: Int32Array;

  constructor(end: End, texts: readonly (readonly [string, number])[]) {
    this.#backwards = end === 'end';
    this.#table = new HashTable(Int32Array.from(texts, ([text]) => this.#hash(text, 0, 0, text.length)));
    const ordered = Array.from(this.#table.order, (entry) => texts[entry] as readonly [string, number]);
    this.#texts = ordered.map(([text]) => text);
    this.#keys = Int32Array.from(ordered, ([, key]) => key);
    this.#lengths = Int32Array.from(new Set(this.#texts.map(({ length }) => length))).sort();
  }

  /** Extends the hash of the first `from` units by those up to `to`, counted from the end that matters. */
  #hash(text: string, hash: number, from: number, to: number): number {
    const last = text.length - 1;
    let extended = hash;
    for (let at = from; at < to; at++)
      extended = extend(extended, text.charCodeAt(this.#backwards ? last - at : at));
    return extended;
  }

  find(subject: unknown, found: FoundKeys): void {
    if (typeof subject !== 'string') return;
    const { filter } = this.#table;
    let hash = 0;
    let at = 0;
    for (const length of this.#lengths) {
      if (length > subject.length) return;
      hash = this.#hash(subject, hash, at, length);
      at = length;
      if (!filter.mayHave(hash)) continue;
      for (let slot = this.#table.first(hash); slot >= 0; slot = this.#table.after(slot)) {
        const text = this.#texts[slot] as string;
        if (text.length === length && this.#holds(subject, text)) found.add(this.#keys[slot] as number);
      }
    }
  }

  #holds(subject: string, text: string): boolean {
    return this.#backwards ? subject.endsWith(text) : subject.startsWith(text);
  }
}

export type { FindEnds };
