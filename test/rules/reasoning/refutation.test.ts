/** Refutations are true of every event: random trees, each claim settled by an event that answers it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, Leaf, Match } from '../../../src/index.js';
import { compileTree, type Tree } from '../../../src/rules/reasoning/condition.js';
import { Effort } from '../../../src/rules/reasoning/effort.js';
import { refute, type Goal } from '../../../src/rules/reasoning/refutation.js';
import * as arbitrary from '../arbitraries.js';
import * as oracle from '../oracle.js';

const tree = (match: Match): Tree => compileTree(match, {});

/** More than any of these questions takes. */
const PLENTY = 10_000_000;

/** Whether lint takes it for sure that no event meets all goals. */
const impossible = (goals: readonly Goal[], units = PLENTY): boolean =>
  refute(goals, new Effort(units)) !== null;

/** Few and short, so that one is often part of another, or next to it in one of the two orders. */
const shortText = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '1', '😀', '\ud83d', '\ude00', '\ue000'), maxLength: 3 }),
  fc.constantFrom('5', '5.0', '50e-1', '-1', '6', '0', '-0', '1e400', ':', '-'),
);
const shortValue = fc.oneof(
  shortText,
  fc.constantFrom<Json[]>(
    0,
    -0,
    5,
    6,
    -1,
    null,
    true,
    [],
    [5],
    ['5', 'a'],
    {},
    { b: 5 },
    { b: ['a'] },
    { b: { c: 1 } },
  ),
);
const path = fc.constantFrom('a', 'a', 'a', 'a.b', 'a.0', 'a.b.c', 'a.b.0');

/** Leaves that ask for these values, texts and numbers. */
function leafOf(value: fc.Arbitrary<Json>, text: fc.Arbitrary<string>, number: fc.Arbitrary<number>) {
  const ops = <T extends string>(...names: T[]): fc.Arbitrary<T> => fc.constantFrom(...names);
  return fc.oneof(
    fc.record({ path, op: ops('eq', 'neq', 'contains', 'not_contains'), value }),
    fc.record({ path, op: ops('in', 'not_in'), value: fc.array(value, { maxLength: 3 }) }),
    fc.record({ path, op: ops('starts_with', 'ends_with', 'contains', 'not_contains'), value: text }),
    fc.record({ path, op: ops('gt', 'gte', 'lt', 'lte'), value: fc.oneof(text, number) }),
    fc.record({
      path,
      op: ops('matches', 'not_matches'),
      value: fc.constantFrom('a', '^b', '1$', '^5', '.'),
    }),
    fc.record({ path, op: ops('exists', 'missing') }),
  ) satisfies fc.Arbitrary<Leaf>;
}

const shortLeaf = leafOf(shortValue, shortText, fc.integer({ min: -2, max: 7 }));

/** Values that leaves about a value may well ask for: it, its parts, its spellings, and what it spells. */
function near(value: Json): Json[] {
  if (typeof value === 'number') return [value, `${value}`, `${value}.0`, value + 1, `${value}x`, -value];
  if (typeof value !== 'string') {
    return typeof value === 'object' && value !== null ? Object.values(value) : [value];
  }
  const { length } = value;
  const parts = [value.slice(0, 1), value.slice(0, length - 1), value.slice(1), value.slice(length - 1)];
  return [value, ...parts, `${value}a`, `${value}\ue000`, Number(value) || 0];
}

const shortEvent = fc.oneof(
  shortValue.map((a) => ({ a })),
  fc.constant({}),
  arbitrary.json().map((a) => ({ a })),
);

/** A value, and leaves most of which ask for what is near it. */
const leavesAbout = shortValue.chain((a) => {
  const values = near(a);
  const texts = values.filter((one) => typeof one === 'string');
  const numbers = values.filter((one) => typeof one === 'number');
  const leaf = leafOf(
    fc.constantFrom(a, ...values),
    fc.constantFrom('', ...texts),
    fc.constantFrom(5, ...numbers),
  );
  return fc.tuple(fc.array(leaf, { minLength: 1, maxLength: 5 }), fc.constant({ a }));
});

describe('never takes for impossible what an event does', () => {
  /** Each tree must do what it does on the event. */
  const goalsOf = (trees: readonly Match[], event: unknown): Goal[] =>
    trees.map((match) => ({ tree: tree(match), must: oracle.matches(match, event) }));

  test('on one value', () => {
    fc.assert(
      fc.property(leavesAbout, ([leaves, event]) => {
        expect(impossible(goalsOf(leaves, event))).toBe(false);
      }),
      { numRuns: 20_000 },
    );
  });

  test('on trees of such leaves', () => {
    const trees = arbitrary.matchOf(shortLeaf);
    fc.assert(
      fc.property(fc.array(trees, { minLength: 1, maxLength: 3 }), shortEvent, (trees, event) => {
        expect(impossible(goalsOf(trees, event))).toBe(false);
      }),
      { numRuns: 10_000 },
    );
  });

  test('on any trees', () => {
    fc.assert(
      fc.property(arbitrary.question(), arbitrary.match(), ([tree, event], other) => {
        expect(impossible(goalsOf([tree, other], event))).toBe(false);
      }),
      { numRuns: 5_000 },
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
    { numRuns: 10_000 },
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
    { numRuns: 5_000 },
  );
  expect(givenUp).toBeGreaterThan(50);
});
