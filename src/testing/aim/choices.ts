/**
 * Choices made by number. One list of numbers replays them all, and the shorter and smaller it is, the simpler is
 * what was chosen; so whatever shrinks lists of numbers shrinks choices.
 */
export class Choices {
  readonly #numbers: readonly number[];
  #next = 0;

  /** @param numbers - Not negative; past the last one every choice is the first. */
  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** A number from 0 up to, not with, `bound`. */
  below(bound: number): number {
    return (this.#numbers[this.#next++] ?? 0) % bound;
  }

  /** One of some. */
  of<T>(some: readonly [T, ...T[]]): T;
  /** One of some; `undefined` of none. */
  of<T>(some: readonly T[]): T | undefined;
  of<T>(some: readonly T[]): T | undefined {
    return some[this.below(some.length)];
  }
}
