/** Tells a clock that was set from time that passed. */
import type { Clock } from './clock.js';

/** Nothing smaller is told: clocks are corrected by small steps all the time. */
const SMALLEST_JUMP_MS = 5_000;

/** Compares a clock with its `elapsed`; blind where it has none. */
export class ClockJumps {
  readonly #clock: Clock;
  #lead: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lead = this.#readLead();
  }

  /** How far the clock was set since the last look, in milliseconds; 0 when by five seconds or less. */
  look(): number {
    const before = this.#lead;
    this.#lead = this.#readLead();
    const byMs = Math.round(this.#lead - before);
    return Math.abs(byMs) > SMALLEST_JUMP_MS ? byMs : 0;
  }

  /** How far the clock is ahead of `elapsed`; as good as constant while nobody sets it. */
  #readLead(): number {
    const elapsedMs = this.#clock.elapsed?.();
    return elapsedMs === undefined ? 0 : this.#clock.now() - elapsedMs;
  }
}
