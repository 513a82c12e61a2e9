/** Conditions of json-rules-engine, against json-rules-engine. */
import fc from 'fast-check';
import { Engine, type TopLevelCondition } from 'json-rules-engine';
import { describe, test } from 'vitest';
import type { Json } from '../../../src/index.js';
import {
  type Field,
  oddEvents,
  oddFields,
  obeys,
  plainEvents,
  plainFields,
  treeOf,
  objectEvents,
  objectFields,
} from './law.js';

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

describe('json-rules-engine', () => {
  test('any events: refused, or the same answers', async () => {
    await obeys({
      from: 'json-rules-engine',
      conditions: conditions(oddFields),
      events: oddEvents(true),
      original,
      share: 0.3,
    });
  });

  test('odd values in objects: refused, or the same answers', async () => {
    await obeys({
      from: 'json-rules-engine',
      conditions: conditions(objectFields),
      events: objectEvents,
      assume: ['objects'],
      original,
      share: 0.3,
    });
  });

  test('values of one kind: refused, or the same answers', async () => {
    await obeys({
      from: 'json-rules-engine',
      conditions: conditions(plainFields),
      events: plainEvents,
      assume: ['kinds'],
      original,
      share: 0.8,
    });
  });
});
