/** Notices when the system's clock is set. */
import type { Clock } from './clock.js';

/** Smaller jumps are ignored: clocks are corrected by small steps all the time. */
const MIN_JUMP_MS = 5_000;

/** Compares a clock's time with its `elapsed`; without `elapsed` it notices nothing. Lives as long as its scheduler. */
export class ClockJumps {
  readonly #clock: Clock;
  #lead: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lead = this.#readLead();
  }

  /** How far the clock was set since the last call, in milliseconds; 0 for five seconds or less. */
  look(): number {
    const before = this.#lead;
    this.#lead = this.#readLead();
    const byMs = Math.round(this.#lead - before);
    return Math.abs(byMs) > MIN_JUMP_MS ? byMs : 0;
  }

  /** How far the clock is ahead of `elapsed`; almost constant while nobody sets the clock. */
  #readLead(): number {
    const elapsedMs = this.#clock.elapsed?.();
    return elapsedMs === undefined ? 0 : this.#clock.now() - elapsedMs;
  }
}
