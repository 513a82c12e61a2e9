/** Bounds that ordering leaves set. */
import type { OrderLeaf } from '../rule.js';

/** A bound on a value: `{ op: 'gt', at: 5 }` is above 5. */
export interface Bound<T> {
  readonly op: OrderLeaf['op'];
  readonly at: T;
}

/** What must hold of a value where an ordering leaf does not. */
export const opposite = { gt: 'lte', gte: 'lt', lt: 'gte', lte: 'gt' } as const;

const isLower = ({ op }: Bound<unknown>): boolean => op === 'gt' || op === 'gte';
const includes = ({ op }: Bound<unknown>): boolean => op === 'gte' || op === 'lte';

/** What bounds leave of an order: nothing, a single value, or maybe more. */
export type Room<T> = 'none' | 'some' | { readonly only: T };

/** Bounds with a single value between them are told from those with more only where they name that value. */
export function roomBetween<T>(bounds: readonly Bound<T>[], compare: (a: T, b: T) => number): Room<T> {
  const lower = tightest(bounds.filter(isLower), (a, b) => compare(a, b));
  const upper = tightest(
    bounds.filter((bound) => !isLower(bound)),
    (a, b) => compare(b, a),
  );
  if (lower === undefined || upper === undefined) return 'some';
  const order = compare(lower.at, upper.at);
  if (order !== 0) return order < 0 ? 'some' : 'none';
  return includes(lower) && includes(upper) ? { only: lower.at } : 'none';
}

/** The bound furthest on; of two at the same place the one that leaves the place out. */
const tightest = <T>(bounds: readonly Bound<T>[], order: (a: T, b: T) => number): Bound<T> | undefined =>
  bounds.reduce<Bound<T> | undefined>((best, bound) => {
    const further = best === undefined ? 1 : order(bound.at, best.at);
    return further > 0 || (further === 0 && !includes(bound)) ? bound : best;
  }, undefined);
