/** The budget of one rule, and values derived from one event, shared by all rules. */
import { memberCount } from '../../json.js';
import type { Work } from '../../patterns/index.js';
import { Texts } from '../../patterns/texts.js';
import { Elements } from './elements.js';
import { ManyValues } from './many-values.js';
import { numberIn } from './numbers.js';

/** UTF-16 units of a string above which the number that it spells is cached. */
const LONG = 256;

/** Array elements compared in one event before an array gets a lookup table. */
const FREE_ELEMENTS = 1 << 14;

/** Values derived from one event. Discarded after the evaluation: the event may change. */
export class Subjects {
  readonly texts = new Texts();
  #numbers: Map<string, number | undefined> | null = null;
  #sizes: Map<object, number> | null = null;
  #elements: Map<readonly unknown[], Elements> | null = null;
  #many: Map<readonly unknown[], ManyValues> | null = null;
  #compared = 0;

  /** The number that a string spells. */
  numberIn(text: string): number | undefined {
    if (text.length <= LONG) return numberIn(text);
    if (!isDigit(text.charCodeAt(text.length - 1))) return undefined;
    const numbers = (this.#numbers ??= new Map<string, number | undefined>());
    if (!numbers.has(text)) numbers.set(text, numberIn(text));
    return numbers.get(text);
  }

  /** Members of an object that are not `undefined`. */
  sizeOf(object: Readonly<Record<string, unknown>>): number {
    const sizes = (this.#sizes ??= new Map<object, number>());
    let size = sizes.get(object);
    if (size === undefined) sizes.set(object, (size = memberCount(object)));
    return size;
  }

  /** The elements of an array, to follow paths with stars from. */
  elementsIn(array: readonly unknown[]): ManyValues {
    const many = (this.#many ??= new Map<readonly unknown[], ManyValues>());
    let values = many.get(array);
    if (values === undefined) {
      many.set(array, (values = new ManyValues()));
      for (const element of array) values.add(element);
    }
    return values;
  }

  /** The lookup table of an array's elements; `null` as long as a linear search costs less. */
  elementsOf(array: readonly unknown[]): Elements | null {
    this.#compared += array.length;
    if (this.#compared <= FREE_ELEMENTS) return null;
    const known = (this.#elements ??= new Map<readonly unknown[], Elements>());
    let elements = known.get(array);
    if (elements === undefined) known.set(array, (elements = new Elements(array)));
    return elements;
  }
}

/** The number that a string spells; that of a long string is cached in the subjects. */
export const numberSpelled = (text: string, from: { readonly subjects: Subjects }): number | undefined =>
  text.length <= LONG ? numberIn(text) : from.subjects.numberIn(text);

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;

/** An account for one match tree, or the ops of one transform, on one event. */
export class Account implements Work {
  left: number;
  #subjects: Subjects | null;

  /**
   * @param budget - Work that patterns may take.
   * @param subjects - Values derived from the event earlier.
   */
  constructor(budget: number, subjects: Subjects | null = null) {
    this.left = budget;
    this.#subjects = subjects;
  }

  get subjects(): Subjects {
    return (this.#subjects ??= new Subjects());
  }

  get texts(): Texts {
    return this.subjects.texts;
  }
}
