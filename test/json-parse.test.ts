/** JSON is parsed as the engine does it, and its errors have the position of the fault. */
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importRules, JsonError, OptionError, parseJson } from '../src/index.js';

/** The error that parsing a text throws; null for JSON. */
function errorOf(text: string): unknown {
  try {
    parseJson(text);
    return null;
  } catch (error) {
    return error;
  }
}

function faultOf(text: string): JsonError {
  const error = errorOf(text);
  if (!(error instanceof JsonError)) throw new Error(`no fault in ${text}`, { cause: error });
  return error;
}

/** JSON, and JSON that was edited at one position. */
const texts = () => {
  const unit = fc.constantFrom(
    ...'{}[]",:\\\n\r\t 0129-+.eEtrufalsn/bx\u0000\u001f\u007f\u2028\ud800'.split(''),
  );
  const json = fc
    .tuple(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(undefined, 1, '\t'))
    .map(([value, space]) => JSON.stringify(value, null, space));
  const edited = fc
    .tuple(json, fc.nat(), fc.nat(2), fc.string({ unit, maxLength: 2 }))
    .map(([text, position, gone, added]) => {
      const at = position % (text.length + 1);
      return text.slice(0, at) + added + text.slice(at + gone);
    });
  return fc.oneof(json, edited, fc.string({ unit, maxLength: 12 }));
};

/** The position of the fault according to V8; null if its message does not tell. */
function engineSays(text: string): number | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const { message } = error as SyntaxError;
    if (message === 'Unexpected end of JSON input') return text.length;
    const position = /at position (\d+)/.exec(message)?.[1];
    return position === undefined ? null : Number(position);
  }
}

describe('parseJson', () => {
  test('takes what JSON.parse takes, and gives the same', () => {
    fc.assert(
      fc.property(texts(), (text) => {
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          expect(errorOf(text)).toBeInstanceOf(JsonError);
          return;
        }
        expect(parseJson(text)).toEqual(value);
      }),
      { numRuns: 3_000 },
    );
  });

  test('finds the fault where the engine finds it, in the texts of which the engine tells', () => {
    let told = 0;
    fc.assert(
      fc.property(texts(), (text) => {
        const position = engineSays(text);
        if (position === null) return;
        told++;
        expect(faultOf(text).position).toBe(position);
      }),
      { numRuns: 3_000 },
    );
    expect(told).toBeGreaterThan(500);
  });

  test('finds the first fault: up to it the text may go on, with it nothing can', () => {
    fc.assert(
      fc.property(texts(), (text) => {
        const error = errorOf(text);
        if (!(error instanceof JsonError)) return;
        const { position } = error;
        const ofStart = errorOf(text.slice(0, position)) as JsonError | null;
        expect(ofStart?.position ?? position).toBe(position);
        for (const more of ['', '}', ']', '"', '0', '"}]}', 'null', 'e1']) {
          if (position < text.length) expect(errorOf(text.slice(0, position + 1) + more)).not.toBeNull();
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test.for<readonly [text: string, line: number, column: number, message: string]>([
    ['', 1, 1, 'it ends at line 1, column 1; give a value'],
    ['{\n  "a": 7,\n}', 3, 1, 'line 3, column 1: give a name in double quotes'],
    ['{a: 1}', 1, 2, 'line 1, column 2: give a name in double quotes or }'],
    ["['a']", 1, 2, 'line 1, column 2: give a value or ]'],
    ['[1,]', 1, 4, 'line 1, column 4: give a value'],
    ['[1 2]', 1, 4, 'line 1, column 4: give a comma or ]'],
    ['{"a" 1}', 1, 6, 'line 1, column 6: give a colon'],
    ['{"a":1\r\n"b":2}', 2, 1, 'line 2, column 1: give a comma or }'],
    ['\r\r01', 3, 2, 'line 3, column 2: give nothing after the value'],
    ['{} x', 1, 4, 'line 1, column 4: give nothing after the value'],
    ['undefined', 1, 1, 'line 1, column 1: give a value'],
    ['trux', 1, 4, 'line 1, column 4: give true'],
    ['-', 1, 2, 'it ends at line 1, column 2; give a digit'],
    ['1.e3', 1, 3, 'line 1, column 3: give a digit'],
    ['.5', 1, 1, 'line 1, column 1: give a value'],
    ['1e+', 1, 4, 'it ends at line 1, column 4; give a digit'],
    ['"a\tb"', 1, 3, 'line 1, column 3: give an escape, such as \\n, for a control character'],
    ['"\\x"', 1, 3, 'line 1, column 3: give one of " \\ / b f n r t u'],
    ['"\\u12G4"', 1, 6, 'line 1, column 6: give a hexadecimal digit'],
    ['["a', 1, 4, 'it ends at line 1, column 4; give the double quote that ends the string'],
    ['\ufeff{}', 1, 1, 'line 1, column 1: give a value'],
  ])('says of %j: line %d, column %d', ([text, line, column, message]) => {
    expect(faultOf(text)).toMatchObject({ line, column, code: 'invalid_json' });
    expect(faultOf(text).message).toBe(`this is not JSON: ${message}`);
  });

  test('quotes nothing of the text, nor does anything that the error carries', () => {
    fc.assert(
      fc.property(texts(), fc.nat(), (text, position) => {
        const at = position % (text.length + 1);
        const error = errorOf(`${text.slice(0, at)}sk_live_secret${text.slice(at)}`);
        expect(inspect(error, { depth: 9, showHidden: true }).split('\n    at ')[0]).not.toContain('sk_live');
      }),
    );
  });

  test.for<readonly [string, string, number]>([
    ['a million levels', '['.repeat(1_000_000), 1_000_000],
    ['a million levels of objects', `${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}}`, 6_000_001],
    ['a text of 20 MB', `"${'a'.repeat(20_000_000)}`, 20_000_001],
    ['a text of a million escapes', `"${'\\n'.repeat(1_000_000)}\n"`, 2_000_001],
    ['a number of a million digits', `${'9'.repeat(1_000_000)}x`, 1_000_000],
  ])('reads %s', ([, text, position]) => {
    expect(faultOf(text).position).toBe(position);
  });

  test.for([undefined, null, 7, {}, new Uint8Array(2)])('takes text alone, not %o', (input) => {
    expect(() => parseJson(input as never)).toThrow(OptionError);
  });
});

test('an import of rules tells the same position', () => {
  const text = '[\n  { "name": "a", }\n]';
  const { summary } = importRules(text);
  expect(summary.errors).toEqual([
    { code: 'invalid_json', pointer: '', index: null, message: faultOf(text).message },
  ]);
  expect(importRules(`\ufeff${text}`).summary, 'without the mark').toEqual(summary);
});
