/** JSON as text; that the loop gives what the engine gives is tested with the body of a delivery. */
import { describe, expect, test } from 'vitest';
import { stringifyJson } from '../src/index.js';
import { stringifyByLoop } from '../src/json-text.js';

describe('stringifyJson', () => {
  test.for([null, true, 7, 'a', [], {}, new Date(0), [undefined], { a: undefined }])(
    'gives the text of %o',
    (value) => {
      expect(stringifyJson(value)).toBe(JSON.stringify(value));
    },
  );

  test.for([undefined, () => 1, Symbol('s'), { toJSON: () => undefined }])('has no text for %o', (value) => {
    expect(() => stringifyJson(value)).toThrow(TypeError);
  });

  test('writes numbers, text and booleans in objects as what is in them, at any depth', () => {
    const boxed = [new Number(7), new String('a'), new Boolean(false)];
    expect(stringifyByLoop({ boxed })).toBe(JSON.stringify({ boxed }));
  });
});
