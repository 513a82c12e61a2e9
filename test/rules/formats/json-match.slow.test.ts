/** Filters of Hookdeck, against simple-json-match, and of Outpost, against a model of its code. */
import fc from 'fast-check';
import * as hookdeck from 'simple-json-match';
import type { Json } from '../../../src/index.js';
import { defaultOf, type Field, fromEntries, lawOf, treeOf } from './law.js';
import { answersOutpost } from './outpost.js';

const match: (input: Json, filter: object) => boolean = defaultOf(hookdeck);

const ordersOf = (value: fc.Arbitrary<Json>) =>
  ['$gt', '$gte', '$lt', '$lte'].map((operator) => fc.record({ [operator]: value }));

const leafOf = ({ path, value, kind }: Field): fc.Arbitrary<object> => {
  const list = fc.array(value, { maxLength: 3 });
  const isText = kind === 'any' || kind === 'text';
  const word = fc.constantFrom('x', 'y', '5');
  const one = fc.oneof(
    fc.record({ $eq: value }),
    fc.record({ $neq: value }),
    fc.record({ $in: list }),
    fc.record({ $nin: list }),
    fc.record({ $exist: fc.boolean() }),
    ...(kind === 'boolean' ? [] : ordersOf(value)),
    ...(isText
      ? ['$in', '$nin', '$startsWith', '$endsWith'].map((operator) => fc.record({ [operator]: word }))
      : []),
    ...(isText ? [fc.record({ $startsWith: fc.array(word, { maxLength: 2 }) })] : []),
  );
  const two = fc.tuple(one, one).map(([a, b]) => ({ ...a, ...b }));
  const plain = fc.oneof(
    { weight: 4, arbitrary: value },
    { weight: 1, arbitrary: list.map(($or) => ({ $or })) },
  );
  const test =
    kind === 'list'
      ? fc.oneof(plain, fc.array(value, { minLength: 1, maxLength: 3 }))
      : fc.oneof(
          { weight: 4, arbitrary: one },
          { weight: 1, arbitrary: two },
          { weight: 3, arbitrary: plain },
        );
  return test.map(
    (test) =>
      path.reduceRight<unknown>((inner, name) => fromEntries([[name, inner as Json]]), test) as object,
  );
};

const conditions = (fields: fc.Arbitrary<Field>): fc.Arbitrary<object> =>
  treeOf(fields.chain(leafOf), (inner) =>
    fc.oneof(
      fc.tuple(inner, inner).map(([a, b]) => ({ ...a, ...b })),
      fc.tuple(inner, inner).map(([a, $not]) => ({ ...a, $not })),
      fc.record({ $not: inner }),
      fc
        .tuple(fc.constantFrom('$and', '$or'), fc.array(inner, { minLength: 1, maxLength: 3 }))
        .map(([key, list]) => ({ [key]: list })),
    ),
  );

lawOf({
  ...{ from: 'hookdeck', conditions, nests: false },
  original: (filter: object, event: Record<string, Json>): boolean => match(event, filter),
  shares: {
    'any events': 0.45,
    'odd values in objects': 0.54,
    'values of one kind, also in arrays': 0.7,
    'values of one kind, in objects': 0.91,
  },
});

const withTopics = (fields: fc.Arbitrary<Field>): fc.Arbitrary<Field> =>
  fields.map((field) => (field.path[0] === 'type' ? { ...field, path: ['topic'] } : field));

lawOf({
  ...{ from: 'outpost', nests: false },
  conditions: (fields) => conditions(withTopics(fields)),
  original: (filter: object, { id, topic = null, data = null }: Record<string, Json>): boolean =>
    answersOutpost(
      { id, ...(topic !== null && { topic }), data, time: '2026-01-01T00:00:00Z', metadata: {} },
      filter,
    ),
  shares: {
    'any events': 0.5,
    'odd values in objects': 0.64,
    'values of one kind, also in arrays': 0.74,
    'values of one kind, in objects': 0.94,
  },
});
