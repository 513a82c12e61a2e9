/**
 * Conclusions from the syntax tree (literals, prefixes, heads, reach, cost), compared with the matches of an engine.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RE2JS } from 're2js';
import { commonFilter, filterOf, startsOf } from '../../src/patterns/filter.js';
import { headCheckOf } from '../../src/patterns/heads.js';
import { prefixesOf } from '../../src/patterns/literals.js';
import { nativeSearcher } from '../../src/patterns/native.js';
import { parsePattern } from '../../src/patterns/check.js';
import { printPattern } from '../../src/patterns/print.js';
import { reachOf } from '../../src/patterns/reach.js';
import { numRuns, patterns, subjects } from './arbitraries.js';
import { compilePattern, compileRedaction } from './compile.js';
import { allMatches, engineMatches, programOf, re2js } from './engines.js';

describe('required literals', () => {
  test('occur in whatever matches', () => {
    fc.assert(
      fc.property(patterns, subjects, (pattern, subject) => {
        fc.pre(programOf(re2js, pattern).test(subject));
        for (const clause of compilePattern(pattern).requiredLiterals) {
          expect(clause.some((literal) => subject.includes(literal))).toBe(true);
        }
      }),
      { numRuns: 2 * numRuns },
    );
  });

  test.for([
    { pattern: 'sk_(?:live|test)_[0-9A-Za-z]{16,}', literals: [['sk_live_', 'sk_test_']] },
    { pattern: '^https?://', literals: [['https://', 'http://']] },
    { pattern: '[a-z]+@example\\.com', literals: [['@example.com']] },
    { pattern: '"livemode":\\s*false', literals: [['"livemode":'], ['false']] },
    { pattern: '(?:foo+|ba[rz])[0-9]{3}', literals: [['fo', 'bar', 'baz']] },
    { pattern: '(?i)4{3}-[a-z]', literals: [['444-']] },
    { pattern: '(?i)on.', literals: [['on', 'oN', 'On', 'ON']] },
    { pattern: '(?i)k.', literals: [['k', 'K', '\u212a']] },
    { pattern: '(?:abc|d|[e-z])+x', literals: [['x']] },
    { pattern: '(?:foobar|foo)x*y', literals: [['foo'], ['y']] },
    { pattern: '(?:foo|[0-9])', literals: [] },
    { pattern: '(?:a|.b)c', literals: [['c'], ['a', 'b']] },
    {
      pattern:
        '(?:[ab][cd][ef]|[gh][ij][kl]|[mn][op][qr]|[AB][CD][EF]|[GH][IJ][KL]|[MN][OP][QR]|[01][23][45]|[67][89][ST]|[UV][WX][YZ])',
      literals: [],
    },
    { pattern: 'a*', literals: [] },
    { pattern: '[^a]', literals: [] },
    { pattern: '(?i)é', literals: [] },
    { pattern: '(?:a[0-9]+b){0,3}', literals: [] },
    { pattern: '(?:a[0-9]+b){2,3}', literals: [['a'], ['b']] },
  ])('of $pattern: $literals', ({ pattern, literals }) => {
    expect(compilePattern(pattern).requiredLiterals).toEqual(literals);
  });
});

describe('filters and starts', () => {
  const tree = (pattern: string) => parsePattern(pattern).tree;

  test('lets every text pass that holds a match, no match is shorter than the shortest, and each begins with a prefix', () => {
    fc.assert(
      fc.property(patterns, patterns, subjects, (pattern, other, subject) => {
        const matches = engineMatches(programOf(re2js, pattern), subject);
        fc.pre(matches.length > 0);
        const filter = filterOf(tree(pattern));
        const common = commonFilter([tree(other), tree(pattern)]);
        expect(filter.passes(subject)).toBe(true);
        expect(common.passes(subject)).toBe(true);
        const prefixes = prefixesOf(tree(pattern));
        const starts = startsOf(tree(pattern));
        for (const [start, end] of matches) {
          expect(end - start).toBeGreaterThanOrEqual(Math.max(filter.shortest, common.shortest));
          expect(prefixes.some((prefix) => subject.startsWith(prefix, start))).toBe(true);
          if (starts !== null) expect(starts.next(subject, start)).toBe(start);
          expect(headCheckOf(tree(pattern)).fits(subject, start)).toBe(true);
        }
      }),
      { numRuns: 2 * numRuns },
    );
  });

  test.for([
    { pattern: 'gh[op]_\\w{36,}', prefixes: ['gho_', 'ghp_'], shortest: 40 },
    {
      pattern: '(?:ab|c[0-9]+)x',
      prefixes: ['ab', 'c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9'],
      shortest: 3,
    },
    { pattern: '\\bsk_(?:live|test)_+', prefixes: ['sk_live_', 'sk_test_'], shortest: 8 },
    { pattern: '(foo){2,}', prefixes: ['foo'], shortest: 6 },
    { pattern: 'a?b', prefixes: ['ab', 'b'], shortest: 1 },
    { pattern: '\\pLa', prefixes: [''], shortest: 2 },
    { pattern: 'a*b', prefixes: [''], shortest: 1 },
  ])('$pattern begins with one of $prefixes and has $shortest or more', ({ pattern, prefixes, shortest }) => {
    expect(prefixesOf(tree(pattern))).toEqual(prefixes);
    expect(filterOf(tree(pattern)).shortest).toBe(shortest);
  });

  test.for([
    {
      pattern: 'gh[op]_\\w{36,}',
      fits: ['gho_abcdefghijklmnopqrstuvwxyz'],
      not: ['gho_abc', 'gha_abcdefghijklmnopqrstuvwxyz'],
    },
    { pattern: '(?:ab|c\\d)+x', fits: ['ab', 'c5'], not: ['a', 'cc'] },
    { pattern: '(?i)k[^b]{2}', fits: ['K', 'k', '\u212a'], not: ['b'] },
    { pattern: '\\pL', fits: [''], not: [] },
    { pattern: 'a{2}😀b', fits: ['aa'], not: ['ab'] },
  ])('a match of $pattern may begin with $fits, not with $not', ({ pattern, fits, not }) => {
    const check = headCheckOf(tree(pattern));
    expect(fits.map((text) => check.fits(`-${text}`, 1))).toEqual(fits.map(() => true));
    expect(not.map((text) => check.fits(`-${text}`, 1))).toEqual(not.map(() => false));
  });

  test('a common filter is passed by what one of the patterns may be in, and by nothing else', () => {
    const filter = commonFilter(['foo[0-9]{3}', 'bar_x+'].map(tree));
    expect(['a foo1', 'bar_x', 'foobar_', ''].map((text) => filter.passes(text))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(commonFilter(['foo[0-9]{3}', '\\pL{9}'].map(tree)).passes('')).toBe(true);
    expect(filter.shortest).toBe(5);
  });
});

describe('patterns without an engine', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'ab', 'é', '😀', ''), { maxLength: 3 })
    .map((parts) => parts.join(''));
  const finite = fc
    .tuple(
      fc.constantFrom('', '^', '\\A'),
      fc.array(fc.tuple(text, fc.constantFrom('', '?', '??', '{2}', '{0,2}')), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.constantFrom('', '$', '\\z'),
    )
    .map(
      ([start, texts, end]) =>
        `${start}(?:${texts.map(([part, operator]) => (operator ? `(?:${part})${operator}` : part)).join('|')})${end}`,
    );

  test('are found where an engine finds them', () => {
    fc.assert(
      fc.property(finite, subjects, (pattern, subject) => {
        const searcher = nativeSearcher(parsePattern(pattern).tree);
        expect(searcher).not.toBe(null);
        const found = allMatches((from) => {
          const span = searcher!.next(subject, from);
          return span && [span.start, span.end];
        }, subject);
        expect(found).toEqual(engineMatches(programOf(re2js, pattern), subject));
        expect(searcher!.test(subject)).toBe(found.length > 0);
      }),
      { numRuns: 4 * numRuns },
    );
  });

  test.for([
    { pattern: 'foo', native: true },
    { pattern: '^foo$', native: true },
    { pattern: '(?:foo|ba[rz]|q?x)', native: true },
    { pattern: '(?i)bot', native: true },
    { pattern: '[0-9]{2}', native: true },
    { pattern: '[0-9]{3}', native: false },
    { pattern: '(?i)é', native: false },
    { pattern: 'a*', native: false },
    { pattern: '(?m)^foo', native: false },
    { pattern: '^foo|bar', native: false },
    { pattern: 'a{0,99}b', native: false },
    { pattern: '\\bfoo', native: false },
    { pattern: '\\p{Greek}', native: false },
  ])('$pattern needs no engine: $native', ({ pattern, native }) => {
    expect(nativeSearcher(parsePattern(pattern).tree) !== null).toBe(native);
  });

  test('are found on a budget of nothing', () => {
    expect(compilePattern('foo|bar', { budget: 1 }).test(' '.repeat(1000) + 'bar')).toBe(true);
  });

  test('are replaced on a budget of sixteen for each match, and one for each four units', () => {
    const redact = (budget: number) => compileRedaction('foo|bar', '-', { budget })('foo, bar');
    expect(redact(16 * 3 + 8 / 4)).toEqual({ text: '-, -', limited: false });
    expect(redact(16 * 3 + 8 / 4 - 1)).toEqual({ text: '-', limited: true });
  });
});

describe('the reach of a search', () => {
  test('no text beyond it changes the match', () => {
    fc.assert(
      fc.property(patterns, subjects, subjects, (pattern, subject, tail) => {
        const program = programOf(re2js, pattern);
        const match = program.next(subject, 0, true);
        fc.pre(match !== null);
        const end = reachOf(parsePattern(pattern).tree).end(subject, match.start);
        fc.pre(end < subject.length);
        expect(program.next(subject.slice(0, end) + tail, 0, true)).toEqual(match);
      }),
      { numRuns: 2 * numRuns },
    );
  });

  test('a candidate before the first that is alive reads no further than the end, and the first one does', () => {
    fc.assert(
      fc.property(patterns, subjects, fc.nat(12), fc.nat(12), (pattern, subject, a, b) => {
        const [from, end] = [Math.min(a, b), Math.max(a, b)];
        const isWithin = (at: number) =>
          at <= subject.length &&
          !/^[\ud800-\udbff][\udc00-\udfff]/.test(subject.slice(Math.max(0, at - 1), at + 1));
        fc.pre(isWithin(from) && isWithin(end) && end < subject.length);
        const reach = reachOf(parsePattern(pattern).tree);
        const alive = reach.alive(subject, from, end);
        const positions = Array.from({ length: end - from }, (_, i) => from + i).filter(isWithin);
        for (const at of positions) expect(reach.end(subject, at) > end).toBe(at >= alive);
      }),
      { numRuns: 2 * numRuns },
    );
  });

  test.for([
    { pattern: 'abc', subject: 'abcabcabc', reach: 4 },
    { pattern: 'sk_[a-z]+', subject: 'sk_abc, sk_abc, sk_', reach: 7 },
    { pattern: '"[^"]*"', subject: '"a" "b" "c"', reach: 5 },
    { pattern: 'x[^y]*y|x', subject: 'xxxxxx', reach: 6 },
    { pattern: '(?s)a.*b', subject: 'ab    ', reach: 6 },
    { pattern: '😀[a-z]*', subject: '😀a😀b😀', reach: 5 },
  ])('of $pattern in $subject is $reach', ({ pattern, subject, reach }) => {
    expect(reachOf(parsePattern(pattern).tree).end(subject, 0)).toBe(reach);
  });
});

describe('windows', () => {
  // Longer than a window, with matches near its edges and across them.
  const long = fc
    .array(
      fc.tuple(fc.constantFrom('a', 'b', ' ', '😀', 'ab', '\n', 'é1'), fc.integer({ min: 1, max: 600 })),
      { minLength: 4, maxLength: 9 },
    )
    .map((runs) => runs.map(([part, times]) => part.repeat(times)).join(''));

  test('show what one search of the whole text shows', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          patterns,
          fc.constantFrom(
            'a+ ?',
            'b+a',
            '(a|b)+$',
            '\\ba+\\b',
            '(?m)^[ab]+$',
            'a[^b]*b',
            'ab+ ',
            'ab[^b]*b',
            '(?:ab| a)a+b',
            'b\na?\n',
            'bé1{1,40}$',
            'a{2}b{0,300} ',
          ),
        ),
        long,
        (pattern, subject) => {
          const whole = engineMatches(programOf(re2js, pattern), subject);
          const expected = whole.reduceRight(
            (text, [start, end]) => `${text.slice(0, start)}#${text.slice(end)}`,
            subject,
          );
          const { text, limited } = compileRedaction(pattern, '#', { budget: Infinity })(subject);
          expect(limited).toBe(false);
          expect(text === expected).toBe(true);
        },
      ),
      { numRuns: Math.ceil(numRuns / 8) },
    );
  });
});

describe('cost', () => {
  const programSize = (pattern: string): number =>
    RE2JS.compile(printPattern(parsePattern(pattern).tree)).programSize();

  test('is never below the size of the program', () => {
    fc.assert(
      fc.property(patterns, (pattern) => {
        expect(parsePattern(pattern).cost).toBeGreaterThanOrEqual(programSize(pattern));
      }),
      { numRuns },
    );
  });

  test.for([
    'a',
    '(a)',
    'abc',
    'a*',
    'a+',
    'a?',
    '(a*)*',
    'a{3}',
    'a{2,}',
    'a{2,5}',
    '((ab){2}c){3}',
    '^a$',
    '(a?)*',
    'x|yy|zzz',
    'a{1000}',
    '(?:b{3}a?){7}',
  ])('of %s is the size of the program', (pattern) => {
    expect(parsePattern(pattern).cost).toBe(programSize(pattern));
  });

  test.for([
    { pattern: '[a-z]', cost: 3 },
    { pattern: '\\w', cost: 4 },
    { pattern: '\\pL', cost: 22 },
    { pattern: '[\\pL\\pN]', cost: 42 },
    { pattern: '\\p{L}{1,50}', cost: 1051 },
    { pattern: 'a{0}', cost: 3 },
    { pattern: '', cost: 3 },
  ])('of $pattern is $cost', ({ pattern, cost }) => {
    expect(compilePattern(pattern).cost).toBe(cost);
  });
});
