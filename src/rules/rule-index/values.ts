/** Keys of `eq` and `in`, and of the elements that `contains` looks for: one look-up, whatever the number of values. */
import type { Json } from '../../json.js';
import { numberSpelled, beginsAsNumber, numberIn, isStructure, type Structures } from '../match/index.js';
import { NO_KEY, type FoundKeys, type Keys } from './keys.js';
import type { Reading } from './reading.js';

/** It is thought that half of the events say true. */
const BOOLEAN_PRIOR = 0.5;

/**
 * The values that rules compare one path with. The coercion between numbers and strings lies in the
 * keys: `"5.0"` has one key as a string and one for spelling 5. A subject that is a string looks for
 * itself and for the number that it spells; a number looks for itself and for what spells it. A structure goes by its
 * number among all structures that rules compare anything with.
 */
export class Values {
  readonly #keys: Keys;
  readonly #group: number;
  readonly #exact = new Map<unknown, number>();
  #spelled: Map<number, number> | null = null;
  readonly #structures: Structures;
  #structured: Map<number, number> | null = null;
  #hasNumbers = false;

  constructor(keys: Keys, structures: Structures) {
    this.#keys = keys;
    this.#group = keys.newGroup(true);
    this.#structures = structures;
  }

  /** The keys of which an equal subject has at least one, and no other subject any. */
  keysOf(value: Json): number[] {
    if (isStructure(value)) {
      const known = (this.#structured ??= new Map<number, number>());
      return [this.#keyIn(known, this.#structures.add(value), 0)];
    }
    this.#hasNumbers ||= typeof value === 'number';
    const keys = [this.#keyIn(this.#exact, value, typeof value === 'boolean' ? BOOLEAN_PRIOR : 0)];
    const spelled = typeof value === 'string' ? numberIn(value) : undefined;
    if (spelled !== undefined)
      keys.push(this.#keyIn((this.#spelled ??= new Map<number, number>()), spelled, 0));
    return keys;
  }

  #keyIn<T>(known: Map<T, number>, value: T, prior: number): number {
    let key = known.get(value);
    if (key === undefined) known.set(value, (key = this.#keys.add(this.#group, prior)));
    return key;
  }

  /** Finds the keys that a subject has. */
  find(subject: unknown, found: FoundKeys, reading: Reading): void {
    if (isStructure(subject)) {
      if (this.#structured !== null) found.add(this.#structured.get(reading.structure(subject)) ?? NO_KEY);
      return;
    }
    found.add(this.#exact.get(subject) ?? NO_KEY);
    if (typeof subject === 'number') {
      if (this.#spelled !== null) found.add(this.#spelled.get(subject) ?? NO_KEY);
    } else if (this.#hasNumbers && typeof subject === 'string' && beginsAsNumber(subject)) {
      const number = numberSpelled(subject, reading);
      if (number !== undefined) found.add(this.#exact.get(number) ?? NO_KEY);
    }
  }
}
