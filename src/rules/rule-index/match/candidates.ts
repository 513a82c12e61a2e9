/** The candidates of the event at hand: the rules that it may match, each once, in evaluation order. */
import { BitSet } from '../bit-set.js';
import { entryOf, isCertainEntry, placeOfEntry } from '../layout/index.js';

/** Candidates up to which they are sorted by insertion. */
const FEW = 64;

/** From one candidate among so many places on, they are read off the set, which holds them in order. */
const SPARSE = 256;

/** Greater than any place. */
const LAST = 2 ** 31 - 1;

/**
 * Rules by the places of their records. For each event they are added, sorted, and taken one by one with
 * {@link Candidates.next}, merged with the rules that are always candidates. A candidate finder has one.
 */
export class Candidates {
  readonly #members: BitSet;
  /** Those that match for certain. */
  readonly #certain: BitSet;
  readonly #list: Int32Array;
  readonly #always: Int32Array;
  #count = 0;
  #next = 0;
  #nextAlways = 0;

  /**
   * @param places - Places are below it.
   * @param always - Entries of rules that are candidates of each event, in order.
   */
  constructor(places: number, always: Int32Array) {
    this.#members = new BitSet(places);
    this.#certain = new BitSet(places);
    this.#list = new Int32Array(places);
    this.#always = always;
  }

  clear(): void {
    for (let i = 0; i < this.#count; i++) {
      const place = this.#list[i] as number;
      this.#members.clearAround(place);
      this.#certain.clearAround(place);
    }
    this.#count = 0;
    this.#next = 0;
    this.#nextAlways = 0;
  }

  /** Adds the rule of an entry. */
  add(entry: number): void {
    if (isCertainEntry(entry)) this.#certain.add(placeOfEntry(entry));
    this.addPlace(placeOfEntry(entry));
  }

  /** Adds the rule whose record is at a place. */
  addPlace(place: number): void {
    if (this.#members.add(place)) this.#list[this.#count++] = place;
  }

  /** The entry of the next candidate; `null` after the last. */
  next(): number | null {
    const found = this.#next < this.#count ? (this.#list[this.#next] as number) : LAST;
    const entry = this.#nextAlways < this.#always.length ? (this.#always[this.#nextAlways] as number) : -1;
    const constant = entry >= 0 ? placeOfEntry(entry) : LAST;
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
      this.#members.each((place) => (this.#list[this.#count++] = place));
    }
  }

  #sortByInsertion(): void {
    const list = this.#list;
    for (let i = 1; i < this.#count; i++) {
      const place = list[i] as number;
      let at = i;
      for (; at > 0 && (list[at - 1] as number) > place; at--) list[at] = list[at - 1] as number;
      list[at] = place;
    }
  }
}
