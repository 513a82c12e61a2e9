/** The histogram of a dry-run: what its window counts, part by part. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dryRun, type DryRunOptions, type Event, OptionError } from '../../../src/index.js';

const now = Date.UTC(2026, 0, 15);
const HOUR = 3_600_000;
const rule = {
  stage: 'deliver',
  match: { path: 'data.n', op: 'eq', value: 1 },
  action: { type: 'drop' },
} as const;

const event = (at: number, n: number): Event => ({
  id: `evt_${at}`,
  type: 'webhook.received',
  data: { n },
  received_at: new Date(at).toISOString(),
});

const run = (events: readonly Event[], options: Partial<DryRunOptions>) =>
  dryRun(rule, events, { windowHours: 1, now, ...options });

describe('the histogram', () => {
  test('has in each part the events after its beginning, up to its end, and all of the window in all of them', async () => {
    const ages = fc.oneof(
      fc.integer({ min: -10, max: HOUR + 10 }),
      fc.integer({ min: 0, max: 60 }).map((minutes) => minutes * 60_000),
    );
    const events = fc.array(fc.record({ age: ages, n: fc.integer({ min: 0, max: 1 }) }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(events, fc.integer({ min: 1, max: 100 }), async (made, buckets) => {
        const all = made.map(({ age, n }) => event(now - age, n));
        const { histogram = [], ...report } = await run(all, { buckets });
        expect(histogram).toHaveLength(buckets);
        expect(histogram[0]?.from).toBe(new Date(now - HOUR).toISOString());
        expect(histogram.at(-1)?.to).toBe(new Date(now).toISOString());
        histogram.forEach(({ matched, scanned, from, to }, i) => {
          const [low, high] = [Date.parse(from), Date.parse(to)];
          if (i > 0) expect(from).toBe(histogram[i - 1]?.to);
          expect(Math.abs(high - low - HOUR / buckets)).toBeLessThanOrEqual(1);
          const inside = made.filter(({ age }) => now - age > low && now - age <= high);
          expect({ matched, scanned }).toEqual({
            matched: inside.filter(({ n }) => n === 1).length,
            scanned: inside.length,
          });
        });
        const sum = (of: 'matched' | 'scanned') => histogram.reduce((total, bucket) => total + bucket[of], 0);
        expect([sum('matched'), sum('scanned')]).toEqual([report.matched, report.scanned]);
      }),
    );
  });

  test('is left out where nobody asks for it', async () => {
    expect(await run([event(now, 1)], {})).not.toHaveProperty('histogram');
  });

  test.for([0, 1_001, 1.5, NaN, '60', null])('of %s parts is refused', async (buckets) => {
    await expect(run([], { buckets: buckets as number })).rejects.toThrow(OptionError);
  });

  test('of a window that no Date can have is refused', async () => {
    await expect(run([], { buckets: 2, now: 1e300 })).rejects.toThrow(OptionError);
  });
});
