/** A lookup table of an array's elements, to test many values against them. */
import type { Json } from '../../json.js';
import { numberIn } from './numbers.js';
import { Structures, UNKNOWN, isStructure, type KnownStructures } from './structures.js';

/** Elements by value. Building takes time linear in the array, at any depth. */
export class Elements {
  readonly #scalars = new Set<unknown>();
  /** Numbers that elements spell. */
  readonly #spelled = new Set<number>();
  readonly #structures = new Structures();
  readonly #numbers = new Set<number>();

  constructor(array: readonly unknown[]) {
    const known: KnownStructures = new Map();
    for (const element of array) {
      if (isStructure(element)) {
        this.#numbers.add(this.#structures.add(element, known));
      } else {
        this.#scalars.add(element);
        const number = typeof element === 'string' ? numberIn(element) : undefined;
        if (number !== undefined) this.#spelled.add(number);
      }
    }
    this.#numbers.delete(UNKNOWN);
  }

  /** Whether some element equals a value, as `eq` compares them. */
  has(value: Json): boolean {
    if (isStructure(value)) return this.#numbers.has(this.#structures.find(value, new Map()));
    if (this.#scalars.has(value)) return true;
    if (typeof value === 'number') return this.#spelled.has(value);
    const number = typeof value === 'string' ? numberIn(value) : undefined;
    return number !== undefined && this.#scalars.has(number);
  }
}
