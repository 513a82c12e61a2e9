/** Calls of a client's machine: one at a time, and one when its next deadline is due. */
import type { Machine } from './machine.js';

/**
 * Calls the machine. A call that is made during another one runs after it, so the machine is never in two calls at
 * once.
 */
export type Steps = (call: (machine: Machine) => void) => void;

/** Longer timers than 2^31 − 1 ms fire at once. */
const MAX_TIMER_MS = 60_000;

/** The calls of a machine that may still be in the making. */
export function createSteps(machine: () => Machine): Steps {
  const calls: Parameters<Steps>[0][] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timerAt = Infinity;

  const step: Steps = (call) => {
    if (calls.push(call) > 1) return;
    for (let next = calls[0]; next !== undefined; next = calls[0]) {
      next(machine().at(performance.now()));
      calls.shift();
    }
    setTimer(machine().wakeAt());
  };

  /** Keeps the timer at or before the machine's next deadline. If it fires too early, nothing is due. */
  const setTimer = (wakeAt: number): void => {
    if (wakeAt >= timerAt && wakeAt < Infinity) return;
    clearTimeout(timer);
    timerAt = wakeAt;
    if (wakeAt === Infinity) return;
    timer = setTimeout(
      () => {
        timerAt = Infinity;
        step((it) => it.wake());
      },
      Math.min(Math.max(wakeAt - performance.now(), 0), MAX_TIMER_MS),
    );
  };
  return step;
}
