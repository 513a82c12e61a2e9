/** The index beside the plain evaluator, on random rules and events. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { laws } from './laws.js';

describe('a rule set with an index', () => {
  test.for(laws)('$name', { timeout: 120_000 }, ({ check, runs }) => {
    const details = check({ numRuns: runs });
    if (details.failed) throw new Error(fc.defaultReportMessage(details));
    expect(details.numRuns).toBe(runs);
  });

  test('is tried ten thousand times', () => {
    expect(laws.reduce((sum, { runs }) => sum + runs, 0)).toBeGreaterThanOrEqual(10_000);
  });
});
