/** Conditions of json-rules-engine, against json-rules-engine. */
import fc from 'fast-check';
import { Engine, type TopLevelCondition } from 'json-rules-engine';
import type { Json } from '../../../src/index.js';
import { type Field, lawOf, treeOf } from './law.js';

async function original(condition: object, event: Record<string, Json>): Promise<boolean> {
  const conditions = 'fact' in condition ? { all: [condition] } : condition;
  const engine = new Engine([{ conditions: conditions as TopLevelCondition, event: { type: 'x' } }], {
    allowUndefinedFacts: true,
  });
  const { events } = await engine.run(event);
  return events.length > 0;
}

const pathOf = (names: readonly string[]): string | undefined =>
  names.length === 0
    ? undefined
    : `$${names.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('')}`;

const OPERATORS = {
  list: ['contains', 'doesNotContain', 'someFact:equal', 'someFact:in'],
  scalar: ['equal', 'notEqual', 'in', 'notIn', 'not:equal'],
  order: ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'],
};

const leafOf = ({ path: [fact, ...names], value, kind }: Field): fc.Arbitrary<object> => {
  const operators = [
    ...(kind === 'list' ? [] : OPERATORS.scalar),
    ...(kind === 'list' || kind === 'any' ? OPERATORS.list : []),
    ...(kind === 'number' || kind === 'any' ? OPERATORS.order : []),
  ];
  return fc.constantFrom(...operators).chain((operator) =>
    (/(?:^|:)(?:in|notIn)$/.test(operator) ? fc.array(value, { maxLength: 3 }) : value).map((value) => ({
      fact,
      ...(names.length > 0 && { path: pathOf(names) }),
      operator,
      value,
    })),
  );
};

const conditions = (fields: fc.Arbitrary<Field>): fc.Arbitrary<object> =>
  treeOf(fields.chain(leafOf), (inner) =>
    fc.oneof(
      fc.record({ all: fc.array(inner, { maxLength: 3 }) }),
      fc.record({ any: fc.array(inner, { maxLength: 3 }) }),
      fc.record({ not: inner }),
    ),
  );

lawOf({
  from: 'json-rules-engine',
  original,
  conditions,
  nests: true,
  shares: { 'any events': 0.37, 'odd values in objects': 0.41, 'values of one kind': 0.92 },
});
