/**
 * Choices that a list of numbers determines. A shorter list with smaller numbers gives simpler choices, so shrinking
 * the list shrinks the choices. Made for one event and used up by it.
 */
export class Choices {
  readonly #numbers: readonly number[];
  #next = 0;

  /** @param numbers - Not negative. After the last one, every choice is the first. */
  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** A number from 0 up to `bound`, excluded. */
  below(bound: number): number {
    return (this.#numbers[this.#next++] ?? 0) % bound;
  }

  /** One of the elements. */
  of<T>(some: readonly [T, ...T[]]): T;
  /** One of the elements; `undefined` of an empty list. */
  of<T>(some: readonly T[]): T | undefined;
  of<T>(some: readonly T[]): T | undefined {
    return some[this.below(some.length)];
  }
}
