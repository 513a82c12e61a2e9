/** How often grams occur among some texts. */

const COUNTER_BITS = 18;

/** Grams are counted by hash and share counters, so a count is at least the true one. Made for one choice of grams. */
export class GramCounts {
  readonly #counters = new Int32Array(1 << COUNTER_BITS);

  add(hash: number): void {
    const counter = counterOf(hash);
    this.#counters[counter] = (this.#counters[counter] as number) + 1;
  }

  of(hash: number): number {
    return this.#counters[counterOf(hash)] as number;
  }
}

const counterOf = (hash: number): number => Math.imul(hash, 0x85ebca6b) >>> (32 - COUNTER_BITS);
