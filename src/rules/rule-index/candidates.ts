/** Rules that may match the event at hand, each once, in whatever order they are met; then in their own. */
import { BitSet } from './bit-set.js';

/** Few enough to be sorted by insertion. */
const FEW = 64;

/** Going through the set, which holds them in order, pays from one member in so many on. */
const SPARSE = 256;

export class Candidates {
  readonly #members: BitSet;
  readonly #list: Int32Array;
  #count = 0;

  /** @param rules - How many there are. */
  constructor(rules: number) {
    this.#members = new BitSet(rules);
    this.#list = new Int32Array(rules);
  }

  get count(): number {
    return this.#count;
  }

  /** One of them; ascending once they are sorted. */
  at(index: number): number {
    return this.#list[index] as number;
  }

  clear(): void {
    for (let i = 0; i < this.#count; i++) this.#members.clearAround(this.#list[i] as number);
    this.#count = 0;
  }

  add(rule: number): void {
    if (this.#members.add(rule)) this.#list[this.#count++] = rule;
  }

  sort(): void {
    if (this.#count <= FEW) {
      this.#sortByInsertion();
    } else if (this.#count < this.#list.length / SPARSE) {
      this.#list.subarray(0, this.#count).sort();
    } else {
      this.#count = 0;
      this.#members.each((rule) => (this.#list[this.#count++] = rule));
    }
  }

  #sortByInsertion(): void {
    const list = this.#list;
    for (let i = 1; i < this.#count; i++) {
      const rule = list[i] as number;
      let at = i;
      for (; at > 0 && (list[at - 1] as number) > rule; at--) list[at] = list[at - 1] as number;
      list[at] = rule;
    }
  }
}
