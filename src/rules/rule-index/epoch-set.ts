/**
 * A set of small whole numbers that is emptied at no cost: a member holds the number of the epoch in which it joined.
 */
export class EpochSet {
  readonly #epochs: Uint32Array;
  #epoch = 1;

  /** @param size - Members are below it. */
  constructor(size: number) {
    this.#epochs = new Uint32Array(size);
  }

  /** Empties the set. */
  clear(): void {
    if (++this.#epoch > LAST_EPOCH) {
      this.#epochs.fill(0);
      this.#epoch = 1;
    }
  }

  has(member: number): boolean {
    return this.#epochs[member] === this.#epoch;
  }

  /** @returns Whether it was new. */
  add(member: number): boolean {
    if (this.#epochs[member] === this.#epoch) return false;
    this.#epochs[member] = this.#epoch;
    return true;
  }
}

const LAST_EPOCH = 2 ** 32 - 1;
