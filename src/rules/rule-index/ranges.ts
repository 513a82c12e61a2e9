/**
 * `gt`, `gte`, `lt`, `lte` at one path: a lower and an upper bound that must both hold make an interval.
 *
 * The order is numeric where both sides are numbers or spell one, and by code point between other strings. So an
 * interval lies among numbers if one of its bounds is a number or spells one, and among texts if both bounds are
 * strings. Either may hold too much, as a bound that the order does not concern is left open: the rule's tree decides.
 */
import { compareCodePoints } from '../../unicode.js';
import { numberSpelled, beginsAsNumber, numberIn } from '../match/index.js';
import type { OrderLeaf } from '../rule.js';
import { Intervals } from './intervals.js';
import type { Reading } from './reading.js';

/** Bounds on the value at one path; at least one. */
export interface Range {
  readonly lower?: OrderLeaf['value'] | undefined;
  readonly upper?: OrderLeaf['value'] | undefined;
}

/** The number that a bound is or spells. */
export const numberOf = (bound: OrderLeaf['value']): number | undefined =>
  typeof bound === 'number' ? bound : numberIn(bound);

const boundsOf = ({ lower, upper }: Range): readonly OrderLeaf['value'][] =>
  [lower, upper].filter((bound) => bound !== undefined);

/** Whether a number, or a string that spells one, can be in a range by the order of numbers. */
export const isNumeric = (range: Range): boolean =>
  boundsOf(range).some((bound) => numberOf(bound) !== undefined);

/** Whether a string can be in a range by the order of code points. */
export const isTextual = (range: Range): boolean =>
  boundsOf(range).every((bound) => typeof bound === 'string');

/** Texts in order. A text among them has an odd place, one between two of them the even place in the middle. */
export class TextOrder {
  readonly #texts: readonly string[];

  constructor(texts: Iterable<string>) {
    this.#texts = [...new Set(texts)].sort(compareCodePoints);
  }

  get places(): number {
    return 2 * this.#texts.length + 1;
  }

  placeOf(text: string): number {
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

/** A range that stands for a rule. */
export interface RuleRange extends Range {
  readonly rule: number;
}

/** The ranges at one path. */
export class Ranges {
  readonly #numbers: Intervals;
  readonly #order: TextOrder;
  readonly #texts: Intervals;

  constructor(ranges: readonly RuleRange[]) {
    const textual = ranges.filter(isTextual);
    const order = new TextOrder(textual.flatMap(boundsOf) as string[]);
    this.#numbers = intervals(ranges.filter(isNumeric), numberOf);
    this.#order = order;
    this.#texts = intervals(textual, (bound) => order.placeOf(bound as string));
  }

  /** Tells of every rule in whose range a subject may be. */
  find(subject: unknown, meet: (rule: number) => void, reading: Reading): void {
    if (typeof subject === 'number') {
      this.#numbers.stab(subject, meet);
    } else if (typeof subject === 'string') {
      const number = beginsAsNumber(subject) ? numberSpelled(subject, reading) : undefined;
      if (number !== undefined) this.#numbers.stab(number, meet);
      this.#texts.stab(this.#order.placeOf(subject), meet);
    }
  }
}

/** The intervals of ranges by one of the orders, without those that hold nothing. */
function intervals(
  ranges: readonly RuleRange[],
  place: (bound: OrderLeaf['value']) => number | undefined,
): Intervals {
  const end = (bound: OrderLeaf['value'] | undefined): number | undefined =>
    bound === undefined ? undefined : place(bound);
  // A bound may be infinite itself (1e400 is); an interval has to have a number in it all the same.
  const all = ranges.map(({ lower, upper, rule }) => ({
    low: Math.min(end(lower) ?? -Infinity, Number.MAX_VALUE),
    high: Math.max(end(upper) ?? Infinity, -Number.MAX_VALUE),
    rule,
  }));
  return new Intervals(all.filter(({ low, high }) => low <= high));
}
