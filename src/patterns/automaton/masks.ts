/** Which positions take a character: a table for ASCII, ranges for the rest. */
import { holds, type CodePoints } from '../code-points.js';

const ASCII = 128;

/** Positions by character. */
export interface Masks {
  /** Of the ASCII character of each index. */
  readonly ascii: Int32Array;
  /** How many those are. */
  readonly width: number;
  /** Of any other code point. */
  other(point: number): number;
}

/** Turns the sets that positions take around. */
export function masksOf(takes: ReadonlyMap<CodePoints, number>): Masks {
  const bounds = boundsOf(takes);
  const others = bounds.map((bound) => maskOf(takes, bound));
  return lookup(asciiOf(takes), bounds, others);
}

/** Holds nothing but the tables. */
function lookup(ascii: Int32Array, bounds: readonly number[], others: readonly number[]): Masks {
  return { ascii, width: ASCII, other: (point) => others[rangeOf(bounds, point)] as number };
}

function asciiOf(takes: ReadonlyMap<CodePoints, number>): Int32Array {
  const ascii = new Int32Array(ASCII);
  for (const [set, positions] of takes)
    for (let i = 0; i < set.length; i += 2) {
      const last = Math.min(set[i + 1] as number, ASCII - 1);
      for (let point = set[i] as number; point <= last; point++)
        ascii[point] = (ascii[point] as number) | positions;
    }
  return ascii;
}

/** Where ranges of equal masks begin, from the first code point beyond ASCII on. */
function boundsOf(takes: ReadonlyMap<CodePoints, number>): readonly number[] {
  const bounds = new Set([ASCII]);
  for (const set of takes.keys())
    for (const [i, point] of set.entries()) bounds.add(Math.max(ASCII, i % 2 === 0 ? point : point + 1));
  return [...bounds].sort((a, b) => a - b);
}

function maskOf(takes: ReadonlyMap<CodePoints, number>, point: number): number {
  let mask = 0;
  for (const [set, positions] of takes) if (holds(set, point)) mask |= positions;
  return mask;
}

/** The last range that begins at the point or before. */
function rangeOf(bounds: readonly number[], point: number): number {
  let low = 0;
  let high = bounds.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((bounds[middle] as number) <= point) low = middle;
    else high = middle;
  }
  return low;
}
