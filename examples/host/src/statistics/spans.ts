/** Spans of equal length over which things are counted; the last one has now in it. Pure. */

const MINUTE_MS = 60_000;

/** How many spans, and how long each is. */
export interface Period {
  readonly buckets: number;
  readonly bucketMinutes: number;
}

/** Spans, each with the number that counts spans of its length from 1970. */
export interface Spans {
  readonly bucketMinutes: number;
  readonly first: number;
  readonly count: number;
  /** Unix minutes. */
  readonly firstMinute: number;
  /** The beginning of a span, and with `count` the end of the last, in Unix ms. */
  startOf(index: number): number;
}

/** @param now - Unix ms. */
export function spansOf({ buckets: count, bucketMinutes }: Period, now: number): Spans {
  const first = Math.floor(now / (bucketMinutes * MINUTE_MS)) - count + 1;
  return {
    bucketMinutes,
    first,
    count,
    firstMinute: first * bucketMinutes,
    startOf: (index) => (first + index) * bucketMinutes * MINUTE_MS,
  };
}
