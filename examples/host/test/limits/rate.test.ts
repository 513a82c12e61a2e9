/** Rates: nobody gets more than a full bucket and what has come since, and nobody waits longer than that takes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRate } from '../../src/limits/rate.js';

test('whatever a project sends, it gets in what its bucket held and what has come since', () => {
  const requests = fc.array(
    fc.record({
      project: fc.constantFrom('a', 'b'),
      bytes: fc.integer({ min: 0, max: 5_000 }),
      waits: fc.integer({ min: 0, max: 3_000 }),
    }),
  );
  fc.assert(
    fc.property(requests, fc.integer({ min: 100, max: 2_000 }), (sent, perSecond) => {
      let at = 1_000;
      const rate = createRate(perSecond);
      const taken = new Map<string, number>();
      for (const { project, bytes, waits } of sent) {
        at += waits;
        const waitMs = rate.take(project, bytes, at);
        if (waitMs > 0) {
          // The wait that the refusal names is enough.
          at += Math.ceil(waitMs);
          expect(rate.take(project, bytes, at)).toBe(0);
        }
        // A body larger than the bucket counts as a whole one.
        taken.set(project, (taken.get(project) ?? 0) + Math.min(bytes, 2 * perSecond));
        expect(taken.get(project)).toBeLessThanOrEqual(
          2 * perSecond + (perSecond * (at - 1_000)) / 1_000 + 1e-6,
        );
      }
    }),
  );
});

test('a project that spent more than it had waits until it is out of debt', () => {
  const amounts = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(amounts, fc.integer({ min: 100, max: 2_000 }), (spent, perSecond) => {
      const rate = createRate(perSecond);
      for (const bytes of spent) rate.spend('a', bytes, 0);
      const debt = spent.reduce((sum, bytes) => sum + bytes, 0) - 2 * perSecond;
      const waitMs = rate.take('a', 1, 0);
      expect(waitMs).toBeCloseTo((Math.max(0, debt + 1) / perSecond) * 1_000, 6);
      expect(rate.take('b', 2 * perSecond, 0)).toBe(0);
      if (waitMs > 0) expect(rate.take('a', 1, Math.ceil(waitMs))).toBe(0);
    }),
  );
});

test('with a burst of its own, never lets through more, whatever the clock does, and each key has its own', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: -500, max: 500 })), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(steps, (all) => {
      const rate = createRate(5, 25);
      const through: Record<string, number> = { a: 0, b: 0 };
      let [at, forward] = [1_000_000, 0];
      for (const [key, ms] of all) {
        at += ms;
        forward += Math.max(0, ms);
        if (rate.take(key, 1, at) === 0) through[key] = (through[key] ?? 0) + 1;
        expect(through[key]).toBeLessThanOrEqual(25 + (forward / 1_000) * 5);
      }
    }),
  );
});

test('lets the burst through at once, then one in 200 ms', () => {
  const rate = createRate(5, 25);
  const count = (at: number): number =>
    Array.from({ length: 100 }, () => rate.take('a', 1, at)).filter((waitMs) => waitMs === 0).length;
  expect([count(0), count(199), count(200), count(1_200), count(100_000)]).toEqual([25, 0, 1, 5, 25]);
});

test('however many keys there are, none that has taken something is full', () => {
  const rate = createRate(1, 2);
  rate.take('debtor', 2, 0);
  for (let i = 0; i < 5_000; i++) rate.take(`key ${i}`, 1, i < 4_000 ? 0 : 1);
  const waits = ['debtor', 'key 0'].map((key, i) => Math.round(rate.take(key, 1 + i, 1)));
  expect(waits).toEqual([999, 999]);
});
