/** Laws at the edges of the index: around the lengths and the counts at which it does the same in another way. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Event, Json, Leaf, Rule } from '../../../src/index.js';
import { Candidates } from '../../../src/rules/rule-index/match/candidates.js';
import { entryOf, placeOfEntry } from '../../../src/rules/rule-index/layout/index.js';
import { ruleOf } from '../arbitraries.js';
import { law, type Law } from './law.js';
import { expectRight } from './same.js';

const path = 'data.a';
const eventOf = (a: Json, i: number): Event => ({ id: `evt_${i}`, type: 'a', data: { a } });

/** Places in no order, as many as any way of sorting takes, and some that are always there. */
const places = fc
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

export const edgeLaws: readonly Law[] = [
  law('takes candidates in order, however many there are', 300, places, ({ size, found, always }) => {
    const candidates = new Candidates(
      size,
      Int32Array.from(always, (place) => entryOf(place, false)),
    );
    for (let round = 0; round < 2; round++) {
      for (const place of found) candidates.addPlace(place);
      candidates.sort();
      const taken: number[] = [];
      for (let entry = candidates.next(); entry !== null; entry = candidates.next()) {
        taken.push(placeOfEntry(entry));
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
  law('decides by few and by many members of one object', 100, wide, ([rules, events]) => {
    expectRight(rules, events);
  }),
];
