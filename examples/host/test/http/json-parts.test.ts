/** Parts of JSON texts, against the parser of the engine. */
import { JsonError } from 'headgate';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonParts, stringAt } from '../../src/http/json-parts.js';

/** Names that repeat often, look like indexes, or need escapes. */
const names = () => fc.oneof(fc.constantFrom('a', 'b', '0', '1', 'type', '\n"\\', '__proto__'), fc.string());
const values = () =>
  fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom(null, true),
      ),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(names(), tie('any'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).any;
/** With and without white space, and with names spelled as escapes. */
const texts = () =>
  fc
    .tuple(values(), fc.constantFrom(undefined, 2), fc.boolean())
    .map(([value, space, escapes]) =>
      escapes
        ? JSON.stringify(value, null, space).replaceAll('type', '\\u0074ype')
        : JSON.stringify(value, null, space),
    );

const own = (value: unknown, name: string): unknown => {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(name) ? value[Number(name)] : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
};

test('stringAt gives the string that is there, and no other value', () => {
  fc.assert(
    fc.property(texts(), fc.array(names(), { minLength: 1, maxLength: 3 }), (text, path) => {
      const value = path.reduce<unknown>(own, JSON.parse(text));
      expect(stringAt(text, path)).toBe(typeof value === 'string' ? value : null);
    }),
    { numRuns: 500 },
  );
});

test('jsonParts gives the parts of a container as they are written', () => {
  fc.assert(
    fc.property(texts(), (text) => {
      const value = JSON.parse(text) as unknown;
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      expect(jsonParts(text, '{')?.map((part) => [part.name, JSON.parse(part.text)]) ?? null).toEqual(
        isObject ? [...Object.entries(value)].sort(byIndex(text)) : null,
      );
      expect(jsonParts(text, '[')?.map((part) => JSON.parse(part.text) as unknown) ?? null).toEqual(
        Array.isArray(value) ? value : null,
      );
    }),
  );
});

/** The engine moves names that look like indexes to the front. */
function byIndex(text: string) {
  const index = new Map((jsonParts(text, '{') ?? []).map(({ name }, i) => [name, i]));
  return ([a]: [string, unknown], [b]: [string, unknown]): number =>
    (index.get(a) ?? 0) - (index.get(b) ?? 0);
}

test('a part is a slice: digits, escapes and white space stay', () => {
  expect(jsonParts('{"a": 12345678901234567890 , "b":[ 1e2,\n"\\u0061" ]}', '{')).toEqual([
    { name: 'a', text: '12345678901234567890' },
    { name: 'b', text: '[ 1e2,\n"\\u0061" ]' },
  ]);
});

test('text that is not JSON is refused', () => {
  expect(() => jsonParts('{"a":1,}', '{')).toThrow(JsonError);
});

test('depth costs no stack', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  expect(jsonParts(`{"a":${deep},"b":"c"}`, '{')?.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(stringAt(`{"a":${deep},"b":"c"}`, ['b'])).toBe('c');
});
