/**
 * Prefilters: tests that rule out matches by length and by texts, and searches for the positions at which a match can
 * start.
 */
import { headCheckOf, headSource, type HeadCheck } from './heads.js';
import { prefixesOf, requiredLiterals, type Clause } from './literals.js';
import { expressionOf, sourceOfTexts } from './native.js';
import { shortestMatch, type Node } from './tree.js';

/** UTF-16 units of a text that are searched for, since a search takes time proportional to the longest text. */
const MAX_UNITS = 16;

/** The shortest prefix, in UTF-16 units, for which a search saves more than it costs. */
const MIN_PREFIX = 2;

/** The shortest text, in UTF-16 units, that is rare enough to rule out most subjects. */
const MIN_SELECTIVE_UNITS = 3;

/** The fewest and the most characters of a head that is searched for instead of a text. */
const HEAD_LENGTHS = [4, 8] as const;

const head = (text: string): string => text.slice(0, MAX_UNITS);

/** A quick test for well-formed texts, which rules out most that a pattern does not match. */
export interface TreeFilter {
  /** UTF-16 units of the shortest match. */
  readonly shortest: number;
  /** False only if the pattern does not match the text. Reads each unit a few times at most. */
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

/** Texts of which every match contains one: its prefixes, or its required literals if those are longer. */
function selectiveClause(tree: Node): Clause {
  const [required = []] = requiredLiterals(tree);
  const prefixes = prefixesOf(tree);
  return shortestOf(required) > shortestOf(prefixes) ? required : prefixes;
}

const shortestOf = (clause: Clause): number =>
  clause.length === 0 ? 0 : Math.min(...clause.map((text) => text.length));

/** One filter for several patterns, which reads a text once: false only if none of them matches. */
export function commonFilter(trees: readonly Node[]): TreeFilter {
  const shortest = Math.min(...trees.map(shortestMatch));
  const literals: string[] = [];
  const sources: string[] = [];
  for (const tree of trees) {
    const clause = selectiveClause(tree);
    const length = shortestOf(clause);
    const source = length < MIN_SELECTIVE_UNITS ? headSource(tree, ...HEAD_LENGTHS) : null;
    if (source !== null) sources.push(source);
    else if (length >= MIN_PREFIX) literals.push(...clause.map(head));
    else return { shortest, passes: () => true };
  }
  if (literals.length > 0) sources.push(sourceOfTexts(literals));
  const expression = new RegExp(sources.join('|'));
  return { shortest, passes: (text) => expression.test(text) };
}

/** The positions at which a match of a pattern can begin. */
export interface Starts {
  /** The first index, at `from` or later, of a prefix of matches; -1 without one. */
  readonly next: (text: string, from: number) => number;
  /** Whether the characters at such an index allow a match. */
  readonly check: HeadCheck;
}

/**
 * The positions at which a match of a pattern can begin, found by the prefixes of matches.
 *
 * @returns `null` if a prefix is short or unknown.
 */
export function startsOf(tree: Node): Starts | null {
  const prefixes = prefixesOf(tree);
  if (prefixes.some((prefix) => prefix.length < MIN_PREFIX)) return null;
  const expression = expressionOf(prefixes.map(head), 'g');
  return {
    check: headCheckOf(tree),
    next(text, from) {
      expression.lastIndex = from;
      return expression.exec(text)?.index ?? -1;
    },
  };
}
