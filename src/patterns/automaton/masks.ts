/** The positions that take a character: a table for ASCII, ranges for the rest. */
import { holds, rangeOf, type CodePoints } from '../code-points.js';

const ASCII = 128;

/** Sets of positions by character. */
export interface Masks {
  /** By ASCII character. */
  readonly ascii: Int32Array;
  /** The length of {@link ascii}. */
  readonly width: number;
  /** The positions that take any other code point. */
  other(point: number): number;
}

/** Inverts the sets that positions take. */
export function masksOf(takes: ReadonlyMap<CodePoints, number>): Masks {
  const bounds = boundsOf(takes);
  const others = bounds.map((bound) => maskOf(takes, bound));
  return lookup(asciiOf(takes), bounds, others);
}

/** A function of its own, so that the closure keeps nothing but the tables. */
function lookup(ascii: Int32Array, bounds: readonly number[], others: readonly number[]): Masks {
  return { ascii, width: ASCII, other: (point) => others[rangeOf(bounds, point)] as number };
}

function asciiOf(takes: ReadonlyMap<CodePoints, number>): Int32Array {
  const ascii = new Int32Array(ASCII);
  for (const [set, positions] of takes) {
    for (let i = 0; i < set.length; i += 2) {
      const last = Math.min(set[i + 1] as number, ASCII - 1);
      for (let point = set[i] as number; point <= last; point++) {
        ascii[point] = (ascii[point] as number) | positions;
      }
    }
  }
  return ascii;
}

/** The first code points of ranges with equal masks, beyond ASCII. */
function boundsOf(takes: ReadonlyMap<CodePoints, number>): readonly number[] {
  const bounds = new Set([ASCII]);
  for (const set of takes.keys()) {
    for (const [i, point] of set.entries()) bounds.add(Math.max(ASCII, i % 2 === 0 ? point : point + 1));
  }
  return [...bounds].sort((a, b) => a - b);
}

function maskOf(takes: ReadonlyMap<CodePoints, number>, point: number): number {
  let mask = 0;
  for (const [set, positions] of takes) {
    if (holds(set, point)) mask |= positions;
  }
  return mask;
}
