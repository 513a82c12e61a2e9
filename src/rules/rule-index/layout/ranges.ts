/**
 * The ranges at one path, as intervals: among numbers where a bound is a number or spells one, and among texts where
 * all bounds are strings. Both may hold too much, as a bound that the order does not concern is left open.
 */
import {
  TextOrder,
  isAllNumbers,
  isNumeric,
  isTextual,
  numberOf,
  type BoundValue,
  type RangePosting,
} from '../plan/index.js';
import type { Bound } from '../../operators/index.js';
import { Intervals } from './intervals.js';
import { entryOf } from './entries.js';

/** Immutable. */
export class Ranges {
  readonly numbers: Intervals;
  readonly #order: TextOrder;
  readonly #texts: Intervals;

  /** @param offsetOf - The offset of the record of a rule. */
  constructor(postings: readonly RangePosting[], offsetOf: (rule: number) => number) {
    const entry = ({ member, isSufficient }: RangePosting, isExact: boolean): number =>
      entryOf(offsetOf(member.rule), isSufficient && isExact);
    const textual = postings.filter(({ range }) => isTextual(range));
    const order = new TextOrder(textual.flatMap(({ range }) => textsOf(range)));
    this.#order = order;
    this.numbers = intervals(
      postings.filter(({ range }) => isNumeric(range)),
      numberScale,
      (posting) => entry(posting, isAllNumbers(posting.range)),
    );
    this.#texts = intervals(textual, textScale(order), (posting) =>
      entry(posting, !isNumeric(posting.range)),
    );
  }

  /** The intervals of texts that hold a string. */
  stabText(text: string, meet: (entry: number) => void): void {
    this.#texts.stab(this.#order.rankOf(text), meet);
  }
}

const textsOf = ({ lower, upper }: RangePosting['range']): string[] =>
  [lower, upper].flatMap((bound) => (bound === undefined ? [] : [bound.value as string]));

/** An order of bounds by numbers. */
interface Scale {
  /** The number of a bound; `undefined` if the order does not concern it. */
  of(bound: BoundValue): number | undefined;
  /** The numbers next to one. */
  above(number: number): number;
  below(number: number): number;
}

const float = new Float64Array(1);
const bits = new BigInt64Array(float.buffer);

/** The least double above a number that is finite. */
function above(number: number): number {
  if (number === 0) return Number.MIN_VALUE;
  float[0] = number;
  bits[0] = (bits[0] as bigint) + (number > 0 ? 1n : -1n);
  return float[0];
}

const numberScale: Scale = { of: numberOf, above, below: (number) => -above(-number) };

const textScale = (order: TextOrder): Scale => ({
  of: (bound) => order.rankOf(bound as string),
  above: (rank) => rank + 1,
  below: (rank) => rank - 1,
});

/** The intervals of ranges by an order, without those that hold nothing. */
function intervals(
  postings: readonly RangePosting[],
  scale: Scale,
  entry: (posting: RangePosting) => number,
): Intervals {
  // A bound may be infinite itself, as 1e400 is. An interval has to have a finite number in it all the same.
  const all = postings.map((posting) => ({
    low: Math.min(lowOf(posting.range.lower, scale), Number.MAX_VALUE),
    high: Math.max(highOf(posting.range.upper, scale), -Number.MAX_VALUE),
    entry: entry(posting),
  }));
  return new Intervals(all.filter(({ low, high }) => low <= high));
}

function lowOf(bound: Bound | undefined, scale: Scale): number {
  const low = bound === undefined ? undefined : scale.of(bound.value);
  if (bound === undefined || low === undefined) return -Infinity;
  return bound.isStrict && Number.isFinite(low) ? scale.above(low) : low;
}

function highOf(bound: Bound | undefined, scale: Scale): number {
  const high = bound === undefined ? undefined : scale.of(bound.value);
  if (bound === undefined || high === undefined) return Infinity;
  return bound.isStrict && Number.isFinite(high) ? scale.below(high) : high;
}
