/** Percentiles from counts between bounds. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LATENCY_BOUNDS, NO_LATENCIES, percentileOf, sumOf, withOne } from '../../src/statistics/latency.js';

const durations = fc.array(fc.oneof(fc.nat(300), fc.nat(20_000)), { minLength: 1, maxLength: 200 });

/** The bounds around a duration. */
const around = (ms: number): readonly [number, number] => {
  const high = LATENCY_BOUNDS.find((bound) => ms <= bound) ?? Infinity;
  return [LATENCY_BOUNDS.filter((bound) => bound < high).at(-1) ?? 0, high];
};

test('an estimate lies between the bounds of the true percentile, and never above the slowest', () => {
  fc.assert(
    fc.property(durations, fc.double({ min: 0.01, max: 1, noNaN: true }), (all, share) => {
      const slowest = Math.max(...all);
      const truth = [...all].sort((a, b) => a - b)[Math.ceil(share * all.length) - 1]!;
      const estimate = percentileOf(share, all.reduce(withOne, NO_LATENCIES), all.length, slowest)!;
      const [low, high] = around(truth);
      expect(estimate).toBeGreaterThanOrEqual(Math.min(low, slowest));
      expect(estimate).toBeLessThanOrEqual(Math.min(high, slowest));
    }),
  );
});

test('counts of parts add up to those of the whole, and nothing has no percentile', () => {
  fc.assert(
    fc.property(durations, durations, (a, b) => {
      const [one, other] = [a, b].map((part) => part.reduce(withOne, NO_LATENCIES));
      expect(sumOf([one!, other!])).toEqual([...a, ...b].reduce(withOne, NO_LATENCIES));
    }),
  );
  expect(percentileOf(0.5, NO_LATENCIES, 0, 0)).toBeNull();
});
