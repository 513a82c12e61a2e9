/** How a set describes its index: layers, inner indexes, and which accesses are certain. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRules, type Match, type Rule, type RuleAccess } from '../../../src/index.js';
import * as arbitrary from '../arbitraries.js';
import { crowd, grid } from './crowds.js';
import { certainAccesses, type Cases } from './descriptions.js';

const ruleOf = (id: string, match: Match): Rule => arbitrary.ruleOf(match, { id });

/** How a rule is found among others. */
function describeAmong(match: Match, others: readonly Rule[]): RuleAccess {
  const found = compileRules([...others, ruleOf('own', match)])
    .describe()
    .find(({ rule }) => rule.id === 'own');
  return found!;
}

const team = { path: 'data.team', op: 'eq', value: 'blue' } as const;
const plan = (value: string): Match => ({ path: 'data.plan', op: 'eq', value });
const isOpen = { path: 'data.status', op: 'neq', value: 'closed' } as const;

/** Rules of eight teams on eight plans, so that no leaf is rarer than another. The last is blue on h. */
const everyRule: readonly Rule[] = ['red', 'teal', 'pink', 'lime', 'green', 'coral', 'amber', 'blue'].flatMap(
  (value) =>
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) =>
      ruleOf(`${value} ${name}`, { all: [{ ...team, value }, plan(name)] }),
    ),
);

/** All but the last. */
const others = everyRule.slice(0, -1);

describe('what is certain', () => {
  test.for<{ because: string; match: Match; certain: readonly boolean[] }>([
    { because: 'a value tells all of its leaf', match: team, certain: [true] },
    {
      because: 'so does each of a list',
      match: { path: 'data.a', op: 'in', value: [1, '2', true] },
      certain: [true],
    },
    { because: 'a prefix', match: { path: 'data.a', op: 'starts_with', value: 'x' }, certain: [true] },
    { because: 'a suffix', match: { path: 'data.a', op: 'ends_with', value: 'x' }, certain: [true] },
    { because: 'a text', match: { path: 'data.a', op: 'contains', value: 'x' }, certain: [true] },
    { because: 'a path that is there', match: { path: 'data.a', op: 'exists' }, certain: [true] },
    { because: 'each branch of an any', match: { any: [team, plan('z')] }, certain: [true, true] },
    {
      because: 'numbers between two bounds',
      match: {
        all: [
          { path: 'data.a', op: 'gt', value: 5 },
          { path: 'data.a', op: 'lte', value: 9 },
        ],
      },
      certain: [true],
    },
    {
      because: 'a bound that is a text has two orders',
      match: { path: 'data.a', op: 'gt', value: '5' },
      certain: [false],
    },
    {
      because: 'a bound that spells no number has one order',
      match: { path: 'data.a', op: 'gte', value: '2026-01-01' },
      certain: [true],
    },
    {
      because: 'a pattern that is found by itself tells all',
      match: { path: 'data.a', op: 'matches', value: '^\\d+$' },
      certain: [true],
    },
    {
      because: 'two lower bounds are not one interval',
      match: {
        all: [
          { path: 'data.a', op: 'gt', value: 5 },
          { path: 'data.a', op: 'gte', value: 9 },
        ],
      },
      certain: [false],
    },
    { because: 'the other leaf may not hold', match: { all: [team, isOpen] }, certain: [false] },
    {
      because: 'one branch of the any asks for more',
      match: { any: [{ all: [team, isOpen] }, plan('z')] },
      certain: [true, false],
    },
    {
      because: 'the empty text is in every string, and the key says less',
      match: { path: 'data.a', op: 'contains', value: '' },
      certain: [false],
    },
    {
      because: 'the text that a pattern needs is less than the pattern',
      match: { path: 'data.a', op: 'matches', value: '^refs/tags/v\\d+' },
      certain: [false],
    },
  ])('$certain: $because', ({ match, certain }) => {
    const { by } = describeAmong(match, []);
    expect(by.map(({ isCertain }) => isCertain)).toEqual(certain);
  });

  test('in an inner index: the leaf that leads there and the leaf within it are the whole tree', () => {
    const { by } = describeAmong({ all: [team, plan('h')] }, others);
    expect(by).toMatchObject([{ sharedBy: 8, isCertain: false, inner: [{ by: [{ isCertain: true }] }] }]);
  });

  test('in an inner index: not where the tree has a third leaf', () => {
    const { by } = describeAmong({ all: [team, plan('h'), isOpen] }, others);
    expect(by).toMatchObject([{ isCertain: false, inner: [{ by: [{ isCertain: false }] }] }]);
  });

  test('in an inner index: a rule that the shared leaf alone decides is always found there', () => {
    const { by } = describeAmong(team, others);
    expect(by).toMatchObject([{ isCertain: true, inner: [{ tried: 'always', weight: 1, by: [] }] }]);
  });
});

describe('inner indexes', () => {
  test('are described with the weights among their own rules', () => {
    const access = describeAmong({ all: [team, plan('h')] }, others);
    expect(access).toMatchObject({ layer: 0, tried: 'when_found', weight: 8 / 68 });
    expect(access.by).toEqual([
      {
        kind: 'value',
        leaves: [team],
        sharedBy: 8,
        isCertain: false,
        inner: [
          {
            tried: 'when_found',
            weight: 1 / 12,
            by: [{ kind: 'value', leaves: [plan('h')], sharedBy: 1, isCertain: true, inner: [] }],
          },
        ],
      },
    ]);
  });

  test('are not described where a key has few rules', () => {
    const few = everyRule.filter((_, nth) => nth % 8 < 4);
    expect(describeAmong({ all: [team, plan('a')] }, few).by).toMatchObject([{ inner: [] }]);
  });
});

describe('layers', () => {
  const layersOf = (described: readonly RuleAccess[]): Record<string, number> =>
    Object.fromEntries(described.filter(({ layer }) => layer > 0).map(({ rule, layer }) => [rule.id, layer]));

  test('are numbered from the largest: a rule put is in the next', () => {
    const set = compileRules(everyRule);
    expect(layersOf(set.describe())).toEqual({});
    const updated = set.update({ put: [ruleOf('new', team)] });
    expect(layersOf(updated.describe())).toEqual({ new: 1 });
    expect(layersOf(set.describe())).toEqual({});
  });

  test('are described apart: a rule put shares no value with those before', () => {
    const described = compileRules(everyRule)
      .update({ put: [ruleOf('new', team)] })
      .describe();
    const put = described.find(({ rule }) => rule.id === 'new');
    expect(put?.by).toMatchObject([{ sharedBy: 1, inner: [] }]);
  });

  test('leave out what was replaced or removed', () => {
    const set = compileRules(everyRule).update({ put: [ruleOf('blue a', team)], remove: ['blue b'] });
    expect(set.describe().map(({ rule }) => rule)).toEqual(set.rules);
    expect(layersOf(set.describe())).toEqual({ 'blue a': 1 });
  });

  test('become one when a quarter is new', () => {
    const put = everyRule.slice(0, 16).map((rule) => ({ ...rule, name: 'new' }));
    expect(layersOf(compileRules(everyRule).update({ put }).describe())).toEqual({});
  });
});

describe('the cases have something to say:', () => {
  test.for<{ name: string; cases: Cases; inner: boolean }>([
    { name: 'random rules', cases: arbitrary.encounter(8), inner: false },
    { name: 'crowds', cases: crowd(20, 80), inner: true },
    { name: 'grids', cases: grid(30, 80), inner: true },
  ])('$name have accesses that are certain', ({ cases, inner }) => {
    const described = fc
      .sample(cases, { numRuns: 60, seed: 1 })
      .flatMap(([rules]) => compileRules(rules).describe());
    const certain = described.flatMap((access) => certainAccesses(access));
    expect(certain.length).toBeGreaterThan(40);
    const within = certain.filter(({ access, leaves }) => leaves.length > access.leaves.length);
    if (inner) expect(within.length).toBeGreaterThan(0);
  });
});
