/** The clock of a process, held against that of the database. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createClockCheck, MAX_OFFSET_MS, offsetOf } from '../../src/runtime/clock-check.js';
import { databases } from '../db/databases.js';

const HOUR_MS = 3_600_000;
const [sqlite, postgres] = databases();

function check(db: Parameters<typeof createClockCheck>[0]['db'], aheadMs: number) {
  const offsets: number[] = [];
  const one = createClockCheck({
    ...{ db, now: () => Date.now() + aheadMs, report: () => undefined },
    measured: (offset) => offsets.push(offset),
  });
  return { ...one, offsets };
}

describe('on Postgres', () => {
  test.for([HOUR_MS, -HOUR_MS])(
    'a clock that is %i ms ahead is refused, and its process is not ready',
    async (ahead) => {
      const clock = check(await postgres!.open(), ahead);
      await expect(clock.assert()).rejects.toMatchObject({
        name: 'ClockSkewed',
        message: expect.stringMatching(
          /^the clock of this process is 3\d{3}\.\d s (?:ahead of|behind) that of the database/,
        ) as string,
      });
      expect(() => clock.assertFit()).toThrow(expect.objectContaining({ code: 'clock_skewed' }) as Error);
      expect(Math.sign(clock.offsets[0]!)).toBe(Math.sign(ahead));
    },
  );

  test('a clock that agrees is fit', async () => {
    const clock = check(await postgres!.open(), 0);
    await clock.assert();
    clock.assertFit();
    expect(clock.offsets).toHaveLength(1);
  });
});

test('SQLite has no other clock', async () => {
  const clock = check(await sqlite!.open(), HOUR_MS);
  await clock.assert();
  clock.assertFit();
});

test('however long an answer takes, clocks that agree are never found apart, and those that differ never by more than they do', () => {
  const ms = fc.integer({ min: 0, max: 60_000 });
  fc.assert(
    fc.property(ms, ms, fc.integer({ min: -HOUR_MS, max: HOUR_MS }), (there, back, ahead) => {
      const sentAt = 1_800_000_000_000;
      const read = sentAt + there - ahead;
      const offset = offsetOf(read, sentAt, sentAt + there + back);
      if (ahead === 0) expect(offset).toBe(0);
      expect(Math.abs(offset)).toBeLessThanOrEqual(Math.abs(ahead));
      if (there + back === 0) expect(offset).toBe(ahead);
      if (Math.abs(ahead) - there - back > MAX_OFFSET_MS) {
        expect(Math.abs(offset)).toBeGreaterThan(MAX_OFFSET_MS);
      }
    }),
  );
});
