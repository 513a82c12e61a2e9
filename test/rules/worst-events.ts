/**
 * Rules and events made to cost as much as they can: every way that was found in which the work on one event might be
 * the product of the size of the rules and the size of the event. The tests try them small, `bench/worst-event.ts` at
 * full size.
 */
import type { Event, Json, Leaf, Match, Rule, TransformOp } from '../../src/index.js';

/** Rules that meet an event. */
export interface Encounter {
  readonly rules: readonly Rule[];
  readonly event: Event;
}

/** A kind of encounter. */
export interface Shape {
  readonly name: string;
  /**
   * `budgets` where patterns and transforms spend the budget of each rule, so that the bound grows with the number of
   * rules.
   */
  readonly spends: 'nothing' | 'budgets';
  /**
   * An encounter of this kind.
   *
   * @param ruleUnits - About how many UTF-16 units the rules have as JSON.
   * @param eventUnits - About how many the event has.
   */
  of(ruleUnits: number, eventUnits: number): Encounter;
}

/** A repeatable choice of `a` and `b`. */
export function letters(length: number, seed = 1): string {
  let state = seed * 2_654_435_761;
  let text = '';
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += (state >>> 16) & 1 ? 'a' : 'b';
  }
  return text;
}

const LEAF_UNITS = 45;
const PATH = 'data.a';

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: Math.max(1, count) }, (_, i) => make(i));
const rule = (match: Match, more: Partial<Rule> = {}): Rule => ({
  id: 'r',
  name: 'r',
  stage: 'deliver',
  match,
  action: { type: 'tag', tags: ['seen'] },
  priority: 0,
  ...more,
});
const event = (a: Json): Event => ({ id: 'evt_1', type: 't', data: { a } });
const one = (match: Match, a: Json): Encounter => ({ rules: [rule(match)], event: event(a) });

/** Leaves that fill one rule, each with a value of this many units. */
const fill = (ruleUnits: number, valueUnits: number, make: (i: number) => Leaf): Leaf[] =>
  times(ruleUnits / (LEAF_UNITS + valueUnits), make);

/** An object of about this many units. */
const object = (units: number): Record<string, Json> =>
  Object.fromEntries(times(units / 12, (i) => [`k${i}`, i]));

const transforming = (ruleUnits: number, a: Json, opUnits: number, op: TransformOp): Encounter => ({
  rules: times(ruleUnits / (100 * opUnits), (i) =>
    rule(
      { path: PATH, op: 'exists' },
      { id: `r${i}`, action: { type: 'transform', ops: times(100, () => op) } },
    ),
  ),
  event: event(a),
});

/** Every kind of leaf about every element of a long array. */
const starred: readonly Shape[] = Object.entries<(i: number) => Omit<Leaf, 'path'>>({
  'values that no element equals': (i) => ({ op: 'neq', value: `x${i}` }),
  'lists of values that no element equals': (i) => ({ op: 'not_in', value: [`x${i}`, i + 0.5] }),
  'texts in no element': (i) => ({ op: 'not_contains', value: `x${i}` }),
  'bounds beyond every element': (i) => ({ op: 'gt', value: 1e9 + i }),
  'beginnings of no element': (i) => ({ op: 'starts_with', value: `x${i}` }),
  'ends of no element': (i) => ({ op: 'ends_with', value: `${i}x` }),
}).flatMap(([name, leaf]): Shape[] => [
  {
    name: `any element: ${name}`,
    spends: 'nothing',
    of: (rules, units) => {
      const leaves = fill(rules, 10, (i) => ({ path: `${PATH}.*`, ...leaf(i) }) as Leaf);
      const isNegated = leaf(0).op.startsWith('n');
      return one(
        isNegated ? { all: leaves } : { any: leaves },
        times(units / 9, (i) => `e${i}`),
      );
    },
  },
  {
    name: `any element, a rule for each: ${name}`,
    spends: 'nothing',
    of: (rules, units) => ({
      rules: times(rules / 150, (i) => rule({ path: `${PATH}.*.k`, ...leaf(i) } as Leaf, { id: `r${i}` })),
      event: event(times(units / 14, (i) => ({ k: `e${i}` }))),
    }),
  },
]);

const nested = (depth: number): Json => (depth === 0 ? 1 : [nested(depth - 1), nested(depth - 1)]);

/** Stars and indexes in every order, which reach the same elements again and again. */
const overlapping: readonly Shape[] = [
  {
    name: 'any element of any element, and the first, in every order',
    spends: 'nothing',
    of: (rules, units) => {
      const depth = Math.floor(Math.log2(units / 4));
      const paths = times(rules / (depth * 2 + 40), (i) =>
        Array.from({ length: depth }, (_, at) => ((i >> at) & 1 && at < 8 ? '*' : '0')).join('.'),
      );
      return one(
        { any: paths.map((path) => ({ path: `${PATH}.${path}`, op: 'eq', value: 2 })) },
        nested(depth),
      );
    },
  },
  {
    name: 'any element of any element, a rule for each',
    spends: 'nothing',
    of: (rules, units) => {
      const side = Math.floor(Math.sqrt(units / 9));
      return {
        rules: times(rules / 150, (i) =>
          rule({ path: `${PATH}.*.*`, op: 'not_contains', value: `x${i}` }, { id: `r${i}` }),
        ),
        event: event(times(side, (i) => times(side, (j) => `e${i * side + j}`))),
      };
    },
  },
  {
    name: 'members of any element, each with a path of its own',
    spends: 'nothing',
    of: (rules, units) =>
      one(
        { any: fill(rules, 10, (i) => ({ path: `${PATH}.*.k${i}`, op: 'eq', value: 1 })) },
        times(units / 24, (i) => ({ [`k${2 * i}`]: 0, m: 0 })),
      ),
  },
];

export const shapes: readonly Shape[] = [
  {
    name: 'texts that nearly occur, none of which may',
    spends: 'nothing',
    of: (rules, units) =>
      one(
        { all: fill(rules, 40, (i) => ({ path: PATH, op: 'not_contains', value: `${letters(39, i)}c` })) },
        letters(units),
      ),
  },
  {
    name: 'texts of two letters, any of which may occur',
    spends: 'nothing',
    of: (rules, units) =>
      one(
        { any: fill(rules, 40, (i) => ({ path: PATH, op: 'contains', value: letters(40, i + 2) })) },
        letters(units),
      ),
  },
  {
    name: 'long texts that repeat themselves',
    spends: 'nothing',
    of: (rules, units) => {
      const half = 'a'.repeat(Math.max(50, units / 20));
      const value = `${half}b${half}`;
      return one(
        {
          any: times(rules / value.length, (i) => ({
            path: PATH,
            op: 'contains',
            value: `${'c'.repeat(i % 2)}${value}`,
          })),
        },
        'a'.repeat(units),
      );
    },
  },
  {
    name: 'beginnings and ends of every length',
    spends: 'nothing',
    of: (rules, units) => {
      const count = Math.floor(Math.sqrt(rules));
      const value = (i: number): string => 'a'.repeat(i + 1);
      return one(
        {
          any: times(count, (i) => ({
            all: [
              { path: PATH, op: 'starts_with', value: `${value(i)}b` },
              { path: PATH, op: 'ends_with', value: `b${value(i)}` },
            ],
          })),
        },
        'a'.repeat(units),
      );
    },
  },
  {
    name: 'a number that takes long to read',
    spends: 'nothing',
    of: (rules, units) =>
      one(
        {
          any: times(rules / 4 / LEAF_UNITS, (i): readonly Leaf[] => [
            { path: PATH, op: 'lt', value: i },
            { path: PATH, op: 'eq', value: i },
            { path: PATH, op: 'in', value: [i, 'x'] },
            { path: 'data.b', op: 'contains', value: i },
          ]).flat(),
        },
        '1'.repeat(units),
      ),
  },
  {
    name: 'bounds between long texts',
    spends: 'nothing',
    of: (rules, units) =>
      one(
        {
          any: fill(rules, 200, (i) => ({ path: PATH, op: 'gt', value: `${'a'.repeat(195)}b${i}` })),
        },
        'a'.repeat(units),
      ),
  },
  {
    name: 'lists of values',
    spends: 'nothing',
    of: (rules, units) =>
      one(
        {
          all: times(rules / 2_000, (i) => ({
            path: PATH,
            op: 'not_in',
            value: times(200, (j) => `v${i}_${j}`),
          })),
        },
        letters(units),
      ),
  },
  {
    name: 'small objects beside a large one',
    spends: 'nothing',
    of: (rules, units) =>
      one({ all: fill(rules, 10, () => ({ path: PATH, op: 'neq', value: { k0: 0 } })) }, object(units)),
  },
  {
    name: 'lists of small objects beside a large one',
    spends: 'nothing',
    of: (rules, units) =>
      one(
        { all: fill(rules, 25, (i) => ({ path: PATH, op: 'not_in', value: [{ k0: 0 }, { k1: 1, i }] })) },
        object(units),
      ),
  },
  {
    name: 'elements of a long array',
    spends: 'nothing',
    of: (rules, units) =>
      one(
        { all: fill(rules, 10, (i) => ({ path: PATH, op: 'not_contains', value: i + 0.5 })) },
        times(units / 7, (i) => i),
      ),
  },
  {
    name: 'objects in a long array',
    spends: 'nothing',
    of: (rules, units) =>
      one(
        {
          all: fill(rules, 55, (i) => ({
            path: PATH,
            op: 'not_contains',
            value: { k: `${'x'.repeat(40)}${i}` },
          })),
        },
        times(units / 60, (i) => ({ k: `${'x'.repeat(40)}_${i}` })),
      ),
  },
  {
    name: 'objects within objects, each compared',
    spends: 'nothing',
    of: (rules, units) => {
      const levels = Math.floor(Math.sqrt(rules));
      const pairs = (depth: number): Json => (depth === 0 ? 0 : [pairs(depth - 1), pairs(depth - 1)]);
      let a: Json = pairs(Math.floor(Math.log2(units / 8)));
      for (let i = 0; i < levels; i++) a = { a };
      return one(
        {
          any: times(levels, (i) => ({
            path: `data${'.a'.repeat(i + 1)}`,
            op: 'eq',
            value: { a: [[0, 1], 1] },
          })),
        },
        a,
      );
    },
  },
  ...starred,
  ...overlapping,
  {
    name: 'patterns that only search for texts',
    spends: 'nothing',
    of: (rules, units) =>
      one(
        {
          any: fill(rules, 60, (i) => ({
            path: PATH,
            op: 'matches',
            value: `(?:${[...'cdefghij'].map((letter) => `ab${letter}${i}`).join('|')})x+[^ab]`,
          })),
        },
        letters(units),
      ),
  },
  {
    name: 'sets of texts in any case',
    spends: 'nothing',
    of: (rules, units) =>
      one(
        { any: fill(rules, 16, (i) => ({ path: PATH, op: 'matches', value: `(?i)abaabx${i}` })) },
        letters(units),
      ),
  },
  {
    name: 'beginnings by pattern',
    spends: 'nothing',
    of: (rules, units) =>
      one(
        { any: fill(rules, 90, (i) => ({ path: PATH, op: 'matches', value: `^${'a'.repeat(80)}[bc]${i}` })) },
        'a'.repeat(units),
      ),
  },
  {
    name: 'costly patterns in one rule',
    spends: 'budgets',
    of: (rules, units) =>
      one(
        {
          any: fill(rules, 30, (i) => ({
            path: PATH,
            op: 'matches',
            value: `[ab]*a[ab]{${200 + (i % 700)}}[^ab].{${1 + Math.floor(i / 700)}}`,
          })),
        },
        letters(units),
      ),
  },
  {
    name: 'a costly pattern in every rule',
    spends: 'budgets',
    of: (rules, units) => ({
      rules: times(rules / 150, (i) =>
        rule({ path: PATH, op: 'matches', value: `[ab]*a[ab]{${200 + (i % 700)}}[^ab].` }, { id: `r${i}` }),
      ),
      event: event(letters(units)),
    }),
  },
  {
    name: 'redacts of every letter',
    spends: 'budgets',
    of: (rules, units) =>
      transforming(rules, letters(units), 60, { op: 'redact', path: PATH, regex: 'a[ab]*?b', replace: '$&' }),
  },
  {
    name: 'letters turned over and over',
    spends: 'budgets',
    of: (rules, units) => ({
      ...transforming(rules, letters(units), 30, { op: 'uppercase', path: PATH }),
      rules: transforming(rules, letters(units), 30, { op: 'uppercase', path: PATH }).rules.map(
        (some, i) => ({
          ...some,
          action: {
            type: 'transform',
            ops: times(100, (j): TransformOp => ({
              op: (i + j) % 2 === 0 ? 'uppercase' : 'lowercase',
              path: PATH,
            })),
          },
        }),
      ),
    }),
  },
  {
    name: 'large values set again and again',
    spends: 'budgets',
    of: (rules, units) =>
      transforming(rules, object(units), rules / 200, { op: 'set', path: PATH, value: object(rules / 220) }),
  },
];
