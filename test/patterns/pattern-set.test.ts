/** Sets of patterns, held to their patterns one by one. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compilePattern,
  compilePatternSet,
  decidedUpTo,
  type PatternEngine,
} from '../../src/patterns/index.js';
import { anySubjects, numRuns, patterns } from './arbitraries.js';
import { re2js } from './engines.js';

describe('a set', () => {
  test('finds what its patterns find one by one', () => {
    fc.assert(
      fc.property(
        fc.array(patterns, { maxLength: 12 }),
        fc.array(anySubjects, { minLength: 1, maxLength: 6 }),
        (sources, subjects) => {
          const compiled = sources.map((source) => compilePattern(source));
          const set = compilePatternSet(compiled);
          for (const subject of subjects) {
            const found = [...compiled.keys()].filter((index) => compiled[index]?.test(subject));
            expect(set.matching(subject)).toEqual(found);
          }
        },
      ),
      { numRuns },
    );
  });

  test('asks no budget', () => {
    const patterns = ['x+y', '[xy]z'].map((source) => compilePattern(source, { budget: 1 }));
    expect(patterns[0]?.test('xyz')).toBe(undefined);
    expect(compilePatternSet(patterns).matching('xyz')).toEqual([0, 1]);
  });

  test('is undecided where a pattern is: its engine fails', () => {
    const engine: PatternEngine = {
      ...re2js,
      compile() {
        throw new RangeError('out of memory');
      },
    };
    const set = compilePatternSet([
      compilePattern('x', { engine }),
      compilePattern('\\pLy', { engine }),
    ]);
    expect(set.matching('xy')).toBe(undefined);
    expect(set.matching('x')).toEqual([0]);
  });
});

describe('a pattern is decided', () => {
  test.for([
    { source: '[ab]+c?', options: { budget: 1000 }, length: 166 },
    { source: 'foo|ba[rz]', options: { budget: 1 }, length: Infinity },
    { source: '[ab]+', options: {}, length: 25_000_000 },
    { source: '[ab]+', options: { engine: { ...re2js, maxSubjectLength: 7 } }, length: 7 },
  ])('by $source with $options up to $length units', ({ source, options, length }) => {
    expect(decidedUpTo(compilePattern(source, options), options)).toBe(length);
  });

  test('up to there and no further', () => {
    const pattern = compilePattern('[ab]+c?', { budget: 1000 });
    const length = decidedUpTo(pattern, { budget: 1000 });
    expect(pattern.test('a'.padStart(length))).toBe(true);
    expect(pattern.test('a'.padStart(length + 1))).toBe(undefined);
  });
});
