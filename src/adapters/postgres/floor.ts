/**
 * A floor for claims: an instant before which no delivery is due. Postgres keeps dead index entries for as long as any
 * transaction may see their rows. While a dump runs, an hour of finished deliveries may be at the lower end of the index,
 * and a claim that began there would step over all of them.
 */

import { EARLIEST } from './instants.js';

/** A delivery may become visible so much later than it is due: clocks differ, and hosts' transactions take time. */
const MARGIN_MS = 5_000;
/** Claims read from the start again after this time, and find deliveries that became visible later still. */
const MAX_AGE_MS = 1_000;

/** The floor that one store has found. Each claim calls `of` before it reads, and `learn` or `forget` after it. */
export class Floor {
  #value = EARLIEST;
  /** The earliest `due_at` noted since the current claim began. */
  #noted = Infinity;
  #foundAt = 0;

  /**
   * The instant after which a claim reads; Unix ms.
   *
   * @param at - Time of the claim; Unix ms.
   */
  of(at: number): number {
    const age = at - this.#foundAt;
    if (age < 0 || age >= MAX_AGE_MS) this.#value = EARLIEST;
    this.#noted = Infinity;
    return this.#value;
  }

  /**
   * Called when a claim has read all due deliveries.
   *
   * @param at - Time of the claim; Unix ms.
   * @param earliest - The earliest `due_at` that it read; that delivery may not have been claimed. Unix ms.
   */
  learn(at: number, earliest = at): void {
    if (this.#value === EARLIEST) this.#foundAt = at;
    this.#value = Math.min(earliest - 1, this.#noted - 1, at - MARGIN_MS);
  }

  /** @param dueAt - When a delivery is due that this store has enqueued or settled; Unix ms. */
  note(dueAt: number): void {
    this.#noted = Math.min(this.#noted, dueAt);
    this.#value = Math.min(this.#value, dueAt - 1);
  }

  /** Makes the next claim read from the start. */
  forget(): void {
    this.#value = EARLIEST;
  }
}
