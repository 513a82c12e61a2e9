/** Binary search. */

/**
 * The first index whose item does not come before the one sought; `length` where all do.
 *
 * @param isBefore - Whether the item at an index comes before the one sought: true for the first indexes, then false
 *   for all others.
 */
export function lowerBound(length: number, isBefore: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
