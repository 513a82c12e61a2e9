/** Whole numbers in a row that grows. */
export class Ints {
  #items = new Int32Array(16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return this.#items[index] as number;
  }

  set(index: number, value: number): void {
    this.#items[index] = value;
  }

  /** @returns The index of what was added. */
  push(value: number): number {
    if (this.#length === this.#items.length) {
      const larger = new Int32Array(2 * this.#length);
      larger.set(this.#items);
      this.#items = larger;
    }
    this.#items[this.#length] = value;
    return this.#length++;
  }

  /** A copy of the right size. */
  toArray(): Int32Array {
    return this.#items.slice(0, this.#length);
  }
}
