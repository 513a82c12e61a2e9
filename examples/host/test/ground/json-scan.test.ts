/** The scanner: it agrees with `JSON.parse`, and tells what that does not. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonFault, scanJson, withoutRepeatedKeys } from '../../src/ground/json-scan.js';

const FINE = { hasRepeatedKeys: false };

const faultOf = (text: string): JsonFault | null => {
  const result = scanJson(text);
  return 'problem' in result ? result : null;
};

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

describe('scanJson', () => {
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

  test('what follows a fault does not move it', () => {
    /** The longest that is looked at from a fault on: an escape, of which the fault is at its second character. */
    const looked = 6;
    fc.assert(
      fc.property(fc.oneof(nearlyJson(), damaged()), fc.string(), (text, rest) => {
        const { position, problem } = faultOf(text) ?? { position: Infinity, problem: '' };
        fc.pre(position + looked <= text.length && problem !== 'a number is beyond 1.8e308');
        expect(faultOf(text.slice(0, position + looked) + rest)).toMatchObject({ position, problem });
      }),
      { numRuns: 2_000 },
    );
  });

  test('finds a repeated key just where parsing and printing lose one', () => {
    fc.assert(
      fc.property(withRepeats(), (text) => {
        expect(scanJson(text)).toEqual({ hasRepeatedKeys: keyCount(JSON.parse(text)) < colons(text) });
      }),
      { numRuns: 5_000 },
    );
  });

  test.for(['{}', '[{"a":1},{"a":1}]', '{"a":{"a":1}}', '{"a":[{"a":1}],"b":1}', '{"A":1,"a":1}'])(
    '%s repeats no key',
    (text) => {
      expect(scanJson(text)).toEqual(FINE);
    },
  );

  test.for(['{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '{"b":1,"a":{},"c":[],"a":3}', '[[{"":1,"":1}]]'])(
    '%s repeats a key',
    (text) => {
      expect(scanJson(text)).toEqual({ hasRepeatedKeys: true });
    },
  );

  test.for([
    { text: '', position: 0, line: 1, column: 1, problem: 'a value is missing' },
    { text: '{"a":1,}', position: 7, line: 1, column: 8, problem: 'a key in double quotes is missing' },
    { text: '[1,\r\n 2,\n\n]', position: 10, line: 4, column: 1, problem: 'a value is missing' },
    { text: '{"a" 1}', position: 5, line: 1, column: 6, problem: 'a colon is missing' },
    { text: '[1 2]', position: 3, line: 1, column: 4, problem: 'a comma or ] is missing' },
    { text: '{"a":1', position: 6, line: 1, column: 7, problem: 'a comma or } is missing' },
    { text: '{}\r{}', position: 3, line: 2, column: 1, problem: 'more text after the value' },
    { text: '"a\nb"', position: 2, line: 1, column: 3, problem: 'a string has a control character in it' },
    { text: '"a', position: 2, line: 1, column: 3, problem: 'a string has no end' },
    { text: '"\\x"', position: 2, line: 1, column: 3, problem: 'a string has an unknown escape' },
    { text: '"\\u12"', position: 2, line: 1, column: 3, problem: 'a string has an unknown escape' },
    { text: '01', position: 1, line: 1, column: 2, problem: 'more text after the value' },
    { text: '1.', position: 2, line: 1, column: 3, problem: 'a digit is missing' },
    { text: '[1e400]', position: 1, line: 1, column: 2, problem: 'a number is beyond 1.8e308' },
    { text: 'NaN', position: 0, line: 1, column: 1, problem: 'a value is missing' },
    { text: "{'a':1}", position: 1, line: 1, column: 2, problem: 'a key in double quotes is missing' },
    { text: '\ufeff{}', position: 0, line: 1, column: 1, problem: 'a value is missing' },
  ])('$text: $problem at $line:$column', ({ text, ...fault }) => {
    expect(scanJson(text)).toEqual(fault);
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
    expect(scanJson('['.repeat(deep) + ']'.repeat(deep))).toEqual(FINE);
    expect(scanJson('{"a":'.repeat(deep) + '1' + '}'.repeat(deep))).toEqual(FINE);
    expect(faultOf('['.repeat(deep))).toMatchObject({ position: deep, problem: 'a value is missing' });
    expect(scanJson(`"${'\\"'.repeat(deep)}"`)).toEqual(FINE);
    expect(scanJson(JSON.stringify(Array.from({ length: deep }, (_, i) => ({ [i]: i }))))).toEqual(FINE);
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

describe('withoutRepeatedKeys', () => {
  test('leaves the last value of each key, as JSON.parse does, and spells it as it was', () => {
    fc.assert(
      fc.property(withRepeats(), (text) => {
        const once = withoutRepeatedKeys(text);
        expect(scanJson(once)).toEqual(FINE);
        expect(isDeepStrictEqual(JSON.parse(once), JSON.parse(text))).toBe(true);
      }),
      { numRuns: 5_000 },
    );
    expect(withoutRepeatedKeys('{"a":1, "b":1.10,"a":"\\u0061" }')).toBe('{"b":1.10,"a":"\\u0061" }');
  });

  test('cuts at any depth', () => {
    const deep = 50_000;
    const once = withoutRepeatedKeys('{"a":1,"a":'.repeat(deep) + '1' + '}'.repeat(deep));
    expect(once).toBe('{"a":'.repeat(deep) + '1' + '}'.repeat(deep));
    const list = '['.repeat(deep) + ']'.repeat(deep);
    expect(withoutRepeatedKeys(`{"a":${list},"a":${list}}`)).toBe(`{"a":${list}}`);
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
