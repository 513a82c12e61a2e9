/** Positions of JSON pointers in a text. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LineAndColumn } from '../../src/index.js';
import { positionsOf } from '../../src/cli/rules/positions.js';

/** UTF-16 units before a position. */
function offsetOf(text: string, { line, column }: LineAndColumn): number {
  const starts = [0, ...Array.from(text.matchAll(/\r\n?|\n/g), ({ index, 0: end }) => index + end.length)];
  return starts[line - 1]! + column - 1;
}

const escapeToken = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

interface Location {
  readonly pointer: string;
  readonly value: unknown;
  readonly key: string | null;
}

/** Every value below another one, with its pointer. */
function locationsBelow(value: unknown, pointer = '', key: string | null = null): Location[] {
  const own = { pointer, value, key };
  if (typeof value !== 'object' || value === null) return [own];
  const members = Object.entries(value).flatMap(([name, member]) =>
    locationsBelow(member, `${pointer}/${escapeToken(name)}`, Array.isArray(value) ? null : name),
  );
  return [own, ...members];
}

const beginningOf = (value: unknown): string =>
  Array.isArray(value) ? '[' : typeof value === 'object' && value !== null ? '{' : JSON.stringify(value);

const blanks = fc.constantFrom('', ' ', '\n', '\t', '\r\n', '\r', '\n\n  ');

test('every value and every key of any text is found where it begins', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ noUnicodeString: false, maxDepth: 4 }),
      blanks,
      blanks,
      (given, before, indent) => {
        const value: unknown = JSON.parse(JSON.stringify(given));
        const printed = JSON.stringify(value, null, indent.replace(/[\r\n]/g, ''));
        const text = before + printed.replaceAll('\n', `\n${before}`);
        const wanted = locationsBelow(value);
        const begins = (position: LineAndColumn, what: string): boolean =>
          text.startsWith(what, offsetOf(text, position));
        const find = (ofName: boolean) =>
          positionsOf(
            text,
            wanted.map(({ pointer }) => ({ pointer, ofName })),
          );
        const [values, keys] = [find(false), find(true)];
        const lost = wanted.filter(
          (one, nth) =>
            !begins(values[nth]!, beginningOf(one.value)) ||
            (one.key !== null && !begins(keys[nth]!, JSON.stringify(one.key))),
        );
        expect(lost).toEqual([]);
      },
    ),
  );
});

test.for([
  { text: '{"a":{"b":1}}', pointer: '/a/c', column: 6, because: 'what is missing is missing in its parent' },
  { text: '{"a":{"b":1}}', pointer: '/x/y/z', column: 1, because: 'so is what is missing in the root' },
  { text: '{"a":1,"a":2}', pointer: '/a', column: 12, because: 'of repeated keys the last one counts' },
  { text: '{"a":{"b":1},"a":{"c":2}}', pointer: '/a/b', column: 18, because: 'and it alone' },
  { text: '{"a":{"b":1},"a":3}', pointer: '/a/b', column: 18, because: 'whatever it is' },
  { text: '{"\\u0061":7}', pointer: '/a', column: 11, because: 'keys may be escaped' },
  { text: '{"a/b":{"~":7}}', pointer: '/a~1b/~0', column: 13, because: 'pointers are, too' },
  { text: '["]","a\\"",3]', pointer: '/2', column: 12, because: 'brackets and quotes in strings are text' },
  { text: '[[],{},7]', pointer: '/2', column: 8, because: 'empty containers are passed' },
])('$pointer in $text is in column $column: $because', ({ text, pointer, column }) => {
  expect(positionsOf(text, [{ pointer, ofName: false }])).toEqual([{ line: 1, column }]);
});

test('a text a hundred thousand levels deep overflows no stack', () => {
  const depth = 100_000;
  const text = `${'{"a":\n'.repeat(depth)}7${'}'.repeat(depth)}`;
  expect(positionsOf(text, [{ pointer: '/a'.repeat(depth), ofName: false }])).toEqual([
    { line: depth + 1, column: 1 },
  ]);
});
