/** The work that all rules together may do on one event, and the work of ops without a pattern. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compileMatch,
  compileRules,
  compileTransform,
  dryRun,
  explainMatch,
  OptionError,
  type Event,
  type Json,
  type PatternLimit,
  type PatternOptions,
  type Rule,
  type TransformOp,
} from '../../src/index.js';
import { compilePattern } from '../../src/patterns/index.js';
import { re2js } from '../../src/patterns/re2js/index.js';
import { compileReferenceRules } from '../../src/testing/index.js';
import { expectRight } from './rule-index/same.js';

const event = (data: Record<string, Json>): Event => ({ id: 'evt_1', type: 't', data });
const rule = (id: string, more: Partial<Rule>): Rule => ({
  id,
  name: id,
  stage: 'deliver',
  match: { path: 'data.a', op: 'exists' },
  action: { type: 'tag', tags: [id] },
  priority: 0,
  ...more,
});
const transforming = (id: string, ...ops: TransformOp[]): Rule =>
  rule(id, { action: { type: 'transform', ops } });
const named = (limits: readonly PatternLimit[]) =>
  limits.map(({ rule: { id }, path, pattern, op }) => [id, path, op ?? pattern]);

describe('ops without a pattern spend from the budget of their rule', () => {
  const text = `${' '.repeat(5)}Straße${' '.repeat(5)}`;
  const units = text.length;

  test.for(['uppercase', 'lowercase', 'trim'] as const)(
    '%s takes the length of the string; beyond the budget it leaves it as it was, and limits name it',
    (op) => {
      const one: TransformOp = { op, path: 'data.a' };
      const changed = compileTransform([one])(event({ a: text })).data;
      const at = (budget: number) =>
        compileRules([transforming('r', one)], { patterns: { budget } }).evaluate(event({ a: text }));
      expect(changed).not.toEqual({ a: text });
      expect(at(units).event.data).toEqual(changed);
      expect(at(units).limits).toEqual([]);
      expect(at(units - 1).event.data).toEqual({ a: text });
      expect(named(at(units - 1).limits)).toEqual([['r', 'data.a', op]]);
    },
  );

  test('set takes the size of an array or an object, and sets null instead of what it cannot pay for', () => {
    const value = { items: [1, 'two', { three: null }] };
    const set = (budget: number) =>
      compileRules([transforming('r', { op: 'set', path: 'data.a', value })], {
        patterns: { budget },
      }).evaluate(event({ a: { secret: 'x' }, b: 1 }));
    expect(set(JSON.stringify(value).length).event.data).toEqual({ a: value, b: 1 });
    expect(set(8).event.data).toEqual({ a: null, b: 1 });
    expect(named(set(8).limits)).toEqual([['r', 'data.a', 'set']]);
  });

  test('set of a scalar is free, whatever was spent before', () => {
    const ops: TransformOp[] = [
      { op: 'uppercase', path: 'data.b' },
      { op: 'set', path: 'data.a', value: '*'.repeat(500) },
    ];
    const decision = compileRules([transforming('r', ...ops)], { patterns: { budget: 1 } }).evaluate(
      event({ a: 'secret', b: 'long' }),
    );
    expect(decision.event.data).toEqual({ a: '*'.repeat(500), b: 'long' });
    expect(named(decision.limits)).toEqual([['r', 'data.b', 'uppercase']]);
  });

  test('redacts after them have what is left, and fail closed', () => {
    const ops: TransformOp[] = [
      { op: 'uppercase', path: 'data.a' },
      { op: 'redact', path: 'data.b', regex: '[a-z]{3}x+', replace: '***' },
    ];
    const decision = compileRules([transforming('r', ...ops)], { patterns: { budget: 1_000 } }).evaluate(
      event({ a: 'a'.repeat(1_000), b: `abcx${' '.repeat(40)}` }),
    );
    expect(decision.event.data).toEqual({ a: 'A'.repeat(1_000), b: '***' });
    expect(named(decision.limits)).toEqual([['r', 'data.b', '[a-z]{3}x+']]);
  });

  /** Counts what was really mapped: the lengths of all strings handed to the runtime. */
  function mappedUnits(run: () => void): number {
    const { toUpperCase, toLowerCase, trim } = String.prototype;
    let units = 0;
    const counting = (map: () => string) =>
      function (this: string): string {
        units += this.length;
        return map.call(this);
      };
    Object.assign(String.prototype, {
      toUpperCase: counting(toUpperCase),
      toLowerCase: counting(toLowerCase),
      trim: counting(trim),
    });
    try {
      run();
    } finally {
      Object.assign(String.prototype, { toUpperCase, toLowerCase, trim });
    }
    return units;
  }

  const plainOp = fc.constantFrom<TransformOp[]>(
    { op: 'uppercase', path: 'data.a' },
    { op: 'lowercase', path: 'data.a' },
    { op: 'trim', path: 'data.b' },
    { op: 'set', path: 'data.b', value: '  x  ' },
    { op: 'set', path: 'data.c', value: [1, 2, 3] },
  );

  test('however many rules and ops there are, no more is mapped than the budgets pay for', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(plainOp, { minLength: 1, maxLength: 30, size: 'max' }), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.integer({ min: 1, max: 300 }),
        fc.option(fc.integer({ min: 1, max: 600 }), { nil: undefined }),
        (ops, budget, eventBudget) => {
          const rules = ops.map((some, i) => transforming(`r${i}`, ...some));
          const patterns = { budget, ...(eventBudget !== undefined && { eventBudget }) };
          const data = { a: `ﬃ${'aB'.repeat(10)}`, b: ' '.repeat(20), c: {} };
          for (const compile of [compileRules, compileReferenceRules]) {
            const set = compile(rules, { patterns });
            const units = mappedUnits(() => void set.evaluate(event(data)));
            expect(units).toBeLessThanOrEqual(Math.min(rules.length * budget, eventBudget ?? Infinity));
          }
          expectRight(rules, [event(data)], { patterns });
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('eventBudget', () => {
  const pattern = 'a[ab]*c[a-z]{40}';
  const { cost } = compilePattern(pattern, { engine: re2js });
  const text = `${'ab'.repeat(50)}c-`;
  const once = cost * text.length;
  const matching = (id: string): Rule =>
    rule(id, { match: { path: 'data.a', op: 'not_matches', value: pattern } });
  const rules = Array.from({ length: 6 }, (_, i) => matching(`r${i}`));

  test('is off unless it is set: every rule may spend its own', () => {
    expect(compileRules(rules, { patterns: { budget: once } }).evaluate(event({ a: text })).limits).toEqual(
      [],
    );
  });

  test('ends the work of all rules in their order; limits name each leaf that it stops', () => {
    for (const compile of [compileRules, compileReferenceRules]) {
      const set = compile(rules, { patterns: { eventBudget: 4 * once } });
      const { tags, limits } = set.evaluate(event({ a: text }));
      expect(tags).toEqual(['r0', 'r1', 'r2', 'r3']);
      expect(named(limits)).toEqual([
        ['r4', 'data.a', pattern],
        ['r5', 'data.a', pattern],
      ]);
    }
  });

  test('counts rules that do not match, and those that the index would not have found', () => {
    const unfound = rule('a', {
      match: {
        all: [
          { path: 'data.a', op: 'matches', value: pattern },
          { path: 'type', op: 'eq', value: 'x' },
        ],
      },
    });
    const set = compileRules([unfound, matching('b')], { patterns: { eventBudget: 2 * once - 1 } });
    expect(named(set.evaluate(event({ a: text })).limits)).toEqual([['b', 'data.a', pattern]]);
  });

  test('holds across rules that were put later, in the order of all', () => {
    const options = { patterns: { eventBudget: 4 * once } };
    const last = compileRules(
      [1, 3, 5].map((i) => matching(`r${i}`)),
      options,
    );
    const many = Array.from({ length: 40 }, (_, i) => rule(`z${i}`, {}));
    const set = last.update({ put: many }).update({ put: [0, 2, 4].map((i) => matching(`r${i}`)) });
    expect(named(set.evaluate(event({ a: text })).limits)).toEqual([
      ['r4', 'data.a', pattern],
      ['r5', 'data.a', pattern],
    ]);
  });

  test('charges no rule behind a drop', () => {
    const drop = rule('r1', { action: { type: 'drop' } });
    const set = compileRules([matching('r0'), drop, matching('r2')], { patterns: { eventBudget: once } });
    const { outcome, limits } = set.evaluate(event({ a: text }));
    expect([outcome, limits]).toEqual(['drop', []]);
  });

  test('ends the work of all transforms: redacts fail closed, a deep one is not walked again for each rule', () => {
    let looks = 0;
    const data = Object.defineProperty({ a: 'x', big: {} }, 'big', {
      enumerable: true,
      value: Object.defineProperty({}, 'k', { enumerable: true, get: () => (looks++, 'secret') }),
    });
    const deep = Array.from({ length: 50 }, (_, i) =>
      transforming(`r${i}`, {
        op: 'redact',
        path: 'data.big',
        regex: 'secret',
        replace: `<${i}>`,
        deep: true,
      }),
    );
    const set = compileRules(deep, { patterns: { eventBudget: 1 } });
    const decision = set.evaluate({ id: 'evt_1', type: 't', data });
    expect(JSON.stringify(decision.event.data)).not.toContain('secret');
    expect(decision.limits).toHaveLength(50);
    expect(looks).toBeLessThan(10);
  });

  test.for([0, -1, NaN, '5', null])('%s is no such budget', (eventBudget) => {
    const patterns = { eventBudget } as unknown as PatternOptions;
    expect(() => compileRules([], { patterns })).toThrow(OptionError);
    expect(() => compileRules([], { patterns })).toThrow('eventBudget must be a positive number');
  });

  test('bounds a tree, a transform, a dry-run and an explanation too', async () => {
    const patterns = { eventBudget: once - 1 };
    const { match } = matching('r');
    const now = Date.UTC(2026, 0, 1);
    const past = { ...event({ a: text }), received_at: new Date(now).toISOString() };
    expect(compileMatch(match, { patterns })(past)).toBe(false);
    expect(explainMatch(match, past, { patterns }).leaves[0]?.result).toBe('undecided');
    const ops: TransformOp[] = [{ op: 'uppercase', path: 'data.a' }];
    expect(compileTransform(ops, { patterns: { eventBudget: text.length - 1 } })(past)).toBe(past);
    const options = { windowHours: 1, now, patterns };
    const report = await dryRun({ stage: 'deliver', match, action: { type: 'drop' } }, [past], options);
    expect(report).toMatchObject({ matched: 0, limits: 1 });
  });
});
