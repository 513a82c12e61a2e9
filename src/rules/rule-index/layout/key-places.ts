/** Where the keys stand in the flat arrays. */
import type { Key } from '../plan/index.js';

/** The place of keys that no event can have, or that are not looked for. */
export const NO_KEY = 0;

/**
 * Gives keys their places. The keys of a table get places in a row, in the order of its slots, so that the place of a key
 * follows from its slot.
 */
export class KeyPlaces {
  readonly #places: Int32Array;
  #count = 1;

  /** @param keys - How many keys the plan has. */
  constructor(keys: number) {
    this.#places = new Int32Array(keys).fill(NO_KEY);
  }

  /** One more than the last place. */
  get count(): number {
    return this.#count;
  }

  /** Places the keys of a table. @returns The place of the first; that of the key in slot n is n more. */
  add(keys: Iterable<Key>): number {
    const first = this.#count;
    for (const { id } of keys) this.#places[id] = this.#count++;
    return first;
  }

  of({ id }: Key): number {
    return this.#places[id] as number;
  }
}
