/** Guesses at names: which known one a word is meant for, in the words of other systems or with a slip of the pen. */
import { forms } from '../operators/index.js';

const operators = /* @__PURE__ */ forms.flatMap(({ operators }) => Object.entries(operators));

/** Names in other systems, by the name here. */
export const ALIASES_OF: Readonly<Record<string, string>> = /* @__PURE__ */ withOperators({
  all: 'and && every allof must',
  any: 'or || some should anyof oneof',
  name: 'title',
  path: 'field key property',
  op: 'operator comparator condition',
  drop: 'block filter delete discard ignore reject',
  route_only: 'route forward routeto send deliver',
  tag: 'label tags addtag',
  transform: 'modify mutate change map rewrite',
  redact: 'replace mask hide censor scrub',
  set: 'assign put write overwrite',
  regex: 'pattern',
  replace: 'with replacement',
  deep: 'recursive nested',
  uppercase: 'upper upcase toupper touppercase',
  lowercase: 'lower downcase tolower tolowercase',
  trim: 'strip',
});

function withOperators(others: Readonly<Record<string, string>>): Record<string, string> {
  return { ...Object.fromEntries(operators.map(([name, { aliases }]) => [name, aliases])), ...others };
}

const ALIASES: ReadonlyMap<string, readonly string[]> = /* @__PURE__ */ namesByAlias();

function namesByAlias(): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const [name, aliases] of Object.entries(ALIASES_OF)) {
    for (const alias of aliases.split(' ')) names.set(alias, [...(names.get(alias) ?? []), name]);
  }
  return names;
}

const INVERSES: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ operators.flatMap(([name, { negates }]) =>
    negates === undefined
      ? []
      : [
          [name, negates],
          [negates, name],
        ],
  ),
);

/** Each way in which a name negates another. No guess may leave one out: it would recommend the opposite. */
const NEGATIONS = [
  /^!/,
  /^no(?!ne$|t)/,
  /^non(?!e$)/,
  /^un/,
  /^dis/,
  /(?:does|do|is|are|has|have|must|should|can)(?:not|no(?!ne)|n['’]?t)/,
  /not|n['’]t|none|never|without/,
  /no$/,
];

/** Prefixes that negate some words, and merely begin others. */
const PERHAPS_NEGATIONS = [/^n/, /^in/];

/** Letters from which on a word with a slip is still told from another one. */
const TELLING = 4;

/** One way to read a word. */
interface Reading {
  /** Without the negation. */
  readonly text: string;
  readonly negated: boolean;
}

/** The known name that a word means. */
export interface Meaning {
  readonly name: string;
  /** Whether the word says no to it. */
  readonly negated: boolean;
}

const normalize = (word: string): string =>
  word
    .slice(0, 32)
    .toLowerCase()
    .replace(/[\s_-]|^\$/g, '');

const hasNegation = (normal: string): boolean => NEGATIONS.some((negation) => negation.test(normal));

/** Whether a word says no to something, such as `none`, `must_not`, `nor` or `!`. */
export const isNegation = (word: string): boolean => {
  const normal = normalize(word);
  return hasNegation(normal) || PERHAPS_NEGATIONS.some((prefix) => isAliasAfter(prefix, normal));
};

const isAliasAfter = (prefix: RegExp, normal: string): boolean =>
  prefix.test(normal) && ALIASES.has(normal.replace(prefix, ''));

/** ` Did you mean …?` with the candidate that a word is most like; empty if none is like it. */
export function guess(word: unknown, candidates: readonly string[]): string {
  const meaning = meaningOf(word, candidates);
  if (meaning === null) return '';
  const meant = meaning.negated ? INVERSES.get(meaning.name) : meaning.name;
  return meant !== undefined && candidates.includes(meant) ? ` Did you mean ${meant}?` : '';
}

/**
 * The candidate that a word means: by an alias, or one or two edits away; `null` if it means no candidate, or several.
 */
export function meaningOf(word: unknown, candidates: readonly string[]): Meaning | null {
  if (typeof word !== 'string') return null;
  const meanings = readingsOf(normalize(word), candidates).flatMap(({ text, negated }) =>
    candidates.map((name) => ({ name, negated, distance: distance(text, name) })),
  );
  const least = Math.min(...meanings.map(({ distance }) => distance));
  const [first, ...others] = least === Infinity ? [] : meanings.filter((one) => one.distance === least);
  return first !== undefined && others.every((other) => isSame(first, other)) ? first : null;
}

const isSame = (one: Meaning, other: Meaning): boolean =>
  one.negated === other.negated ? one.name === other.name : INVERSES.get(one.name) === other.name;

/** As it stands, and without each negation that may be in it. */
function readingsOf(normal: string, candidates: readonly string[]): readonly Reading[] {
  const negations = ALIASES.has(normal) ? [] : NEGATIONS;
  const isKnown = (text: string): boolean =>
    text.length >= TELLING || ALIASES.has(text) || candidates.some((name) => normalize(name) === text);
  return [
    { text: normal, negated: false },
    ...withoutEach(negations, normal),
    ...withoutEach(PERHAPS_NEGATIONS, normal).filter(({ text }) => isKnown(text)),
  ];
}

const withoutEach = (negations: readonly RegExp[], normal: string): readonly Reading[] =>
  negations
    .filter((negation) => negation.test(normal))
    .map((negation) => ({ text: normal.replace(negation, ''), negated: true }));

/** Edits from one to the other; infinite if they are more than slips, or where only one of the two is a negation. */
function distance(text: string, name: string): number {
  if (ALIASES.get(text)?.includes(name) === true) return 0;
  const other = normalize(name);
  if (text === other) return 0;
  if (hasNegation(text) !== hasNegation(other)) return Infinity;
  const count = edits(text, other);
  return count <= Math.min(2, Math.max(1, Math.floor(other.length / 3))) ? count : Infinity;
}

/** Insertions, deletions and substitutions that turn one word into the other. */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const substituted = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
