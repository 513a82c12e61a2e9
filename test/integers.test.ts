/** The check of integers that are handed in. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCount, isIntegerIn } from '../src/integers.js';

test('an integer within its bounds passes, and nothing else does', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), fc.maxSafeInteger(), (value, one, other) => {
      const [min, max] = [Math.min(one, other), Math.max(one, other)];
      expect(isIntegerIn(value, min, max)).toBe(value >= min && value <= max);
      expect(isIntegerIn(min, min, max) && isIntegerIn(max, min, max)).toBe(true);
    }),
  );
});

test.for([1.5, NaN, Infinity, -Infinity, '1', 1n, true, null, undefined, [1], new Number(1), new Date(1)])(
  '%s is no integer',
  (value) => {
    expect(isIntegerIn(value, -Infinity, Infinity)).toBe(false);
    expect(isCount(value)).toBe(false);
  },
);

test.for([
  { value: 0, counts: true },
  { value: -0, counts: true },
  { value: 2 ** 53 - 1, counts: true },
  { value: -1, counts: false },
  { value: 2 ** 53, counts: false },
])('$value counts: $counts', ({ value, counts }) => {
  expect(isCount(value)).toBe(counts);
});
