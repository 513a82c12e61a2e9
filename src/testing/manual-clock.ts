/** A clock that stands still until a test moves it. */
import { setImmediate as macrotask } from 'node:timers/promises';
import { instant } from '../delivery/arguments.js';
import type { Clock } from '../delivery/clock.js';

/** A clock whose time a test decides. */
export interface ManualClock extends Clock {
  /** Milliseconds of advances so far; {@link ManualClock.set} adds none. */
  elapsed(): number;
  /** Number of timers that are set. */
  readonly waiting: number;
  /** When the next timer fires; `null` when none is set. Unix ms. */
  readonly nextWakeAt: number | null;
  /**
   * Moves time forward and fires the timers on the way, in order, each at its own time. Before the first timer and
   * after each one, all pending work runs until it waits for time.
   *
   * @param at - Unix ms; not before now.
   */
  advanceTo(at: number): Promise<void>;
  /**
   * Moves time forward by a duration; see {@link ManualClock.advanceTo}.
   *
   * @param ms - Milliseconds.
   */
  advance(ms: number): Promise<void>;
  /**
   * Sets the clock as an operator does, without firing timers. Timers that are then past fire in the next advance.
   * After the clock was set back, no timer waits longer than it would have.
   *
   * @param at - Unix ms; may lie in the past.
   */
  set(at: number): void;
}

interface Wake {
  /** Unix ms. */
  readonly at: number;
  /** The value of `elapsed` at the end of the wait. */
  readonly atElapsed: number;
  readonly wake: () => void;
}

/**
 * A clock that stands still at `startAt`.
 *
 * @example
 * ```ts
 * import { createManualClock } from 'headgate/testing';
 *
 * const clock = createManualClock(1_700_000_000_000);
 * await clock.advance(60_000);
 * console.log(clock.now()); // 1700000060000
 * ```
 * @param startAt - Unix ms. Defaults to an instant in 2023.
 * @throws `OptionError` `invalid_option` unless it is a whole number.
 */
export function createManualClock(startAt = 1_700_000_000_000): ManualClock {
  instant('startAt', startAt);
  return new Manual(startAt);
}

/** The clock of one test, which makes it and moves it. */
class Manual implements ManualClock {
  #now: number;
  #elapsed = 0;
  readonly #wakes = new Set<Wake>();

  constructor(startAt: number) {
    this.#now = startAt;
  }

  get waiting(): number {
    return this.#wakes.size;
  }

  get nextWakeAt(): number | null {
    const earliest = this.#earliest();
    return earliest === null ? null : this.#comesAt(earliest);
  }

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  at(at: number, wake: () => void): () => void {
    const entry = { at, atElapsed: this.#elapsed + at - this.#now, wake };
    this.#wakes.add(entry);
    return () => void this.#wakes.delete(entry);
  }

  async advanceTo(at: number): Promise<void> {
    await macrotask();
    for (let next = this.#earliest(); next !== null; next = this.#earliest()) {
      const comesAt = this.#comesAt(next);
      if (comesAt > at) break;
      this.#wakes.delete(next);
      this.#pass(comesAt);
      next.wake();
      await macrotask();
    }
    this.#pass(at);
  }

  advance(ms: number): Promise<void> {
    return this.advanceTo(this.#now + ms);
  }

  set(at: number): void {
    this.#now = at;
  }

  #pass(at: number): void {
    this.#elapsed += Math.max(at - this.#now, 0);
    this.#now = Math.max(this.#now, at);
  }

  #comesAt({ at, atElapsed }: Wake): number {
    return Math.min(at, this.#now + atElapsed - this.#elapsed);
  }

  /** The next timer; of timers for the same time, the one that was set first. */
  #earliest(): Wake | null {
    let earliest: Wake | null = null;
    for (const wake of this.#wakes) {
      if (earliest === null || this.#comesAt(wake) < this.#comesAt(earliest)) earliest = wake;
    }
    return earliest;
  }
}
