/**
 * Trees and values whose parts are shared objects: small in memory, endless as text. They are refused, or cost what
 * they are.
 */
import { describe, expect, test } from 'vitest';
import {
  compileMatch,
  compileRules,
  compileTransform,
  dryRun,
  explainMatch,
  exportRules,
  importRules,
  lintRules,
  parseRule,
  RuleError,
  validateRule,
  validateRuleDocument,
  type Action,
  type Event,
  type Json,
  type Match,
  type Rule,
  type TransformOp,
} from '../../src/index.js';

const event: Event = { id: 'evt_1', type: 't', data: { a: 1 } };
const seen: Action = { type: 'tag', tags: ['seen'] };
const ruleOf = (match: Match, action: Action = seen): Rule => ({
  id: 'r',
  name: 'r',
  stage: 'deliver',
  match,
  action,
  priority: 0,
});

/** Each level holds the one below twice. */
function doubled<T>(levels: number, innermost: T, twice: (below: T) => T): T {
  let level = innermost;
  for (let i = 0; i < levels; i++) level = twice(level);
  return level;
}

const tree = (levels: number): Match =>
  doubled<Match>(levels, { path: 'data.a', op: 'eq', value: 1 }, (below) => ({ all: [below, below] }));
const value = (levels: number): Json => doubled<Json>(levels, 1, (below) => ({ a: below, b: [below] }));
const setting = (set: Json): Action => ({
  type: 'transform',
  ops: [{ op: 'set', path: 'data.a', value: set }],
});

const cyclicTree: { all: Match[] } = { all: [] };
cyclicTree.all.push({ any: [{ path: 'data.a', op: 'exists' }, cyclicTree] });
const cyclic: Record<string, unknown> = {};
cyclic.a = [{ cyclic }];

const refused: readonly { name: string; rule: Rule; code: string }[] = [
  { name: 'a tree of sixty levels, each twice the one below', rule: ruleOf(tree(60)), code: 'too_large' },
  {
    name: 'a value of sixty levels, each twice the one below',
    rule: ruleOf({ path: 'data.a', op: 'eq', value: value(60) }),
    code: 'too_large',
  },
  {
    name: 'a member of a list, doubled sixty times',
    rule: ruleOf({ path: 'data.a', op: 'in', value: [value(60)] }),
    code: 'too_large',
  },
  {
    name: 'a value to set, doubled sixty times',
    rule: ruleOf({ path: 'data.a', op: 'exists' }, setting(value(60))),
    code: 'too_large',
  },
  {
    name: 'a long text that occurs many times',
    rule: ruleOf({
      any: new Array<Match>(1_000).fill({ path: 'data.a', op: 'starts_with', value: 'a'.repeat(100_000) }),
    }),
    code: 'too_large',
  },
  {
    name: 'a long path that occurs many times',
    rule: ruleOf({ any: new Array<Match>(1_000).fill({ path: 'a'.repeat(100_000), op: 'exists' }) }),
    code: 'too_large',
  },
  { name: 'a tree that contains itself', rule: ruleOf(cyclicTree), code: 'invalid_node' },
  {
    name: 'a value that contains itself',
    rule: ruleOf({ path: 'data.a', op: 'eq', value: cyclic as Json }),
    code: 'invalid_value',
  },
  {
    name: 'a value to set that contains itself',
    rule: ruleOf({ path: 'data.a', op: 'exists' }, setting(cyclic as Json)),
    code: 'invalid_value',
  },
];

describe.for(refused)('$name', ({ rule, code }) => {
  const codesOf = (run: () => unknown): readonly string[] => {
    try {
      run();
      return [];
    } catch (error) {
      return (error as RuleError).issues.map((issue) => issue.code);
    }
  };

  test('is refused, with one issue', () => {
    for (const result of [validateRule(rule), validateRuleDocument(exportable(rule))]) {
      expect(result.ok ? [] : result.issues.map((issue) => issue.code)).toEqual([code]);
    }
    expect(codesOf(() => parseRule(rule))).toEqual([code]);
    expect(codesOf(() => lintRules([rule]))).toEqual([code]);
    expect(codesOf(() => compileRules([rule]))).toEqual([code]);
    expect(codesOf(() => compileRules([]).update({ put: [rule] }))).toEqual([code]);
    const { rules, summary } = importRules([rule]);
    expect([rules, summary.errors.map((issue) => issue.code)]).toEqual([[], [code]]);
  });

  test('is refused as a tree, and as ops', () => {
    const isInAction = rule.action.type === 'transform';
    const ops: readonly TransformOp[] = rule.action.type === 'transform' ? rule.action.ops : [];
    expect(codesOf(() => (isInAction ? compileTransform(ops) : compileMatch(rule.match)))).toEqual([code]);
    expect(codesOf(() => (isInAction ? compileTransform(ops) : explainMatch(rule.match, event)))).toEqual([
      code,
    ]);
  });

  test('is refused when it is tried, and when it is exported', async () => {
    const { stage, match, action } = rule;
    await expect(dryRun({ stage, match, action }, [event], { windowHours: 1 })).rejects.toThrow(RuleError);
    expect(() => exportRules([rule])).toThrow(RuleError);
  });
});

test('a tree that doubles on the way to itself is refused', () => {
  const cycle: { all: Match[] } = { all: [] };
  cycle.all.push(doubled<Match>(40, cycle, (below) => ({ any: [below, below] })));
  const result = validateRule(ruleOf(cycle));
  expect(result.ok ? undefined : result.issues[0]?.code).toBe('invalid_node');
  expect(() => exportRules([ruleOf(cycle)])).toThrow('contains itself');
});

const exportable = ({ id: _, ...document }: Rule): unknown => document;

test('what is shared within bounds is a rule like any other', () => {
  const rule = ruleOf(
    { all: [tree(12), { path: 'data.a', op: 'neq', value: value(10) }] },
    setting(value(10)),
  );
  expect(validateRule(rule).ok).toBe(true);
  expect(explainMatch(rule.match, event).leaves).toHaveLength(4_097);
  expect(lintRules([rule])).toEqual([]);
  const [document] = exportRules([rule]);
  const { rules } = importRules(JSON.stringify(document));
  expect(compileRules(rules).evaluate(event).event).toEqual(compileRules([rule]).evaluate(event).event);
});

test('ten thousand rules may share a tree', () => {
  const match: Match = { all: [tree(4), { path: 'data.a', op: 'neq', value: 2 }] };
  const rules = Array.from({ length: 10_000 }, (_, i) => ({ ...ruleOf(match), id: `${i}` }));
  expect(compileRules(rules).evaluate(event).matched).toHaveLength(10_000);
});

test('rules that share a large tree are counted together', () => {
  const large = ruleOf({ path: 'data.a', op: 'eq', value: 'a'.repeat(9_000_000) });
  const rules = Array.from({ length: 40 }, (_, i) => ({ ...large, id: `${i}` }));
  expect(() => compileRules(rules)).toThrow('256 MiB');
  expect(importRules(rules).summary).toMatchObject({ imported: 1, skipped: 39 });
});

test('what exists and missing ignore may be anything', () => {
  const idle = (op: 'exists' | 'missing', path: string): Match => ({ path, op, value: cyclic as never });
  const rule = ruleOf({ all: [idle('exists', 'data.a'), idle('missing', 'data.b')] });
  expect(lintRules([rule, { ...rule, id: 'drop', priority: -1, action: { type: 'drop' } }])).toHaveLength(1);
  expect(compileRules([rule]).evaluate(event).tags).toEqual(['seen']);
  expect(explainMatch(rule.match, event).matched).toBe(true);
});
