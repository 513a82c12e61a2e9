/** Queries of react-querybuilder, against what it makes of them in JsonLogic. */
import { formatQuery, jsonLogicAdditionalOperators, type RuleGroupType } from '@react-querybuilder/core';
import fc from 'fast-check';
import jsonLogic from 'json-logic-js';
import { describe, expect, test } from 'vitest';
import { compileRules, exportRules, importRules, type Json } from '../../../src/index.js';
import { encounter } from '../arbitraries.js';
import { type Field, lawOf, treeOf } from './law.js';

for (const [name, code] of Object.entries(jsonLogicAdditionalOperators)) jsonLogic.add_operation(name, code);

const original = (query: object, event: Record<string, Json>): boolean => {
  const group = 'rules' in query ? query : { combinator: 'and', rules: [query] };
  const logic = formatQuery(group as RuleGroupType, { format: 'jsonlogic' });
  return jsonLogic.truthy(jsonLogic.apply(logic, event));
};

const leafOf = ({ path, value, kind }: Field): fc.Arbitrary<object> => {
  const tests = (operators: readonly string[], value: fc.Arbitrary<unknown>) =>
    fc.record({ field: fc.constant(path.join('.')), operator: fc.constantFrom(...operators), value });
  const common = [
    tests(['null', 'notNull'], fc.constant(null)),
    tests(['contains', 'doesNotContain'], value),
  ];
  if (kind === 'list') return fc.oneof(...common);
  return fc.oneof(
    { weight: 3, arbitrary: tests(['=', '!='], value) },
    { weight: 2, arbitrary: tests(kind === 'boolean' ? ['='] : ['<', '<=', '>', '>='], value) },
    {
      weight: 2,
      arbitrary: tests(
        ['in', 'notIn'],
        fc.oneof(fc.array(value, { maxLength: 3 }), fc.constantFrom('x', 'x, y ,', 'xy')),
      ),
    },
    { weight: 1, arbitrary: tests(['between', 'notBetween'], fc.tuple(value, value)) },
    ...common.map((arbitrary) => ({ weight: 1, arbitrary })),
    ...(kind === 'number' || kind === 'boolean'
      ? []
      : [
          {
            weight: 2,
            arbitrary: tests(['beginsWith', 'endsWith', 'doesNotBeginWith', 'doesNotEndWith'], value),
          },
        ]),
  );
};

const conditions = (fields: fc.Arbitrary<Field>): fc.Arbitrary<object> =>
  treeOf(fields.chain(leafOf), (inner) =>
    fc.record(
      {
        combinator: fc.constantFrom('and', 'or'),
        rules: fc.array(inner, { minLength: 1, maxLength: 3 }),
        not: fc.boolean(),
      },
      { requiredKeys: ['combinator', 'rules'] },
    ),
  );

lawOf({
  from: 'react-querybuilder',
  original,
  conditions,
  nests: true,
  shares: { 'any events': 0.25, 'odd values in objects': 0.28, 'values of one kind': 0.89 },
});

describe('react-querybuilder', () => {
  test('an export of rules comes back as rules that decide the same', () => {
    fc.assert(
      fc.property(encounter(), ([rules, events]) => {
        const queries = exportRules(rules, { to: 'react-querybuilder' });
        const { rules: imported, summary } = importRules(queries, { from: 'react-querybuilder' });
        expect(summary).toEqual({ imported: rules.length, skipped: 0, errors: [] });
        const [before, after] = [
          compileRules(rules.map((rule) => ({ ...rule, enabled: true }))),
          compileRules(imported),
        ];
        for (const event of events) {
          const { matched: _, droppedBy: __, limits: ___, ...decision } = before.evaluate(event);
          expect(after.evaluate(event)).toMatchObject(decision);
        }
      }),
    );
  });

  test('a leaf alone becomes a group of one', () => {
    const rule = { id: '1', name: 'a', stage: 'deliver', action: { type: 'drop' }, priority: 1 } as const;
    const match = { path: 'data.a', op: 'exists' } as const;
    expect(exportRules([{ ...rule, match }], { to: 'react-querybuilder' })[0]?.match).toEqual({
      combinator: 'and',
      rules: [{ field: 'data.a', operator: 'headgate:exists', value: null }],
    });
    expect(() => exportRules([], { to: 'sql' as 'react-querybuilder' })).toThrow(
      'to must be react-querybuilder; it is "sql"',
    );
  });
});
