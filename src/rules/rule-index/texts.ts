/** What the indexes of prefixes, suffixes and substrings share: hashes of parts of a text, and what bears them. */

/** A hash of units u₁…uₙ is u₁·BASEⁿ⁻¹ + … + uₙ, so that one more unit is one step. */
const BASE = 0x01000193;

/** Spreads a hash over its upper bits. */
const GOLDEN = 0x9e3779b1;

/** The hash of a text and one more unit. */
export const extend = (hash: number, unit: number): number => (Math.imul(hash, BASE) + unit) | 0;

/** What a unit weighs in a hash after `later` more. */
export function weightAfter(later: number): number {
  let weight = 1;
  for (let i = 0; i < later; i++) weight = Math.imul(weight, BASE);
  return weight;
}

/** Bits of the filter for each entry: one miss in sixteen gets past it. */
const FILTER_BITS = 16;

/** Numbered entries by hash. Most look-ups find nothing, and learn it from one bit. */
export class HashTable {
  readonly #filter: Int32Array;
  readonly #filterShift: number;
  readonly #heads: Int32Array;
  readonly #headShift: number;
  readonly #next: Int32Array;
  readonly #hashes: Int32Array;

  /** @param hashes - The hash of each entry. */
  constructor(hashes: Int32Array) {
    const headBits = bitsFor(hashes.length);
    const filterBits = Math.max(5, bitsFor(hashes.length * FILTER_BITS));
    this.#hashes = hashes;
    this.#headShift = 32 - headBits;
    this.#filterShift = 32 - filterBits;
    this.#heads = new Int32Array(1 << headBits).fill(-1);
    this.#filter = new Int32Array(1 << (filterBits - 5));
    this.#next = new Int32Array(hashes.length);
    hashes.forEach((hash, entry) => {
      const spread = Math.imul(hash, GOLDEN);
      const head = spread >>> this.#headShift;
      const bit = spread >>> this.#filterShift;
      this.#filter[bit >>> 5] = (this.#filter[bit >>> 5] as number) | (1 << bit);
      this.#next[entry] = this.#heads[head] as number;
      this.#heads[head] = entry;
    });
  }

  /** The first entry with a hash, or -1. */
  first(hash: number): number {
    const spread = Math.imul(hash, GOLDEN);
    const bit = spread >>> this.#filterShift;
    if (((this.#filter[bit >>> 5] as number) & (1 << bit)) === 0) return -1;
    return this.#from(this.#heads[spread >>> this.#headShift] as number, hash);
  }

  /** The next one with the same hash, or -1. */
  after(entry: number): number {
    return this.#from(this.#next[entry] as number, this.#hashes[entry] as number);
  }

  #from(start: number, hash: number): number {
    let entry = start;
    while (entry >= 0 && this.#hashes[entry] !== hash) entry = this.#next[entry] as number;
    return entry;
  }
}

/** Bits of a number below `count`, at least one. */
const bitsFor = (count: number): number => Math.max(1, 32 - Math.clz32(Math.max(0, count - 1)));
