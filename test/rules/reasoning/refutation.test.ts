/** Refutations are true of every event: random trees, each claim settled by an event that answers it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Match } from '../../../src/index.js';
import { compileTree, type Tree } from '../../../src/rules/reasoning/condition.js';
import { Effort } from '../../../src/rules/reasoning/effort.js';
import { refute, type Goal } from '../../../src/rules/reasoning/refutation.js';
import * as arbitrary from '../arbitraries.js';
import * as oracle from '../oracle.js';
import { leavesAbout, shortEvent, shortLeaf } from './leaves.js';

const tree = (match: Match): Tree => compileTree(match, {});

/** More than any of these questions takes. */
const PLENTY = 4_000_000;

/** Whether lint takes it for sure that no event meets all goals. */
const impossible = (goals: readonly Goal[], units = PLENTY): boolean =>
  refute(goals, new Effort(units)) !== null;

describe('never takes for impossible what an event does', () => {
  /** Each tree must do what it does on the event. */
  const goalsOf = (trees: readonly Match[], event: unknown): Goal[] =>
    trees.map((match) => ({ tree: tree(match), must: oracle.matches(match, event) }));

  test('on one value', () => {
    fc.assert(
      fc.property(leavesAbout, ([leaves, event]) => {
        expect(impossible(goalsOf(leaves, event))).toBe(false);
      }),
      { numRuns: 7_000 },
    );
  });

  test('on trees of such leaves', () => {
    const trees = arbitrary.matchOf(shortLeaf);
    fc.assert(
      fc.property(fc.array(trees, { minLength: 1, maxLength: 3 }), shortEvent, (trees, event) => {
        expect(impossible(goalsOf(trees, event))).toBe(false);
      }),
      { numRuns: 4_000 },
    );
  });

  test('on any trees', () => {
    fc.assert(
      fc.property(arbitrary.question(), arbitrary.match(), ([tree, event], other) => {
        expect(impossible(goalsOf([tree, other], event))).toBe(false);
      }),
      { numRuns: 2_500 },
    );
  });
});

test('never takes for impossible what an event does, wherever it gives up', () => {
  const trees = arbitrary.matchOf(shortLeaf);
  const few = fc.nat({ max: 3_000 });
  fc.assert(
    fc.property(fc.array(trees, { minLength: 1, maxLength: 3 }), shortEvent, few, (trees, event, units) => {
      const goals = trees.map((match) => ({ tree: tree(match), must: oracle.matches(match, event) }));
      expect(impossible(goals, units)).toBe(false);
    }),
    { numRuns: 4_000 },
  );
});

test('with less to spend it says no more', () => {
  const trees = arbitrary.matchOf(shortLeaf);
  let givenUp = 0;
  fc.assert(
    fc.property(trees, fc.nat({ max: 3_000 }), (match, units) => {
      const goals = [{ tree: tree(match), must: true }];
      const effort = new Effort(units);
      const found = refute(goals, effort) !== null;
      if (found) expect(impossible(goals)).toBe(true);
      else if (!effort.fellShort) expect(impossible(goals)).toBe(false);
      else givenUp++;
    }),
    { numRuns: 2_500 },
  );
  expect(givenUp).toBeGreaterThan(50);
});
