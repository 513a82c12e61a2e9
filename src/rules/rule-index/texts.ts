/** What the indexes of prefixes, suffixes and substrings share: hashes of parts of a text, and what bears them. */

/** A hash of units u₁…uₙ is u₁·BASEⁿ⁻¹ + … + uₙ, so that one more unit is one step. */
const BASE = 0x01000193;

/** Spreads a hash over its upper bits. */
const spread = (hash: number): number => Math.imul(hash, 0x9e3779b1);

/** The hash of a text and one more unit. */
export const extend = (hash: number, unit: number): number => (Math.imul(hash, BASE) + unit) | 0;

/** Bits of the filter for each entry: of what is not there, one in fifty gets past it. */
const FILTER_BITS = 16;

/** Entries of a bucket that are looked through one by one. */
const FEW = 4;

/**
 * Entries by hash. Most look-ups find nothing, and learn it from one bit. An entry has a slot: slots go by hash, so that
 * no choice of texts makes a look-up take longer than the logarithm of their number.
 */
export class HashTable {
  /** The entry of each slot. */
  readonly order: Int32Array;
  /** Tells of most hashes that no entry has them. */
  readonly filter: Filter;
  /** Spread hashes by slot, ascending. */
  readonly #hashes: Uint32Array;
  /** The first slot of each bucket, which is the upper bits of a spread hash; and the end of the last. */
  readonly #starts: Int32Array;
  readonly #shift: number;

  /** @param hashes - The hash of each entry. */
  constructor(hashes: Int32Array) {
    const bits = bitsFor(hashes.length);
    const spreads = Uint32Array.from(hashes, spread);
    this.filter = new Filter(hashes);
    this.order = Int32Array.from(hashes.keys()).sort(
      (a, b) => (spreads[a] as number) - (spreads[b] as number),
    );
    this.#hashes = Uint32Array.from(this.order, (entry) => spreads[entry] as number);
    this.#shift = 32 - bits;
    this.#starts = new Int32Array((1 << bits) + 1).fill(hashes.length);
    for (let slot = hashes.length - 1; slot >= 0; slot--) this.#starts[this.#bucketOf(slot)] = slot;
    for (let bucket = (1 << bits) - 1; bucket >= 0; bucket--) {
      const next = this.#starts[bucket + 1] as number;
      if ((this.#starts[bucket] as number) > next) this.#starts[bucket] = next;
    }
  }

  /** The first slot with a hash, or -1. */
  first(hash: number): number {
    const wanted = spread(hash) >>> 0;
    const bucket = wanted >>> this.#shift;
    let slot = this.#starts[bucket] as number;
    let end = this.#starts[bucket + 1] as number;
    while (end - slot > FEW) {
      const middle = (slot + end) >>> 1;
      if ((this.#hashes[middle] as number) < wanted) slot = middle + 1;
      else end = middle;
    }
    while (slot < end && (this.#hashes[slot] as number) < wanted) slot++;
    return this.#hashes[slot] === wanted ? slot : -1;
  }

  /** The next slot with the same hash, or -1. */
  after(slot: number): number {
    return this.#hashes[slot + 1] === this.#hashes[slot] ? slot + 1 : -1;
  }

  #bucketOf(slot: number): number {
    return (this.#hashes[slot] as number) >>> this.#shift;
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
