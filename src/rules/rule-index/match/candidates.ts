/** The candidates of the event at hand: the rules that it may match, each once, in evaluation order. */
import { BitSet } from '../bit-set.js';
import { entryOf, isCertainEntry, offsetOfEntry } from '../layout/index.js';

/** Candidates up to which they are sorted by insertion. */
const FEW = 64;

/** From one candidate for this many offsets on, they are read off the set, which holds them in order. */
const SPARSE = 256;

/** Greater than any offset. */
const LAST = 2 ** 31 - 1;

/**
 * Rules by the offsets of their records. For each event they are added, sorted, and taken one by one with
 * {@link Candidates.next}, merged with the rules that are always candidates. A candidate finder has one.
 */
export class Candidates {
  readonly #members: BitSet;
  /** The candidates that match for certain. */
  readonly #certain: BitSet;
  readonly #list: Int32Array;
  readonly #always: Int32Array;
  #count = 0;
  #next = 0;
  #nextAlways = 0;

  /**
   * @param offsets - Offsets are below it.
   * @param always - Entries of rules that are candidates of each event, in order.
   */
  constructor(offsets: number, always: Int32Array) {
    this.#members = new BitSet(offsets);
    this.#certain = new BitSet(offsets);
    this.#list = new Int32Array(offsets);
    this.#always = always;
  }

  clear(): void {
    for (let i = 0; i < this.#count; i++) {
      const offset = this.#list[i] as number;
      this.#members.clearAround(offset);
      this.#certain.clearAround(offset);
    }
    this.#count = 0;
    this.#next = 0;
    this.#nextAlways = 0;
  }

  /** Adds the rule of an entry. */
  add(entry: number): void {
    if (isCertainEntry(entry)) this.#certain.add(offsetOfEntry(entry));
    this.addOffset(offsetOfEntry(entry));
  }

  /** Adds the rule whose record is at an offset. */
  addOffset(offset: number): void {
    if (this.#members.add(offset)) this.#list[this.#count++] = offset;
  }

  /** The entry of the next candidate; `null` after the last. */
  next(): number | null {
    const found = this.#next < this.#count ? (this.#list[this.#next] as number) : LAST;
    const entry = this.#nextAlways < this.#always.length ? (this.#always[this.#nextAlways] as number) : -1;
    const constant = entry >= 0 ? offsetOfEntry(entry) : LAST;
    if (found <= constant) this.#next++;
    if (constant <= found) this.#nextAlways++;
    if (constant < found) return entry;
    return found === LAST ? null : entryOf(found, this.#certain.has(found));
  }

  sort(): void {
    if (this.#count <= FEW) {
      this.#sortByInsertion();
    } else if (this.#count < this.#list.length / SPARSE) {
      this.#list.subarray(0, this.#count).sort();
    } else {
      this.#count = 0;
      this.#members.each((offset) => (this.#list[this.#count++] = offset));
    }
  }

  #sortByInsertion(): void {
    const list = this.#list;
    for (let i = 1; i < this.#count; i++) {
      const offset = list[i] as number;
      let at = i;
      for (; at > 0 && (list[at - 1] as number) > offset; at--) list[at] = list[at - 1] as number;
      list[at] = offset;
    }
  }
}
