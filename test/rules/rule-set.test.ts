/** Rule sets: order, effects, the first drop, options. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compileMatch,
  compileRules,
  type Action,
  type Event,
  type Match,
  type Rule,
  type RuleError,
} from '../../src/index.js';
import { compilePattern } from '../../src/patterns/index.js';

const always: Match = { path: 'data', op: 'exists' };
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const rule = (name: string, action: Action, more: Partial<Rule> = {}): Rule => ({
  id: name,
  name,
  stage: 'deliver',
  match: always,
  action,
  priority: 0,
  ...more,
});
const event: Event = { id: 'evt_1', type: 't', data: { a: 'x' }, tags: ['own'] };
const decide = (rules: Rule[], e: Event = event) => compileRules(rules).evaluate(e);
const names = (rules: readonly Rule[]): string[] => rules.map(({ name }) => name);

describe('order', () => {
  test('by priority, then by id in code-point order, whatever the order of the list', () => {
    const rules = [
      rule('b', { type: 'tag', tags: ['b'] }),
      rule('😀', { type: 'tag', tags: ['😀'] }, { id: '😀' }),
      rule('\uffff', { type: 'tag', tags: ['\uffff'] }),
      rule('first', { type: 'tag', tags: ['first'] }, { priority: -1 }),
      rule('off', { type: 'drop' }, { enabled: false, priority: -9 }),
      rule('a', { type: 'tag', tags: ['a'] }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(rules, { minLength: rules.length }), (shuffled) => {
        expect(names(compileRules(shuffled).rules)).toEqual(['first', 'a', 'b', '\uffff', '😀']);
        expect(decide(shuffled).tags).toEqual(['own', 'first', 'a', 'b', '\uffff', '😀']);
      }),
    );
  });

  test('every rule sees the event as it was handed in', () => {
    const rules = [
      rule('1', { type: 'transform', ops: [{ op: 'set', path: 'data.a', value: 'y' }] }),
      rule('2', { type: 'tag', tags: ['new'] }),
      rule('3', { type: 'tag', tags: ['saw x'] }, { match: { path: 'data.a', op: 'eq', value: 'x' } }),
      rule('4', { type: 'drop' }, { match: { path: 'data.a', op: 'eq', value: 'y' } }),
      rule('5', { type: 'drop' }, { match: { path: 'tags', op: 'contains', value: 'new' } }),
    ];
    expect(names(decide(rules).matched)).toEqual(['1', '2', '3']);
  });
});

describe('effects', () => {
  const tagging = rule('1', { type: 'tag', tags: ['t1', 'own'] });
  const routing = rule('2', { type: 'route_only', endpoint_ids: [id(2), id(1)] });
  const transforming = rule('3', { type: 'transform', ops: [{ op: 'uppercase', path: 'data.a' }] });
  const dropping = rule('4', { type: 'drop' });
  const late = rule('5', { type: 'tag', tags: ['late'] });

  test('without rules nothing happens', () => {
    expect(decide([])).toEqual({
      outcome: 'deliver',
      droppedBy: null,
      matched: [],
      event,
      tags: ['own'],
      endpointIds: null,
      limits: [],
    });
    expect(decide([]).event).toBe(event);
  });

  test('the first drop ends it: earlier tags stay, routes and transforms have no effect', () => {
    const decision = decide([tagging, routing, transforming, dropping, late]);
    expect(decision).toEqual({
      outcome: 'drop',
      droppedBy: dropping,
      matched: [tagging, routing, transforming, dropping],
      event: { ...event, tags: ['own', 't1'], status: 'dropped' },
      tags: ['own', 't1'],
      endpointIds: null,
      limits: [],
    });
    expect(decision.droppedBy).toBe(dropping);
    expect(decision.event.data).toBe(event.data);
  });

  test('everything else adds up', () => {
    const more = rule('6', { type: 'route_only', endpoint_ids: [id(1), id(3), id(3)] });
    const decision = decide([tagging, routing, transforming, late, more]);
    expect(decision.endpointIds).toEqual([id(2), id(1), id(3)]);
    expect(decision.tags).toEqual(['own', 't1', 'late']);
    expect(decision.event).toEqual({ ...event, data: { a: 'X' }, tags: ['own', 't1', 'late'] });
  });

  test('tags that are there already change nothing', () => {
    expect(decide([rule('1', { type: 'tag', tags: ['own'] })]).event).toBe(event);
  });

  test('the tags of the decision are those of its event', () => {
    const lists = fc.array(fc.oneof(fc.constantFrom('own', 'a', 'b'), fc.constant(5)), { maxLength: 5 });
    const actions = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(lists, fc.option(actions), fc.boolean(), (own, added, drops) => {
        const rules = [
          ...(added === null ? [] : [rule('1', { type: 'tag', tags: added })]),
          ...(drops ? [rule('2', { type: 'drop' })] : []),
        ];
        const tagged = { ...event, tags: own as string[] };
        const decision = decide(rules, tagged);
        expect(decision.event.tags).toEqual(decision.tags);
        expect(decision.event.tags).not.toBe(decision.tags);
        expect(tagged.tags).toBe(own);
      }),
    );
  });

  test('a transform that changes nothing leaves data the very same object', () => {
    const idle = rule('1', {
      type: 'transform',
      ops: [
        { op: 'lowercase', path: 'data.a' },
        { op: 'set', path: 'data.b', value: 1 },
      ],
    });
    expect(decide([idle]).event).toBe(event);
    expect(names(decide([idle]).matched)).toEqual(['1']);
  });

  test('unknown members of the event pass through', () => {
    const rich = { ...event, extra: { deep: [1] } };
    const decision = compileRules([tagging, transforming]).evaluate(rich);
    expect(decision.event.extra).toBe(rich.extra);
  });
});

describe('limits', () => {
  const patterns = { budget: 10 };
  const text = `c${'ab'.repeat(20)}`;
  const undecided = rule(
    '1',
    { type: 'drop' },
    { match: { path: 'data.a', op: 'not_matches', value: '[ab]+c' } },
  );
  const redacting = rule('2', {
    type: 'transform',
    ops: [{ op: 'redact', path: 'data.a', regex: '[ab]+', replace: '<$&>' }],
  });

  test('an undecided leaf does not hold, and is named; a redact fails closed, and is named', () => {
    const decision = compileRules([undecided, redacting], { patterns }).evaluate({
      ...event,
      data: { a: text },
    });
    expect(decision.outcome).toBe('deliver');
    expect(decision.event.data.a).toBe('<$&>');
    expect(decision.limits).toEqual([
      { rule: undecided, path: 'data.a', pattern: '[ab]+c' },
      { rule: redacting, path: 'data.a', pattern: '[ab]+' },
    ]);
  });

  test('leaves of one rule share a budget, rules do not', () => {
    const leaf = { path: 'data.a', op: 'matches', value: '[ab]+z?' } as const;
    const cost = compilePattern(leaf.value).cost;
    const twice = { budget: cost * text.length * 2 };
    const tagging = (id: string, leaves: number): Rule =>
      rule(id, { type: 'tag', tags: [id] }, { match: { all: Array<Match>(leaves).fill(leaf) } });
    const decision = compileRules([tagging('two', 2), tagging('three', 3), tagging('one', 1)], {
      patterns: twice,
    }).evaluate({ ...event, data: { a: text } });
    expect(names(decision.matched)).toEqual(['one', 'two']);
    expect(decision.limits.map(({ rule }) => rule.name)).toEqual(['three']);
    expect(compileMatch({ all: [leaf, leaf] }, { patterns: twice })({ data: { a: text } })).toBe(true);
    expect(compileMatch({ all: [leaf, leaf, leaf] }, { patterns: twice })({ data: { a: text } })).toBe(false);
  });

  test('ops of one rule share a budget, rules do not', () => {
    const op = (path: string) => ({ op: 'redact', path, regex: '[ab]+', replace: '*' }) as const;
    const redactingAll = (id: string, paths: string[]): Rule =>
      rule(id, { type: 'transform', ops: paths.map(op) });
    // Two searches each, of 256 at least.
    const once = { budget: 2 * 256 * 2.5 };
    const data = { a: text, b: text, c: text, d: text };
    const { event: projected, limits } = compileRules(
      [redactingAll('1', ['data.a', 'data.b', 'data.c']), redactingAll('2', ['data.d'])],
      { patterns: once },
    ).evaluate({ ...event, data });
    expect(limits.map(({ rule, path }) => [rule.id, path])).toEqual([['1', 'data.c']]);
    expect(projected.data).toEqual({ a: 'c*', b: 'c*', c: '*', d: 'c*' });
  });

  test('after a drop no later rule is asked', () => {
    const dropping = rule('0', { type: 'drop' });
    const decision = compileRules([dropping, undecided, redacting], { patterns }).evaluate({
      ...event,
      data: { a: text },
    });
    expect(decision.limits).toEqual([]);
  });
});

test.for<[unknown]>([
  [null],
  [5],
  ['text'],
  [[]],
  [{}],
  [{ data: null, tags: 5 }],
  [{ data: [], tags: [1, 'a', null] }],
])('evaluating %j throws nothing', ([odd]) => {
  const rules = [
    rule('1', { type: 'tag', tags: ['t'] }, { match: { path: 'none', op: 'missing' } }),
    rule(
      '2',
      { type: 'transform', ops: [{ op: 'set', path: 'data.a', value: 1 }] },
      { match: { path: 'none', op: 'missing' } },
    ),
  ];
  const drop = rule('3', { type: 'drop' }, { match: { path: 'none', op: 'missing' } });
  expect(compileRules(rules).evaluate(odd as Event).matched).toHaveLength(2);
  expect(compileRules([...rules, drop]).evaluate(odd as Event).outcome).toBe('drop');
});

describe('compileRules refuses', () => {
  const issuesOf = (rules: unknown) => {
    try {
      compileRules(rules as Rule[]);
    } catch (error) {
      return (error as RuleError).issues.map(({ code, pointer, index, ruleId }) => [
        code,
        pointer,
        index,
        ruleId,
      ]);
    }
    return [];
  };

  test('with all problems of all rules, each naming its rule', () => {
    const bad = [
      rule('ok', { type: 'drop' }),
      rule('x', { type: 'drop' }, { name: '' }),
      null,
      rule('ok', { type: 'tag', tags: [] }),
    ];
    expect(issuesOf(bad)).toEqual([
      ['out_of_bounds', '/name', 1, 'x'],
      ['invalid_type', '', 2, undefined],
      ['out_of_bounds', '/action/tags', 3, 'ok'],
      ['duplicate_id', '/id', 3, 'ok'],
    ]);
    expect(() => compileRules(bad as Rule[])).toThrow(
      [
        '4 problems',
        '  rule 1 (id x) /name: name must be text of 1 to 200 characters; it is ""',
        '  rule 2 as a whole: a rule must be an object; this is null',
        '  rule 3 (id ok) /action/tags: tags must be an array of 1 to 50 tags; it is an empty array',
        '  rule 3 (id ok) /id: another rule of the list has this id',
      ].join('\n'),
    );
    expect(() => compileRules([{}, { id: 5 }] as unknown as Rule[])).toThrow(/rule 0 \/id: id is missing/);
    expect(issuesOf([{}, {}]).filter(([code]) => code === 'duplicate_id')).toEqual([]);
  });

  test('a budget that is none, before there is a rule', () => {
    expect(() => compileRules([], { patterns: { budget: -1 } })).toThrow(
      'budget must be a positive number of work units; it is -1: give one such as 100000000',
    );
  });

  test('what is no list', () => {
    expect(issuesOf({ rules: [] })).toEqual([['invalid_type', '', undefined, undefined]]);
    expect(() => compileRules({} as Rule[])).toThrow(
      '1 problem\n  as a whole: rules must be an array; this is an object',
    );
  });
});
