/** Laws at the edges of the index: around the lengths and the counts at which it does the same in another way. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Event, Json, Leaf, PatternOptions, Rule } from '../../../src/index.js';
import { re2js } from '../../../src/patterns/re2js/index.js';
import { Candidates } from '../../../src/rules/rule-index/match/candidates.js';
import { entryOf, offsetOfEntry } from '../../../src/rules/rule-index/layout/index.js';
import { ruleOf } from '../arbitraries.js';
import { law, type Law } from './law.js';
import { expectRight } from './same.js';

const path = 'data.a';
const eventOf = (a: Json, i: number): Event => ({ id: `evt_${i}`, type: 'a', data: { a } });

/** Offsets in no order, as many as any way of sorting takes, and some that are always there. */
const offsets = fc
  .tuple(
    fc.constantFrom(100, 1_000, 16_384, 20_000, 60_000),
    fc.constantFrom(0, 1, 2, 63, 64, 65, 66, 78, 79, 150, 233, 234, 235, 400, 900),
    fc.constantFrom(0, 1, 40),
    fc.nat(),
  )
  .map(([size, count, always, seed]) => {
    const pick = (times: number, salt: number): number[] =>
      Array.from({ length: times }, (_, i) => (Math.imul(i + seed + salt, 0x9e3779b1) >>> 0) % size);
    return { size, found: pick(count, 1), always: [...new Set(pick(always, 7))].sort((a, b) => a - b) };
  });

/** Every length around the longest string that is hashed, around those of grams, and a few more. */
const lengths = [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 62, 63, 64, 65, 66, 127, 128];

const text = (length: number, seed: number): string =>
  Array.from({ length }, (_, i) =>
    (Math.imul(i + 1, seed * 2_654_435_761 + 12_345) >>> 28).toString(16),
  ).join('');

const leafOf: readonly ((value: string) => Leaf)[] = [
  (value) => ({ path, op: 'eq', value }),
  (value) => ({ path, op: 'neq', value }),
  (value) => ({ path, op: 'in', value: [value, `${value.slice(1)}-`] }),
  (value) => ({ path, op: 'starts_with', value }),
  (value) => ({ path, op: 'ends_with', value }),
  (value) => ({ path, op: 'contains', value }),
];

/** Rules with texts of some lengths, and events with just these, and with nearly these. */
const ofLength: fc.Arbitrary<readonly [Rule[], Event[]]> = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...lengths), fc.nat(3), fc.nat(leafOf.length - 1)), {
      minLength: 1,
      maxLength: 40,
      size: 'max',
    }),
    fc.nat(3),
  )
  .map(([wanted, spare]) => {
    const rules = wanted.map(([length, seed, leaf], i) =>
      ruleOf(leafOf[leaf]!(text(length, seed)), { id: `r${i}` }),
    );
    const values = wanted.slice(0, 8).flatMap(([length, seed]) => {
      const whole = text(length, seed);
      return [
        whole,
        `${whole.slice(0, -1)}-`,
        `${whole}-`,
        whole.slice(1),
        `-${whole}`,
        [whole, spare],
        { whole },
      ];
    });
    return [rules, values.map(eventOf)];
  });

/** One value at many paths, so that an event has thousands of candidates, in an order of its own. */
const wide: fc.Arbitrary<readonly [Rule[], Event[]]> = fc
  .tuple(fc.constantFrom(2, 24, 25, 26, 64, 65, 66, 130, 300), fc.nat(999), fc.boolean())
  .map(([count, seed, drops]) => {
    const numbers = Array.from({ length: count }, (_, i) => (i * 7 + seed) % count);
    const leaf = (n: number): Leaf =>
      n % 3 === 0 ? { path: `data.k${n}`, op: 'exists' } : { path: `data.k${n}`, op: 'eq', value: 1 };
    const rules = numbers.map((n, i): Rule => ({
      ...ruleOf(leaf(n), { id: `r${String(i).padStart(4, '0')}` }),
      action: drops && i === count - 2 ? { type: 'drop' } : { type: 'tag', tags: [`t${i}`] },
    }));
    const members = (keep: (n: number) => boolean) =>
      Object.fromEntries(numbers.filter(keep).map((n) => [`k${n}`, 1]));
    const datas = [members(() => true), members((n) => n % 2 === 0), members((n) => n > count - 3), {}];
    return [rules, datas.map((data, i): Event => ({ id: `evt_${i}`, type: 'a', data }))];
  });

const eq = (of: string, value: Json): Leaf => ({ path: of, op: 'eq', value });
const matches = (of: string, value: string): Leaf => ({ path: of, op: 'matches', value });

/**
 * Rules that are found by a text of their patterns, among so many others that each has another leaf in common with
 * more.
 */
const ofOneText: fc.Arbitrary<readonly [Rule[], Event[]]> = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom('[0-9]', '[a-z]', '[0-9]{2}', '.'), fc.nat(7)), {
      minLength: 7,
      maxLength: 16,
      size: 'max',
    }),
    fc.array(fc.tuple(fc.constantFrom('', '5', 'x', '55', '-'), fc.nat(8)), { minLength: 1, maxLength: 6 }),
  )
  .map(([some, shots]) => {
    const trees = [
      ...some.map(([end, k]) => ({ all: [matches('data.t', `order-created-${end}`), eq('data.k', k)] })),
      ...Array.from({ length: 240 }, (_, n) => eq('data.k', n % 8)),
      ...Array.from({ length: 100 }, (_, n) => matches('data.t', `other-${n}-[0-9]`)),
    ];
    const datas = shots.map(([end, k]) => ({ t: `order-created-${end}`, k }));
    return [
      trees.map((tree, i) => ruleOf(tree, { id: `r${i}` })),
      datas.map((data, i): Event => ({ id: `evt_${i}`, type: 'a', data })),
    ];
  });

/**
 * One rule under many keys, each of which it shares with some others: it is planned again for the first of them only.
 */
const underManyKeys: fc.Arbitrary<readonly [Rule[], Event[]]> = fc
  .tuple(
    fc.integer({ min: 1, max: 60 }),
    fc.array(fc.tuple(fc.nat(60), fc.nat(8)), { minLength: 1, maxLength: 12 }),
  )
  .map(([keys, shots]) => {
    const values = Array.from({ length: keys }, (_, n) => n);
    const both = (k: number, x: number) => ({ all: [eq('data.k', k), eq('data.x', x)] });
    const trees = [
      { any: values.map((k) => both(k, 8)) },
      ...values.flatMap((k) => [0, 1, 2, 3, 4, 5, 6].map((x) => both(k, x))),
    ];
    return [
      trees.map((tree, i) => ruleOf(tree, { id: `r${i}` })),
      shots.map(([k, x], i): Event => ({ id: `evt_${i}`, type: 'a', data: { k: k % keys, x } })),
    ];
  });

/** Lists of tags that are alike in parts, or once they are joined. */
const alikeActions: fc.Arbitrary<readonly [Rule[], Event[]]> = fc
  .array(
    fc.array(fc.constantFrom('a', 'b', 'a,b', 'b,a', '"', 'a","b', ' '), { minLength: 1, maxLength: 3 }),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((lists) => [
    lists.map((tags, i) => ({
      ...ruleOf({ path, op: 'exists' }, { id: `r${i}` }),
      action: { type: 'tag', tags },
    })),
    [eventOf(5, 0), { id: 'evt_1', type: 'a', data: {} }],
  ]);

/**
 * Patterns that no automaton of the package takes, some of them in several rules, and texts that they need the engine
 * for.
 */
const ofEngine: fc.Arbitrary<readonly [Rule[], Event[]]> = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom('matches' as const, 'not_matches' as const), fc.constantFrom(33, 34)), {
      minLength: 1,
      maxLength: 6,
    }),
    fc.array(fc.constantFrom('', 'x', '\u03b1'.repeat(4) + 'x'.repeat(50), 'x'.repeat(50)), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([some, values]) => [
    some.map(([op, letters], i) =>
      ruleOf({ path, op, value: `\\p{Greek}[a-z]{${letters}}` }, { id: `r${i}` }),
    ),
    values.map(eventOf),
  ]);

/**
 * Patterns some of whose texts have U+FFFD, which lone surrogates in a subject match, though no search for the text
 * finds them.
 */
const withReplacement: fc.Arbitrary<readonly [Rule[], Event[]]> = fc
  .tuple(fc.constantFrom('\ufffd', '\ud83d', '\ude00', '?'), fc.integer({ min: 10, max: 69 }))
  .map(([unit, n]) => [
    Array.from({ length: 60 }, (_, i) =>
      ruleOf(matches(path, `(?:orders${i + 10}\ufffd|created${i + 10})[0-9]+$`), { id: `r${i}` }),
    ),
    [`orders${n}${unit}5`, `created${n}5`, `orders${n}${unit}`].map(eventOf),
  ]);

/** An engine that never answers. */
const broken: NonNullable<PatternOptions['engine']> = {
  ...re2js,
  name: 'broken',
  compile: () => {
    throw new Error('no engine today');
  },
};

export const edgeLaws: readonly Law[] = [
  law('takes candidates in order, however many there are', 300, offsets, ({ size, found, always }) => {
    const candidates = new Candidates(
      size,
      Int32Array.from(always, (offset) => entryOf(offset, false)),
    );
    for (let round = 0; round < 2; round++) {
      for (const offset of found) candidates.addOffset(offset);
      candidates.sort();
      const taken: number[] = [];
      for (let entry = candidates.next(); entry !== null; entry = candidates.next()) {
        taken.push(offsetOfEntry(entry));
      }
      assert.deepEqual(
        taken,
        [...new Set([...found, ...always])].sort((a, b) => a - b),
      );
      candidates.clear();
    }
  }),
  law('finds texts of every length, and none that is nearly the same', 250, ofLength, ([rules, events]) => {
    expectRight(rules, events);
  }),
  law('tells apart rules that are found by one text of their patterns', 60, ofOneText, ([rules, events]) => {
    expectRight(rules, events);
  }),
  law('decides for a rule under more keys than it is planned for', 100, underManyKeys, ([rules, events]) => {
    expectRight(rules, events);
  }),
  law('acts for each of two actions that only look alike', 200, alikeActions, ([rules, events]) => {
    expectRight(rules, events);
  }),
  law('finds lone surrogates by patterns with U+FFFD', 40, withReplacement, ([rules, events]) => {
    expectRight(rules, events);
  }),
  law('names each pattern that its engine left undecided', 100, ofEngine, ([rules, events]) => {
    expectRight(rules, events, { patterns: { engine: broken } });
  }),
  law('decides by few and by many members of one object', 100, wide, ([rules, events]) => {
    expectRight(rules, events);
  }),
];
