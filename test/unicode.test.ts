/** Strings by code point: order, length, bytes, and where surrogate pairs stand. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  codePointLength,
  compareCodePoints,
  isHighSurrogate,
  isLowSurrogate,
  isSurrogate,
  splitsPair,
  utf8Length,
  widthAt,
} from '../src/unicode.js';

const anyText = () =>
  fc.string({
    unit: fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom('\ud83d', '\ude00', '\uffff', 'é'),
    ),
  });

describe('compareCodePoints', () => {
  test('orders as the lists of code points do', () => {
    const points = (text: string): number[] =>
      [...text].map((character) => character.codePointAt(0) as number);
    const order = (a: number[], b: number[]): number => {
      const at = a.findIndex((point, i) => point !== b[i]);
      if (at === -1) return a.length - b.length;
      return at >= b.length ? 1 : (a[at] as number) - (b[at] as number);
    };
    fc.assert(
      fc.property(anyText(), anyText(), anyText(), (prefix, a, b) => {
        const [left, right] = [prefix + a, prefix + b];
        expect(Math.sign(compareCodePoints(left, right))).toBe(Math.sign(order(points(left), points(right))));
      }),
      { numRuns: 2_000 },
    );
  });

  test('orders well-formed text as its UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });

  test('differs from < where astral characters meet the end of the basic plane', () => {
    expect(compareCodePoints('😀', '\uffff')).toBeGreaterThan(0);
    expect('😀' < '\uffff').toBe(true);
  });
});

test('codePointLength counts what iteration yields', () => {
  fc.assert(fc.property(anyText(), (text) => codePointLength(text) === [...text].length));
});

test('the width and the halves of a character are those that iteration yields', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      let at = 0;
      for (const character of text) {
        expect(widthAt(text, at)).toBe(character.length);
        expect(splitsPair(text, at)).toBe(false);
        if (character.length === 2) expect(splitsPair(text, at + 1)).toBe(true);
        at += character.length;
      }
      expect(splitsPair(text, at)).toBe(false);
    }),
  );
});

test('a unit is a surrogate just when it has no meaning of its own', () => {
  for (let unit = 0; unit <= 0xffff; unit++) {
    const isLone = /\p{Surrogate}/u.test(String.fromCharCode(unit));
    if (isSurrogate(unit) !== isLone) expect(unit).toBe('told wrongly');
    if (isLone !== (isHighSurrogate(unit) || isLowSurrogate(unit))) expect(unit).toBe('neither half');
  }
  expect([isHighSurrogate(0xd83d), isLowSurrogate(0xd83d)]).toEqual([true, false]);
  expect([isHighSurrogate(0xde00), isLowSurrogate(0xde00)]).toEqual([false, true]);
  expect(isSurrogate(0x1d800)).toBe(false);
});

test('utf8Length counts the bytes of well-formed text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => utf8Length(text) === Buffer.byteLength(text)),
  );
});
