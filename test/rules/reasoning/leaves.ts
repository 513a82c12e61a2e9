/** Leaves on few paths about few values, so that some exclude each other, and values that they are about. */
import fc from 'fast-check';
import type { Json, Leaf } from '../../../src/index.js';
import * as arbitrary from '../arbitraries.js';

/** Few and short, so that one is often part of another, or next to it in one of the two orders. */
const shortText = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '1', '😀', '\ud83d', '\ude00', '\ue000'), maxLength: 3 }),
  fc.constantFrom('5', '5.0', '50e-1', '-1', '6', '0', '-0', '1e400', ':', '-'),
);
export const shortValue = fc.oneof(
  shortText,
  fc.constantFrom<Json[]>(
    0,
    -0,
    5,
    6,
    -1,
    null,
    true,
    [],
    [5],
    [5, 6],
    ['5', 'a'],
    [{ b: 5 }, { b: 'a' }],
    {},
    { b: 5 },
    { b: ['a'] },
    { b: { c: 1 } },
  ),
);
const path = fc.constantFrom(
  'a',
  'a',
  'a',
  'a.b',
  'a.0',
  'a.b.c',
  'a.b.0',
  'a.*',
  'a.*',
  'a.*.b',
) as fc.Arbitrary<string>;

/** Leaves that ask for these values, texts and numbers. */
function leafOf(value: fc.Arbitrary<Json>, text: fc.Arbitrary<string>, number: fc.Arbitrary<number>) {
  const ops = <T extends string>(...names: T[]): fc.Arbitrary<T> => fc.constantFrom(...names);
  return fc.oneof(
    fc.record({ path, op: ops('eq', 'neq', 'contains', 'not_contains'), value }),
    fc.record({ path, op: ops('in', 'not_in'), value: fc.array(value, { maxLength: 3 }) }),
    fc.record({ path, op: ops('starts_with', 'ends_with', 'contains', 'not_contains'), value: text }),
    fc.record({ path, op: ops('gt', 'gte', 'lt', 'lte'), value: fc.oneof(text, number) }),
    fc.record({
      path,
      op: ops('matches', 'not_matches'),
      value: fc.constantFrom('a', '^b', '1$', '^5', '.'),
    }),
    fc.record({ path, op: ops('exists', 'missing') }),
  ) satisfies fc.Arbitrary<Leaf>;
}

export const shortLeaf = leafOf(shortValue, shortText, fc.integer({ min: -2, max: 7 }));

/** Values that leaves about a value may well ask for: it, its parts, its spellings, and what it spells. */
function near(value: Json): Json[] {
  if (typeof value === 'number') return [value, `${value}`, `${value}.0`, value + 1, `${value}x`, -value];
  if (typeof value !== 'string') {
    return typeof value === 'object' && value !== null ? Object.values(value) : [value];
  }
  const { length } = value;
  const parts = [value.slice(0, 1), value.slice(0, length - 1), value.slice(1), value.slice(length - 1)];
  return [value, ...parts, `${value}a`, `${value}\ue000`, Number(value) || 0];
}

export const shortEvent = fc.oneof(
  shortValue.map((a) => ({ a })),
  fc.constant({}),
  arbitrary.json().map((a) => ({ a })),
);

/** A value, and leaves most of which ask for what is near it. */
export const leavesAbout = shortValue.chain((a) => {
  const values = near(a);
  const texts = values.filter((one) => typeof one === 'string');
  const numbers = values.filter((one) => typeof one === 'number');
  const leaf = leafOf(
    fc.constantFrom(a, ...values),
    fc.constantFrom('', ...texts),
    fc.constantFrom(5, ...numbers),
  );
  return fc.tuple(fc.array(leaf, { minLength: 1, maxLength: 5 }), fc.constant({ a }));
});
