/** Which projects are slow. */
import { expect, test } from 'vitest';
import { createSlowness } from '../../src/deciding/slowness.js';

test('a project whose events take long is slow, and quick again a minute after they no longer do', () => {
  const slowness = createSlowness();
  slowness.record('p', 100, 0);
  expect([slowness.isSlow('p'), slowness.isSlow('q')]).toEqual([true, false]);
  for (let at = 1; at < 60_000; at += 1_000) slowness.record('p', 0.1, at);
  expect(slowness.average('p')).toBeLessThan(1);
  expect(slowness.isSlow('p')).toBe(true);
  slowness.record('p', 0.1, 60_000);
  expect(slowness.isSlow('p')).toBe(false);
});

test('one pause of the machine makes no project slow', () => {
  const slowness = createSlowness();
  slowness.record('p', 0.1, 0);
  slowness.record('p', 20, 1);
  expect(slowness.isSlow('p')).toBe(false);
  slowness.mark('p', 2);
  expect(slowness.isSlow('p')).toBe(true);
});

test('what is remembered is bounded', () => {
  const slowness = createSlowness();
  slowness.record('first', 100, 0);
  for (let i = 0; i < 10_000; i++) slowness.record(`p${i}`, 1, 1);
  expect(slowness.isSlow('first')).toBe(false);
});
