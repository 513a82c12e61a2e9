/** The index beside the plain evaluator, on random rules and events. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Event, PatternOptions, Rule } from '../../../src/index.js';
import { compileReferenceRules } from '../../../src/testing/index.js';
import { crowd, grid } from './crowds.js';
import { tightOptions } from './engines.js';
import { laws } from './laws.js';
import { intervals, manyPatterns, texts } from './one-path.js';

/** The share of its runs that each law gets. `LAWS=1` runs them all. */
const SHARE = Number(process.env.LAWS ?? 0.5);

describe('a rule set with an index', () => {
  test.for(laws)('$name', { timeout: 900_000 }, ({ check, runs: all }) => {
    const runs = Math.ceil(all * SHARE);
    const details = check({ numRuns: runs });
    if (details.failed) throw new Error(fc.defaultReportMessage(details));
    expect(details.numRuns).toBe(runs);
  });

  test('is tried ten thousand times', () => {
    expect(laws.reduce((sum, { runs }) => sum + runs, 0)).toBeGreaterThanOrEqual(10_000);
  });
});

describe('the cases have something to say:', () => {
  type Cases = fc.Arbitrary<readonly [Rule[], Event[]]>;
  const decisions = (cases: Cases, options: fc.Arbitrary<PatternOptions> = fc.constant({})) =>
    fc.sample(fc.tuple(cases, options), { numRuns: 50, seed: 1 }).flatMap(([[rules, events], patterns]) => {
      const plain = compileReferenceRules(rules, { patterns });
      return events.map((event) => plain.evaluate(event));
    });

  test.for([
    { name: 'crowds', cases: crowd(1, 100) },
    { name: 'grids', cases: grid(80, 300) },
    { name: 'texts', cases: texts },
    { name: 'intervals', cases: intervals },
    { name: 'patterns', cases: manyPatterns },
  ])('of $name, an event in two at least matches rules', ({ cases }) => {
    const all = decisions(cases);
    expect(all.filter(({ matched }) => matched.length > 0).length).toBeGreaterThan(all.length / 2);
  });

  test('one in four meets limits, where they are tight', () => {
    const all = decisions(manyPatterns, tightOptions);
    expect(all.filter(({ limits }) => limits.length > 0).length).toBeGreaterThan(all.length / 4);
  });
});
