/** Entries found by hash: the table behind values, prefixes, suffixes and texts. */

/** A hash of units u₁…uₙ is u₁·BASEⁿ⁻¹ + … + uₙ, so that one more unit is one step. */
const BASE = 0x01000193;

/** The hash of a text and one more unit. */
export const extend = (hash: number, unit: number): number => (Math.imul(hash, BASE) + unit) | 0;

/** Spreads a hash over its upper bits. */
const spread = (hash: number): number => Math.imul(hash, 0x9e3779b1);

/** Bits of the filter for each entry: of the hashes that no entry has, one in fifty passes. */
const FILTER_BITS = 16;

/** Entries of a bucket up to which they are sorted by insertion, and searched one by one. */
const FEW = 4;

/**
 * Entries by hash. Most look-ups find nothing, and learn it from one bit. An entry has a cell: cells are ordered by
 * hash, so that no choice of entries makes a look-up take longer than the logarithm of their number. Immutable.
 */
export class HashTable {
  readonly #filter: Filter;
  /** Spread hashes by cell, ascending. */
  readonly #hashes: Uint32Array;
  /** The first cell of each bucket, which is the upper bits of a spread hash; and the end of the last. */
  readonly #starts: Int32Array;
  readonly #shift: number;

  private constructor(filter: Filter, hashes: Uint32Array, starts: Int32Array, shift: number) {
    this.#filter = filter;
    this.#hashes = hashes;
    this.#starts = starts;
    this.#shift = shift;
  }

  /**
   * @param hashes - The hash of each entry.
   * @returns The table, and the entry of each cell.
   */
  static of(hashes: Int32Array): { readonly table: HashTable; readonly order: Int32Array } {
    const bits = bitsFor(hashes.length);
    const spreads = Uint32Array.from(hashes, spread);
    const starts = startsOf(spreads, bits);
    const order = orderOf(spreads, starts, 32 - bits);
    const sorted = Uint32Array.from(order, (entry) => spreads[entry] as number);
    return { table: new HashTable(new Filter(hashes), sorted, starts, 32 - bits), order };
  }

  /** A filter that recognizes most hashes that no entry has. */
  get filter(): Filter {
    return this.#filter;
  }

  /** False if no entry has a hash; true if one may have it. */
  mayHave(hash: number): boolean {
    return this.#filter.mayHave(hash);
  }

  /** The first cell with a hash, or -1. */
  first(hash: number): number {
    const wanted = spread(hash) >>> 0;
    const bucket = wanted >>> this.#shift;
    let cell = this.#starts[bucket] as number;
    let end = this.#starts[bucket + 1] as number;
    while (end - cell > FEW) {
      const middle = (cell + end) >>> 1;
      if ((this.#hashes[middle] as number) < wanted) cell = middle + 1;
      else end = middle;
    }
    while (cell < end && (this.#hashes[cell] as number) < wanted) cell++;
    return this.#hashes[cell] === wanted ? cell : -1;
  }

  /** The next cell with the same hash, or -1. */
  after(cell: number): number {
    return this.#hashes[cell + 1] === this.#hashes[cell] ? cell + 1 : -1;
  }
}

/** The first cell of each bucket, and the end of the last. */
function startsOf(spreads: Uint32Array, bits: number): Int32Array {
  const starts = new Int32Array((1 << bits) + 1);
  for (const hash of spreads) {
    const next = (hash >>> (32 - bits)) + 1;
    starts[next] = (starts[next] as number) + 1;
  }
  for (let bucket = 0; bucket < 1 << bits; bucket++) {
    starts[bucket + 1] = (starts[bucket + 1] as number) + (starts[bucket] as number);
  }
  return starts;
}

/** The entries in the order of their hashes: put into their buckets, then sorted within each. */
function orderOf(spreads: Uint32Array, starts: Int32Array, shift: number): Int32Array {
  const order = new Int32Array(spreads.length);
  const filled = starts.slice();
  for (let entry = 0; entry < spreads.length; entry++) {
    const bucket = (spreads[entry] as number) >>> shift;
    const cell = filled[bucket] as number;
    order[cell] = entry;
    filled[bucket] = cell + 1;
  }
  for (let bucket = 0; bucket + 1 < starts.length; bucket++) {
    const [start, end] = [starts[bucket] as number, starts[bucket + 1] as number];
    if (end - start > 1) {
      order.subarray(start, end).sort((a, b) => (spreads[a] as number) - (spreads[b] as number));
    }
  }
  return order;
}

/** Two bits of one word for each hash. Most hashes that are not in it are known not to be, by one read. Immutable. */
export class Filter {
  readonly #words: Int32Array;
  readonly #shift: number;

  constructor(hashes: Int32Array) {
    const bits = bitsFor(Math.ceil((hashes.length * FILTER_BITS) / 32));
    this.#shift = 32 - bits;
    this.#words = new Int32Array(1 << bits);
    for (const hash of hashes) {
      const word = spread(hash) >>> this.#shift;
      this.#words[word] = (this.#words[word] as number) | twoBits(hash);
    }
  }

  mayHave(hash: number): boolean {
    const bits = twoBits(hash);
    return ((this.#words[spread(hash) >>> this.#shift] as number) & bits) === bits;
  }

  /**
   * Slides a window over a text, from a position to the end or to the first window that may be an entry.
   *
   * @param window - Its hash before the position; it is the hash of the window after the call.
   * @returns The position after the window; the length of the text plus one if no window may be an entry.
   */
  slideTo(text: string, from: number, window: Window): number {
    const words = this.#words;
    const shift = this.#shift;
    const step = window.shift;
    let { hash } = window;
    for (let at = from; at < text.length; at++) {
      hash = slide(hash, step, text.charCodeAt(at));
      const bits = twoBits(hash);
      if (((words[spread(hash) >>> shift] as number) & bits) === bits) {
        window.hash = hash;
        return at + 1;
      }
    }
    return text.length + 1;
  }
}

/** The hash of the last few units of a text that is being read. */
export interface Window {
  hash: number;
  /** Bits by which the hash moves with each unit: a unit is gone when it has left the window. */
  readonly shift: number;
}

/** The hash of a window after one more unit. */
export const slide = (hash: number, shift: number, unit: number): number =>
  (shift === 32 ? 0 : hash << shift) ^ Math.imul(unit, 0x9e3779b1);

function twoBits(hash: number): number {
  const spread = Math.imul(hash, 0x85ebca6b);
  return (1 << (spread >>> 27)) | (1 << (spread >>> 22));
}

/** Bits of a number below `count`, at least one. */
const bitsFor = (count: number): number => Math.max(1, 32 - Math.clz32(Math.max(0, count - 1)));
