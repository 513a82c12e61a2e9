/** Automata of our own, held to what engines and RegExp find. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { automatonOf, type Automaton } from '../../src/patterns/automaton/automaton.js';
import { RingCache, type Entry } from '../../src/patterns/automaton/cache.js';
import { fitsAutomaton } from '../../src/patterns/automaton/positions.js';
import { parsePattern } from '../../src/patterns/check.js';
import { wellFormed } from '../../src/patterns/well-formed.js';
import { anySubjects, numRuns, patterns, sharedPatterns } from './arbitraries.js';
import { vectors } from './conformance.js';
import { compilePattern } from './compile.js';
import { programOf, re2js } from './engines.js';

/** `null` where the pattern does not fit. */
function automaton(pattern: string): Automaton | null {
  const { tree } = parsePattern(pattern);
  return fitsAutomaton(tree) ? automatonOf(tree) : null;
}

describe('an automaton', () => {
  test('finds what an engine finds', () => {
    fc.assert(
      fc.property(patterns, fc.array(anySubjects, { minLength: 1, maxLength: 6 }), (pattern, subjects) => {
        const found = automaton(pattern);
        fc.pre(found !== null);
        const program = programOf(re2js, pattern);
        for (const text of subjects.map(wellFormed)) expect(found(text), text).toBe(program.test(text));
      }),
      { numRuns: 4 * numRuns },
    );
  });

  test('finds what RegExp finds', () => {
    fc.assert(
      fc.property(sharedPatterns, anySubjects.map(wellFormed), (pattern, text) => {
        const found = automaton(pattern);
        fc.pre(found !== null);
        expect(found(text)).toBe(new RegExp(pattern, 'u').test(text));
      }),
      { numRuns: 4 * numRuns },
    );
  });

  test('finds what RE2 finds, as published', () => {
    let checks = 0;
    for (const { subjects, cases } of vectors.groups) {
      for (const [pattern, expected] of Object.entries(cases)) {
        const found = automaton(pattern);
        if (found === null) continue;
        for (const [i, subject] of subjects.entries()) {
          if (typeof expected[i] !== 'string') continue;
          expect(found(subject), `${pattern} in ${JSON.stringify(subject)}`).toBe(expected[i] !== '');
          checks++;
        }
      }
    }
    expect(checks).toBeGreaterThan(13_000);
  });

  test.for([
    { pattern: '[a-z]{32}', fits: true },
    { pattern: '[a-z]{33}', fits: false },
    { pattern: '[a-z]{32,}', fits: true },
    { pattern: '(?:[ab]|cd|e){8}', fits: true },
    { pattern: '(?:[ab]|cd|ef?){7}', fits: false },
    { pattern: '(?:a{100}){0}', fits: true },
    { pattern: '(?:^|\\b){300}', fits: true },
    { pattern: '(?i)[a-z]k', fits: true },
    { pattern: '(?i)é', fits: false },
    { pattern: '[^\\pL]', fits: false },
    { pattern: '(?:\\pL){0}', fits: true },
  ])('$pattern fits into 32 positions of known characters: $fits', ({ pattern, fits }) => {
    expect(automaton(pattern) !== null).toBe(fits);
  });

  test.for([
    { pattern: '[a-z]{32}', subject: `-${'a'.repeat(32)}`, found: true },
    { pattern: '[a-z]{32}', subject: `-${'a'.repeat(31)}-a`, found: false },
    { pattern: '^[a-z]{32}$', subject: 'a'.repeat(33), found: false },
    { pattern: '[a-z]{31}[0-9]+$', subject: `${'a'.repeat(40)}77`, found: true },
    { pattern: '(?:[a-z]{15}[0-9]){2}', subject: `${'a'.repeat(15)}1${'b'.repeat(15)}1`, found: true },
    { pattern: 'a[^b]*c', subject: `a${'😀'.repeat(1 << 16)}c`, found: true },
    { pattern: 'a[^b]*c', subject: `a${'😀'.repeat(1 << 16)}bc`, found: false },
    { pattern: '[\\x{10000}-\\x{1F5FF}]', subject: '😀', found: false },
    { pattern: '[\\x{10000}-\\x{1F600}]', subject: '😀', found: true },
    { pattern: '[\\x{1F601}-\\x{10FFFF}]|[\\x80-\\x{1F5FF}]', subject: '😀', found: false },
    { pattern: '[\\x{10FFFF}]', subject: '\u{10ffff}', found: true },
    { pattern: '[\\x7f]', subject: '\x80', found: false },
    { pattern: '[\\x80]', subject: '\x7f', found: false },
    { pattern: '(?i)\\W', subject: 'aK_ſ', found: false },
    { pattern: '(?:^|[^a])b(?:$|c)', subject: 'abab', found: false },
    { pattern: '(?:a\\b|b\\B)[^d]', subject: 'abd', found: false },
    { pattern: '(?:a\\b|b\\B)[^d]', subject: 'abc', found: true },
    { pattern: '[0-9]{2}[a-f]$', subject: '99-99a-1-11-2 22f', found: true },
    { pattern: '[0-9]{2}[a-f]$', subject: '99-99a-1-11-22fg', found: false },
    { pattern: '\\b[0-9]{2}[a-f]', subject: 'x22f 22f', found: true },
    { pattern: '\\b[0-9]{2}[a-f]', subject: 'x22f 122f', found: false },
    { pattern: '(?:^|\\n)ord-[0-9]', subject: 'ord- \nord-7', found: true },
    { pattern: '(?:^|\\n)ord-[0-9]', subject: 'ord- xord-7', found: false },
    { pattern: 'aab[0-9]', subject: 'aaab7', found: true },
    { pattern: '[\\x{100}-\\x{FFFF}]ab', subject: '😀ab', found: false },
    { pattern: '[\\x{100}-\\x{FFFF}]ab', subject: '😀éab\u2022ab', found: true },
  ])('finds $pattern in $subject: $found', ({ pattern, subject, found }) => {
    expect(automaton(pattern)?.(subject)).toBe(found);
    expect(programOf(re2js, pattern).test(subject)).toBe(found);
  });
});

describe('a pattern with an automaton', () => {
  test('costs of its budget what it costs with an engine, and is undecided beyond', () => {
    const { cost } = compilePattern('[a-z][0-9]+');
    const work = { left: cost * 20 };
    const pattern = compilePattern('[a-z][0-9]+', { engine: { ...re2js, maxSubjectLength: 15 } });
    expect(pattern.test('-'.repeat(10), work)).toBe(false);
    expect(work.left).toBe(cost * 10);
    expect(pattern.test('-'.repeat(11), work)).toBe(undefined);
    expect(work.left).toBe(cost * 10);
    expect(pattern.test('a1', work)).toBe(true);
    expect(work.left).toBe(cost * 8);
    expect(pattern.test('-'.repeat(16), { left: Infinity })).toBe(undefined);
    expect(pattern.free).toBe(false);
  });

  test('answers as before when its automaton was evicted', () => {
    const pattern = compilePattern('[a-z]+7');
    expect(pattern.test('a7')).toBe(true);
    for (let i = 0; i < 5000; i++) expect(compilePattern(`[a-z]${i}[0-9]`).test(`a${i}0`)).toBe(true);
    expect(pattern.test('a7')).toBe(true);
  });
});

test('a ring cache evicts its oldest entry', () => {
  const entries = Array.from({ length: 5 }, (): Entry => ({ automaton: () => true }));
  const cache = new RingCache(2);
  for (const entry of entries) cache.add(entry);
  expect(entries.map(({ automaton: kept }) => kept !== undefined)).toEqual([false, false, false, true, true]);
});
