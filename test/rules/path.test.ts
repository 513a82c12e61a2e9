/** Dotted paths: parsing, escapes, reading own members alone. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeKey, parsePath, readPath, type Path } from '../../src/rules/path.js';

const read = (root: unknown, text: string): unknown => readPath(root, parsePath(text) as Path);

describe('parsePath', () => {
  test('reads back any keys that were escaped and joined', () => {
    const keys = fc.array(
      fc.string({ minLength: 1, unit: fc.constantFrom('a', '.', '\\', '*', '0', '😀', '\ud800') }),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(keys, (keys) => {
        const path = parsePath(keys.map(escapeKey).join('.'));
        expect((path as Path).map(({ key }) => key)).toEqual(keys);
      }),
    );
  });

  test.for([
    ['0', 0],
    ['17', 17],
    ['01', -1],
    ['-1', -1],
    ['1.0'.slice(0, 1), 1],
    ['1e3', -1],
    ['', undefined],
    ['4294967294', 4294967294],
    ['99999999999', -1],
    ['٣', -1],
  ] as const)('%s as an index is %s', ([text, index]) => {
    const path = parsePath(text);
    expect(typeof path === 'string' ? undefined : path[0]?.index).toBe(index);
  });

  test.for([
    ['', /empty; write one/],
    ['.', /empty segment at position 0/],
    ['a.', /empty segment at position 2/],
    ['a..b', /empty segment at position 2/],
    ['.a', /empty segment at position 0/],
    ['a\\', /stray \\ at position 1/],
    ['a\\b', /stray \\ at position 1/],
    ['a\\\\\\', /stray \\ at position 3/],
  ] as const)('refuses %o', ([text, message]) => {
    expect(parsePath(text)).toMatch(message);
  });

  test('a path of a hundred thousand segments is read in one pass', () => {
    expect(parsePath(Array(100_000).fill('a').join('.'))).toHaveLength(100_000);
  });
});

describe('readPath', () => {
  const root = JSON.parse(
    '{"a":{"b":null,"__proto__":7,"length":8,"":9},"list":["x",{"y":1}],"text":"abc","n":5,"0":"zero"}',
  ) as unknown;

  test.for([
    ['a.b', null, 'null is present'],
    ['a.__proto__', 7, 'JSON really has this key'],
    ['a.length', 8, 'a key like any other on an object'],
    ['list.1.y', 1, 'an index, then a key'],
    ['0', 'zero', 'an index is a key on an object'],
    ['list.2', undefined, 'past the end'],
    ['list.01', undefined, 'not canonical'],
    ['list.-1', undefined, 'not canonical'],
    ['list.length', undefined, 'length is no path'],
    ['list.constructor', undefined, 'inherited'],
    ['text.0', undefined, 'strings have no children'],
    ['text.length', undefined, 'strings have no children'],
    ['n.a', undefined, 'numbers have no children'],
    ['a.b.c', undefined, 'null has no children'],
    ['constructor', undefined, 'inherited'],
    ['__proto__', undefined, 'inherited'],
    ['toString.name', undefined, 'inherited'],
  ] as const)('%s is %o: %s', ([path, value]) => {
    expect(read(root, path)).toBe(value);
  });

  test('what a host leaves undefined is absent, with all below it', () => {
    expect(read({ a: undefined }, 'a')).toBeUndefined();
    expect(read({ a: undefined }, 'a.b')).toBeUndefined();
    expect(read([, 1], '0')).toBeUndefined();
  });

  test.for([null, undefined, 5, 'text', true])('nothing is in %o', (root) => {
    expect(read(root, 'a')).toBeUndefined();
  });
});
