/** JSON that somebody sent: read as `JSON.parse` reads it, with the facts that it does not tell. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonError } from 'headgate';
import { readJson, type ReadJson } from '../../src/http/read-json.js';

const faultOf = (text: string): JsonError | null => {
  try {
    readJson(text);
    return null;
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
};
const hasRepeats = (text: string): boolean => readJson(text).hasRepeatedNames;

/** Whether `JSON.parse` takes a text, and without an infinite number. */
function parses(text: string): boolean {
  let isFinite = true;
  try {
    JSON.parse(text, (_key, value: unknown) => {
      if (value === Infinity || value === -Infinity) isFinite = false;
      return value;
    });
    return isFinite;
  } catch {
    return false;
  }
}

/** Pieces of JSON in any order: mostly not JSON, but nearly. */
const nearlyJson = () => {
  const pieces =
    '{ } [ ] , : " \\ u0041 \\u00 "a" "b" "a": "b": 0 1 - . e E + e999 true false null nul \n \r \t é \u0001';
  return fc.array(fc.constantFrom(...pieces.split(' '), ' '), { maxLength: 12 }).map((all) => all.join(''));
};
/** JSON as some printer might spell it, then one character changed. */
const damaged = () =>
  fc.tuple(fc.json(), fc.nat(400), fc.constantFrom(...'{}[],:"\\ue0.-x \n')).map(([text, at, char]) => {
    const cut = at % (text.length + 1);
    return text.slice(0, cut) + char + text.slice(cut + 1);
  });

/** Strings of any length, some of which end in a fault, or not at all. */
const longStrings = () => {
  const run = fc
    .tuple(fc.constantFrom('x', 'é', '€', '\u{10ffff}', ' ', "['"), fc.nat(200))
    .map(([char, count]) => char.repeat(count));
  const between = fc.constantFrom('\\n', '\\"', '\\u00e9', '\\x', '\n', '\u0001', '\u001f', '', '"');
  return fc
    .tuple(fc.array(fc.tuple(run, between), { maxLength: 4 }), fc.constantFrom('"', '', '" '))
    .map(([parts, end]) => `"${parts.flat().join('')}${end}`);
};

describe('readJson', () => {
  test('reads strings of any length as JSON.parse does', () => {
    fc.assert(
      fc.property(longStrings(), (text) => {
        expect(faultOf(text) === null).toBe(parses(text));
      }),
      { numRuns: 5_000 },
    );
  });

  test.for([63, 64, 65, 200])('finds the fault behind %i plain characters', (length) => {
    const text = `"${'x'.repeat(length)}\u0001"`;
    expect(faultOf(text)?.position).toBe(length + 1);
    expect(faultOf(text.slice(0, -2))?.position).toBe(length + 1);
  });

  test('takes what JSON.parse takes, and nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(nearlyJson(), damaged(), fc.json()), (text) => {
        expect(faultOf(text) === null).toBe(parses(text));
      }),
      { numRuns: 20_000 },
    );
  });

  test('finds a repeated key just where parsing and printing lose one', () => {
    fc.assert(
      fc.property(withRepeats(), (text) => {
        expect(hasRepeats(text)).toBe(keyCount(JSON.parse(text)) < colons(text));
      }),
      { numRuns: 5_000 },
    );
  });

  test.for(['{}', '[{"a":1},{"a":1}]', '{"a":{"a":1}}', '{"a":[{"a":1}],"b":1}', '{"A":1,"a":1}'])(
    '%s repeats no key',
    (text) => {
      expect(readJson(text)).toMatchObject({ text, hasRepeatedNames: false });
    },
  );

  test.for(['{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '{"b":1,"a":{},"c":[],"a":3}', '[[{"":1,"":1}]]'])(
    '%s repeats a key',
    (text) => {
      expect(hasRepeats(text)).toBe(true);
    },
  );

  test.for([
    { text: '[1,\r\n 2,\n\n]', position: 10, line: 4, column: 1, message: 'line 4, column 1: give a value' },
    {
      text: '[1e400]',
      position: 1,
      line: 1,
      column: 2,
      message: 'line 1, column 2: a number is beyond 1.8e308',
    },
  ])('$text: $message', ({ text, message, ...fault }) => {
    expect(faultOf(text)).toMatchObject({ ...fault, message: `this is not JSON: ${message}` });
  });

  test.for([
    ['1', 1],
    ['[]', 2],
    ['{"a":[1,"b",null],"c":{}}', 11],
  ] as const)('%s has %i names, values and brackets', ([text, tokens]) => {
    expect(readJson(text).tokens).toBe(tokens);
  });

  test('a number is taken just when it is finite, however it is spelled', () => {
    const digits = (max: number) => fc.stringMatching(new RegExp(`^[1-9]\\d{0,${max}}$`));
    const exponents = () => fc.oneof(fc.integer({ min: -400, max: 400 }), fc.integer({ min: 250, max: 320 }));
    fc.assert(
      fc.property(digits(320), fc.option(digits(20)), fc.option(exponents()), (whole, part, exponent) => {
        const text = whole + (part === null ? '' : `.${part}`) + (exponent === null ? '' : `e${exponent}`);
        expect(faultOf(`[-${text}]`) === null).toBe(Number.isFinite(Number(text)));
      }),
      { numRuns: 2_000 },
    );
  });

  test.for([
    [308, true],
    [309, false],
    [400, false],
  ] as const)('1 and %d noughts are taken: %j', ([noughts, holds]) => {
    expect(faultOf(`1${'0'.repeat(noughts)}`) === null).toBe(holds);
  });

  test('depth, width and length do not matter', () => {
    const deep = 300_000;
    expect(hasRepeats('['.repeat(deep) + ']'.repeat(deep))).toBe(false);
    expect(hasRepeats('{"a":'.repeat(deep) + '1' + '}'.repeat(deep))).toBe(false);
    expect(faultOf('['.repeat(deep))).toMatchObject({ position: deep });
    expect(hasRepeats(`"${'\\"'.repeat(deep)}"`)).toBe(false);
    expect(hasRepeats(JSON.stringify(Array.from({ length: deep }, (_, i) => ({ [i]: i }))))).toBe(false);
  });
});

/** Objects in objects, with keys that repeat, however they are spelled. */
function withRepeats(): fc.Arbitrary<string> {
  const keys = () => fc.constantFrom('a', 'b', '__proto__', 'é');
  const spelled = () =>
    fc
      .tuple(keys(), fc.boolean())
      .map(([key, isEscaped]) => (isEscaped ? escapeAll(key) : JSON.stringify(key)));
  const { value } = fc.letrec<{ value: string; object: string }>((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, fc.constantFrom('1', '"{"', '[]', '"\\":"'), tie('object')),
    object: fc
      .array(fc.tuple(spelled(), tie('value')), { maxLength: 4 })
      .map((members) => `{${members.map(([key, member]) => `${key} :${member}`).join(', ')}}`),
  }));
  return value;
}

const once = (text: string): ReadJson['text'] => readJson(text).text;

describe('the text of readJson', () => {
  test('leaves the last value of each key, as JSON.parse does, and spells it as it was', () => {
    fc.assert(
      fc.property(withRepeats(), (text) => {
        expect(hasRepeats(once(text))).toBe(false);
        expect(isDeepStrictEqual(JSON.parse(once(text)), JSON.parse(text))).toBe(true);
      }),
      { numRuns: 5_000 },
    );
    expect(once('{"a":1, "b":1.10,"a":"\\u0061" }')).toBe('{"b":1.10,"a":"\\u0061" }');
  });

  test('cuts at any depth', () => {
    const deep = 50_000;
    expect(once('{"a":1,"a":'.repeat(deep) + '1' + '}'.repeat(deep))).toBe(
      '{"a":'.repeat(deep) + '1' + '}'.repeat(deep),
    );
    const list = '['.repeat(deep) + ']'.repeat(deep);
    expect(once(`{"a":${list},"a":${list}}`)).toBe(`{"a":${list}}`);
  });
});

const escapeAll = (key: string): string =>
  `"${[...key].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;

/** Keys of a value at every depth. */
function keyCount(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value).map(keyCount);
  return members.reduce((sum, count) => sum + count, Array.isArray(value) ? 0 : members.length);
}

/** Keys as they are spelled in a text of the test above, whose keys alone have a blank before their colon. */
const colons = (text: string): number => text.split('" :').length - 1;
