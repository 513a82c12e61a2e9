/** Receivers that never end are given up after ten seconds. */
import { expect, onTestFinished, test } from 'vitest';
import { ATTEMPT_TIMEOUT_MS } from '../../src/delivery/index.js';
import { deliverToAll } from './delivering.js';
import { hostileReceivers } from './table.js';
import { openGrounds, worldOn } from './world.js';

const endless = hostileReceivers.filter(({ recorded }) =>
  recorded.some((outcome) => !outcome.ok && outcome.failure === 'timeout'),
);

/** How much later an attempt may be recorded on a busy machine. */
const LATE_MS = 30_000;

test('receivers that never come to an end, a byte a second among them, are given up after 10 s', async () => {
  const grounds = await openGrounds(1_000, endless);
  onTestFinished(() => grounds.close());
  const histories = await deliverToAll(worldOn(grounds, endless), ATTEMPT_TIMEOUT_MS);
  expect(histories.map(({ attempts }) => attempts.map(({ outcome }) => outcome))).toEqual(
    endless.map(({ recorded }) => recorded),
  );
  const durations = histories.flatMap(({ attempts }) => attempts.map((one) => one.ended_at - one.started_at));
  expect(durations).toHaveLength(endless.length);
  for (const ms of durations) {
    expect(ms).toBeGreaterThanOrEqual(ATTEMPT_TIMEOUT_MS - 50);
    expect(ms).toBeLessThan(ATTEMPT_TIMEOUT_MS + LATE_MS);
  }
});
