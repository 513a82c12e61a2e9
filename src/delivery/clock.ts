/** Time, as the scheduler sees it: the one place where it comes in. */

/** Tells the time and wakes. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /**
   * Milliseconds since any fixed instant, by a clock that nobody sets. Left out: jumps of the clock go unnoticed.
   */
  elapsed?(): number;
  /**
   * Calls `wake` once, at or after `at`; when the clock is set back meanwhile, after the time there was to wait.
   *
   * @param at - Unix time in milliseconds; a past one wakes as soon as possible, never before this returns.
   * @param wake - Called once, unless cancelled.
   * @returns Cancels; does nothing once `wake` was called.
   */
  at(at: number, wake: () => void): () => void;
  /**
   * Calls `wake` once when everything that happens at this moment has happened: so that what ends together is written
   * together. Left out, that is when the running code has ended.
   *
   * @param wake - Called once.
   */
  soon?(wake: () => void): void;
}

/** `setTimeout` takes no longer wait than 2^31 − 1 ms; far shorter stretches notice a clock that was set forward. */
const LONGEST_STRETCH_MS = 60_000;

/** The system's clock. Its timers keep the process alive, bridge waits of any length and survive a clock that jumps. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  at(at, wake) {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (leftMs: number): void => {
      const stretch = Math.min(Math.max(leftMs, 0), LONGEST_STRETCH_MS);
      timer = setTimeout(() => {
        const next = Math.min(at - Date.now(), leftMs - stretch);
        if (next > 0) wait(next);
        else wake();
      }, stretch);
    };
    wait(at - Date.now());
    return () => clearTimeout(timer);
  },
  // Where there is no such thing, a microtask has to do. Browsers refuse both on any `this` but the global one.
  soon(wake) {
    if (typeof setImmediate === 'function') setImmediate(wake);
    else queueMicrotask(wake);
  },
};
Object.freeze(systemClock);

/** Resolves when everything that happens at this moment has happened. */
export const momentOver = (clock: Clock): Promise<void> =>
  clock.soon === undefined ? Promise.resolve() : new Promise((over) => clock.soon?.(over));
