/** Events that are found match, and `impossible` is true of every event. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findEvent, type Event, type Json, type Leaf, type Match } from '../../../src/index.js';
import { compileTree } from '../../../src/rules/reasoning/condition.js';
import { Effort } from '../../../src/rules/reasoning/effort.js';
import type { Goal } from '../../../src/rules/reasoning/refutation.js';
import { search } from '../../../src/rules/reasoning/search.js';
import { createArbitraries } from '../../../src/testing/arbitraries/index.js';
import * as arbitrary from '../arbitraries.js';
import * as oracle from '../oracle.js';
import { leavesAbout, shortEvent, shortLeaf } from './leaves.js';

/** The members that every event has. */
const base = { id: 'evt_1', type: 'webhook.received', data: {} };

/** A leaf, such as `data.a gt 5`; the value is JSON. */
function leaf(text: string): Leaf {
  const [path, op, ...value] = text.split(' ');
  return { path, op, ...(value.length > 0 && { value: JSON.parse(value.join(' ')) as Json }) } as Leaf;
}

const all = (...texts: string[]): Match => ({ all: texts.map(leaf) });

describe('finds a small event', () => {
  test.for<[string[], unknown]>([
    [['data.a gt 5'], { a: 6 }],
    [['data.a gt 5', 'data.a lt 5.5', 'data.a neq 5.25'], { a: 5.125 }],
    [['data.a lt 0', 'data.a neq -1'], { a: -2 }],
    [
      ['data.a gt 1e308', 'data.a lt 1.0000000000000004e308', 'data.b missing'],
      { a: 1.0000000000000002e308 },
    ],
    [['data.a exists'], { a: 0 }],
    [
      [
        'data.a gt 1',
        'data.a lt 1.0000000000000018',
        'data.a not_in [1.0000000000000004, 1.0000000000000009, 1.0000000000000013]',
      ],
      { a: 1.0000000000000002 },
    ],
    [['data.a eq "5"', 'data.a gte 5'], { a: '5' }],
    [['data.a eq 5', 'data.a ends_with "0"'], { a: '5.0' }],
    [['data.a starts_with "inv"', 'data.a contains "x"'], { a: 'invx' }],
    [['data.a starts_with "ab"', 'data.a ends_with "bc"', 'data.a not_contains "bb"'], { a: 'abc' }],
    [['data.a matches "^[a-c]+$"', 'data.a not_contains "a"', 'data.a neq "b"'], { a: 'c' }],
    [['data.a matches "^\\\\d{3}$"', 'data.a gt 500', 'data.a neq "501"'], { a: '502' }],
    [['data.a gt "m"', 'data.a lt "mb"'], { a: 'ma' }],
    [['data.a.b eq 5'], { a: { b: 5 } }],
    [['data.a.0.sku eq "x"'], { a: [{ sku: 'x' }] }],
    [['data.a contains 5', 'data.a contains "x"', 'data.a.1 eq true'], { a: [0, true, 5, 'x'] }],
    [['data.a.b exists', 'data.a neq {"b": 0}'], { a: { b: 0, other: true } }],
    [['data.a\\.b eq 1', 'data.__proto__ eq 2'], { 'a.b': 1, ['__proto__']: 2 }],
    [['type starts_with "invoice."'], {}],
  ])('%j', ([texts, data]) => {
    const found = findEvent(all(...texts));
    if (found.answer !== 'found') expect.fail(`${found.answer} after ${String(found.work)}`);
    expect(oracle.matches(all(...texts), found.event)).toBe(true);
    expect(found.event.data).toEqual(data);
  });
});

describe('proves that there is none', () => {
  test.for<[string[], string[]]>([
    [
      ['data.a gt 5', 'data.b exists', 'data.a lt 5'],
      ['/all/0', '/all/2'],
    ],
    [
      ['data.a gt 5', 'data.a lt 5.000000000000001'],
      ['/all/0', '/all/1'],
    ],
    [
      ['data.a starts_with "ab"', 'data.a matches "^b"'],
      ['/all/0', '/all/1'],
    ],
    [
      ['data.a matches "^[a-c]$"', 'data.a not_in ["a", "b", "c"]'],
      ['/all/0', '/all/1'],
    ],
    [
      ['data.a matches "^(?:ab)+$"', 'data.a contains "bb"'],
      ['/all/0', '/all/1'],
    ],
    [
      ['data.a gt "a"', 'data.a lt "a\\u0000"'],
      ['/all/0', '/all/1'],
    ],
    [
      ['data.a eq 5', 'data.a starts_with "x"'],
      ['/all/0', '/all/1'],
    ],
    [
      ['data.a contains 5', 'data.a.b exists'],
      ['/all/0', '/all/1'],
    ],
    [
      ['data.a contains 5', 'data.a.0 missing'],
      ['/all/0', '/all/1'],
    ],
    [
      ['data.a.b exists', 'data.a starts_with "x"'],
      ['/all/0', '/all/1'],
    ],
    [['type missing'], ['/all/0']],
    [['id eq null'], ['/all/0']],
    [['data gt 5'], ['/all/0']],
    [['channel.type eq true'], ['/all/0']],
    [['tags contains true'], ['/all/0']],
  ])('%j', ([texts, leaves]) => {
    expect(findEvent(all(...texts))).toMatchObject({ answer: 'impossible', leaves });
  });

  test('by several choices at once', () => {
    const colors = ['red', 'green', 'blue'];
    const differ = (one: string, other: string): Match => ({
      any: colors.flatMap((color) => ({
        all: [leaf(`data.${one} eq "${color}"`), leaf(`data.${other} neq "${color}"`)],
      })),
    });
    const nodes = ['a', 'b', 'c', 'd'];
    const colored = nodes.map((node) => leaf(`data.${node} in ${JSON.stringify(colors)}`));
    const pairs = nodes.flatMap((one, i) => nodes.slice(i + 1).map((other) => differ(one, other)));
    expect(findEvent({ all: [...colored, ...pairs] }).answer).toBe('impossible');
    expect(findEvent({ all: [...colored, ...pairs.slice(1)] }).answer).toBe('found');
  });
});

test('what it says of random trees is so', () => {
  const { match, eventFor } = createArbitraries(fc);
  const rule = (tree: Match) =>
    ({ id: 'r', name: 'r', stage: 'deliver', match: tree, action: { type: 'drop' }, priority: 0 }) as const;
  const question = match().chain((tree) =>
    fc.tuple(fc.constant(tree), fc.array(eventFor([rule(tree)]), { maxLength: 5 })),
  );
  const answers = { found: 0, impossible: 0, unknown: 0 };
  fc.assert(
    fc.property(question, ([tree, events]) => {
      const found = findEvent(tree);
      answers[found.answer]++;
      if (found.answer === 'found') expect(oracle.matches(tree, found.event)).toBe(true);
      if (found.answer !== 'impossible') return;
      for (const event of events) expect(oracle.matches(tree, event)).toBe(false);
    }),
    { numRuns: 1_500 },
  );
  expect(answers.impossible).toBeGreaterThan(30);
  expect(answers.unknown).toBeLessThan(30);
});

describe('never takes for impossible what an event does', () => {
  const isImpossible = (trees: readonly Match[], event: object, units = 3_000_000): boolean => {
    const goals: Goal[] = trees.map((match) => ({
      tree: compileTree(match, {}),
      must: oracle.matches(match, event),
    }));
    return search(goals, new Effort(units))?.found === false;
  };

  test('on one value', () => {
    fc.assert(
      fc.property(leavesAbout, ([leaves, event]) => {
        expect(isImpossible(leaves, { ...base, ...event })).toBe(false);
      }),
      { numRuns: 4_000 },
    );
  });

  test('on trees of such leaves, wherever it gives up', () => {
    const trees = fc.array(arbitrary.matchOf(shortLeaf), { minLength: 1, maxLength: 4 });
    const units = fc.oneof(fc.nat({ max: 30_000 }), fc.constant(3_000_000));
    fc.assert(
      fc.property(trees, shortEvent, units, (some, event, budget) => {
        expect(isImpossible(some, { ...base, ...event }, budget)).toBe(false);
      }),
      { numRuns: 2_500 },
    );
  });
});

test('in a small universe it is right about every tree', () => {
  const values = [
    undefined,
    null,
    true,
    0,
    1,
    '0',
    '1',
    '',
    'a',
    'ab',
    [],
    [1],
    ['a', 0],
    [0, 1],
    {},
    { b: 1 },
  ];
  const universe: Event[] = values.flatMap((a) =>
    values.map((c) => ({ ...base, data: { ...(a !== undefined && { a }), ...(c !== undefined && { c }) } })),
  );
  const path = fc.constantFrom('data.a', 'data.c', 'data.a.b', 'data.a.0', 'data.a.*', 'data.c.*');
  const small = fc.tuple(shortLeaf, path).map(([one, at]) => ({ ...one, path: at }));
  const answers = { found: 0, impossible: 0, unknown: 0 };
  fc.assert(
    fc.property(arbitrary.matchOf(small), (tree) => {
      const { answer } = findEvent(tree);
      answers[answer]++;
      const some = universe.some((event) => oracle.matches(tree, event));
      if (some) expect(answer).not.toBe('impossible');
    }),
    { numRuns: 1_000 },
  );
  expect(answers.impossible).toBeGreaterThan(30);
});

describe('work is bounded', () => {
  const wide = (count: number): Match => ({
    all: Array.from({ length: count }, (_, i) => ({
      any: [
        leaf(`data.a${String(i)} eq 1`),
        leaf(`data.a${String((i * 7) % count)} eq 2`),
        leaf('data.x lt 0'),
      ],
    })),
  });

  test.for<[string, Match]>([
    ['two thousand choices', wide(2_000)],
    [
      'a list of a hundred thousand',
      {
        all: [
          leaf(`data.a in ${JSON.stringify(Array.from({ length: 100_000 }, (_, i) => i))}`),
          leaf('data.a gt 1e6'),
        ],
      },
    ],
    [
      'long texts',
      {
        all: ['a', 'b', 'c', 'd'].map(
          (part) => ({ path: 'data.a', op: 'contains', value: part.repeat(20_000) }) as const,
        ),
      },
    ],
    [
      'ten thousand levels of groups',
      Array.from({ length: 10_000 }).reduce<Match>(
        (inner, _, i) =>
          i % 2 === 0 ? { all: [inner, leaf('data.a exists')] } : { any: [inner, leaf('data.b exists')] },
        leaf('data.c exists'),
      ),
    ],
  ])('%s', ([, tree]) => {
    const { work } = findEvent(tree, { maxWork: 1_000_000 });
    expect(work).toBeLessThanOrEqual(1_000_000);
  });

  test('a question that takes more stays open, and says so', () => {
    expect(findEvent(wide(50), { maxWork: 5_000 })).toMatchObject({
      answer: 'unknown',
      reason: 'work_used_up',
    });
  });

  test('an option that cannot work is refused', () => {
    for (const maxWork of [0, -1, NaN, '5']) {
      expect(() => findEvent(leaf('a exists'), { maxWork: maxWork as number })).toThrow('maxWork must be');
    }
  });
});
