/** Filters of Hookdeck, against simple-json-match, and of Outpost, against a model of its code. */
import fc from 'fast-check';
import * as hookdeck from 'simple-json-match';
import { describe, test } from 'vitest';
import type { Json } from '../../../src/index.js';
import {
  defaultOf,
  type Field,
  fromEntries,
  oddEvents,
  oddFields,
  obeys,
  plainEvents,
  plainFields,
  treeOf,
  itemFields,
  objectEvents,
  objectFields,
} from './law.js';
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

const bothAssumed = {
  conditions: conditions(plainFields),
  events: plainEvents,
  assume: ['kinds', 'objects'] as const,
};

describe('hookdeck', () => {
  const original = (filter: object, event: Record<string, Json>): boolean => match(event, filter);

  test('any events: refused, or the same answers', async () => {
    await obeys({
      from: 'hookdeck',
      conditions: conditions(oddFields),
      events: oddEvents(false),
      original,
      share: 0.4,
    });
  });

  test('odd values in objects: refused, or the same answers', async () => {
    await obeys({
      from: 'hookdeck',
      conditions: conditions(objectFields),
      events: objectEvents,
      assume: ['objects'],
      original,
      share: 0.45,
    });
  });

  test('values of one kind, also in arrays: refused, or the same answers', async () => {
    await obeys({
      from: 'hookdeck',
      conditions: conditions(itemFields),
      events: plainEvents,
      assume: ['kinds'],
      original,
      share: 0.6,
    });
  });

  test('values of one kind, in objects: refused, or the same answers', async () => {
    await obeys({ from: 'hookdeck', ...bothAssumed, original, share: 0.8 });
  });
});

describe('outpost', () => {
  const original = (filter: object, { id, topic = null, data = null }: Record<string, Json>): boolean =>
    answersOutpost(
      { id, ...(topic !== null && { topic }), data, time: '2026-01-01T00:00:00Z', metadata: {} },
      filter,
    );
  const withTopics = (fields: fc.Arbitrary<Field>): fc.Arbitrary<Field> =>
    fields.map((field) => (field.path[0] === 'type' ? { ...field, path: ['topic'] } : field));

  test('any events: refused, or the same answers', async () => {
    await obeys({
      from: 'outpost',
      conditions: conditions(withTopics(oddFields)),
      events: oddEvents(false),
      original,
      share: 0.4,
    });
  });

  test('odd values in objects: refused, or the same answers', async () => {
    await obeys({
      from: 'outpost',
      conditions: conditions(withTopics(objectFields)),
      events: objectEvents,
      assume: ['objects'],
      original,
      share: 0.55,
    });
  });

  test('values of one kind, also in arrays: refused, or the same answers', async () => {
    await obeys({
      from: 'outpost',
      conditions: conditions(withTopics(itemFields)),
      events: plainEvents,
      assume: ['kinds'],
      original,
      share: 0.6,
    });
  });

  test('values of one kind, in objects: refused, or the same answers', async () => {
    await obeys({
      from: 'outpost',
      ...bothAssumed,
      conditions: conditions(withTopics(plainFields)),
      original,
      share: 0.85,
    });
  });
});
