/**
 * Keys of `starts_with`, and of `ends_with`: the texts by hash. A subject is hashed unit by unit from the end that
 * matters, and looked up at each length that some text has.
 */
import type { Key } from '../plan/index.js';
import { HashTable, extend } from './hash-table.js';
import type { KeyNumbers } from './key-numbers.js';

/** Which end of a subject. */
export type End = 'start' | 'end';

/** The prefixes, or the suffixes, that rules look for at one path. Immutable. */
export class Affixes {
  readonly end: End;
  readonly table: HashTable;
  /** Lengths of the texts in UTF-16 units, each once, ascending. */
  readonly lengths: Int32Array;
  /** By cell. */
  readonly #texts: readonly string[];
  readonly #firstKey: number;

  /** @param keys - At least one. */
  constructor(end: End, keys: readonly Key[], numbers: KeyNumbers) {
    const texts = keys.map(({ sought }) => sought as string);
    const hashes = Int32Array.from(texts, (text) =>
      withLength(hashOfAffix(end, text, 0, 0, text.length), text.length),
    );
    const { table, order } = HashTable.of(hashes);
    this.end = end;
    this.table = table;
    this.lengths = Int32Array.from(new Set(texts.map(({ length }) => length))).sort();
    this.#texts = Array.from(order, (entry) => texts[entry] as string);
    this.#firstKey = numbers.add(Array.from(order, (entry) => keys[entry] as Key));
  }

  /** Whether a subject has the text of a cell at its end, if the text is of a length. */
  has(subject: string, cell: number, length: number): boolean {
    const text = this.#texts[cell] as string;
    if (text.length !== length) return false;
    return this.end === 'start' ? subject.startsWith(text) : subject.endsWith(text);
  }

  /** The number of the key of the text in a cell. */
  keyOf(cell: number): number {
    return this.#firstKey + cell;
  }
}

/**
 * The hash of a whole text. Its length is in it, so that texts of other lengths are not compared, whatever their
 * hashes.
 */
export const withLength = (hash: number, length: number): number => hash ^ Math.imul(length, 0x85ebca6b);

/** Extends the hash of the first `from` units by those up to `to`, counted from the end that matters. */
export function hashOfAffix(end: End, text: string, hash: number, from: number, to: number): number {
  let extended = hash;
  if (end === 'start') {
    for (let at = from; at < to; at++) extended = extend(extended, text.charCodeAt(at));
  } else {
    const last = text.length - 1;
    for (let at = from; at < to; at++) extended = extend(extended, text.charCodeAt(last - at));
  }
  return extended;
}
