/** Searches for texts in strings, compared with those of the runtime. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { suffixArray } from '../../src/patterns/suffix-array.js';
import { indexOfText } from '../../src/patterns/text-search.js';
import { Texts } from '../../src/patterns/texts.js';

/** Texts that repeat themselves, which is what makes searches slow. */
const text = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'b'), maxLength }),
    fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\ud83d', '\ude00', '\uffff', '\0'), maxLength }),
    fc
      .tuple(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 5 }), fc.integer({ min: 0, max: 40 }))
      .map(([part, times]) => part.repeat(times).slice(0, maxLength)),
  );

/** A text, and another that may be a part of it, changed at one position or not. */
const pairs = () =>
  fc
    .tuple(text(200), fc.nat(200), fc.nat(200), fc.option(fc.nat(200)), text(60))
    .map(([subject, from, length, changed, other]) => {
      const part = subject.slice(from, from + length);
      if (part === '') return [subject, other] as const;
      const at = changed === null ? -1 : changed % part.length;
      return [subject, at < 0 ? part : `${part.slice(0, at)}c${part.slice(at + 1)}`] as const;
    });

describe('indexOfText', () => {
  test('finds what indexOf finds', () => {
    fc.assert(
      fc.property(pairs(), fc.nat(220), ([subject, part], from) => {
        expect(indexOfText(subject, part, from)).toBe(subject.indexOf(part, from));
      }),
      { numRuns: 3_000 },
    );
  });

  test('gives up comparing at every position, and finds the last one all the same', () => {
    const part = `${'a'.repeat(400)}b${'a'.repeat(400)}`;
    expect(indexOfText('a'.repeat(5_000), part)).toBe(-1);
    expect(indexOfText(`${'a'.repeat(5_000)}b${'a'.repeat(400)}`, part)).toBe(4_600);
  });
});

describe('suffixArray', () => {
  test('is the order of all suffixes by their units', () => {
    fc.assert(
      fc.property(text(300), (subject) => {
        const starts = Array.from(subject.split('').keys());
        const byUnits = (a: number, b: number): number => (subject.slice(a) < subject.slice(b) ? -1 : 1);
        expect(Array.from(suffixArray(subject))).toEqual(starts.sort(byUnits));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('Texts', () => {
  test('finds what includes finds, however often it is asked', () => {
    fc.assert(
      fc.property(fc.array(pairs(), { minLength: 1, maxLength: 5 }), (some) => {
        const texts = new Texts();
        const filler = 'ab'.repeat(20_000);
        for (let round = 0; round < 150; round++) {
          for (const [subject, part] of some) {
            const long = round % 2 === 0 ? subject + filler : filler + subject;
            const expected = long.includes(part);
            expect(texts.has(long, part)).toBe(expected);
            expect(texts.hasAny(long, ['\u0001', part], () => expected)).toBe(expected);
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  test('makes lone surrogates readable for engines, before and after many searches', () => {
    const texts = new Texts();
    const subject = `\ud83d${'x'.repeat(2_000)}\ude00`;
    for (let i = 0; i < 2_000; i++) {
      expect(texts.wellFormed(subject)).toBe(`\ufffd${'x'.repeat(2_000)}\ufffd`);
    }
    for (let i = 0; i < 2_000; i++) texts.has(subject, 'y');
    expect(texts.wellFormed(subject)).toBe(`\ufffd${'x'.repeat(2_000)}\ufffd`);
  });
});
