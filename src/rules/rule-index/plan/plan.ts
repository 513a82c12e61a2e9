/**
 * The plan of an index: how each rule is found. Rules go in, plain data comes out: nothing in it is encoded, so that it
 * can be printed, described and tested. The layout is made of it.
 */
import type { Rule } from '../../rule.js';
import type { Structures } from '../../values/index.js';
import type { Cover, RangeAccess } from './cover.js';
import type { Key } from './keys.js';
import type { PlannedLeaf } from './leaves.js';
import type { PathPlan } from './path-keys.js';

export interface Plan {
  /** In evaluation order. A rule's index in the list is its number. */
  readonly rules: readonly PlannedRule[];
  readonly leaves: readonly PlannedLeaf[];
  readonly keys: readonly Key[];
  readonly paths: readonly PathPlan[];
  /** Arrays and objects that rules compare with. */
  readonly structures: Structures;
  /** How all rules are found. */
  readonly root: IndexPlan;
  /** Leaves and keys that were looked at to choose the covers. */
  readonly work: number;
}

/** A rule, and its tree as a branching program over planned leaves. */
export interface PlannedRule {
  readonly rule: Rule;
  /** The last leaf of the document first; a run starts at the end. */
  readonly steps: readonly PlannedStep[];
}

/** A leaf, and the steps to go on with when it holds and when it does not, as {@link layOut} describes them. */
export interface PlannedStep {
  readonly leaf: PlannedLeaf;
  readonly ifHeld: number;
  readonly ifNot: number;
}

/** How the rules of one index are found: those of a whole layer, or those that one key leads to. */
export interface IndexPlan {
  readonly members: readonly Member[];
  /** The rules that each key leads to: a list, or an index over them where they are many. */
  readonly byKey: ReadonlyMap<Key, readonly Posting[] | IndexPlan>;
  readonly byRange: ReadonlyMap<PathPlan, readonly RangePosting[]>;
  /** Rules that are candidates whenever the index is searched. */
  readonly always: readonly Member[];
}

/** A rule of an index, and the way to find it there. */
export interface Member {
  /** The rule's number. */
  readonly rule: number;
  /** The cover of what is left of its tree, weighed among the members; `null` if it has none. */
  readonly cover: Cover | null;
  /** Leaves by which the rule was found on the way to this index. */
  readonly used: readonly PlannedLeaf[];
  /** The leaves among them that are known to hold. */
  readonly held: readonly PlannedLeaf[];
  /** Whether the rule matches by the held leaves alone. */
  readonly holds: boolean;
  /** Keys of values that the event has too where the rule matches, each with its leaf, the lightest first. */
  readonly required: readonly RequiredKey[];
}

/** A key that an event has wherever a rule matches it, since a leaf that the rule cannot match without asks for it. */
export interface RequiredKey {
  readonly leaf: PlannedLeaf;
  readonly key: Key;
}

/** A rule under a key. */
export interface Posting {
  readonly member: Member;
  /** The leaf that the key describes. */
  readonly leaf: PlannedLeaf;
  /** Whether the leaf holds on every event with the key. */
  readonly isExact: boolean;
  /** Whether the rule matches every event that leads here; otherwise it may match. */
  readonly isCertain: boolean;
  /**
   * Another key that the event has too if the rule matches: without it, the rule is not a candidate. `null` without
   * one.
   */
  readonly guard: Key | null;
}

/** A rule under a range. */
export interface RangePosting {
  readonly member: Member;
  readonly range: RangeAccess;
  /** Whether the rule matches wherever its bounds hold. */
  readonly isSufficient: boolean;
}

/** True for the rules of an inner index. */
export const isIndex = (postings: readonly Posting[] | IndexPlan): postings is IndexPlan =>
  'members' in postings;
