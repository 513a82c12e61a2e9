/** The plan, told to people. */
import type { Leaf, Rule } from '../../rule.js';
import { isAllNumbers, isNumeric, isTextual } from './bounds.js';
import { isRange, type Access, type RangeAccess } from './cover.js';
import type { Key, KeyKind } from './keys.js';
import { isIndex, type IndexPlan, type Member, type Plan, type Posting } from './plan.js';

/** How the index looks for what leaves ask for. */
export type AccessKind = 'value' | 'prefix' | 'suffix' | 'text' | 'pattern' | 'range' | 'presence';

/** One way by which an index finds a rule. */
export interface AccessPath {
  readonly kind: AccessKind;
  /** One leaf; or the lower and the upper bound of a range, which hold together. */
  readonly leaves: readonly Leaf[];
  /**
   * How many rules the index finds by the same value, text or pattern; 1 for a range, which each rule has to itself.
   */
  readonly sharedBy: number;
  /** Whether the rule matches whenever it is found this way, so that its match tree is not tried. */
  readonly isCertain: boolean;
  /**
   * How the rule is found among those that share a value, where they have an inner index: one for each such value of
   * the leaf. Empty if the rule is a candidate at once.
   */
  readonly inner: readonly IndexAccess[];
}

/** How one index finds a rule. */
export interface IndexAccess {
  /**
   * `when_found`: a candidate on events in which the index finds one of `by`. `always`: whenever the index is searched.
   */
  readonly tried: 'when_found' | 'always';
  /**
   * The share of events that the index expects to find the rule in; more where finding it is costly; 1 for `always`.
   */
  readonly weight: number;
  /**
   * One of these is found in every event that the rule matches. Empty for `always`, and for a rule that can match none.
   */
  readonly by: readonly AccessPath[];
}

/** How a rule set finds a rule. */
export interface RuleAccess extends IndexAccess {
  readonly rule: Rule;
  /** Which of the set's layers the rule is in: 0 for the rules first compiled, more for those put since. */
  readonly layer: number;
}

/** How a layer finds each of its rules, in evaluation order. */
export function describePlan({ rules, root }: Plan, layer: number): readonly RuleAccess[] {
  const describeIn = describer();
  return root.members.map((member, number) => ({
    rule: (rules[number] as Plan['rules'][number]).rule,
    layer,
    ...describeIn(root, member),
  }));
}

/** Describes members of indexes; it looks each inner index up once. */
function describer(): (index: IndexPlan, member: Member) => IndexAccess {
  const byRule = new Map<IndexPlan, ReadonlyMap<number, Member>>();
  const memberOf = (index: IndexPlan, rule: number): Member => {
    const members = byRule.get(index) ?? new Map(index.members.map((member) => [member.rule, member]));
    byRule.set(index, members);
    return members.get(rule) as Member;
  };
  const describe = (index: IndexPlan, { rule, cover }: Member): IndexAccess => {
    if (cover === null) return { tried: 'always', weight: 1, by: [] };
    const describeAccess = (access: Access, isSufficient: boolean): AccessPath => {
      if (isRange(access)) return describeRange(access, isSufficient);
      const postings = access.keys.map((key) => index.byKey.get(key) as readonly Posting[] | IndexPlan);
      return {
        kind: KINDS[(access.keys[0] as Key).kind],
        leaves: [access.leaf.leaf],
        sharedBy: postings.reduce((most, posted) => Math.max(most, membersOf(posted).length), 0),
        isCertain: isSufficient && access.keys === access.leaf.heldBy,
        inner: postings.filter(isIndex).map((inner) => describe(inner, memberOf(inner, rule))),
      };
    };
    const by = [
      ...cover.sufficient.filter(canBeFound).map((access) => describeAccess(access, true)),
      ...cover.necessary.filter(canBeFound).map((access) => describeAccess(access, false)),
    ];
    return { tried: 'when_found', weight: cover.weight, by };
  };
  return describe;
}

const canBeFound = (access: Access): boolean => isRange(access) || access.keys.length > 0;

const membersOf = (posted: readonly Posting[] | IndexPlan): readonly unknown[] =>
  isIndex(posted) ? posted.members : posted;

const describeRange = (range: RangeAccess, isSufficient: boolean): AccessPath => ({
  kind: 'range',
  leaves: [range.lower, range.upper].flatMap((bound) => (bound === undefined ? [] : [bound.leaf])),
  sharedBy: 1,
  isCertain: isSufficient && hasOneOrder(range),
  inner: [],
});

/**
 * Whether all that can be in a range compares in one way with its bounds, so that the interval alone decides whether it
 * holds.
 */
const hasOneOrder = (range: RangeAccess): boolean =>
  isNumeric(range) ? isAllNumbers(range) && !isTextual(range) : isTextual(range);

const KINDS: Readonly<Record<KeyKind, AccessKind>> = {
  value: 'value',
  spelling: 'value',
  structure: 'value',
  prefix: 'prefix',
  suffix: 'suffix',
  text: 'text',
  pattern: 'pattern',
  presence: 'presence',
};
