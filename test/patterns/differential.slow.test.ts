/** The engines compared with each other and with RegExp. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anySubjects, numRuns, patterns, sharedPatterns, subjects } from './arbitraries.js';
import { compilePattern, compileRedaction } from './compile.js';
import { engineMatches, programOf, re2js, re2Wasm, type Match } from './engines.js';

/** The matches of RegExp, with groups. */
function regExpMatches(pattern: string, subject: string): readonly Match[] {
  return Array.from(subject.matchAll(new RegExp(pattern, 'gu')), (found): Match => {
    return [found.index, found.index + found[0].length, ...found.slice(1)];
  });
}

describe('two engines', () => {
  test('find the same matches and groups', () => {
    fc.assert(
      fc.property(patterns, subjects, (pattern, subject) => {
        const js = programOf(re2js, pattern);
        const wasm = programOf(re2Wasm, pattern);
        expect(engineMatches(wasm, subject)).toEqual(engineMatches(js, subject));
        expect(wasm.test(subject)).toBe(js.test(subject));
        wasm.dispose();
      }),
      { numRuns },
    );
  });

  test('answer and redact alike in a pattern and a redaction', () => {
    fc.assert(
      fc.property(
        patterns,
        anySubjects,
        fc.constantFrom('X', '[$&]', '<$1>', ''),
        (pattern, subject, template) => {
          const found = compilePattern(pattern, { engine: re2Wasm }).test(subject);
          expect(found).toBe(compilePattern(pattern).test(subject));
          const redacted = compileRedaction(pattern, template, { engine: re2Wasm })(subject);
          expect(redacted).toEqual(compileRedaction(pattern, template)(subject));
          expect(redacted.limited).toBe(false);
        },
      ),
      { numRuns },
    );
  });
});

describe('where the languages agree', () => {
  test('an engine finds what RegExp finds', () => {
    fc.assert(
      fc.property(sharedPatterns, subjects, (pattern, subject) => {
        expect(engineMatches(programOf(re2js, pattern), subject)).toEqual(regExpMatches(pattern, subject));
      }),
      { numRuns: 4 * numRuns },
    );
  });

  test('a redaction is a global replace', () => {
    fc.assert(
      fc.property(
        sharedPatterns,
        subjects,
        fc.constantFrom('X', '[$&]', '<$1$2$10>', '$$$0'),
        (pattern, subject, template) => {
          const replaced = subject.replace(new RegExp(pattern, 'gu'), template);
          expect(compileRedaction(pattern, template)(subject)).toEqual({ text: replaced, limited: false });
        },
      ),
      { numRuns: 4 * numRuns },
    );
  });
});
