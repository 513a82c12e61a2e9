/** Prefilters: they rule out a match by the length of a text, and by texts that every match contains. */
import { headCheckOf, headSource, rareHeadSource, type HeadCheck } from './heads.js';
import { prefixesOf, requiredLiterals, type Clause } from './literals.js';
import { expressionOf, sourceOfTexts } from './native.js';
import { shortestMatch, type Node } from './tree.js';

/** Units of a text that are looked for: a search takes time proportional to the longest. */
const MAX_UNITS = 16;

/** UTF-16 units of a text below which looking for it costs more than it spares. */
const MIN_PREFIX = 2;

/** UTF-16 units below which a text is too common to rule much out. */
const MIN_TELLING = 3;

/** Characters of a head, at least and at most, that are looked for in place of a text. */
const TELLING_HEAD = [4, 8] as const;

const head = (text: string): string => text.slice(0, MAX_UNITS);

/** A quick test that rules a pattern out for a well-formed text. */
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

/** Texts of which every match holds one: those that it begins with, or others if they are longer. */
function tellingClause(tree: Node): Clause {
  const [required = []] = requiredLiterals(tree);
  const prefixes = prefixesOf(tree);
  return shortestOf(required) > shortestOf(prefixes) ? required : prefixes;
}

const shortestOf = (clause: Clause): number =>
  clause.length === 0 ? 0 : Math.min(...clause.map((text) => text.length));

/** One filter for several patterns, which looks at a text once: false where none of them is in it. */
export function commonFilter(trees: readonly Node[]): TreeFilter {
  const shortest = Math.min(...trees.map(shortestMatch));
  const literals: string[] = [];
  const sources: string[] = [];
  for (const tree of trees) {
    const clause = tellingClause(tree);
    const length = shortestOf(clause);
    const source = length < MIN_TELLING ? headSource(tree, ...TELLING_HEAD) : null;
    if (source !== null) sources.push(source);
    else if (length >= MIN_PREFIX) literals.push(...clause.map(head));
    else return { shortest, passes: () => true };
  }
  if (literals.length > 0) sources.push(sourceOfTexts(literals));
  const expression = new RegExp(sources.join('|'));
  return { shortest, passes: (text) => expression.test(text) };
}

/** The places where a match of a pattern can begin. */
export interface Starts {
  /** The first place, at an index or later, of a text that matches begin with; -1 without one. */
  readonly next: (text: string, from: number) => number;
  /** Whether the characters at such a place let a match begin. */
  readonly check: HeadCheck;
}

/**
 * The places where a match of a pattern can begin, found by the texts that matches begin with.
 *
 * @returns `null` where a match can begin anywhere.
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

/** The first index, at `from` or later, at which a match can begin; -1 without one. */
export type NextStart = (text: string, from: number) => number;

/** Possible starts that are more frequent than one in so many characters are not worth skipping to. */
const MIN_CHARACTERS_PER_START = 64;

/** Characters of a head that are compared to find a start. */
const START_CHARACTERS = 4;

/** Finds the next place where a match can begin; `null` where such places are too frequent, or unknown. */
export function nextStartOf(tree: Node): NextStart | null {
  const prefixes = prefixesOf(tree).map(head);
  if (prefixes.length === 1 && (prefixes[0] as string).length >= MIN_PREFIX) {
    const [prefix = ''] = prefixes;
    return (text, from) => text.indexOf(prefix, from);
  }
  const source = prefixes.every((prefix) => prefix.length >= MIN_PREFIX)
    ? sourceOfTexts(prefixes)
    : rareHeadSource(tree, START_CHARACTERS, MIN_CHARACTERS_PER_START);
  return source === null ? null : nextOf(source);
}

function nextOf(source: string): NextStart {
  let expression: RegExp | undefined;
  return (text, from) => {
    expression ??= new RegExp(`(?=${source})`, 'g');
    expression.lastIndex = from;
    return expression.test(text) ? expression.lastIndex : -1;
  };
}
