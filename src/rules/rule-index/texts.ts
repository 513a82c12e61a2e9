/** What the indexes of prefixes, suffixes and substrings share: hashes of parts of a text, and what bears them. */

/** A hash of units u₁…uₙ is u₁·BASEⁿ⁻¹ + … + uₙ, so that one more unit is one step. */
const BASE = 0x01000193;

/** Spreads a hash over its upper bits. */
const spread = (hash: number): number => Math.imul(hash, 0x9e3779b1);

/** The hash of a text and one more unit. */
export const extend = (hash: number, unit: number): number => (Math.imul(hash, BASE) + unit) | 0;

/** Bits of the filter for each entry: of what is not there, one in fifty gets past it. */
const FILTER_BITS = 16;

/** Numbered entries by hash. Most look-ups find nothing, and learn it from one bit. */
export class HashTable {
  readonly #hashes: Int32Array;
  readonly #heads: Int32Array;
  readonly #headShift: number;
  readonly #next: Int32Array;
  /** Tells of most hashes that no entry has them. */
  readonly filter: Filter;

  /** @param hashes - The hash of each entry. */
  constructor(hashes: Int32Array) {
    const bits = bitsFor(hashes.length);
    this.#hashes = hashes;
    this.#headShift = 32 - bits;
    this.#heads = new Int32Array(1 << bits).fill(-1);
    this.#next = new Int32Array(hashes.length);
    this.filter = new Filter(hashes);
    hashes.forEach((hash, entry) => {
      const head = spread(hash) >>> this.#headShift;
      this.#next[entry] = this.#heads[head] as number;
      this.#heads[head] = entry;
    });
  }

  /** The first entry with a hash, or -1. */
  first(hash: number): number {
    return this.#from(this.#heads[spread(hash) >>> this.#headShift] as number, hash);
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

/** Two bits of one word for each hash. Most of what is not in it is known not to be, from one place in memory. */
class Filter {
  readonly #words: Int32Array;
  readonly #shift: number;

  constructor(hashes: Int32Array) {
    const bits = bitsFor(Math.ceil((hashes.length * FILTER_BITS) / 32));
    this.#shift = 32 - bits;
    this.#words = new Int32Array(1 << bits);
    for (const hash of hashes) {
      const place = spread(hash) >>> this.#shift;
      this.#words[place] = (this.#words[place] as number) | twoBits(hash);
    }
  }

  mayHave(hash: number): boolean {
    const bits = twoBits(hash);
    return ((this.#words[spread(hash) >>> this.#shift] as number) & bits) === bits;
  }
}

function twoBits(hash: number): number {
  const spread = Math.imul(hash, 0x85ebca6b);
  return (1 << (spread >>> 27)) | (1 << (spread >>> 22));
}

/** Bits of a number below `count`, at least one. */
const bitsFor = (count: number): number => Math.max(1, 32 - Math.clz32(Math.max(0, count - 1)));
