/** Guesses at names: aliases, slips, and negations that no guess leaves out. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALIASES_OF, guess } from '../../../src/rules/issues/guess.js';
import { operatorNames } from '../../../src/rules/operators/index.js';

const names = Object.keys(ALIASES_OF);
const isNegative = (name: string): boolean => ['neq', 'missing'].includes(name) || name.startsWith('not_');
const guessed = (word: string, candidates: readonly string[] = names): string | undefined =>
  /Did you mean (\w+)\?/.exec(guess(word, candidates))?.[1];

/** Every name and alias, with the name that it stands for. */
const words = Object.entries(ALIASES_OF).flatMap(([name, aliases]) =>
  [name, ...aliases.split(' ')].map((word) => ({ word, name })),
);
const prefixes = [
  'not',
  'none',
  'no',
  'un',
  'non',
  'n',
  '!',
  'is_not',
  'isnt',
  'does_not',
  "doesn't",
  'never',
];
const negations = [
  ...prefixes.flatMap((prefix) => ['', '_', ' ', '-'].map((gap) => (word: string) => prefix + gap + word)),
  ...['_not', ' not', '_none', '_no'].map((suffix) => (word: string) => word + suffix),
];

test('a guess never leaves out a negation', () => {
  for (const { word, name } of words) {
    for (const negate of negations) {
      for (const candidates of [names, operatorNames, ['all', 'any', 'path', 'op', 'value']]) {
        const found = guessed(negate(word), candidates);
        if (found === undefined) continue;
        expect(isNegative(found), `${negate(word)}: ${found}`).toBe(!isNegative(name));
      }
    }
  }
});

test('nor does it where there is a slip besides', () => {
  const slip = fc.tuple(fc.constantFrom(...words), fc.nat(), fc.constantFrom('', 'x', 'e'));
  const sure = ['not_', 'not', 'none', 'no_', 'no', 'un', '!'];
  fc.assert(
    fc.property(slip, fc.constantFrom(...sure), ([{ word }, at, letter], negation) => {
      const position = at % word.length;
      const slipped = negation + word.slice(0, position) + letter + word.slice(position + 1);
      const found = guessed(
        slipped,
        operatorNames.filter((name) => !isNegative(name)),
      );
      // Left with the names that say yes, nothing but a double negation can be meant.
      if (found !== undefined) {
        expect(slipped.slice(negation.length)).toMatch(/no|miss|!|<>|n|abs|excl|lack|un/);
      }
    }),
    { numRuns: 5_000 },
  );
});

test('every alias, in any spelling, is understood', () => {
  for (const { word, name } of words) {
    for (const spelled of [word, word.toUpperCase(), `$${word}`]) expect(guessed(spelled, [name])).toBe(name);
  }
});

describe('a negation is answered with the inverse', () => {
  test.for([
    ['unequal', 'neq'],
    ['inequal', 'neq'],
    ['!equals', 'neq'],
    ['!contains', 'not_contains'],
    ['ncontain', 'not_contains'],
    ['contains_not', 'not_contains'],
    ['hasNo', 'not_contains'],
    ['isnt_in', 'not_in'],
    ['unlike', 'not_matches'],
    ['doesNotMatch', 'not_matches'],
    ['not_present', 'missing'],
    ['not_missing', 'exists'],
    ['$nin', 'not_in'],
  ] as const)('%s: %s', ([word, name]) => {
    expect(guessed(word, operatorNames)).toBe(name);
  });
});

describe('nothing is guessed where nothing is alike, or two are equally so', () => {
  test.for([
    'toString',
    'valueOf',
    'constructor',
    'st',
    'ni',
    'not',
    'none',
    '!',
    '',
    'nto_starts_with',
    'not_gt',
  ])('%s', (word) => {
    expect(guess(word, operatorNames)).toBe('');
  });

  test.for([5, null, undefined, {}, ['eq']])('%o', (word) => {
    expect(guess(word, operatorNames)).toBe('');
  });
});
