/**
 * Rules → plan.
 *
 * Each rule is posted under every key and every range of its cover. If many rules are posted under one key, they get
 * an index of their own, by what is left of their trees once the leaf of that key is used.
 */
import type { PatternOptions } from '../../../patterns/index.js';
import { MATCHED, layOut } from '../../match/index.js';
import type { Rule } from '../../rule.js';
import { coverOf } from './cover.js';
import { LeafRegister, type PlannedLeaf } from './leaves.js';
import { limits } from './limits.js';
import {
  isIndex,
  type IndexPlan,
  type Member,
  type Plan,
  type PlannedStep,
  type Posting,
  type RequiredKey,
} from './plan.js';
import { Postings } from './postings.js';
import { Counts, Weights, type Counters } from './weights.js';

/**
 * Plans how each rule is found.
 *
 * @param rules - Valid, in evaluation order.
 */
export function planRules(rules: readonly Rule[], options: PatternOptions): Plan {
  const register = new LeafRegister(options);
  const drafts = rules.map((rule) => new Draft(rule, register));
  const { keys, groupCount } = register.keys;
  const counters = { uses: new Counts(keys.length), groupUses: new Counts(groupCount) };
  const weights = new Weights(counters);
  for (const draft of drafts) draft.countFirst(weights);
  const members = drafts.map((draft, rule) =>
    draft.member({ rule, used: NO_LEAVES, held: NO_LEAVES }, weights),
  );
  const root = planIndex(members, { drafts, counters }, 1);
  return {
    rules: drafts.map(({ rule, steps }) => ({ rule, steps })),
    leaves: register.leaves,
    keys,
    paths: register.paths,
    structures: register.structures,
    root,
    work: drafts.reduce((sum, { work }) => sum + work, 0),
  };
}

/** All rules, and the counters of the index that is being weighed. */
interface Planning {
  readonly drafts: readonly Draft[];
  readonly counters: Counters;
}

const NO_LEAVES: readonly PlannedLeaf[] = [];
const NO_KEYS: readonly RequiredKey[] = [];

/** A rule of an index, before its cover is chosen. */
type Standing = Pick<Member, 'rule' | 'used' | 'held'>;

/** A rule while it is planned, and the work spent on it. */
class Draft {
  readonly rule: Rule;
  readonly steps: readonly PlannedStep[];
  /** Leaves and keys that were looked at so far. */
  work = 0;
  /** In document order. */
  readonly #leaves: readonly PlannedLeaf[];
  readonly #required: readonly RequiredKey[];
  /** The work of the first plan. */
  #once = 0;

  constructor(rule: Rule, register: LeafRegister) {
    const steps: PlannedStep[] = [];
    layOut(rule.match, (leaf, ifHeld, ifNot) => {
      steps.push({ leaf: register.add(leaf), ifHeld, ifNot });
    });
    this.rule = rule;
    this.steps = steps.slice(); // no larger than it has to be
    this.#leaves = steps.map(({ leaf }) => leaf).reverse();
    this.#required = requiredKeys(this.steps);
  }

  /** Whether one more plan is within the limits. */
  get isAffordable(): boolean {
    return this.work <= limits.freeWork + limits.plansOfRule * this.#once;
  }

  countFirst(weights: Weights): void {
    this.count([], weights);
    this.#once = this.work;
  }

  /** Counts the leaves that were not used yet among those of an index. */
  count(used: readonly PlannedLeaf[], weights: Weights): void {
    for (const leaf of this.#leaves) this.work += used.includes(leaf) ? 1 : weights.count(leaf);
  }

  /** The rule with its cover, by the weights of an index. */
  member(standing: Standing, weights: Weights): Member {
    const { rule, used, held } = standing;
    const { cover, holds } = coverOf(this.rule.match, this.#leaves, standing, weights);
    const required = this.#required.filter(({ leaf }) => !used.includes(leaf));
    if (required.length > 1) required.sort((a, b) => weights.key(a.key) - weights.key(b.key));
    return { rule, cover, used, held, holds, required };
  }
}

/** The keys of values that the first leaves of a tree ask for, as long as the tree cannot hold without each. */
function requiredKeys(steps: readonly PlannedStep[]): readonly RequiredKey[] {
  const required: RequiredKey[] = [];
  let step = steps.at(-1);
  while (step !== undefined && required.length < limits.requiredKeys && isFailure(step.ifNot)) {
    const [key, ...others] = step.leaf.heldBy ?? [];
    if (key?.kind === 'value' && others.length === 0) required.push({ leaf: step.leaf, key });
    step = steps[step.ifHeld];
  }
  return required.length === 0 ? NO_KEYS : required;
}

const isFailure = (next: number): boolean => next < 0 && next !== MATCHED;

/** Plans the index of some rules, and those within it. */
function planIndex(members: readonly Member[], planning: Planning, level: number): IndexPlan {
  const postings = new Postings();
  for (const member of members) postings.add(member);
  const { byKey, byRange, always } = postings;
  for (const [key, posted] of byKey) {
    const inner = isIndex(posted) ? null : planInner(posted, planning, level + 1);
    if (inner !== null) byKey.set(key, inner);
  }
  return { members, byKey, byRange, always };
}

/** An index over the rules of one key; `null` if they are few, or where it would not spare enough of them. */
function planInner(postings: readonly Posting[], planning: Planning, level: number): IndexPlan | null {
  if (postings.length <= limits.largestList || level > limits.levels) return null;
  const members = coverAgain(postings.map(standing), planning);
  if (members === null) return null;
  const expected = members.reduce((sum, { cover }) => sum + Math.min(1, cover?.weight ?? 1), 0);
  return expected > members.length * limits.leastSaving ? null : planIndex(members, planning, level);
}

/** A rule of the index of a key under which it is posted. */
const standing = ({ member: { rule, used, held }, leaf, isExact }: Posting): Standing => ({
  rule,
  used: [...used, leaf],
  held: isExact ? [...held, leaf] : held,
});

/** Covers weighed among some rules. `null` if too many of the rules have been planned too often. */
function coverAgain(
  standings: readonly Standing[],
  { drafts, counters }: Planning,
): readonly Member[] | null {
  const draftOf = ({ rule }: Standing): Draft => drafts[rule] as Draft;
  const affordable = new Set(standings.filter((standing) => draftOf(standing).isAffordable));
  if (affordable.size < standings.length * limits.leastSaving) return null;
  const weights = new Weights(counters);
  for (const standing of affordable) draftOf(standing).count(standing.used, weights);
  return standings.map((standing) =>
    affordable.has(standing)
      ? draftOf(standing).member(standing, weights)
      : { ...standing, cover: null, holds: false, required: NO_KEYS },
  );
}
