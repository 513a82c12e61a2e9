/**
 * Assertions as sets of contexts.
 *
 * An assertion depends on its two neighbors, the one before and the one after the position, and each neighbor is of one
 * of four kinds. So a condition is a set of the sixteen contexts; "and" is `&`, "or" is `|`.
 */
import { perlClasses } from '../class-names.js';
import type { CodePoints } from '../code-points.js';
import type { Assertion } from '../tree.js';

/** A kind of neighbor: an end of the text, or a character of one of three kinds. */
export type Neighbor = 0 | 1 | 2 | 3;

export const EDGE: Neighbor = 0;
const NEWLINE: Neighbor = 1;
const WORD: Neighbor = 2;
export const OTHER: Neighbor = 3;

/** The number of contexts. */
export const CONTEXTS = 16;

/** The number of a context. */
export const contextOf = (before: Neighbor, after: Neighbor): number => 4 * before + after;

/** A set of contexts, one in each bit. */
export type Contexts = number;

/** The contexts whose neighbors pass a test. */
function contextsWhere(passes: (before: Neighbor, after: Neighbor) => boolean): Contexts {
  const neighbors = [EDGE, NEWLINE, WORD, OTHER];
  let contexts = 0;
  for (const before of neighbors) {
    for (const after of neighbors) {
      if (passes(before, after)) contexts |= 1 << contextOf(before, after);
    }
  }
  return contexts;
}

export const ANYWHERE: Contexts = contextsWhere(() => true);
/** Before the first character of a text, between two, and after the last. */
export const START: Contexts = contextsWhere((before, after) => before === EDGE && after !== EDGE);
export const INSIDE: Contexts = contextsWhere((before, after) => before !== EDGE && after !== EDGE);
export const END: Contexts = contextsWhere((before, after) => before !== EDGE && after === EDGE);

const wordBoundary = contextsWhere((before, after) => (before === WORD) !== (after === WORD));

/** The contexts in which each assertion holds. */
export const contextsOf: Readonly<Record<Assertion['at'], Contexts>> = {
  'text-start': contextsWhere((before) => before === EDGE),
  'text-end': contextsWhere((_, after) => after === EDGE),
  'line-start': contextsWhere((before) => before === EDGE || before === NEWLINE),
  'line-end': contextsWhere((_, after) => after === EDGE || after === NEWLINE),
  'word-boundary': wordBoundary,
  'no-word-boundary': ANYWHERE & ~wordBoundary,
};

/** The kind of neighbor of each ASCII character; all others are {@link OTHER}. */
export const neighbors = Uint8Array.from({ length: 128 }, (_, unit) =>
  unit === 0x0a ? NEWLINE : /\w/.test(String.fromCharCode(unit)) ? WORD : OTHER,
);

/** The kind of neighbor of a code point. */
export const neighborOf = (point: number): Neighbor => (neighbors[point] ?? OTHER) as Neighbor;

/** The sets of characters that differ in kind from {@link OTHER}. */
export const neighborSets: readonly CodePoints[] = [[0x0a, 0x0a], perlClasses.get('w') as CodePoints];
