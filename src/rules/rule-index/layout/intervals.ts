/** Intervals of numbers, and which of them hold a number. */

/** A closed interval that leads to a rule; a finite number is in it. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  /** The rule, as an entry. */
  readonly entry: number;
}

const NONE = -1;

/**
 * A search tree in flat arrays. A node keeps the intervals across its center twice, by their beginning and by their
 * end; those wholly below or above are further down. A number below the center is in those that begin no later,
 * which come first: what is found, and one more for each level, is all that is looked at.
 */
export class Intervals {
  readonly #centers: number[] = [];
  /** The index of the first interval of each node; its intervals end where those of the next node begin. */
  readonly #starts: number[] = [];
  readonly #below: number[] = [];
  readonly #above: number[] = [];
  readonly #lows: Float64Array;
  readonly #entriesByLow: Int32Array;
  readonly #highs: Float64Array;
  readonly #entriesByHigh: Int32Array;
  #filled = 0;

  constructor(intervals: readonly Interval[]) {
    this.#lows = new Float64Array(intervals.length);
    this.#entriesByLow = new Int32Array(intervals.length);
    this.#highs = new Float64Array(intervals.length);
    this.#entriesByHigh = new Int32Array(intervals.length);
    this.#grow(intervals);
    this.#starts.push(this.#filled);
  }

  /** Calls back with the entry of every interval that holds a number. */
  stab(at: number, meet: (entry: number) => void): void {
    let node = this.#centers.length > 0 ? 0 : NONE;
    while (node !== NONE) {
      const end = this.#starts[node + 1] as number;
      let i = this.#starts[node] as number;
      if (at < (this.#centers[node] as number)) {
        for (; i < end && (this.#lows[i] as number) <= at; i++) meet(this.#entriesByLow[i] as number);
        node = this.#below[node] as number;
      } else {
        for (; i < end && (this.#highs[i] as number) >= at; i++) meet(this.#entriesByHigh[i] as number);
        node = this.#above[node] as number;
      }
    }
  }

  /** Adds the node of some intervals and those under it. Every level halves the ends, so it is never deep. */
  #grow(intervals: readonly Interval[]): number {
    if (intervals.length === 0) return NONE;
    const center = middleEnd(intervals);
    const node = this.#centers.push(center) - 1;
    this.#starts.push(this.#filled);
    this.#keep(intervals.filter(({ low, high }) => low <= center && center <= high));
    this.#below[node] = NONE; // set before the nodes under it
    this.#above[node] = NONE;
    this.#below[node] = this.#grow(intervals.filter(({ high }) => high < center));
    this.#above[node] = this.#grow(intervals.filter(({ low }) => low > center));
    return node;
  }

  #keep(across: Interval[]): void {
    const start = this.#filled;
    across.sort((a, b) => a.low - b.low);
    across.forEach(({ low, entry }, i) => {
      this.#lows[start + i] = low;
      this.#entriesByLow[start + i] = entry;
    });
    across.sort((a, b) => b.high - a.high);
    across.forEach(({ high, entry }, i) => {
      this.#highs[start + i] = high;
      this.#entriesByHigh[start + i] = entry;
    });
    this.#filled += across.length;
  }
}

function middleEnd(intervals: readonly Interval[]): number {
  const ends = new Float64Array(2 * intervals.length);
  let count = 0;
  for (const { low, high } of intervals) {
    if (Number.isFinite(low)) ends[count++] = low;
    if (Number.isFinite(high)) ends[count++] = high;
  }
  return ends.subarray(0, count).sort()[count >> 1] ?? 0;
}
