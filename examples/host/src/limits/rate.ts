/** How much each key may take a second: token buckets, which fill as time goes on. Each process has its own. Pure. */

/** The buckets of all keys; mutable. */
export interface Rate {
  /**
   * Takes an amount out of the key's bucket, if it has that much. More than a bucket can hold is taken out of a full
   * one.
   *
   * @param at - Unix ms. A clock that was set back fills nothing.
   * @returns 0 if it was taken; otherwise nothing was, and there will be enough after this many ms.
   */
  take(key: string, amount: number, at: number): number;
  /** Takes what is already spent, whether or not the bucket has it: the key waits until it is out of debt. */
  spend(key: string, amount: number, at: number): void;
}

/** A bucket holds the amount of this many seconds, unless its size is given. */
const SECONDS = 2;
/** With this many buckets, the full ones are forgotten. */
const MANY = 1_000;

interface Bucket {
  /** Negative while the key is in debt. */
  readonly amount: number;
  readonly at: number;
}

/**
 * All buckets are full at first.
 *
 * @param perSecond - How fast they fill.
 * @param burst - The amount in a full bucket.
 */
export function createRate(perSecond: number, burst = SECONDS * perSecond): Rate {
  const buckets = new Map<string, Bucket>();
  const filled = (bucket: Bucket | undefined, at: number): number =>
    bucket === undefined
      ? burst
      : Math.min(burst, bucket.amount + (Math.max(0, at - bucket.at) * perSecond) / 1_000);
  let lookAt = MANY;
  const forgetFull = (at: number): void => {
    for (const [key, bucket] of buckets) {
      if (filled(bucket, at) === burst) buckets.delete(key);
    }
    lookAt = Math.max(MANY, 2 * buckets.size);
  };
  const fill = (key: string, amount: number, at: number): void => {
    if (buckets.size >= lookAt) forgetFull(at);
    buckets.set(key, { amount, at });
  };
  return {
    take(key, amount, at) {
      const there = filled(buckets.get(key), at);
      const asked = Math.min(amount, burst);
      if (there < asked) return ((asked - there) / perSecond) * 1_000;
      fill(key, there - asked, at);
      return 0;
    },
    spend: (key, amount, at) => fill(key, filled(buckets.get(key), at) - amount, at),
  };
}
