/** Paths with stars: many values, looked up in tables or one by one, are answered as the oracle does. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compileMatch,
  compileRules,
  compileTransform,
  explainMatch,
  type Event,
  type Json,
  type Leaf,
  type Match,
  type TransformOp,
} from '../../../src/index.js';
import * as arbitrary from '../arbitraries.js';
import * as oracle from '../oracle.js';

/** So many values that tables are made of them at the first question. */
const MANY = 5_000;
const eventOf = (a: Json): Event => ({ id: 'evt_1', type: 't', data: { a } });
const repeated = <T>(values: readonly T[]): T[] =>
  Array.from({ length: MANY }, (_, i) => values[i % values.length] as T);

/** Values that differ in little, and leaves about the same ones. */
const values = fc.array(arbitrary.json(), { minLength: 1, maxLength: 12 });
const leaves = fc.array(arbitrary.leaf(), { minLength: 1, maxLength: 6 });

/** All ways to decide. */
function answersOf(leaf: Leaf, event: Event) {
  const set = compileRules([arbitrary.ruleOf(leaf), { ...arbitrary.ruleOf(leaf), id: 'b' }]);
  const { matched, leaves } = explainMatch(leaf, event);
  return {
    alone: compileMatch(leaf)(event),
    indexed: set.evaluate(event).matched.length === 2,
    explained: matched && leaves[0]?.result === 'held',
  };
}
const all = (answer: boolean) => ({ alone: answer, indexed: answer, explained: answer });

describe('of many values', () => {
  test('each leaf is answered as of the few that they repeat', () => {
    let held = 0;
    fc.assert(
      fc.property(values, leaves, (some, list) => {
        const many = eventOf(repeated(some));
        for (const leaf of list.map((leaf) => ({ ...leaf, path: 'data.a.*' }))) {
          const expected = oracle.holds(leaf, eventOf(some));
          held += Number(expected);
          expect(answersOf(leaf, many)).toEqual(all(expected));
        }
      }),
      { numRuns: 150 },
    );
    expect(held).toBeGreaterThan(50);
  });

  test.for<[op: 'lt' | 'gt' | 'starts_with' | 'ends_with', value: string, values: string[], holds: boolean]>([
    // A text that spells a number is ordered as one, so the least and the greatest text need not decide.
    ['lt', '5', ['1e9', '4x', 'zz'], true],
    ['gt', '5', ['9e-9', '6x', '!'], true],
    ['lt', '5', ['1e9', 'zz'], false],
    ['starts_with', 'order.', ['invoice.paid', 'order.paid'], true],
    ['starts_with', 'paid', ['invoice.paid', 'order.paid'], false],
    ['ends_with', '.paid', ['invoice.paid', 'order.made'], true],
    ['ends_with', 'order', ['order.paid', 'redro'], false],
  ])('%s %s of %j: %s', ([op, value, some, expected]) => {
    const leaf: Leaf = { path: 'data.a.*', op, value };
    expect(answersOf(leaf, eventOf(repeated(some)))).toEqual(all(expected));
  });

  test('members are told apart, however many there are', () => {
    const keys = ['k0', 'k1', 'k2', 'k3', 'k4', 'k5', '0', '1', '*', '__proto__', 'length'];
    const members = fc.array(fc.dictionary(fc.constantFrom(...keys), arbitrary.json()), {
      minLength: 1,
      maxLength: 6,
    });
    const mixed = fc.tuple(members, fc.array(fc.array(arbitrary.json(), { maxLength: 3 }), { maxLength: 3 }));
    const escaped = keys.map((key) => (key === '*' ? '\\*' : key));
    fc.assert(
      fc.property(mixed, leaves, ([objects, arrays], list) => {
        const event = eventOf([...objects, ...arrays]);
        const asked = [...escaped, '*', '*.k0'].flatMap((key) =>
          list.map((leaf): Leaf => ({ ...leaf, path: `data.a.*.${key}` })),
        );
        const { leaves: seen } = explainMatch(
          { all: [...asked.map((leaf) => ({ any: [leaf, present] }))] },
          event,
        );
        const results = seen.filter(({ path }) => path !== present.path).map(({ result }) => result);
        expect(results).toEqual(asked.map((leaf) => (oracle.holds(leaf, event) ? 'held' : 'not_held')));
      }),
      { numRuns: 300 },
    );
  });

  test('texts are not found across two of them, whatever they consist of', () => {
    const some = ['ab', 'cd\ud800', '\udc00e', '\udc00\udc00\udc01', 'f'];
    const holds = (value: string): boolean =>
      compileMatch({ path: 'data.a.*', op: 'contains', value })(eventOf(repeated(some)));
    expect(['ab', 'b', 'd\ud800', '\udc00', ''].map(holds)).toEqual([true, true, true, true, true]);
    const units = Array.from({ length: 0x800 }, (_, i) => String.fromCharCode(0xd800 + i));
    for (const unit of ['', ...units]) expect(holds(`b${unit}c`)).toBe(false);
    expect(['\udc00\udc00', '\udc01', '\udc00\udc01', '\udc00\udc00\udc01'].map(holds)).toEqual(
      Array(4).fill(true),
    );
    expect(['\udc01e', '\udc02', '\udc03', '\udc01\udc00', '\udc00\udc02'].map(holds)).toEqual(
      Array(5).fill(false),
    );
  });
});

const present: Leaf = { path: 'id', op: 'exists' };

test('a rule with two bounds is found if an element is within each', () => {
  const path = 'data.a.*';
  const match: Match = {
    all: [
      { path, op: 'gt', value: 5 },
      { path, op: 'lt', value: 3 },
    ],
  };
  const set = compileRules([arbitrary.ruleOf(match)]);
  expect([[1, 9], [4], [1, 2], [9]].map((a) => set.evaluate(eventOf(a)).matched.length)).toEqual([
    1, 0, 0, 0,
  ]);
});

test('a path has eight stars at most', () => {
  const path = (stars: number): string => ['data', ...Array<string>(stars).fill('*')].join('.');
  expect(compileMatch({ path: path(8), op: 'missing' })({})).toBe(true);
  expect(() => compileMatch({ path: path(9), op: 'missing' })).toThrow(
    /more than 8 stars, from position 21 on/,
  );
});

describe('a pattern', () => {
  const texts = Array.from({ length: 100 }, (_, i) => `text ${i}`);
  const decided = (value: string, budget: number): string | undefined =>
    explainMatch({ path: 'data.a.*', op: 'matches', value }, eventOf(texts), { patterns: { budget } })
      .leaves[0]?.result;

  test('charges each value, also if it costs nothing for one', () => {
    expect(decided('^text 99$', 100)).toBe('held');
    expect(decided('^text 99$', 99)).toBe('undecided');
    expect(decided('^[a-z]+ [a-z]$', 1_000_000)).toBe('not_held');
    expect(decided('^[a-z]+ [a-z]$', 300)).toBe('undecided');
    const rule = arbitrary.ruleOf({ path: 'data.a.*', op: 'matches', value: '^text 99$' });
    const limitsWith = (budget: number): number =>
      compileRules([rule], { patterns: { budget } }).evaluate(eventOf(texts)).limits.length;
    expect([100, 99].map(limitsWith)).toEqual([0, 1]);
    const empty = eventOf(texts.map(() => ''));
    const asked = arbitrary.ruleOf({ path: 'data.a.*', op: 'matches', value: '[a-z]+ 5' });
    const ofEmpty = (budget: number): number =>
      compileRules([asked], { patterns: { budget } }).evaluate(empty).limits.length;
    expect([10_000, 99].map(ofEmpty)).toEqual([0, 1]);
  });

  test('is undecided if the budget ends before one holds, with an index and without', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4_000 }),
        fc.constantFrom('t.*9$', '[a-z]+ 5', 'zz+'),
        (budget, value) => {
          const leaf: Leaf = { path: 'data.a.*', op: 'matches', value };
          const patterns = { budget };
          const [rule, event] = [arbitrary.ruleOf(leaf), eventOf(texts)];
          const { matched, limits } = compileRules([rule], { patterns }).evaluate(event);
          const result = decided(value, budget);
          expect([matched.length, limits.length]).toEqual([
            Number(result === 'held'),
            Number(result === 'undecided'),
          ]);
        },
      ),
    );
  });
});

describe('ops', () => {
  const limitsOf = (ops: readonly TransformOp[], a: Json, budget: number) => {
    const rule = { ...arbitrary.ruleOf(present), action: { type: 'transform' as const, ops } };
    const { event, limits } = compileRules([rule], { patterns: { budget } }).evaluate(eventOf(a));
    return { a: (event.data as Record<string, unknown>).a, limits: limits.map(({ op }) => op ?? 'redact') };
  };
  const path = 'data.a.*';
  const texts = Array.from({ length: 10 }, () => 'a');

  test('charge sixteen units for each value, and one op names its limit once', () => {
    const op: TransformOp = { op: 'uppercase', path };
    expect(limitsOf([op], texts, 10)).toEqual({ a: Array(10).fill('A'), limits: [] });
    expect(limitsOf([op], texts, 4)).toEqual({
      a: [...Array(4).fill('A'), ...Array(6).fill('a')],
      limits: ['uppercase'],
    });
  });

  test('leave an array as it is, or replace it with null, if they might hide something and nothing is left', () => {
    const first: TransformOp = { op: 'trim', path };
    expect(limitsOf([first, { op: 'lowercase', path }], texts, 100)).toEqual({
      a: texts,
      limits: ['lowercase'],
    });
    expect(limitsOf([first, { op: 'set', path, value: 0 }], texts, 100)).toEqual({
      a: null,
      limits: ['set'],
    });
    const redact: TransformOp = { op: 'redact', path, regex: 'a', replace: '' };
    expect(limitsOf([first, redact], texts, 100)).toEqual({ a: null, limits: ['redact'] });
    expect(limitsOf([first, { ...redact, deep: true }], texts, 100)).toEqual({ a: null, limits: ['redact'] });
  });

  test('do not change the event, whatever shares its parts', () => {
    const shared = { text: 'a' };
    const event = arbitrary.deepFrozen(eventOf([shared, shared]));
    const { data } = compileTransform([{ op: 'uppercase', path: 'data.a.*.text' }])(event);
    expect(data).toEqual({ a: [{ text: 'A' }, { text: 'A' }] });
  });
});
