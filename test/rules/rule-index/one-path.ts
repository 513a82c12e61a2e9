/** Many rules about one path, where indexes of one kind meet all that is hard for them. */
import fc from 'fast-check';
import type { Event, Json, Leaf, Match, Rule } from '../../../src/index.js';
import { checkPattern } from '../../../src/patterns/index.js';
import { wellFormed } from '../../../src/patterns/well-formed.js';
import * as patterns from '../../patterns/arbitraries.js';
import { ruleOf } from '../arbitraries.js';

const path = 'data.a';

const eventOf = (a: Json, i: number): Event => ({ id: `evt_${i}`, type: 'a', data: { a } });

/** Rules with these trees, and events that have these values. */
const about = (trees: readonly Match[], values: readonly Json[]): readonly [Rule[], Event[]] => [
  trees.map((tree, i) => ruleOf(tree, { id: `r${i}` })),
  values.map(eventOf),
];

/** Text that repeats itself, so that much of it is found in much of it. */
const text = fc
  .array(
    fc.constantFrom('a', 'b', 'ab', 'aaaa', 'order', 'created', '-', '.', '\ufffd', '😀', '\ud83d', '\ude00'),
    {
      minLength: 1,
      maxLength: 14,
      size: 'max',
    },
  )
  .map((parts) => parts.join(''));

const literal = (value: string): string => `\\Q${wellFormed(value)}\\E`;

const textLeaves: readonly ((value: string) => Leaf)[] = [
  (value) => ({ path, op: 'contains', value }),
  (value) => ({ path, op: 'contains', value }),
  (value) => ({ path, op: 'starts_with', value }),
  (value) => ({ path, op: 'ends_with', value }),
  (value) => ({ path, op: 'eq', value }),
  (value) => ({ path, op: 'matches', value: literal(value) }),
  (value) => ({ path, op: 'matches', value: `${literal(value)}[a-z]+` }),
  (value) => ({ path, op: 'matches', value: `(?:${literal(value)}|zz).?$` }),
];

/** Beginnings, ends and parts to look for, and texts made of them. */
export const texts: fc.Arbitrary<readonly [Rule[], Event[]]> = fc
  .tuple(
    fc.array(fc.tuple(text, fc.nat(textLeaves.length - 1)), { minLength: 20, maxLength: 160, size: 'max' }),
    fc.array(fc.array(fc.oneof(fc.nat(159), text), { maxLength: 6 }), {
      minLength: 1,
      maxLength: 6,
      size: 'max',
    }),
    fc.nat(40),
  )
  .map(([wanted, subjects, times]) => {
    const trees = wanted.map(([value, which]) => textLeaves[which]!(value));
    const values = subjects.map((parts) =>
      parts.map((part) => (typeof part === 'string' ? part : wanted[part % wanted.length]![0])).join(''),
    );
    const [[first]] = wanted as [[string, number]];
    // Beginnings of a text, again and again, before the text itself.
    const late = `${first.slice(0, 8).repeat(times)}${first}`;
    return about(trees, [...values, 'a'.repeat(times), late, `${'a'.repeat(times)}${first}`, 'x']);
  });

/** Texts whose order by UTF-16 unit is not their order by code point. */
const unordered = [
  '\ud83d',
  '\ud83d\ue000',
  '😀',
  '😀a',
  '\ue000',
  '\ue000a',
  '\uffee',
  '\uffeea',
  'z\uffee',
  'z😀',
];

const bound = fc.oneof(
  fc.integer({ min: -2, max: 12 }),
  fc.integer({ min: -2, max: 12 }).map(String),
  fc.constantFrom<(number | string)[]>('1e400', '-1e400', '5.0', -0, 0.5, 1e308, '', 'a', 'm', 'z', '2026'),
  fc.integer({ min: 1, max: 28 }).map((day) => `2026-01-${String(day).padStart(2, '0')}`),
  fc.constantFrom(...unordered),
);

type OrderLeaf = Extract<Leaf, { readonly op: 'gt' | 'gte' | 'lt' | 'lte' }>;

const order = (...ops: OrderLeaf['op'][]): fc.Arbitrary<OrderLeaf> =>
  fc.record({ path: fc.constant(path), op: fc.constantFrom(...ops), value: bound });

const interval: fc.Arbitrary<Match> = fc
  .tuple(order('gt', 'gte'), order('lt', 'lte'), order('gt', 'gte', 'lt', 'lte'), fc.nat(7))
  .map(([lower, upper, other, form]): Match => {
    if (form === 0) return lower;
    if (form === 1) return upper;
    if (form === 2) return { any: [{ all: [lower, upper] }, other] };
    if (form === 3) return { all: [{ any: [lower, other] }, upper] };
    if (form === 4) return { all: [upper, { all: [other, lower] }] };
    return { all: [lower, upper] };
  });

/** Bounds that lie within, across and apart from each other, and values on and between them. */
export const intervals: fc.Arbitrary<readonly [Rule[], Event[]]> = fc
  .tuple(
    fc.array(interval, { minLength: 1, maxLength: 60, size: 'max' }),
    fc.array(
      fc.oneof(bound, fc.double({ min: -3, max: 13, noNaN: true }), fc.constantFrom(Infinity, -Infinity)),
      {
        minLength: 1,
        maxLength: 8,
        size: 'max',
      },
    ),
  )
  .map(([trees, values]) => about(trees, values));

const pattern = patterns.patterns.filter((source) => checkPattern(source) === null);

/** Patterns that have little in common, and texts that are long for them. */
export const manyPatterns: fc.Arbitrary<readonly [Rule[], Event[]]> = fc
  .tuple(
    fc.array(
      fc.tuple(pattern, fc.constantFrom('matches' as const, 'matches' as const, 'not_matches' as const)),
      {
        minLength: 10,
        maxLength: 60,
        size: 'max',
      },
    ),
    fc.array(fc.tuple(patterns.anySubjects, fc.nat(6)), { minLength: 1, maxLength: 5, size: 'max' }),
  )
  .map(([some, subjects]) =>
    about(
      some.map(([value, op]) => ({ path, op, value })),
      subjects.map(([subject, times]) => subject.repeat(times)),
    ),
  );
