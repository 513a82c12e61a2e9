/** Numbers that lie in some sets and not in others: exact, over all numbers that JSON can have. */
import type { NumberSet } from './meaning.js';

/** A set, and whether a number must be in it, or must not. */
export interface NumberDemand {
  readonly set: NumberSet;
  readonly yes: boolean;
}

const opposite = { gt: 'lte', gte: 'lt', lt: 'gte', lte: 'gt' } as const;

/** An interval without some numbers. */
class Range {
  low = -Infinity;
  high = Infinity;
  lowOpen = false;
  highOpen = false;
  readonly excluded = new Set<number>();
  /** Numbers of which it must be one. */
  allowed: readonly number[] | null = null;
  empty = false;

  add({ set, yes }: NumberDemand): void {
    if (set === null) return;
    if (typeof set === 'boolean') this.empty ||= set !== yes;
    else if ('side' in set) this.#bound(yes ? set.side : opposite[set.side], set.bound);
    else if (!yes) {
      for (const number of set) this.excluded.add(number === 0 ? 0 : number);
    } else this.allowed = (this.allowed ?? set).filter((number) => set.includes(number));
  }

  #bound(side: keyof typeof opposite, bound: number): void {
    const isOpen = side === 'gt' || side === 'lt';
    if (side.startsWith('g')) {
      if (bound > this.low || (bound === this.low && isOpen)) [this.low, this.lowOpen] = [bound, isOpen];
    } else if (bound < this.high || (bound === this.high && isOpen)) {
      [this.high, this.highOpen] = [bound, isOpen];
    }
  }

  has(number: number): boolean {
    return (
      (this.lowOpen ? number > this.low : number >= this.low) &&
      (this.highOpen ? number < this.high : number <= this.high) &&
      !this.excluded.has(number === 0 ? 0 : number)
    );
  }
}

/**
 * The plainest number that meets all demands.
 *
 * @returns `null` if none does; `undefined` if only an infinite one might, which JSON text can spell as `1e400`.
 */
export function solveNumber(demands: readonly NumberDemand[]): number | null | undefined {
  const range = new Range();
  for (const demand of demands) range.add(demand);
  if (range.empty) return null;
  const plainest = first(
    range.allowed ?? plain(range),
    (number) => Number.isFinite(number) && range.has(number),
  );
  if (plainest !== undefined) return plainest;
  const last = first(range.allowed ?? dense(range), (number) => range.has(number));
  return last === undefined ? null : Number.isFinite(last) ? last : undefined;
}

function first(numbers: Iterable<number>, passes: (number: number) => boolean): number | undefined {
  for (const number of numbers) {
    if (passes(number)) return number;
  }
  return undefined;
}

/** Whole numbers from zero and from the bounds on, more than are excluded, and a few fractions. */
function* plain({ low, high, excluded }: Range): Generator<number> {
  const count = excluded.size + 2;
  for (let i = 0; i < count; i++) yield Math.max(0, Math.ceil(low)) + i;
  if (low === -Infinity) {
    for (let i = 0; i < count; i++) yield Math.floor(high) - i;
    return;
  }
  for (let i = 0; i < count; i++) yield Math.ceil(low) + i;
  for (const part of [0.5, 0.25, 0.75]) yield low + (high - low) * part;
}

/** The numbers from one end of the interval on, one after the other without a gap, more than are excluded. */
function* dense({ low, high, excluded }: Range): Generator<number> {
  const up = low > -Infinity || high === Infinity;
  let at = up ? low : high;
  for (let i = 0; i < excluded.size + 3; i++) {
    yield at;
    at = up ? next(at) : -next(-at);
  }
}

const bits = new DataView(new ArrayBuffer(8));

/** The least number above another. */
function next(number: number): number {
  if (number === Infinity) return number;
  if (number === 0) return Number.MIN_VALUE;
  if (number === -Infinity) return -Number.MAX_VALUE;
  bits.setFloat64(0, number);
  bits.setBigInt64(0, bits.getBigInt64(0) + (number > 0 ? 1n : -1n));
  return bits.getFloat64(0);
}
