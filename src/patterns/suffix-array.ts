/**
 * The suffix array of a text, in which a binary search finds any text that occurs in it.
 *
 * Built by induced sorting (Nong, Zhang and Chan, "Linear Suffix Array Construction by Almost Pure Induced-Sorting",
 * 2009), in time linear in the text. A suffix is *small* (S-type) when it is less than the one that begins a unit
 * later, otherwise *large* (L-type). A small one after a large one is *leftmost* (LMS). Once the leftmost are in order,
 * two passes over the array put all others in order.
 */

const EMPTY = -1;

/** The starts of all suffixes of a text, ordered by the suffixes' UTF-16 units. */
export function suffixArray(text: string): Int32Array {
  const units = new Int32Array(text.length);
  let largest = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    units[i] = unit;
    if (unit > largest) largest = unit;
  }
  return sortSuffixes(units, largest);
}

/** @param largest - The largest unit. */
function sortSuffixes(units: Int32Array, largest: number): Int32Array {
  const { length } = units;
  if (length === 0) return new Int32Array(0);
  if (length === 1) return new Int32Array(1);
  const isSmall = smallSuffixes(units);
  const buckets = bucketsOf(units, isSmall, largest);
  const leftmost = leftmostSuffixes(isSmall);
  const suffixes = new Int32Array(length);
  induce(suffixes, leftmost, units, isSmall, buckets);
  if (leftmost.length > 0) {
    induce(suffixes, inOrder(suffixes, leftmost, units, isSmall), units, isSmall, buckets);
  }
  return suffixes;
}

function smallSuffixes(units: Int32Array): Uint8Array {
  const isSmall = new Uint8Array(units.length);
  for (let i = units.length - 2; i >= 0; i--) {
    const unit = units[i] as number;
    const next = units[i + 1] as number;
    isSmall[i] = unit === next ? (isSmall[i + 1] as number) : unit < next ? 1 : 0;
  }
  return isSmall;
}

const isLeftmost = (isSmall: Uint8Array, i: number): boolean =>
  i > 0 && isSmall[i] === 1 && isSmall[i - 1] === 0;

function leftmostSuffixes(isSmall: Uint8Array): Int32Array {
  let count = 0;
  for (let i = 1; i < isSmall.length; i++) {
    if (isLeftmost(isSmall, i)) count++;
  }
  const leftmost = new Int32Array(count);
  let filled = 0;
  for (let i = 1; i < isSmall.length; i++) {
    if (isLeftmost(isSmall, i)) leftmost[filled++] = i;
  }
  return leftmost;
}

/** For each unit, the indices of the suffixes that begin with it: first the large ones, then the small ones. */
interface Buckets {
  readonly larges: Int32Array;
  readonly smalls: Int32Array;
}

function bucketsOf(units: Int32Array, isSmall: Uint8Array, largest: number): Buckets {
  const larges = new Int32Array(largest + 2);
  const smalls = new Int32Array(largest + 2);
  for (let i = 0; i < units.length; i++) {
    const unit = units[i] as number;
    if (isSmall[i] === 1) larges[unit + 1] = (larges[unit + 1] as number) + 1;
    else smalls[unit] = (smalls[unit] as number) + 1;
  }
  for (let unit = 0; unit <= largest; unit++) {
    smalls[unit] = (smalls[unit] as number) + (larges[unit] as number);
    larges[unit + 1] = (larges[unit + 1] as number) + (smalls[unit] as number);
  }
  return { larges, smalls };
}

/**
 * Puts the leftmost suffixes into their buckets in the given order; induces all large ones from them, then all small
 * ones.
 */
function induce(
  suffixes: Int32Array,
  leftmost: Int32Array,
  units: Int32Array,
  isSmall: Uint8Array,
  { larges, smalls }: Buckets,
): void {
  const { length } = units;
  suffixes.fill(EMPTY);
  const next = smalls.slice();
  const put = (suffix: number): void => {
    const unit = units[suffix] as number;
    suffixes[next[unit] as number] = suffix;
    next[unit] = (next[unit] as number) + 1;
  };
  for (const suffix of leftmost) put(suffix);
  next.set(larges);
  put(length - 1);
  for (let i = 0; i < length; i++) {
    const before = (suffixes[i] as number) - 1;
    if (before >= 0 && isSmall[before] === 0) put(before);
  }
  next.set(larges);
  for (let i = length - 1; i >= 0; i--) {
    const before = (suffixes[i] as number) - 1;
    if (before < 0 || isSmall[before] === 0) continue;
    const end = (units[before] as number) + 1;
    next[end] = (next[end] as number) - 1;
    suffixes[next[end]] = before;
  }
}

/** Sorts the leftmost suffixes, given an array that is sorted by their LMS substrings. */
function inOrder(
  suffixes: Int32Array,
  leftmost: Int32Array,
  units: Int32Array,
  isSmall: Uint8Array,
): Int32Array {
  const indices = new Int32Array(units.length).fill(EMPTY);
  leftmost.forEach((suffix, index) => (indices[suffix] = index));
  const ranks = new Int32Array(leftmost.length);
  let rank = -1;
  let former = EMPTY;
  for (const suffix of suffixes) {
    if (suffix < 0 || !isLeftmost(isSmall, suffix)) continue;
    if (former === EMPTY || !isSamePart(former, suffix, indices, leftmost, units)) rank++;
    ranks[indices[suffix] as number] = rank;
    former = suffix;
  }
  return sortSuffixes(ranks, rank).map((index) => leftmost[index] as number);
}

/** Whether two LMS substrings are equal: each ends with the unit at which the next leftmost suffix begins. */
function isSamePart(
  a: number,
  b: number,
  indices: Int32Array,
  leftmost: Int32Array,
  units: Int32Array,
): boolean {
  const { length } = units;
  const endA = leftmost[(indices[a] as number) + 1] ?? length;
  const endB = leftmost[(indices[b] as number) + 1] ?? length;
  if (endA - a !== endB - b || endA === length || endB === length) return false;
  for (let i = 0; i <= endA - a; i++) {
    if (units[a + i] !== units[b + i]) return false;
  }
  return true;
}
