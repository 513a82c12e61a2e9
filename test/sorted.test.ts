/** Search in what is sorted. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lowerBound } from '../src/sorted.js';

test('finds the index that a value has, or would have', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 20 })), fc.nat({ max: 20 }), (numbers, sought) => {
      const sorted = numbers.toSorted((a, b) => a - b);
      const at = lowerBound(sorted.length, (index) => sorted[index]! < sought);
      expect(at).toBe(sorted.filter((one) => one < sought).length);
    }),
  );
});

test('looks at few of very many', () => {
  let looks = 0;
  const at = lowerBound(2 ** 31 - 1, (index) => {
    looks++;
    return index < 1_234_567_890;
  });
  expect(at).toBe(1_234_567_890);
  expect(looks).toBeLessThan(33);
});
