/** Numbers for structures: the same just where the structures are equal. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonEquals } from '../../../src/json.js';
import { Elements } from '../../../src/rules/values/elements.js';
import type { Json } from '../../../src/index.js';
import { compileMatch } from '../../../src/index.js';
import { Structures, UNKNOWN, type KnownStructures } from '../../../src/rules/values/structures.js';

const members = fc.constantFrom<Json>(0, -0, 1, '1', '', 'a', true, false, null, 'n1', 'true', '#0', '1:a');
const { structure } = fc.letrec<{ value: Json; structure: Json & object }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, members, tie('structure')),
  structure: fc.oneof(
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '', '1', '__proto__', 'a,b'), tie('value'), { maxKeys: 3 }),
  ),
}));

describe('structures', () => {
  test('have one number just when they are equal', () => {
    fc.assert(
      fc.property(fc.array(structure, { minLength: 1, maxLength: 6 }), structure, (added, other) => {
        const structures = new Structures();
        const numbers = added.map((one) => structures.add(one));
        const known: KnownStructures = new Map();
        const found = structures.find(other, known);
        added.forEach((one, i) => expect(numbers[i] === found).toBe(jsonEquals(one, other)));
        expect(structures.find(other, known)).toBe(found);
        added.forEach((one, i) =>
          expect(numbers[i]).toBe(numbers[added.findIndex((a) => jsonEquals(a, one))]),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  test('that contain themselves, or what JSON cannot say, equal none', () => {
    const structures = new Structures();
    structures.add([[1]]);
    structures.add({ a: { a: 1 } });
    structures.add([null]);
    const ring: unknown[] = [];
    ring.push(ring);
    const loop: Record<string, unknown> = {};
    loop.a = loop;
    const others = [ring, loop, [[ring]], { a: loop }, [undefined], [NaN], [Symbol('s')], [1n]];
    for (const other of others) expect(structures.find(other, new Map())).toBe(UNKNOWN);
  });

  test('that share their members take time linear in what is there', () => {
    const doubled = (levels: number): Json & object => {
      let value: Json & object = [1];
      for (let i = 0; i < levels; i++) value = [value, value];
      return value;
    };
    const structures = new Structures();
    const number = structures.add(doubled(100));
    expect(structures.find(doubled(100), new Map())).toBe(number);
    expect(structures.find(doubled(101), new Map())).toBe(UNKNOWN);
  });

  test('nested a hundred thousand levels deep', () => {
    const deep = (core: Json): Json & object => {
      let value: Json & object = [core];
      for (let i = 0; i < 100_000; i++) value = i % 2 === 0 ? [value] : { a: value };
      return value;
    };
    const structures = new Structures();
    const number = structures.add(deep(1));
    expect(structures.find(deep(1), new Map())).toBe(number);
    expect(structures.find(deep(2), new Map())).toBe(UNKNOWN);
  });
});

test('a table of elements has what looking through them finds', () => {
  const value = fc.oneof(fc.constantFrom<Json>('5', '5.0', 5, '-1e3', -1000, '05'), members, structure);
  fc.assert(
    fc.property(fc.array(value, { maxLength: 6 }), value, (array, wanted) => {
      const contains = compileMatch({ path: 'data', op: 'contains', value: wanted });
      expect(new Elements(array).has(wanted)).toBe(contains({ data: array }));
    }),
    { numRuns: 2_000 },
  );
});
