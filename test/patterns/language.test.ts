/** The language of patterns: accepted and refused patterns, and the reasons. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkPattern, PatternError } from '../../src/patterns/index.js';
import { propertyNames } from '../../src/patterns/class-names.js';
import { vectors } from './conformance.js';
import { compilePattern, compileRedaction } from './compile.js';
import { re2js, re2Wasm } from './engines.js';

test('whatever is typed is accepted or refused with a reason, and what is accepted runs', () => {
  const pieces = [
    'a',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '1',
    ',',
    '*',
    '?',
    '\\',
    'p',
    'x',
    '-',
    '^',
    '|',
    ':',
    'P<n>',
    'Q',
    'E',
    '😀',
    '\ud800',
  ];
  const typed = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(typed, fc.string({ unit: 'binary', maxLength: 12 })), (source) => {
      const problem = checkPattern(source);
      if (problem === null) expect(compilePattern(source).test('a')).toBeTypeOf('boolean');
      else expect(() => compilePattern(source)).toThrow(new PatternError(problem.code, problem.message));
    }),
    { numRuns: 2000 },
  );
});

test.for(vectors.refused)('RE2 refuses %s, and so does the parser', (pattern) => {
  expect(checkPattern(pattern)?.code).toBe('invalid_pattern');
});

test.for([...propertyNames])('every engine knows \\p{%s}', (name) => {
  for (const engine of [re2js, re2Wasm]) {
    const program = engine.compile(`\\p{${name}}`);
    expect(program.test('')).toBe(false);
    program.dispose();
  }
});

describe('a refusal says what to write instead', () => {
  test.for([
    { pattern: 'a\\Z', message: '\\Z at character 2: not in RE2; write \\z for the end of the text' },
    {
      pattern: '\\u0041',
      message: '\\u at character 1: not in RE2; write \\x{41} with the hexadecimal code point',
    },
    {
      pattern: '\\cA',
      message: '\\c at character 1: not in RE2; write the control character as \\x01 to \\x1F',
    },
    { pattern: 'a\\C', message: '\\C at character 2: not in every RE2; for any character write (?s:.)' },
    { pattern: '(?=a)b', message: '(?= at character 1: RE2 has no look-around; write a second leaf' },
    { pattern: 'a(?<!b)', message: '(?<! at character 2: RE2 has no look-around; write a second leaf' },
    {
      pattern: '(a)\\1',
      message: '\\1 at character 4: RE2 has no back-references; test for equality outside of the pattern',
    },
    { pattern: 'a{1001}', message: '{1001} at character 2: repeats more than 1000 times' },
    { pattern: 'a{99999999999}', message: '{99999999999} at character 2: repeats more than 1000 times' },
    {
      pattern: '(a{10}){101}',
      message: '{101} at character 8: nested repetition makes more than 1000 copies',
    },
    {
      pattern: '((a{1000}){0}){2}',
      message: '{2} at character 15: nested repetition makes more than 1000 copies',
    },
    { pattern: 'a{3,2}', message: '{3,2} at character 2: at most less than at least' },
    { pattern: 'a**', message: '* at character 3: repeats a repetition; write (?:…) around it' },
    {
      pattern: '|*',
      message: '* at character 2: repeats nothing; write a backslash before it to mean the character',
    },
    { pattern: '(a', message: '(a at character 1: missing the closing )' },
    { pattern: '😀)', message: ') at character 2: closes no group; write \\) for a parenthesis' },
    { pattern: 'x[a', message: '[a at character 2: missing the closing ]' },
    { pattern: '[a-', message: expect.stringContaining('missing the closing ]') },
    { pattern: '[b-a]', message: 'b-a at character 2: a range that ends before it begins' },
    {
      pattern: '[[:letter:]]',
      message: expect.stringContaining('[[:letter:] at character 2: no such class; there are alnum'.slice(1)),
    },
    { pattern: '[[:]]', message: '[:] at character 2: not read alike by every RE2; write \\[ for a bracket' },
    {
      pattern: '\\p{Emoji}',
      message: expect.stringContaining('not a property that every RE2 knows; categories'),
    },
    { pattern: '\\p{greek}', message: expect.stringContaining('write Greek') },
    { pattern: '\\p{Script=Greek}', message: expect.stringContaining('write Greek alone') },
    { pattern: '\\p{sc=Foo}', message: expect.stringContaining('categories') },
    {
      pattern: '\\p',
      message: '\\p at character 1: write \\pN, or \\p{Greek} with the name of a category or script'.replace(
        '\\p at',
        '\\ at',
      ),
    },
    { pattern: '\\', message: '\\ at character 1: a backslash at the end; write \\\\ for a backslash' },
    { pattern: '\\é', message: '\\é at character 1: needs no backslash' },
    {
      pattern: '\\y',
      message: '\\y at character 1: no such escape; a letter that stands for itself needs no backslash',
    },
    { pattern: '\\xg', message: '\\x at character 1: write \\x and two hexadecimal digits, or \\x{…}' },
    {
      pattern: '\\x{D800}',
      message: '\\x{D800} at character 1: half of a surrogate pair; write the whole character',
    },
    {
      pattern: '\\x{110000}',
      message: '\\x{110000} at character 1: beyond \\x{10FFFF}, the last code point',
    },
    {
      pattern: '[\\b]',
      message: '\\b at character 2: stands outside of classes only; for a backspace write \\x08',
    },
    { pattern: '(?P<a>x)(?<a>y)', message: '(?<a> at character 9: two groups of the same name' },
    {
      pattern: '(?<a-b>x)',
      message: '(?< at character 1: a group name is letters, digits and _, and ends with >',
    },
    {
      pattern: '(?x)a',
      message: expect.stringContaining('(? at character 1: not a group of RE2'.replace('(? at', '( at')),
    },
    { pattern: '\ud83d', message: 'half of a surrogate pair: write the whole character' },
  ])('$pattern', ({ pattern, message }) => {
    expect(checkPattern(pattern)).toEqual({ code: 'invalid_pattern', message });
  });
});

describe('bounds', () => {
  test.for([
    { pattern: 'a'.repeat(200), code: undefined },
    { pattern: '😀'.repeat(200), code: undefined },
    { pattern: 'a'.repeat(201), code: 'pattern_too_long' },
    { pattern: '('.repeat(201), code: 'pattern_too_long' },
    { pattern: `${'('.repeat(100)}${')'.repeat(100)}`, code: undefined },
    { pattern: 'a{1000}', code: undefined },
    { pattern: 'a{1000}b{198}', code: undefined },
    { pattern: 'a{1000}b{199}', code: 'pattern_too_complex' },
    { pattern: '(\\p{L}{20}){20}', code: 'pattern_too_complex' },
    { pattern: '\\p{L}{1,50}', code: undefined },
  ])('$pattern: $code', ({ pattern, code }) => {
    expect(checkPattern(pattern)?.code).toBe(code);
  });
});

test.for([0, -1, NaN])('a budget of %d is refused', (budget) => {
  expect(() => compilePattern('a', { budget })).toThrow(expect.objectContaining({ code: 'invalid_option' }));
  expect(() => compileRedaction('a', '', { budget })).toThrow(
    expect.objectContaining({ code: 'invalid_option' }),
  );
});

test('a group may be named either way', () => {
  expect(compileRedaction('(?<year>\\d+)-(?P<month>\\d+)', '$<month>/$<year>')('2024-02').text).toBe(
    '02/2024',
  );
});
