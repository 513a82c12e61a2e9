/** A set of small whole numbers that is emptied at no cost: each member bears the stamp of the round it joined in. */
export class Stamps {
  readonly #stamps: Uint32Array;
  #round = 1;

  /** @param size - Members are below it. */
  constructor(size: number) {
    this.#stamps = new Uint32Array(size);
  }

  /** Empties the set. */
  clear(): void {
    if (++this.#round > LAST_ROUND) {
      this.#stamps.fill(0);
      this.#round = 1;
    }
  }

  has(member: number): boolean {
    return this.#stamps[member] === this.#round;
  }

  /** @returns Whether it was new. */
  add(member: number): boolean {
    if (this.#stamps[member] === this.#round) return false;
    this.#stamps[member] = this.#round;
    return true;
  }
}

const LAST_ROUND = 2 ** 32 - 1;
