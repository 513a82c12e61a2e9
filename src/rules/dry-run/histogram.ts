/** The events of a window, counted by equal parts of it. */

/** One part of the window: the events received after `from`, up to and with `to`. */
export interface DryRunBucket {
  /** ISO 8601, UTC. */
  readonly from: string;
  readonly to: string;
  /** Events that matched. */
  readonly matched: number;
  /** Events in it. */
  readonly scanned: number;
}

/**
 * Made when a dry-run begins, and thrown away when it ends. The parts begin and end at whole milliseconds from the
 * start.
 */
export class Histogram {
  readonly #start: number;
  readonly #span: number;
  readonly #counts: { matched: number; scanned: number }[];

  /**
   * @param start - Unix ms; not in the window.
   * @param end - Unix ms; in the window.
   */
  constructor(start: number, end: number, buckets: number) {
    this.#start = start;
    this.#span = end - start;
    this.#counts = Array.from({ length: buckets }, () => ({ matched: 0, scanned: 0 }));
  }

  /** @param at - Unix ms, in the window. */
  count(at: number, isMatch: boolean): void {
    const bucket = this.#counts[this.#bucketAt(at)];
    if (bucket === undefined) return;
    bucket.scanned++;
    if (isMatch) bucket.matched++;
  }

  buckets(): readonly DryRunBucket[] {
    const instant = (i: number): string => new Date(this.#edge(i)).toISOString();
    return this.#counts.map((counts, i) => ({ from: instant(i), to: instant(i + 1), ...counts }));
  }

  /** The instant at which bucket `i` begins, and the one before it ends. Unix ms. */
  #edge(i: number): number {
    return this.#start + Math.round((i * this.#span) / this.#counts.length);
  }

  /** The index of an instant's bucket. The quotient is off by one if rounding has moved an edge past the instant. */
  #bucketAt(at: number): number {
    const last = this.#counts.length - 1;
    const near = Math.ceil(((at - this.#start) * this.#counts.length) / this.#span) - 1;
    let bucket = Math.min(Math.max(near, 0), last);
    while (bucket > 0 && at <= this.#edge(bucket)) bucket--;
    while (bucket < last && at > this.#edge(bucket + 1)) bucket++;
    return bucket;
  }
}
