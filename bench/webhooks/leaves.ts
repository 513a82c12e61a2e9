/** Short hands for writing trees. */
import type { Json, Leaf, Match } from '../../src/index.js';

/** A path under `data.body`, and its leaves. */
export const at = (name: string) => {
  const path = `data.body.${name}`;
  return {
    eq: (value: Json): Leaf => ({ path, op: 'eq', value }),
    neq: (value: Json): Leaf => ({ path, op: 'neq', value }),
    contains: (value: Json): Leaf => ({ path, op: 'contains', value }),
    notContains: (value: Json): Leaf => ({ path, op: 'not_contains', value }),
    startsWith: (value: string): Leaf => ({ path, op: 'starts_with', value }),
    endsWith: (value: string): Leaf => ({ path, op: 'ends_with', value }),
    in: (value: readonly Json[]): Leaf => ({ path, op: 'in', value }),
    notIn: (value: readonly Json[]): Leaf => ({ path, op: 'not_in', value }),
    matches: (value: string): Leaf => ({ path, op: 'matches', value }),
    notMatches: (value: string): Leaf => ({ path, op: 'not_matches', value }),
    gt: (value: number | string): Leaf => ({ path, op: 'gt', value }),
    gte: (value: number | string): Leaf => ({ path, op: 'gte', value }),
    lt: (value: number | string): Leaf => ({ path, op: 'lt', value }),
    lte: (value: number | string): Leaf => ({ path, op: 'lte', value }),
    exists: (): Leaf => ({ path, op: 'exists' }),
    missing: (): Leaf => ({ path, op: 'missing' }),
  };
};

export const all = (...children: Match[]): Match => ({ all: children });
export const any = (...children: Match[]): Match => ({ any: children });
