/** How the index finds rules, told to people. */
import type { PatternOptions } from '../../patterns/index.js';
import type { Leaf, Operator, Rule } from '../rule.js';
import { leavesOf, type Access } from './cover.js';
import type { Leaves } from './leaves.js';
import { NodeBuilder } from './nodes.js';

/** How the index looks for what leaves ask for. */
export type AccessKind = 'value' | 'prefix' | 'suffix' | 'text' | 'pattern' | 'range' | 'presence';

/** One thing that the index finds a rule by. */
export interface AccessPath {
  readonly kind: AccessKind;
  /** One leaf; or the lower and the upper bound of a range, which hold together. */
  readonly leaves: readonly Leaf[];
  /** How many rules the index finds by the same value, text or pattern; 1 for a range, which each rule has to itself. */
  readonly sharedBy: number;
}

/** How a rule is found. */
export interface RuleAccess {
  readonly rule: Rule;
  /** `when_found`: tried on events in which the index finds one of `by`. `always`: tried on every event. */
  readonly tried: 'when_found' | 'always';
  /** One of these is found in every event that the rule matches. Empty where the rule is always tried, and where it can match none. */
  readonly by: readonly AccessPath[];
}

/**
 * How a compilation of rules finds each of them.
 *
 * @param rules - Valid, in evaluation order.
 */
export function describeAccess(rules: readonly Rule[], options: PatternOptions): readonly RuleAccess[] {
  const nodes = new NodeBuilder(rules, options);
  const { leaves } = nodes;
  const plans = nodes.plan();
  const shared = new Map<number, number>();
  for (const { cover } of plans) {
    for (const access of cover?.accesses ?? []) {
      for (const key of keysOf(access)) shared.set(key, (shared.get(key) ?? 0) + 1);
    }
  }
  return plans.map(({ rule, cover }) => ({
    rule: rules[rule] as Rule,
    tried: cover === null ? 'always' : 'when_found',
    by: (cover?.accesses ?? [])
      .filter((access) => 'path' in access || access.keys.length > 0)
      .map((access) => ({
        kind: kindOf(access, leaves),
        leaves: leavesOf(access).map((leaf) => leaves.leaf(leaf)),
        sharedBy: keysOf(access).reduce((most, key) => Math.max(most, shared.get(key) ?? 0), 1),
      })),
  }));
}

const keysOf = (access: Access): readonly number[] => ('keys' in access ? access.keys : []);

const KINDS: Partial<Record<Operator, AccessKind>> = {
  eq: 'value',
  in: 'value',
  contains: 'text',
  starts_with: 'prefix',
  ends_with: 'suffix',
  matches: 'pattern',
};

function kindOf(access: Access, leaves: Leaves): AccessKind {
  if ('path' in access) return 'range';
  const { op, value } = leaves.leaf(access.leaf);
  // A pattern that does not go by its own key goes by texts that it needs.
  if (op === 'matches' && !access.keys.includes(leaves.tellingKey(access.leaf, 0))) return 'text';
  return value === '' && op !== 'eq' ? 'presence' : (KINDS[op] ?? 'presence');
}
