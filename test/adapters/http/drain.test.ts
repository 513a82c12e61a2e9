/** The limits on reading response bodies. */
import type { Dispatcher } from 'undici/index.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDrains } from '../../../src/adapters/http/drain.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const body = () => {
  const abort = vi.fn<Dispatcher.DispatchController['abort']>();
  return {
    abort,
    controller: { abort } as Partial<Dispatcher.DispatchController> as Dispatcher.DispatchController,
  };
};

test('a body may take a second', () => {
  const { abort, controller } = body();
  createDrains().start(controller);
  vi.advanceTimersByTime(999);
  expect(abort).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(abort).toHaveBeenCalledOnce();
});

test('a body that has ended is left alone, and keeps no timer', () => {
  const { abort, controller } = body();
  createDrains().start(controller)();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(10_000);
  expect(abort).not.toHaveBeenCalled();
});

test('256 bodies are read at one time; one that ends makes room, one that was cut at once took none', () => {
  const drains = createDrains();
  const first = drains.start(body().controller);
  for (let n = 1; n < 256; n++) drains.start(body().controller);
  const refused = body();
  drains.start(refused.controller);
  expect(refused.abort).toHaveBeenCalledOnce();
  first();
  const taken = body();
  drains.start(taken.controller);
  expect(taken.abort).not.toHaveBeenCalled();
});
