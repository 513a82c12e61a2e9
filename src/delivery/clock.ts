/** The port through which the scheduler reads the time and sets timers. */

/** Tells the time and wakes. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /**
   * Milliseconds since any fixed instant, by a monotonic clock. Left out, jumps of the clock are not noticed.
   */
  elapsed?(): number;
  /**
   * Calls `wake` once, at or after `at`. When the clock is set back meanwhile, the wait does not grow.
   *
   * @param at - Unix time in milliseconds; a past one wakes as soon as possible, never before this returns.
   * @param wake - Called once, unless cancelled.
   * @returns A function that cancels the call; it does nothing once `wake` was called.
   */
  at(at: number, wake: () => void): () => void;
  /**
   * Calls `wake` once at the end of the event loop's current turn, so that attempts that end together are recorded
   * together. Left out, `wake` is called as a microtask.
   *
   * @param wake - Called once.
   */
  soon?(wake: () => void): void;
}

/**
 * Longest single timer. `setTimeout` waits 2^31 − 1 ms at most, and after each timer a clock that was set forward is
 * noticed.
 */
const MAX_TIMER_MS = 60_000;

/**
 * The system's clock. Its timers keep the process alive, take waits of any length, and cope with a clock that is set.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  at(at, wake) {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (leftMs: number): void => {
      const stretch = Math.min(Math.max(leftMs, 0), MAX_TIMER_MS);
      timer = setTimeout(() => {
        const next = Math.min(at - Date.now(), leftMs - stretch);
        if (next > 0) wait(next);
        else wake();
      }, stretch);
    };
    wait(at - Date.now());
    return () => clearTimeout(timer);
  },
  // Only Node has setImmediate. Browsers refuse to call either function on a `this` other than the global object.
  soon(wake) {
    if (typeof setImmediate === 'function') setImmediate(wake);
    else queueMicrotask(wake);
  },
};
Object.freeze(systemClock);

/** Resolves at the end of the event loop's current turn. */
export const endOfTick = (clock: Clock): Promise<void> =>
  clock.soon === undefined ? Promise.resolve() : new Promise((resolve) => clock.soon?.(resolve));
