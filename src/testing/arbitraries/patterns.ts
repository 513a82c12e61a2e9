/** RE2 patterns. */
import type { Arbitrary, FastCheck } from './fast-check.js';

const atoms = ['a', 'b', 'ab', '.', '[ab]', '[^a]', '\\d', '\\w', '\\.', '😀', '(?:a|bb)', 'é', 'order'];
const repeats = ['', '', '', '*', '+', '?', '+?', '*?', '{2}', '{1,2}'];

/**
 * Patterns, with a sure literal and without. RE2 and RegExp (with `u`) agree on them: only what cannot be empty is
 * repeated, and no capturing group is.
 */
export function patternArbitrary(fc: FastCheck): Arbitrary<string> {
  const repeated = fc
    .tuple(fc.constantFrom(...atoms), fc.constantFrom(...repeats))
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
