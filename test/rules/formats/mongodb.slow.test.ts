/** Queries of MongoDB, where sift and mingo answer alike. */
import fc from 'fast-check';
import { Query } from 'mingo';
import * as module from 'sift';
import type { Json } from '../../../src/index.js';
import { defaultOf, type Field, lawOf, treeOf } from './law.js';

const sift: (query: object) => (event: object) => boolean = defaultOf(module);

function original(query: Record<string, Json>, event: Record<string, Json>): boolean | undefined {
  const one = sift(query)(event);
  try {
    return one === new Query(query).test(event) ? one : undefined;
  } catch {
    // mingo fails on an event with a member `constructor`.
    return undefined;
  }
}

const leafOf = ({ path, value, kind }: Field): fc.Arbitrary<object> => {
  const list = fc.array(
    fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }),
    { maxLength: 3 },
  );
  const operators = [
    ...['$eq', '$ne'].map((operator) => fc.record({ [operator]: value })),
    ...['$in', '$nin'].map((operator) => fc.record({ [operator]: list })),
    ...(kind === 'boolean'
      ? []
      : ['$gt', '$gte', '$lt', '$lte'].map((operator) => fc.record({ [operator]: value }))),
    fc.record({ $exists: fc.boolean() }),
    ...(kind === 'number' || kind === 'boolean'
      ? []
      : [
          fc.constantFrom<object>(
            { $regex: '^x' },
            { $regex: 'X|y$', $options: 'i' },
            { $regex: '[a-x].*\\d?' },
            { $regex: 'x.y' },
          ),
        ]),
  ];
  const one = fc.oneof(...operators);
  const test = fc.oneof(
    { weight: 4, arbitrary: one },
    { weight: 3, arbitrary: value },
    { weight: 1, arbitrary: one.map((test) => ({ $not: test })) },
    { weight: 1, arbitrary: fc.tuple(one, one).map(([a, b]) => ({ ...a, ...b })) },
  );
  return test.map((test) => ({ [path.join('.')]: test }));
};

const conditions = (fields: fc.Arbitrary<Field>): fc.Arbitrary<object> =>
  treeOf(fields.chain(leafOf), (inner) =>
    fc.oneof(
      fc.tuple(inner, inner).map(([a, b]) => ({ ...a, ...b })),
      fc
        .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(inner, { minLength: 1, maxLength: 3 }))
        .map(([key, list]) => ({ [key]: list })),
    ),
  );

lawOf({
  from: 'mongodb',
  original,
  conditions,
  nests: false,
  shares: {
    'any events': 0.35,
    'odd values in objects': 0.43,
    'values of one kind, also in arrays': 0.86,
    'values of one kind, in objects': 0.89,
  },
});
