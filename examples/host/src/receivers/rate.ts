/** How many requests a receiver keeps a second. In memory: each process counts its own. */

/** Lets one more through, or not. */
export type Rate = (key: string, at: number) => boolean;

interface Bucket {
  readonly left: number;
  /** Unix ms. */
  readonly at: number;
}

/** Beyond this number the one that was used longest ago is forgotten, which fills it. */
const MAX_BUCKETS = 10_000;

/**
 * Token buckets, which are full at first.
 *
 * @param perSecond - How fast they fill.
 * @param burst - Tokens that each holds when it is full.
 */
export function createRate(perSecond: number, burst: number): Rate {
  const buckets = new Map<string, Bucket>();
  return (key, at) => {
    const { left, at: since } = buckets.get(key) ?? { left: burst, at };
    // A clock that was set back fills nothing.
    const filled = Math.min(burst, left + (Math.max(0, at - since) / 1_000) * perSecond);
    const isThrough = filled >= 1;
    buckets.delete(key);
    buckets.set(key, { left: isThrough ? filled - 1 : filled, at });
    if (buckets.size > MAX_BUCKETS) buckets.delete(buckets.keys().next().value as string);
    return isThrough;
  };
}
