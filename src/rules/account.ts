/** What evaluating takes: the budget of one rule, and what all rules remember of one event so that none finds it out again. */
import { memberCount } from '../json.js';
import { Texts, type Work } from '../patterns/index.js';
import { Elements } from './elements.js';
import { numberIn } from './numbers.js';

/** Units of a string beyond which what it spells is remembered. */
const LONG = 256;

/** Elements compared in one event before those of an array are put in a table. */
const FREE_ELEMENTS = 1 << 14;

/** What is known of the values in one event. Made for an evaluation, and thrown away with it: the event may change after. */
export class Subjects {
  readonly texts = new Texts();
  #numbers: Map<string, number | undefined> | null = null;
  #sizes: Map<object, number> | null = null;
  #elements: Map<readonly unknown[], Elements> | null = null;
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

  /** The elements of an array in a table; `null` as long as looking through them costs less. */
  elementsOf(array: readonly unknown[]): Elements | null {
    this.#compared += array.length;
    if (this.#compared <= FREE_ELEMENTS) return null;
    const known = (this.#elements ??= new Map<readonly unknown[], Elements>());
    let elements = known.get(array);
    if (elements === undefined) known.set(array, (elements = new Elements(array)));
    return elements;
  }
}

/** The number that a string spells; subjects are asked only where it is long. */
export const numberSpelled = (text: string, from: { readonly subjects: Subjects }): number | undefined =>
  text.length <= LONG ? numberIn(text) : from.subjects.numberIn(text);

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;

/** An account for one match tree, or the ops of one transform, on one event. */
export class Account implements Work {
  left: number;
  #subjects: Subjects | null;

  /**
   * @param budget - Work that patterns may take.
   * @param subjects - What is known of the event already.
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
