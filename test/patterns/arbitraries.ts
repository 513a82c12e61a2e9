/** Patterns and subjects at random, out of few characters so that they meet. */
import fc from 'fast-check';

/** Cases a property runs; a longer search is one variable away. */
export const numRuns = Number(process.env.HEADGATE_FUZZ_RUNS ?? 400);

const characters = ['a', 'b', 'c', 'k', 'K', 's', 'ſ', '\u212a', 'é', '😀', '\n', ' ', '_', '1', '\ufffd'];

/** Well-formed text. */
export const subjects = fc
  .array(fc.constantFrom(...characters), { maxLength: 12 })
  .map((parts) => parts.join(''));

/** Text that may hold half of a pair. */
export const anySubjects = fc
  .array(fc.constantFrom(...characters, '\ud83d', '\ude00'), { maxLength: 12 })
  .map((parts) => parts.join(''));

const atoms = [
  ...[
    'a',
    'b',
    'c',
    'é',
    '😀',
    '.',
    '^',
    '$',
    '\\b',
    '\\B',
    '[ab]',
    '[^a]',
    '\\w',
    '\\W',
    '\\d',
    '\\s',
    '[b-é]',
    'ab',
    'aab',
  ],
  ...[
    '(?i:k)',
    '(?i:s)',
    '(?i:[^k])',
    '\\pL',
    '\\P{Greek}',
    '\\x{FFFD}',
    '(?m:^)',
    '(?m:$)',
    '(?s:.)',
    '[[:alpha:]]',
    '',
    '\\Qa.\\E',
  ],
];
const operators = ['', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{1,}', '{2,}?', '{0}', '{1,3}?'];

/** A lazy loop that is all of another loop. If it may be empty, RE2 of 2020, which re2-wasm has, ends it elsewhere. */
const LAZY_IN_LOOP = /[*+?}]\?\)+[*+{]/;

/** RE2 syntax, nested a few levels. */
export const patterns = fc
  .letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...atoms),
      fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => left + right),
      fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `(?:${left}|${right})`),
      fc
        .tuple(tie('pattern'), fc.constantFrom(...operators))
        .map(([part, operator]) => `(?:${part})${operator}`),
      fc
        .tuple(tie('pattern'), fc.constantFrom(...operators))
        .map(([part, operator]) => `(${part})${operator}`),
    ),
  }))
  .pattern.filter((pattern) => pattern.length <= 120 && !LAZY_IN_LOOP.test(pattern));

const plainAtoms = [
  'a',
  'b',
  'c',
  'é',
  '😀',
  '.',
  '[ab]',
  '[^a]',
  '[b-é]',
  '\\w',
  '\\d',
  '\\.',
  '_',
  '\\x61',
];

/**
 * The part of the language that RegExp reads alike: no flags, no repeated empty match, no group in a loop,
 * whose capture RegExp forgets, and no `\B`, which V8 finds between the halves of a pair.
 */
export const sharedPatterns = fc
  .letrec<{ whole: string; solid: string }>((tie) => ({
    solid: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...plainAtoms),
      fc.tuple(tie('solid'), tie('solid')).map(([left, right]) => left + right),
      fc.tuple(tie('solid'), tie('solid')).map(([left, right]) => `(?:${left}|${right})`),
      fc
        .tuple(tie('solid'), fc.constantFrom('+', '+?', '{2}', '{1,3}'))
        .map(([part, operator]) => `(?:${part})${operator}`),
    ),
    whole: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tie('solid'),
      fc.constantFrom('^', '$', '\\b', ''),
      fc
        .tuple(tie('solid'), fc.constantFrom('*', '?', '*?', '??', '{0,2}'))
        .map(([part, operator]) => `(?:${part})${operator}`),
      fc.tuple(tie('whole'), tie('whole')).map(([left, right]) => left + right),
      fc.tuple(tie('whole'), tie('whole')).map(([left, right]) => `(?:${left}|${right})`),
      tie('whole').map((part) => `(${part})`),
    ),
  }))
  .whole.filter((pattern) => pattern.length <= 120);
