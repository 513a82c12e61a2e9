/** Rules → an immutable plan of how each is found. */
export { TextOrder, isAllNumbers, isNumeric, isTextual, numberOf, type BoundValue } from './bounds.js';
export {
  describePlan,
  type AccessKind,
  type AccessPath,
  type IndexAccess,
  type RuleAccess,
} from './describe.js';
export type { Key } from './keys.js';
export type { PlannedLeaf } from './leaves.js';
export type { PathPlan, PatternKey, ValueKeys } from './path-keys.js';
export {
  isIndex,
  type IndexPlan,
  type Plan,
  type PlannedRule,
  type Posting,
  type RangePosting,
} from './plan.js';
export { planRules } from './planner.js';
