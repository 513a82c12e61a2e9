/** The body of a delivery. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventBody } from '../../src/delivery/index.js';
import { stringifyJson, stringifyByLoop } from '../../src/json-text.js';

/** Values of a host: JSON, and values that JSON leaves out or rewrites. */
const almostJson = () =>
  fc.oneof(
    fc.object({
      withBigInt: false,
      withDate: true,
      withNullPrototype: true,
      withSparseArray: true,
      values: [
        fc.string({ unit: 'binary' }),
        fc.constantFrom('\ud800', '\udc00a', '\u2028', '"\\\n\u0000', '__proto__', '😀'),
        fc.double(),
        fc.constantFrom<unknown>(-0, NaN, undefined, null, true, () => 1, Symbol('s')),
      ],
    }),
    fc.array(fc.anything({ withBigInt: false, withDate: true, withSparseArray: true })),
  );

const nested = (depth: number): object => {
  let value: object = {};
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [1, value] : { a: value, b: '\ud800' };
  return value;
};

describe('stringify', () => {
  test('by loop gives what JSON.stringify gives', () => {
    fc.assert(
      fc.property(almostJson(), (value) => {
        expect(stringifyByLoop(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: 300 },
    );
  });

  test('reaches any depth in linear time', () => {
    const text = stringifyJson({ deep: nested(100_000) });
    expect(text.startsWith('{"deep":{"a":[1,{"a":[1,')).toBe(true);
    expect(text.endsWith('],"b":"\\ud800"}}')).toBe(true);
    expect(text).toHaveLength('{"deep":}{}'.length + 50_000 * '[1,{"a":,"b":"\\ud800"}]'.length);
  });

  test('writes a value that occurs twice twice', () => {
    const shared = { a: 1 };
    expect(stringifyByLoop([shared, { shared }])).toBe('[{"a":1},{"shared":{"a":1}}]');
  });

  const cycle: Record<string, unknown> = {};
  cycle.self = { cycle };
  const deepCycle: Record<string, unknown> = { deep: nested(20_000) };
  (deepCycle.deep as { a: unknown[] }).a.push(deepCycle);
  test.for<[string, object]>([
    ['a cycle', cycle],
    ['a cycle beside great depth', deepCycle],
    ['a BigInt', { n: 1n }],
    ['a BigInt at great depth', { deep: nested(20_000), n: 1n }],
  ])('%s is a TypeError', ([, value]) => {
    expect(() => stringifyJson(value)).toThrow(TypeError);
  });

  test('tells toJSON its key as text', () => {
    const asked = { toJSON: (key: unknown) => [typeof key, key] };
    expect(stringifyByLoop([asked, { asked }])).toBe('[["string","0"],{"asked":["string","asked"]}]');
    expect(stringifyByLoop(asked)).toBe('["string",""]');
  });

  test('keeps an own __proto__ key', () => {
    const value = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as object;
    expect(stringifyByLoop(value)).toBe('{"__proto__":{"a":1},"constructor":2}');
  });
});

describe('eventBody', () => {
  const text = (event: object) => new TextDecoder('utf-8', { fatal: true }).decode(eventBody(event));

  test('is the event as JSON, but for raw_payload', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
        const { raw_payload: _, ...rest } = fields;
        expect(text({ ...fields, raw_payload: 'verbatim' })).toBe(JSON.stringify(rest));
      }),
    );
  });

  test.for([
    ['a lone surrogate is escaped, so that the bytes are UTF-8', { id: '\ud800é' }, '{"id":"\\ud800é"}'],
    [
      'raw_payload inside data is data',
      { data: { raw_payload: 1 }, raw_payload: 2 },
      '{"data":{"raw_payload":1}}',
    ],
    ['an own __proto__ travels', JSON.parse('{"__proto__":1,"raw_payload":2}'), '{"__proto__":1}'],
    ['a frozen event is no trouble', Object.freeze({ id: 'evt_1', raw_payload: 2 }), '{"id":"evt_1"}'],
  ] as [string, object, string][])('%s', ([, event, expected]) => {
    expect(text(event)).toBe(expected);
  });

  test('takes an event 100,000 levels deep, and leaves it as it is', () => {
    const event = { id: 'evt_1', data: nested(100_000), raw_payload: { secret: 'sk_live' } };
    expect(text(event)).not.toContain('sk_live');
    expect(event.raw_payload).toEqual({ secret: 'sk_live' });
  });
});
