/**
 * Below which instant nothing is due any more. An index keeps what is gone for as long as any transaction in the database
 * might still see it: while a dump runs, an hour of deliveries is at its lower end, and a claim that began there would
 * step over all of them.
 */

import { EARLIEST } from './instants.js';

/** How much later than it is due a delivery may become visible: clocks differ, and hosts' transactions take time. */
const MARGIN_MS = 5_000;
/** What comes later still is found by reading from the start, this often. */
const TRUST_MS = 1_000;

/** What one store knows of it. */
export class Floor {
  #value = EARLIEST;
  /** Noted since the reading under way began. */
  #noted = Infinity;
  #foundAt = 0;

  /**
   * A claim begins to read: after which instant; Unix ms.
   *
   * @param at - When the claim is made; Unix ms.
   */
  of(at: number): number {
    const age = at - this.#foundAt;
    if (age < 0 || age >= TRUST_MS) this.#value = EARLIEST;
    this.#noted = Infinity;
    return this.#value;
  }

  /**
   * It has read all that is due, in order.
   *
   * @param at - When; Unix ms.
   * @param earliest - When the first of it was due, which may still be there; Unix ms.
   */
  learn(at: number, earliest = at): void {
    if (this.#value === EARLIEST) this.#foundAt = at;
    this.#value = Math.min(earliest - 1, this.#noted - 1, at - MARGIN_MS);
  }

  /** @param dueAt - When something is due of which this store knows; Unix ms. */
  note(dueAt: number): void {
    this.#noted = Math.min(this.#noted, dueAt);
    this.#value = Math.min(this.#value, dueAt - 1);
  }

  /** As if nothing were known. */
  forget(): void {
    this.#value = EARLIEST;
  }
}
