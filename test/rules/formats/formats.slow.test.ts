/** Files of other systems: which rules they become, where problems are, and what nobody can do with them. */
import { describe, expect, test } from 'vitest';
import { compileMatch, importRules, type ImportOptions, type RuleFormat } from '../../../src/index.js';

const drop = { action: { type: 'drop' } } as const;
const matchOf = (condition: unknown, options: ImportOptions) => {
  const { rules, summary } = importRules([condition], { as: drop, ...options });
  expect(summary.errors).toEqual([]);
  return rules[0]?.match;
};

describe('a file of conditions', () => {
  test('has one condition or an array of them, which get the members of `as`', () => {
    const { rules } = importRules('[{"===":[{"var":"type"},"x"]},{"===":[{"var":"type"},"y"]}]', {
      from: 'json-logic',
      as: { ...drop, priority: 7, description: 'moved' },
    });
    expect(rules.map(({ id: _, ...rule }) => rule)).toEqual(
      ['x', 'y'].map((value, i) => ({
        name: `json-logic ${i + 1}`,
        description: 'moved',
        stage: 'deliver',
        match: { path: 'type', op: 'eq', value },
        ...drop,
        priority: 7,
      })),
    );
    expect(importRules({ type: 'x' }, { from: 'mongodb', as: drop }).summary.imported).toBe(1);
  });

  test('may be rule documents around conditions', () => {
    const entry = {
      id: 'x',
      name: 'own',
      priority: 2,
      action: { type: 'tag', tags: ['a'] },
      match: { type: 'x' },
    };
    const { rules } = importRules([entry], {
      from: 'hookdeck',
      as: { ...drop, priority: 1 },
      newId: () => 'new',
      assume: ['kinds'],
    });
    const match = {
      any: [
        { path: 'type', op: 'eq', value: 'x' },
        { path: 'type.*', op: 'eq', value: 'x' },
      ],
    };
    expect(rules).toEqual([{ ...entry, id: 'new', stage: 'deliver', match }]);
  });

  test('may be rules of json-rules-engine, of which a greater priority is first', () => {
    const conditions = { all: [{ fact: 'type', operator: 'equal', value: 'x' }] };
    const entry = { name: 'own', priority: 5, conditions, event: { type: 'seen' } };
    const match = { path: 'type', op: 'eq', value: 'x' };
    const options = { from: 'json-rules-engine', newId: () => 'new' } as const;
    const rule = { id: 'new', name: 'own', priority: -5, stage: 'deliver', match };
    expect(importRules(entry, options).rules).toEqual([{ ...rule, action: { type: 'tag', tags: ['seen'] } }]);
    expect(importRules(entry, { ...options, as: drop }).rules).toEqual([{ ...rule, ...drop }]);
    const withParams = { ...entry, event: { type: 'seen', params: { a: 1 } } };
    expect(importRules(withParams, options).summary.errors).toMatchObject([
      { code: 'missing_key', pointer: '/action' },
    ]);
  });

  test('without an action gives no rules', () => {
    const { summary } = importRules({ type: 'x' }, { from: 'mongodb' });
    expect(summary).toMatchObject({
      imported: 0,
      skipped: 1,
      errors: [{ code: 'missing_key', pointer: '/action' }],
    });
  });

  test('is about the object at a path', () => {
    const match = matchOf(
      { '===': [{ var: 'order.kind' }, 'x'] },
      { from: 'json-logic', at: 'data.body\\.json' },
    );
    expect(match).toEqual({ path: 'data.body\\.json.order.kind', op: 'eq', value: 'x' });
    expect(
      matchOf({ order: { id: { $eq: 'x' } } }, { from: 'outpost', at: 'data.body', assume: ['objects'] }),
    ).toEqual({
      path: 'data.body.order.id',
      op: 'eq',
      value: 'x',
    });
  });

  test.for<[object, string]>([
    [
      { from: 'sql' },
      'from must be one of json-rules-engine, json-logic, mongodb, hookdeck, outpost, react-querybuilder; it is "sql"',
    ],
    [{ as: drop }, 'as is for conditions of another system; say which with from'],
    [{ from: 'mongodb', as: { tags: [] } }, 'as in the options of importRules: unknown "tags"'],
    [{ from: 'mongodb', as: { action: { type: 'tag', tags: [] } } }, '/action/tags'],
    [{ from: 'mongodb', at: 'a..b' }, 'at must be a path; it is "a..b"'],
    [{ from: 'mongodb', at: 'a.*' }, 'at must be a path to one object'],
    [{ from: 'mongodb', assume: ['types'] }, 'assume must be an array of kinds and objects'],
  ])('%o are no options', ([options, message]) => {
    expect(() => importRules([], options)).toThrow(
      expect.objectContaining({
        code: 'invalid_option',
        message: expect.stringContaining(message) as string,
      }),
    );
  });
});

describe('what is not converted', () => {
  test.for<[RuleFormat, unknown, string]>([
    [
      'json-rules-engine',
      {
        all: [
          { fact: 'a', operator: 'equal', value: 'x' },
          { fact: 'a', operator: 'matches', value: 'x' },
        ],
      },
      '/all/1/operator',
    ],
    [
      'json-rules-engine',
      { conditions: { any: [{ fact: 'a', operator: 'equal', value: { fact: 'b' } }] } },
      '/conditions/any/0/value',
    ],
    ['json-rules-engine', { all: [{ condition: 'other' }] }, '/all/0/condition'],
    [
      'json-rules-engine',
      { not: { fact: 'a', params: { x: 1 }, operator: 'equal', value: 1 } },
      '/not/params',
    ],
    ['json-logic', { and: [{ '===': [{ var: 'a' }, 'x'] }, { if: [true, false] }] }, '/and/1/if'],
    ['json-logic', { or: [{ '===': [{ var: 'a' }, { var: 'b' }] }] }, '/or/0'],
    ['mongodb', { $or: [{ a: 'x' }, { a: { $gt: 5 } }] }, '/$or/1/a/$gt'],
    ['mongodb', { 'a/b': { $where: 'x' } }, '/a~1b/$where'],
    ['hookdeck', { a: { b: { $eq: { $ref: 'c' } } } }, '/a/b/$eq'],
    ['hookdeck', { data: { list: { 0: { $exist: true } } } }, '/data/list/0'],
    ['outpost', { $and: [{ metadata: { a: 'x' } }] }, '/$and/0/metadata'],
    ['outpost', { data: { list: { 0: { sku: 'x' } } } }, '/data/list/0'],
    ['react-querybuilder', { combinator: 'and', rules: [{ combinator: 'or', rules: [] }] }, '/rules/0'],
    [
      'react-querybuilder',
      { combinator: 'and', rules: [{ field: 'a', operator: 'soundsLike', value: 'x' }] },
      '/rules/0/operator',
    ],
  ])('%s %j is refused where it stands', ([from, condition, pointer]) => {
    const { rules, summary } = importRules([condition, condition], { from, as: drop });
    expect(rules).toEqual([]);
    expect(summary.errors).toMatchObject(
      [0, 1].map((index) => ({ index, code: 'not_convertible', pointer })),
    );
  });

  test('is what one element would have to meet as a whole', () => {
    const filter = { data: { items: { sku: 'x', color: 'y' } } };
    expect(importRules([filter], { from: 'hookdeck', as: drop }).summary.errors).toMatchObject([
      { code: 'not_convertible', pointer: '/data/items' },
    ]);
    expect(matchOf(filter, { from: 'hookdeck', assume: ['objects'] })).toHaveProperty('all');
  });

  test('leaves out no value: an array does not have a text in it for Hookdeck', () => {
    const matches = compileMatch(matchOf({ $not: { data: { a: { $in: 'x' } } } }, { from: 'hookdeck' })!);
    const answers = [['x'], 'axb', 'b', 5, null].map((a) => matches({ id: 'a', type: 'a', data: { a } }));
    expect(answers).toEqual([true, false, true, true, true]);
  });

  test('names every part that is refused', () => {
    const odd = { '%': [{ var: 'a' }, 2] };
    const { summary } = importRules(
      { and: [odd, { or: [odd, { '!': odd }] }] },
      { from: 'json-logic', as: drop },
    );
    expect(summary.errors.map(({ pointer }) => pointer)).toEqual([
      '/and/0/%',
      '/and/1/or/0/%',
      '/and/1/or/1/!/%',
    ]);
  });

  test.for<[RuleFormat, unknown]>([
    ['mongodb', {}],
    ['hookdeck', {}],
    ['hookdeck', { $not: {} }],
    ['json-logic', true],
    ['json-rules-engine', { any: [] }],
    ['mongodb', { a: { $in: [] } }],
  ])('%s %j has one answer for every event', ([from, condition]) => {
    const { summary } = importRules([condition], { from, as: drop });
    expect(summary.errors).toMatchObject([{ code: 'not_convertible', pointer: '' }]);
  });
});

describe('hostile files', () => {
  const DEEP = 100_000;
  const deep: Readonly<Record<RuleFormat, readonly [before: string, inner: string, after: string]>> = {
    'json-rules-engine': ['{"not":{"all":[', '{"fact":"type","operator":"equal","value":"x"}', ']}}'],
    'json-logic': ['{"!":{"or":[', '{"===":[{"var":"type"},"x"]}', ']}}'],
    mongodb: ['{"$nor":[{"$and":[', '{"type":"x"}', ']}]}'],
    hookdeck: ['{"$not":{"$and":[', '{"type":{"$eq":"x"}}', ']}}'],
    outpost: ['{"$not":{"$and":[', '{"id":{"$eq":"x"}}', ']}}'],
    'react-querybuilder': [
      '{"combinator":"or","not":true,"rules":[',
      '{"field":"type","operator":"null"}',
      ']}',
    ],
  };

  test.for(Object.entries(deep))('%s: groups a hundred thousand deep', ([from, [before, inner, after]]) => {
    const text = before.repeat(DEEP) + inner + after.repeat(DEEP);
    const { rules, summary } = importRules(text, { from: from as RuleFormat, as: drop });
    expect(summary).toEqual({ imported: 1, skipped: 0, errors: [] });
    expect(compileMatch(rules[0]!.match)({ id: 'y', type: 'y', data: {} })).toBe(false);
    // Groups that must stay groups.
    const sibling = from === 'json-rules-engine' ? `${inner},` : '';
    const mixed = importRules(
      before.replace(/\[$/, `[${sibling}`).repeat(1_000) + inner + after.repeat(1_000),
      { from: from as RuleFormat, as: drop },
    );
    expect(mixed.summary.imported).toBe(1);
  });

  test.for(Object.keys(deep) as RuleFormat[])(
    '%s: a condition that contains itself, parts that occur too often, what is not JSON',
    (from) => {
      const cycle: Record<string, unknown> = {};
      cycle.$and = [cycle];
      let often: unknown = { type: 'x' };
      for (let i = 0; i < 40; i++) often = { $and: [often, often] };
      const { rules, summary } = importRules(
        [cycle, often, { a: undefined }, { a: 1n }, null, 5, 'x', [], undefined],
        { from, as: drop },
      );
      expect(rules).toEqual([]);
      expect(summary.errors[0]).toMatchObject({
        index: 0,
        code: 'invalid_value',
        message: 'an entry must be JSON, but it holds a structure that contains itself',
      });
      expect(summary.errors[1]).toMatchObject({ index: 1, code: 'too_large' });
      expect(summary.skipped).toBe(9);
    },
  );

  test('names of prototypes reach none', () => {
    const text = '{"__proto__":{"$eq":"x"},"constructor":{"$eq":"x"}}';
    expect(matchOf(JSON.parse(text), { from: 'outpost', at: 'data' })).toEqual({
      all: [
        { path: 'data.__proto__', op: 'eq', value: 'x' },
        { path: 'data.constructor', op: 'eq', value: 'x' },
      ],
    });
    for (const from of ['hookdeck', 'mongodb'] as const) {
      expect(importRules([JSON.parse(text)], { from, as: drop }).summary.errors[0]?.code).toBe(
        'not_convertible',
      );
    }
  });

  test('numbers that are too large are refused', () => {
    const { summary } = importRules('{"id":{"$gt":1e400}}', { from: 'mongodb', as: drop });
    expect(summary.errors).toMatchObject([{ code: 'out_of_bounds', pointer: '/id/$gt' }]);
  });
});
