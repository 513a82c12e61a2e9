/**
 * The contract of every engine: RE2's published behavior, the semantics of this package, and the known faults of
 * engines.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compilePattern, compileRedaction, type PatternEngine } from '../../src/patterns/index.js';
import { engineMatches, programOf } from './engines.js';
import { bracket, type Re2Vectors, readMatches } from './re2-vectors.js';

export const vectors = JSON.parse(
  readFileSync(new URL('../vectors/re2.json', import.meta.url), 'utf8'),
) as Re2Vectors;

/** Runs the suite on an engine. */
export function conformance(engine: PatternEngine): void {
  const found = (pattern: string, subject: string): boolean | undefined =>
    compilePattern(pattern, { engine }).test(subject);
  const redacted = (pattern: string, template: string, subject: string): string =>
    compileRedaction(pattern, template, { engine })(subject).text;

  describe.for(vectors.groups)('as RE2: $about', ({ subjects, cases }) => {
    test.for(Object.entries(cases))('%s', ([pattern, expected]) => {
      const program = programOf(engine, pattern);
      const compiled = compilePattern(pattern, { engine });
      const mark = compileRedaction(pattern, '<$&>', { engine });
      expect(expected).toHaveLength(subjects.length);
      for (const [i, subject] of subjects.entries()) {
        const vector = expected[i];
        if (typeof vector !== 'string') continue;
        const matches = readMatches(vector, subject);
        expect(engineMatches(program, subject), JSON.stringify(subject)).toEqual(matches);
        expect(program.test(subject)).toBe(matches.length > 0);
        expect(compiled.test(subject)).toBe(matches.length > 0);
        expect(mark(subject)).toEqual({ text: bracket(matches, subject), limited: false });
      }
      program.dispose();
    });
  });

  describe('no fault of raw re2-wasm', () => {
    test('code points are not taken for UTF-16 units: nothing of a secret leaks', () => {
      expect(redacted('sk_[a-z]+', '***', '😀😀😀 key sk_secret end sk_two')).toBe('😀😀😀 key *** end ***');
    });
    test('a lone surrogate eats no character', () => {
      expect(found('sk_[a-z]+', '\udc00sk_secret')).toBe(true);
    });
    test.for(['a*', '^', '\\b', '$', '', '\\B'])('replacing %s ends', (pattern) => {
      expect(redacted(pattern, '-', 'ab c').length).toBeGreaterThan(4);
    });
    test('11,000 patterns, one after the other', () => {
      for (let i = 0; i < 11_000; i++) {
        expect(found(`\\x{${(0x4e00 + i).toString(16)}}?[0-9]`, 'x7')).toBe(true);
      }
    });
    test.for(['\\pL{1000}', 'a{0,1000}'.repeat(22) + 'b'])(
      '%s is refused before an engine sees it',
      (pattern) => {
        expect(() => compilePattern(pattern, { engine })).toThrow(
          expect.objectContaining({ code: 'pattern_too_complex' }),
        );
      },
    );
    test('a subject of 8 MB is answered or undecided, and the next one is answered', () => {
      expect([true, undefined]).toContain(found('x[yz]', 'é'.repeat(4 << 20) + 'xy'));
      expect(compileRedaction('[yz]x', '-', { engine })('é'.repeat(4 << 20) + 'yx').text.slice(-1)).toBe('-');
      expect(found('x[yz]', 'xy')).toBe(true);
    });
    test('6,553 matches in 64 KB', () => {
      expect(redacted('[a-z]{3}[0-9]', '#', 'abc1 zzz:'.repeat(6553))).toBe('# zzz:'.repeat(6553));
    });
    test.for([
      { pattern: '[a-c]+', template: '$x', text: '<$x>' },
      { pattern: '[a-c]+', template: 'cost $ 5', text: '<cost $ 5>' },
      { pattern: '(?P<constructor>[a-c]+)', template: '$<constructor>!', text: '<abc!>' },
      { pattern: '[(?<x]', template: '_', text: '_abc>' },
      { pattern: '\\Q<\\Eabc', template: '_', text: '_>' },
      { pattern: '/?<', template: '_', text: '_abc>' },
    ])('$pattern → $template', ({ pattern, template, text }) => {
      expect(redacted(pattern, template, '<abc>')).toBe(text);
    });
    test('an empty match that a loop prefers stays empty', () => {
      expect(redacted('(?:|a)*', '-', 'aaa')).toBe('-a-a-a-');
    });
  });

  describe('as the documents say', () => {
    test.for([
      { pattern: '^.$', subject: '\ud800', holds: true },
      { pattern: '^.$', subject: '😀', holds: true },
      { pattern: '^..$', subject: '\ud83d\ud83d', holds: true },
      { pattern: '^.a$', subject: '\ud83da', holds: true },
      { pattern: '^a.$', subject: 'a\ude00', holds: true },
      { pattern: '^\\PL+$', subject: '\udc00\ud800', holds: true },
      { pattern: '[a-z]$', subject: '\ud800a', holds: true },
      { pattern: '^[^😀]+$', subject: '\ud83d \ude00', holds: true },
    ])('a lone surrogate is one character: $pattern in $subject', ({ pattern, subject, holds }) => {
      expect(found(pattern, subject)).toBe(holds);
    });
    test.for([
      { pattern: '.', template: '<$&>', subject: 'a\ud800😀', text: '<a><\ud800><😀>' },
      { pattern: '(.)', template: '<$1>', subject: 'a\ud800😀', text: '<a><\ud800><😀>' },
      { pattern: '(x)?.', template: '<$1>', subject: '\ud800', text: '<>' },
      { pattern: '[a-z]+', template: '-', subject: '\udc00ab\ud800cd', text: '\udc00-\ud800-' },
      { pattern: '(?:b|)', template: '-', subject: '😀b😀', text: '-😀--😀-' },
      { pattern: 'a*', template: 'X', subject: 'baac', text: 'XbXXcX' },
      { pattern: '\\B', template: '-', subject: 'é😀 b_b', text: '-é-😀- b-_-b' },
      { pattern: '\\bx*', template: '-', subject: 'é😀a x', text: 'é😀-a- --' },
    ])('$pattern → $template on $subject', ({ pattern, template, subject, text }) => {
      expect(redacted(pattern, template, subject)).toBe(text);
    });
    test('cost × length up to the budget is decided, one unit more is not', () => {
      const { cost } = compilePattern('[a-z][0-9]+');
      const subject = 'x'.repeat(1000);
      expect(compilePattern('[a-z][0-9]+', { engine, budget: cost * 1000 }).test(subject)).toBe(false);
      expect(compilePattern('[a-z][0-9]+', { engine, budget: cost * 1000 - 1 }).test(subject)).toBe(
        undefined,
      );
      expect(compileRedaction('[a-z][0-9]+', '$&!', { engine, budget: cost * 500 })(subject)).toEqual({
        text: '$&!',
        limited: true,
      });
    });
    test('a quadratic replacement fails closed', () => {
      const redact = compileRedaction('x[^y]*y|x', '-', { engine, budget: 10_000_000 });
      expect(redact('x'.repeat(1 << 16))).toEqual({ text: '-', limited: true });
    });
  });
}
