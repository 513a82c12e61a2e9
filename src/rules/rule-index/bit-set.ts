/** A set of small whole numbers: a bit for each, so that a hundred thousand fit into the nearest cache. */
export class BitSet {
  #words: Int32Array;

  /** @param size - Members are below it. */
  constructor(size: number) {
    this.#words = new Int32Array((size + 31) >>> 5);
  }

  has(member: number): boolean {
    return ((this.#words[member >>> 5] as number) & (1 << member)) !== 0;
  }

  /** @returns Whether it was new. */
  add(member: number): boolean {
    const word = this.#words[member >>> 5] as number;
    const bit = 1 << member;
    this.#words[member >>> 5] = word | bit;
    return (word & bit) === 0;
  }

  /** Another set with the same members. */
  copy(): BitSet {
    const copy = new BitSet(0);
    copy.#words = this.#words.slice();
    return copy;
  }

  /** Removes a member, and perhaps its neighbors: for who removes them all. */
  clearAround(member: number): void {
    this.#words[member >>> 5] = 0;
  }

  /** Calls `meet` with every member, in ascending order. */
  each(meet: (member: number) => void): void {
    const words = this.#words;
    for (let at = 0; at < words.length; at++) {
      let rest = words[at] as number;
      for (; rest !== 0; rest &= rest - 1) meet((at << 5) + 31 - Math.clz32(rest & -rest));
    }
  }
}
