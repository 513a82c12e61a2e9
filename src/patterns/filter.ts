/** Telling quickly where a pattern cannot match: by the length of a text, and by texts that every match holds. */
import { prefixesOf, requiredLiterals } from './literals.js';
import { expressionOf } from './native.js';
import { shortestMatch, type Node } from './tree.js';

/** Units of a text that are looked for: a search takes time proportional to the longest. */
const MAX_UNITS = 16;

/** Where no text of this length must stand, looking for one costs more than it spares. */
const MIN_PREFIX = 2;

const head = (text: string): string => text.slice(0, MAX_UNITS);

/** What tells that a pattern is not in a well-formed text. */
export interface TreeFilter {
  /** UTF-16 units that every match has at least. */
  readonly shortest: number;
  /** False where the pattern surely is not in the text. Looks at each unit of it a few times at most. */
  readonly passes: (text: string) => boolean;
}

/** The filter of a pattern. */
export function filterOf(tree: Node): TreeFilter {
  const expressions = requiredLiterals(tree).map((clause) => expressionOf(clause.map(head)));
  return {
    shortest: shortestMatch(tree),
    passes: (text) => expressions.every((expression) => expression.test(text)),
  };
}

/** One filter for several patterns, which looks at a text once: false where none of them is in it. */
export function commonFilter(trees: readonly Node[]): TreeFilter {
  const shortest = Math.min(...trees.map(shortestMatch));
  const clauses = trees.map((tree) => requiredLiterals(tree)[0]);
  if (clauses.includes(undefined)) return { shortest, passes: () => true };
  const expression = expressionOf(clauses.flatMap((clause = []) => clause.map(head)));
  return { shortest, passes: (text) => expression.test(text) };
}

/**
 * The places where a match of a pattern can begin, found by the texts that matches begin with.
 *
 * @returns A function to the first such place from an index on, -1 without one; `null` where a match can begin anywhere.
 */
export function startsOf(tree: Node): ((text: string, from: number) => number) | null {
  const prefixes = prefixesOf(tree);
  if (prefixes.some((prefix) => prefix.length < MIN_PREFIX)) return null;
  const expression = expressionOf(prefixes.map(head), 'g');
  return (text, from) => {
    expression.lastIndex = from;
    return expression.exec(text)?.index ?? -1;
  };
}
