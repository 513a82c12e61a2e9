/**
 * How much of a bounded room one customer may take: no more than stays free beside it. One alone may have half, two a third
 * each, and however many take all that they may, there is always some for the next.
 */

/**
 * Whether one who has `own` may take `more`.
 *
 * @param own - Part of `total`.
 * @param total - The amount that all have together.
 */
export const mayTake = (own: number, more: number, total: number, limit: number): boolean =>
  own + more <= limit - total - more;
