/** RE2 patterns. */
import type { Arbitrary, FastCheck } from './fast-check.js';

const ATOMS = ['a', 'b', 'ab', '.', '[ab]', '[^a]', '\\d', '\\w', '\\.', '😀', '(?:a|bb)', 'é', 'order'];
const REPEATS = ['', '', '', '*', '+', '?', '+?', '*?', '{2}', '{1,2}'];

/**
 * Patterns with and without a required literal. RE2 and RegExp (with `u`) agree on them, since no part that may be
 * empty and no capturing group is repeated.
 */
export function patternArbitrary(fc: FastCheck): Arbitrary<string> {
  const repeated = fc
    .tuple(fc.constantFrom(...ATOMS), fc.constantFrom(...REPEATS))
    .map(([atom, often]) => (often !== '' && /^\w\w/.test(atom) ? `(?:${atom})${often}` : atom + often));
  const part = fc
    .tuple(repeated, fc.constantFrom('', '', '(', '(?:'))
    .map(([one, open]) => (open === '' ? one : `${open}${one})`));
  const branch = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
  return fc
    .tuple(
      fc.constantFrom('', '', '^', '\\b'),
      fc.array(branch, { minLength: 1, maxLength: 2 }),
      fc.constantFrom('', '$'),
    )
    .map(([start, branches, end]) => `${start}${branches.join('|')}${end}`);
}
