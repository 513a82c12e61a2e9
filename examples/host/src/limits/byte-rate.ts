/** How many bytes each project may send a second: token buckets, which fill as time goes on. Pure. */

/** The buckets of all projects; mutable. */
export interface ByteRate {
  /**
   * Takes bytes out of the project's bucket, if it has them. A body larger than a bucket is taken out of a full one.
   *
   * @param at - Unix ms.
   * @returns 0 if they were taken; otherwise nothing was, and there will be enough after this many ms.
   */
  take(project: string, bytes: number, at: number): number;
  /** Takes bytes that are already spent, whether or not the bucket has them: the project waits until it is out of debt. */
  spend(project: string, bytes: number, at: number): void;
}

/** A bucket holds the bytes of this many seconds. */
const SECONDS = 2;
/** With this many buckets, the full ones are forgotten. */
const MANY = 1_000;

interface Bucket {
  /** Negative while the project is in debt. */
  readonly bytes: number;
  readonly at: number;
}

/** All buckets are full at first. */
export function createByteRate(perSecond: number): ByteRate {
  const size = perSecond * SECONDS;
  const buckets = new Map<string, Bucket>();
  const filled = (bucket: Bucket | undefined, at: number): number =>
    bucket === undefined
      ? size
      : Math.min(size, bucket.bytes + (Math.max(0, at - bucket.at) * perSecond) / 1_000);
  let lookAt = MANY;
  const forgetFull = (at: number): void => {
    for (const [project, bucket] of buckets) {
      if (filled(bucket, at) === size) buckets.delete(project);
    }
    lookAt = Math.max(MANY, 2 * buckets.size);
  };
  const fill = (project: string, bytes: number, at: number): void => {
    if (buckets.size >= lookAt) forgetFull(at);
    buckets.set(project, { bytes, at });
  };
  return {
    take(project, bytes, at) {
      const there = filled(buckets.get(project), at);
      const asked = Math.min(bytes, size);
      if (there < asked) return ((asked - there) / perSecond) * 1_000;
      fill(project, there - asked, at);
      return 0;
    },
    spend: (project, bytes, at) => fill(project, filled(buckets.get(project), at) - bytes, at),
  };
}
