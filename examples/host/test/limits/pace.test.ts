/** Units of work at intervals. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPace } from '../../src/limits/pace.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Asks for turns, and notes when each was given; ms from the start. */
function turns(count: number, gapMs: () => number): readonly number[] {
  const pace = createPace(gapMs);
  const began = Date.now();
  const given: number[] = [];
  for (let i = 0; i < count; i++) void pace().then(() => given.push(Date.now() - began));
  return given;
}

test('the first unit begins at once, each further one a gap after the one before', async () => {
  const given = turns(4, () => 10);
  await vi.advanceTimersByTimeAsync(100);
  expect(given).toEqual([0, 10, 20, 30]);
});

test('the gap is asked for when a unit begins', async () => {
  const gaps = [200, 10, 10];
  const given = turns(3, () => gaps.shift() ?? 0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(given).toEqual([0, 200, 210]);
});

test('a unit that comes later than the gap does not wait', async () => {
  const pace = createPace(() => 10);
  await pace();
  await vi.advanceTimersByTimeAsync(50);
  let isGiven = false;
  void pace().then(() => (isGiven = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(isGiven).toBe(true);
});

test('under pressure every unit waits longer', async () => {
  let isPressed = true;
  const pace = createPace(
    () => 10,
    () => isPressed,
  );
  const began = Date.now();
  const given: number[] = [];
  for (let i = 0; i < 4; i++) {
    void pace().then(() => {
      given.push(Date.now() - began);
      isPressed = given.length < 2;
    });
  }
  await vi.advanceTimersByTimeAsync(1_000);
  expect(given).toEqual([0, 100, 200, 210]);
});
