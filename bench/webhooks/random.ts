/** Randomness that gives the same numbers for the same seed, and the distributions that webhooks are drawn from. */

/** A stream of numbers (mulberry32); streams of different seeds have nothing to do with each other. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** 0 ≤ x < 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, 0 ≤ n < `below`. */
  int(below: number): number {
    return Math.floor(this.next() * below);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)] as T;
  }

  /** `count` of them, drawn one by one, so that one may come twice. */
  times<T>(count: number, draw: (nth: number) => T): T[] {
    return Array.from({ length: count }, (_, nth) => draw(nth));
  }

  /** Exponential: many are short, few are long. */
  exponential(mean: number): number {
    return -Math.log(1 - this.next()) * mean;
  }

  /** A rank below `size` where rank r comes with a weight of 1 / (r + 1)^skew. */
  rank(size: number, skew: number): number {
    const sums = cumulativeWeights(size, skew);
    const wanted = this.next() * (sums[size - 1] as number);
    let low = 0;
    for (let high = size - 1; low < high;) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** One of the list; the first is the most frequent. */
  skewed<T>(list: readonly T[], skew = 1): T {
    return list[this.rank(list.length, skew)] as T;
  }
}

const weights = new Map<string, Float64Array>();

function cumulativeWeights(size: number, skew: number): Float64Array {
  const key = `${size} ${skew}`;
  let sums = weights.get(key);
  if (sums === undefined) {
    sums = new Float64Array(size);
    let sum = 0;
    for (let rank = 0; rank < size; rank++) sums[rank] = sum += (rank + 1) ** -skew;
    weights.set(key, sums);
  }
  return sums;
}

/** Scatters a number over 32 bits, always the same way. */
export function scatter(n: number, salt = 0): number {
  let mixed = Math.imul(n ^ (n >>> 16) ^ salt, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
