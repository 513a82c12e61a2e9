/**
 * Bounds on one path: a lower and an upper bound that must both hold make a range.
 *
 * The order is numeric where subject and bound are numbers or spell one, and by code point between other strings.
 */
import { compareCodePoints } from '../../../unicode.js';
import type { Bound } from '../../operators/index.js';
import { numberIn } from '../../values/index.js';

/** A bound's value. */
export type BoundValue = Bound['value'];

/** Bounds on the value at one path; at least one. */
export interface Range {
  readonly lower: Bound | undefined;
  readonly upper: Bound | undefined;
}

/** The number that a bound is or spells. */
export const numberOf = (bound: BoundValue): number | undefined =>
  typeof bound === 'number' ? bound : numberIn(bound);

const valuesOf = ({ lower, upper }: Range): BoundValue[] =>
  [lower, upper].flatMap((bound) => (bound === undefined ? [] : [bound.value]));

/** Whether a number, or a string that spells one, can be in a range. */
export const isNumeric = (range: Range): boolean =>
  valuesOf(range).some((bound) => numberOf(bound) !== undefined);

/** Whether a string can be in a range by the order of code points. */
export const isTextual = (range: Range): boolean =>
  valuesOf(range).every((bound) => typeof bound === 'string');

/**
 * Whether each bound is a number, or spells one, that has a double on either side: then the interval between them says
 * all about a number.
 */
export const isAllNumbers = (range: Range): boolean =>
  valuesOf(range).every((bound) => Math.abs(numberOf(bound) ?? Infinity) < Number.MAX_VALUE);

/** Texts in order. A text among them has an odd rank, one between two of them the even rank in the middle. */
export class TextOrder {
  readonly #texts: readonly string[];

  constructor(texts: Iterable<string>) {
    this.#texts = [...new Set(texts)].sort(compareCodePoints);
  }

  get ranks(): number {
    return 2 * this.#texts.length + 1;
  }

  rankOf(text: string): number {
    let low = 0;
    let high = this.#texts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compareCodePoints(this.#texts[middle] as string, text);
      if (order === 0) return 2 * middle + 1;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return 2 * low;
  }
}
