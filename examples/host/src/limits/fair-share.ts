/**
 * How much of a bounded amount one owner may take: no more than stays free beside it. One alone may have half, two a third
 * each, and however many take all that they may, there is always some left for the next.
 */

/**
 * Whether an owner that has `own` may take `more`.
 *
 * @param own - Part of `total`.
 * @param total - The amount that all owners have together.
 */
export const mayTake = (own: number, more: number, total: number, limit: number): boolean =>
  own + more <= limit - total - more;
