/** Search in what is sorted. */

/**
 * The first of so many indexes that does not come before what is sought; their number where all do. By halving.
 *
 * @param isBefore - Whether the item at an index comes before what is sought; once false, false for all after it.
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
