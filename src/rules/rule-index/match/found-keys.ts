/** The keys that the event at hand has, each once. */
import { BitSet } from '../bit-set.js';
import { NO_KEY } from '../layout/index.js';

/** A matcher has one. It is filled for each event, and emptied after it. */
export class FoundKeys {
  readonly #members: BitSet;
  readonly #list: Int32Array;
  #count = 0;

  /** @param keys - One more than the number of the last key. */
  constructor(keys: number) {
    this.#members = new BitSet(keys);
    this.#list = new Int32Array(keys);
  }

  get count(): number {
    return this.#count;
  }

  at(index: number): number {
    return this.#list[index] as number;
  }

  clear(): void {
    for (let i = 0; i < this.#count; i++) this.#members.clearAround(this.#list[i] as number);
    this.#count = 0;
  }

  add(key: number): void {
    if (key !== NO_KEY && this.#members.add(key)) this.#list[this.#count++] = key;
  }

  has(key: number): boolean {
    return this.#members.has(key);
  }
}
