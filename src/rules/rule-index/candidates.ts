/** Rules that may match the event at hand, each once, in whatever order they are met; then in their own. */
import { Stamps } from './stamps.js';

/** Few enough to be sorted by insertion. */
const FEW = 24;

/** From this share of all rules on, going through all is quicker than sorting. */
const MANY = 1 / 64;

export class Candidates {
  readonly #size: number;
  readonly #members: Stamps;
  readonly #list: Int32Array;
  #count = 0;

  /** @param rules - How many there are. */
  constructor(rules: number) {
    this.#size = rules;
    this.#members = new Stamps(rules);
    this.#list = new Int32Array(rules);
  }

  get count(): number {
    return this.#count;
  }

  /** One of them; in ascending order once they are sorted. */
  at(index: number): number {
    return this.#list[index] as number;
  }

  clear(): void {
    this.#members.clear();
    this.#count = 0;
  }

  add(rule: number): void {
    if (this.#members.add(rule)) this.#list[this.#count++] = rule;
  }

  sort(): void {
    if (this.#count <= FEW) this.#insertAll();
    else if (this.#count > this.#size * MANY) this.#gather();
    else this.#list.subarray(0, this.#count).sort();
  }

  #insertAll(): void {
    const list = this.#list;
    for (let i = 1; i < this.#count; i++) {
      const rule = list[i] as number;
      let at = i;
      for (; at > 0 && (list[at - 1] as number) > rule; at--) list[at] = list[at - 1] as number;
      list[at] = rule;
    }
  }

  #gather(): void {
    let count = 0;
    for (let rule = 0; count < this.#count; rule++) if (this.#members.has(rule)) this.#list[count++] = rule;
  }
}
