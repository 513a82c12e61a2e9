/** The system's clock and the manual clock. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/delivery/index.js';
import { createManualClock } from '../../src/testing/index.js';

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;

describe('the system clock', () => {
  beforeEach(() => void vi.useFakeTimers({ now: NOW }));
  afterEach(() => void vi.useRealTimers());

  /** Counts the wakes set for `at`. */
  const waker = (at: number) => {
    const wake = vi.fn();
    return { wake, cancel: systemClock.at(at, wake) };
  };

  test.for([
    { wait: 1_000, why: 'a second' },
    { wait: 60_001, why: 'more than one stretch' },
    { wait: 2 ** 31 + 5, why: 'more than setTimeout can' },
    { wait: 100 * 24 * HOUR, why: 'a hundred days' },
  ])('wakes once after $why, not before', ({ wait }) => {
    const { wake } = waker(NOW + wait);
    vi.advanceTimersByTime(wait - 1);
    expect(wake).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(wake).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(HOUR);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  test('wakes for the past at once, but not within the call', () => {
    const { wake } = waker(NOW - HOUR);
    expect(wake).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  test.for([0, 30_000, 90_000])('a cancel after %i ms holds', (afterMs) => {
    const { wake, cancel } = waker(NOW + HOUR);
    vi.advanceTimersByTime(afterMs);
    cancel();
    vi.advanceTimersByTime(2 * HOUR);
    expect(wake).not.toHaveBeenCalled();
    cancel();
  });

  test('notices within a minute that it was set ahead', () => {
    const { wake } = waker(NOW + HOUR);
    vi.setSystemTime(NOW + 2 * HOUR);
    vi.advanceTimersByTime(60_000);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  test('set back, waits no longer than it would have', () => {
    const { wake } = waker(NOW + 2 * HOUR);
    vi.setSystemTime(NOW - HOUR);
    vi.advanceTimersByTime(2 * HOUR - 1);
    expect(wake).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  test('tells the time, and how much of it passes whoever sets it', () => {
    expect(systemClock.now()).toBe(NOW);
    const before = systemClock.elapsed?.() ?? NaN;
    vi.advanceTimersByTime(1_500);
    vi.setSystemTime(0);
    expect((systemClock.elapsed?.() ?? NaN) - before).toBeCloseTo(1_500);
  });
});

describe('the manual clock', () => {
  test('wakes in order, each at its own instant, and what they set on the way too', async () => {
    const clock = createManualClock(NOW);
    const seen: [string, number][] = [];
    const note = (name: string) => () => void seen.push([name, clock.now() - NOW]);
    clock.at(NOW + 20, note('second'));
    clock.at(NOW + 10, () => {
      note('first')();
      clock.at(NOW + 15, note('between'));
      clock.at(NOW + 31, note('too late'));
    });
    clock.at(NOW + 20, note('third'));
    clock.at(NOW + 12, note('cancelled'))();
    await clock.advance(30);
    expect(seen).toEqual([
      ['first', 10],
      ['between', 15],
      ['second', 20],
      ['third', 20],
    ]);
    expect([clock.now(), clock.waiting, clock.nextWakeAt]).toEqual([NOW + 30, 1, NOW + 31]);
  });

  test('stands still by itself, and jumps without waking', async () => {
    const clock = createManualClock();
    let woken = 0;
    clock.at(clock.now() + 10, () => woken++);
    clock.set(clock.now() + 100);
    expect(woken).toBe(0);
    await clock.advance(0);
    expect(woken).toBe(1);
  });

  test('set back, lets nobody wait longer than before; set ahead, nobody less', async () => {
    const clock = createManualClock(NOW);
    const seen: number[] = [];
    clock.at(NOW + 100, () => seen.push(clock.elapsed()));
    clock.at(NOW + 300, () => seen.push(clock.elapsed()));
    await clock.advance(50);
    clock.set(NOW - HOUR);
    await clock.advance(50);
    clock.set(NOW - 10);
    await clock.advance(199);
    expect(seen).toEqual([100]);
    await clock.advance(HOUR);
    expect(seen).toHaveLength(2);
    expect(clock.elapsed()).toBe(50 + 50 + 199 + HOUR);
  });
});
