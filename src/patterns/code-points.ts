/** Sets of code points, and code points in UTF-16 text. */

/** A set as flat ranges: first, last (inclusive), first, last, …; sorted, disjoint, not adjacent. */
export type CodePoints = readonly number[];

/** The last code point of Unicode. */
export const MAX_CODE_POINT = 0x10ffff;

/** The last code point that is one UTF-16 unit. */
export const MAX_BASIC = 0xffff;

/** Surrogates, the units of pairs. */
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** Whether a code point, or a UTF-16 unit, is a surrogate. */
export const isSurrogate = (point: number): boolean => point >= FIRST_SURROGATE && point <= LAST_SURROGATE;

/** Every code point. */
export const anything: CodePoints = [0, MAX_CODE_POINT];

/** The set of all members of flat ranges that may overlap and come in any order. */
export function union(...sets: readonly CodePoints[]): CodePoints {
  const ranges: [number, number][] = [];
  for (const set of sets) {
    for (let i = 0; i < set.length; i += 2) ranges.push([set[i] as number, set[i + 1] as number]);
  }
  ranges.sort((a, b) => a[0] - b[0]);
  const merged: number[] = [];
  for (const [first, last] of ranges) {
    const end = merged.at(-1);
    if (end === undefined || first > end + 1) merged.push(first, last);
    else if (last > end) merged[merged.length - 1] = last;
  }
  return merged;
}

/** All code points outside of a set. */
export function complement(set: CodePoints): CodePoints {
  const rest: number[] = [];
  let next = 0;
  for (let i = 0; i < set.length; i += 2) {
    const first = set[i] as number;
    if (first > next) rest.push(next, first - 1);
    next = (set[i + 1] as number) + 1;
  }
  if (next <= MAX_CODE_POINT) rest.push(next, MAX_CODE_POINT);
  return rest;
}

/** Whether a set has a code point. */
export function holds(set: CodePoints, point: number): boolean {
  for (let i = 0; i < set.length; i += 2) {
    if (point <= (set[i + 1] as number)) return point >= (set[i] as number);
  }
  return false;
}

/** Whether the second set has every member of the first. */
export function isSubset(part: CodePoints, whole: CodePoints): boolean {
  for (let i = 0; i < part.length; i += 2) {
    const outer = whole.findIndex((last, at) => at % 2 === 1 && last >= (part[i] as number));
    if (outer < 0 || (whole[outer - 1] as number) > (part[i] as number)) return false;
    if ((whole[outer] as number) < (part[i + 1] as number)) return false;
  }
  return true;
}

/** How many code points a set has. */
export function count(set: CodePoints): number {
  let members = 0;
  for (let i = 0; i < set.length; i += 2) members += (set[i + 1] as number) - (set[i] as number) + 1;
  return members;
}

/**
 * The range that a code point is in: a binary search.
 *
 * @param bounds - The first code points of all ranges, ascending.
 * @returns The index of the last bound that is not above the point; 0 if all are.
 */
export function rangeOf(bounds: readonly number[], point: number): number {
  let low = 0;
  let high = bounds.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((bounds[middle] as number) <= point) low = middle;
    else high = middle;
  }
  return low;
}

/** UTF-16 units of the code point that starts at `at`; 1 at the end of the text. */
export function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > MAX_BASIC ? 2 : 1;
}

/** UTF-16 units of the code point that ends before `end`, which is not 0. */
export function widthBefore(text: string, end: number): number {
  return end > 1 && widthAt(text, end - 2) === 2 ? 2 : 1;
}
