/** The numbers of keys, by which the flat arrays name them. */
import type { Key } from '../plan/index.js';

/** The number of keys that no event can have, or that are not looked for. */
export const NO_KEY = 0;

/**
 * Numbers the keys. The keys of a table are numbered consecutively, in the order of its cells, so that the number of a
 * key follows from its cell.
 */
export class KeyNumbers {
  readonly #numbers: Int32Array;
  #count = 1;

  /** @param keys - How many keys the plan has. */
  constructor(keys: number) {
    this.#numbers = new Int32Array(keys).fill(NO_KEY);
  }

  /** One more than the last number. */
  get count(): number {
    return this.#count;
  }

  /** Numbers the keys of a table. @returns The number of the first; that of the key in cell n is n more. */
  add(keys: Iterable<Key>): number {
    const first = this.#count;
    for (const { id } of keys) this.#numbers[id] = this.#count++;
    return first;
  }

  of({ id }: Key): number {
    return this.#numbers[id] as number;
  }
}
