/** The buckets behind rate limits, without a scheduler around them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertRate, Rates } from '../../src/delivery/rates.js';
import { NOW } from './arbitraries.js';

/** Attempts a second, from the lowest to the highest. */
const speeds = () =>
  fc.oneof(
    fc.constantFrom(0.5, 1, 2, 3, 7, 100),
    fc.double({ min: 1 / 3_600, max: 10_000, noNaN: true }),
    fc.double({ min: 0.1, max: 20, noNaN: true }),
  );
const sizeOf = (perSecond: number) => Math.max(1, perSecond);

/** Milliseconds between attempts: in bursts, and with pauses. */
const pauses = () =>
  fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 20_000 })), {
    maxLength: 80,
  });

/** Instants of attempts that got a token. */
function taken(rates: Rates, perSecond: number, pausesMs: readonly number[]): readonly number[] {
  const instants: number[] = [];
  let at = NOW;
  for (const pauseMs of pausesMs) {
    at += pauseMs;
    if (rates.take('a', perSecond, at) === null) instants.push(at);
  }
  return instants;
}

/** Deliveries in flight to endpoint `a`. */
const load = (flights: number, asking = 0) => ({
  inFlight: () => new Map(flights === 0 ? [] : [['a', flights]]),
  asking: () => new Map(asking === 0 ? [] : [['a', asking]]),
});

describe('a bucket', () => {
  test('gives in no stretch of time more than it holds and what came in that time', () => {
    fc.assert(
      fc.property(speeds(), pauses(), (perSecond, pausesMs) => {
        const instants = taken(new Rates(), perSecond, pausesMs);
        instants.forEach((from, i) => {
          instants.slice(i).forEach((to, n) => {
            const atMost = sizeOf(perSecond) + (perSecond * (to - from)) / 1_000;
            expect(n + 1).toBeLessThanOrEqual(atMost + 0.01);
          });
        });
      }),
      { numRuns: 500 },
    );
  });

  test('that refuses tells the very millisecond at which it has a token', () => {
    fc.assert(
      fc.property(speeds(), pauses(), (perSecond, pausesMs) => {
        const rates = new Rates();
        taken(rates, perSecond, pausesMs);
        const at = NOW + pausesMs.reduce((sum, ms) => sum + ms, 0);
        for (;;) {
          const tokenAt = rates.take('a', perSecond, at);
          if (tokenAt === null) continue; // there was one
          expect(tokenAt).toBeGreaterThan(at);
          expect(rates.take('a', perSecond, tokenAt - 1)).toBe(tokenAt);
          expect(rates.take('a', perSecond, tokenAt)).toBeNull();
          return;
        }
      }),
      { numRuns: 200 },
    );
  });

  test.for([
    { perSecond: 5, burst: 5 },
    { perSecond: 2.5, burst: 2 },
    { perSecond: 1, burst: 1 },
    { perSecond: 0.1, burst: 1 },
  ])('at $perSecond a second begins with $burst', ({ perSecond, burst }) => {
    expect(taken(new Rates(), perSecond, Array<number>(20).fill(0))).toHaveLength(burst);
  });

  test.for([-3_600_000, 3_600_000])(
    'a clock that jumps by %i ms costs it no more than what it holds',
    (jumpMs) => {
      const rates = new Rates();
      taken(rates, 0.5, [0, 0]);
      const after = NOW + jumpMs;
      const tokenAt = rates.take('a', 0.5, after);
      if (tokenAt === null) return;
      expect(tokenAt - after).toBeLessThanOrEqual(2_000);
      expect(rates.take('a', 0.5, tokenAt)).toBeNull();
    },
  );

  test('follows the limit as it is changed, and is gone with it', () => {
    const rates = new Rates();
    expect(rates.take('a', 1, NOW)).toBeNull();
    expect(rates.take('a', 1, NOW)).toBe(NOW + 1_000);
    expect(rates.take('a', 0.1, NOW)).toBe(NOW + 10_000);
    expect(rates.take('a', null, NOW)).toBeNull();
    expect(rates.nextTokenAt(NOW)).toBe(Infinity);
  });
});

describe('what a claim is shown', () => {
  test('without limits is what is in flight', () => {
    expect(new Rates().restrain(load(3), 8, false, NOW)).toEqual(new Map([['a', 3]]));
  });

  test('leaves no more slots than there are tokens that nobody is about to take', () => {
    const loads = fc
      .record({ flights: fc.nat({ max: 8 }), asking: fc.nat({ max: 8 }) })
      .filter(({ flights, asking }) => asking <= flights);
    fc.assert(
      fc.property(
        speeds(),
        pauses(),
        loads,
        fc.boolean(),
        (perSecond, pausesMs, { flights, asking }, scarce) => {
          const rates = new Rates();
          taken(rates, perSecond, pausesMs);
          const at = NOW + pausesMs.reduce((sum, ms) => sum + ms, 0);
          const shown = rates.restrain(load(flights, asking), 8, scarce, at).get('a') ?? 0;
          expect(shown).toBeGreaterThanOrEqual(flights);
          expect(shown).toBeLessThanOrEqual(8);
          if (pausesMs.length === 0) return;
          let tokens = 0;
          while (tokens < 16 && rates.take('a', perSecond, at) === null) tokens++;
          const free = Math.max(tokens - asking, 0);
          if (scarce && free > 0) expect(shown).toBe(flights);
          else expect(8 - shown).toBe(Math.min(free, 8 - flights));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('is nothing any more once a full bucket was offered and left alone', () => {
    const rates = new Rates();
    rates.take('a', 1, NOW);
    const shownAfter = (ms: number) => rates.restrain(load(0), 8, false, NOW + ms).get('a');
    expect(shownAfter(0)).toBe(8);
    expect(rates.nextTokenAt(NOW)).toBe(NOW + 1_000);
    expect(shownAfter(1_000)).toBe(7);
    expect(rates.nextTokenAt(NOW + 1_000)).toBe(Infinity);
    expect(shownAfter(1_001)).toBeUndefined();
  });

  test('stays as it is while every token is wanted, full bucket or not', () => {
    const rates = new Rates();
    rates.take('a', 1, NOW);
    for (let ms = 1_000; ms <= 10_000; ms += 1_000) {
      expect(rates.restrain(load(0), 8, false, NOW + ms).get('a')).toBe(7);
      rates.claimed('a');
      expect(rates.nextTokenAt(NOW + ms)).toBe(NOW + ms + 1_000);
      rates.take('a', 1, NOW + ms);
    }
  });
});

test.for([0, -1, NaN, Infinity, 1 / 3_601, 10_001, 'x' as unknown as number])(
  '%s a second is refused',
  (rate) => {
    expect(() => assertRate(rate)).toThrow(expect.objectContaining({ code: 'invalid_policy' }));
  },
);

test.for([null, 1 / 3_600, 0.5, 10_000])('%s a second is a rate', (rate) => {
  expect(() => assertRate(rate)).not.toThrow();
});
