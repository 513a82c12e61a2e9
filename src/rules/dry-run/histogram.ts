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

/** Made when a dry-run begins, and thrown away when it ends. */
export class Histogram {
  readonly #start: number;
  readonly #width: number;
  readonly #counts: { matched: number; scanned: number }[];

  /**
   * @param start - Unix ms; not in the window.
   * @param end - Unix ms; in the window.
   */
  constructor(start: number, end: number, buckets: number) {
    this.#start = start;
    this.#width = (end - start) / buckets;
    this.#counts = Array.from({ length: buckets }, () => ({ matched: 0, scanned: 0 }));
  }

  /** @param at - Unix ms, in the window. */
  count(at: number, isMatch: boolean): void {
    const last = this.#counts.length - 1;
    const place = Math.ceil((at - this.#start) / this.#width) - 1;
    const bucket = this.#counts[Math.min(Math.max(place, 0), last)];
    if (bucket === undefined) return;
    bucket.scanned++;
    if (isMatch) bucket.matched++;
  }

  buckets(): readonly DryRunBucket[] {
    const instant = (i: number): string => new Date(this.#start + i * this.#width).toISOString();
    return this.#counts.map((counts, i) => ({ from: instant(i), to: instant(i + 1), ...counts }));
  }
}
