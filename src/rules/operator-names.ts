/** The names of the operators, without what they do. */
import type { Operator } from './rule.js';

/** All sixteen, in the order of the specification; the compiler misses none. */
const names: Readonly<Record<Operator, true>> = {
  eq: true,
  neq: true,
  contains: true,
  not_contains: true,
  starts_with: true,
  ends_with: true,
  in: true,
  not_in: true,
  matches: true,
  not_matches: true,
  gt: true,
  gte: true,
  lt: true,
  lte: true,
  exists: true,
  missing: true,
};

/** The names, in the order of the specification. */
export const operatorNames = /* @__PURE__ */ Object.keys(names) as readonly Operator[];

/** True for one of the sixteen names. */
export const isOperator = (name: unknown): name is Operator =>
  typeof name === 'string' && Object.hasOwn(names, name);
