/** JSON values: equality, copies, and what is not JSON. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cloneJson, jsonEquals, whyNotJson, type Json } from '../src/json.js';

const json = () => fc.jsonValue({ noNullPrototype: true } as fc.JsonSharedConstraints) as fc.Arbitrary<Json>;
/** `levels` arrays and objects, one in the other. */
function deep(levels: number, core: Json = 0): Json {
  let value = core;
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

describe('jsonEquals', () => {
  test('a value equals its copy, in another key order', () => {
    const reversed = (value: Json): Json => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value as Record<string, Json>).reverse();
      return Object.fromEntries(entries.map(([key, member]) => [key, reversed(member)]));
    };
    fc.assert(fc.property(json(), (value) => jsonEquals(value, reversed(value))));
  });

  test('two values are equal just when their canonical texts are', () => {
    const canonical = (value: Json): string => {
      if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
      if (typeof value !== 'object' || value === null) return JSON.stringify(value === 0 ? 0 : value);
      const members = Object.entries(value as Record<string, Json>).sort(([a], [b]) => (a < b ? -1 : 1));
      return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join()}}`;
    };
    const small = () =>
      fc.jsonValue({ maxDepth: 2, stringUnit: fc.constantFrom('a', 'b') }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(small(), small(), (a, b) => {
        expect(jsonEquals(a, b)).toBe(canonical(a) === canonical(b));
      }),
    );
  });

  test.for<{ a: unknown; b: unknown; equal: boolean; because: string }>([
    { a: { x: undefined }, b: {}, equal: true, because: 'undefined counts as absent' },
    { a: { x: undefined, y: 1 }, b: { y: 1, z: undefined }, equal: true, because: 'on either side' },
    { a: { x: 1 }, b: { y: 1 }, equal: false, because: 'keys differ' },
    { a: { x: 1 }, b: { x: 1, y: 1 }, equal: false, because: 'one has more' },
    { a: [1], b: { 0: 1 }, equal: false, because: 'an array is no object' },
    { a: null, b: {}, equal: false, because: 'null is no object' },
    { a: {}, b: null, equal: false, because: 'null is no object' },
    { a: [], b: [undefined], equal: false, because: 'lengths differ' },
    { a: { toString: 1 }, b: {}, equal: false, because: 'inherited members do not count' },
    { a: 0, b: -0, equal: true, because: 'zero has one value' },
    { a: 'a', b: ['a'], equal: false, because: 'types differ' },
  ])('$a and $b: $equal, $because', ({ a, b, equal }) => {
    expect(jsonEquals(a, b)).toBe(equal);
    expect(jsonEquals(b, a)).toBe(equal);
  });

  test('a hundred thousand levels deep', () => {
    expect(jsonEquals(deep(100_000), deep(100_000))).toBe(true);
    expect(jsonEquals(deep(100_000), deep(100_000, 1))).toBe(false);
  });
});

describe('cloneJson', () => {
  test('gives an equal value that shares no container', () => {
    const containers = (value: unknown): unknown[] =>
      typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(containers)] : [];
    fc.assert(
      fc.property(json(), (value) => {
        const copy = cloneJson(value);
        expect(copy).toEqual(value);
        const originals = new Set(containers(value));
        expect(containers(copy).some((container) => originals.has(container))).toBe(false);
      }),
    );
  });

  test('keeps __proto__ a key', () => {
    const copy = cloneJson(JSON.parse('{"__proto__":{"a":[1]}}') as Json);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"a":[1]}}');
  });

  test('a hundred thousand levels deep', () => {
    expect(jsonEquals(cloneJson(deep(100_000)), deep(100_000))).toBe(true);
  });
});

describe('whyNotJson', () => {
  test('finds nothing in JSON', () => {
    fc.assert(fc.property(json(), (value) => whyNotJson(value) === null));
    const shared = { a: 1 };
    expect(whyNotJson([shared, shared, Object.create(null)])).toBeNull();
    expect(whyNotJson(deep(100_000))).toBeNull();
  });

  const cyclic: unknown[] = [];
  cyclic.push({ cyclic });
  test.for([
    [undefined, 'undefined'],
    [[1, undefined], 'undefined'],
    [{ a: () => 1 }, 'a function'],
    [[Symbol('s')], 'a symbol'],
    [[1n], 'a bigint'],
    [NaN, 'the number NaN, which JSON text cannot carry'],
    [{ a: [-Infinity] }, 'the number -Infinity, which JSON text cannot carry'],
    [[new Date(0)], 'an object that is neither plain nor an array'],
    [new Map(), 'an object that is neither plain nor an array'],
    [cyclic, 'a structure that contains itself'],
  ] as const)('%o: %s', ([value, reason]) => {
    expect(whyNotJson(value)).toBe(reason);
  });
});
