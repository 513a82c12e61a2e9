/**
 * Covers: the ways by which a rule can be found.
 *
 * A cover is a set of leaves of which at least one holds whenever the rule matches. A leaf covers itself; `all` is
 * covered by any one of its children, so it takes the lightest; `any` only by all of them together. A leaf that no key
 * describes (`neq`, `missing`, the `not_` forms) has no cover, and an `any` around it has none either.
 */
import { childrenOf, isGroup } from '../../tree.js';
import type { AllGroup, AnyGroup, Match } from '../../rule.js';
import type { BoundLeaf, PlannedLeaf } from './leaves.js';
import type { Clause, PathPlan } from './path-keys.js';

/** A leaf, found by keys of which the event has one if it holds. */
export interface KeyAccess {
  readonly leaf: PlannedLeaf;
  readonly keys: Clause;
}

/** Bounds on one path; found by the interval between them. */
export interface RangeAccess {
  readonly path: PathPlan;
  readonly lower: BoundLeaf | undefined;
  readonly upper: BoundLeaf | undefined;
}

export type Access = KeyAccess | RangeAccess;

/** Ways to find a rule: an event that it matches is found by one of them at least. */
export interface Cover {
  /** The share of events that are expected to reach the rule by this cover; more where looking for it is costly. */
  readonly weight: number;
  /** If one of these holds, the rule matches. */
  readonly sufficient: Access[];
  /** If one of these holds, the rule may match. */
  readonly necessary: Access[];
}

/** No accesses. It is never added to: the longer of two lists is. */
export const NONE: Access[] = [];

/** The cover of a tree, by what is left of it once some leaves are known to hold. */
export interface Covered {
  /** `null` if the tree has none. */
  readonly cover: Cover | null;
  /** Whether the tree holds by the known leaves alone. */
  readonly holds: boolean;
}

/** Chooses and weighs the ways to find leaves and ranges. */
export interface Scales {
  /** The lightest cover of a leaf; `null` if no key describes it. */
  leaf(leaf: PlannedLeaf): Cover | null;
  range(range: RangeAccess): Cover;
}

/** True for bounds. */
export const isRange = (access: Access): access is RangeAccess => 'path' in access;

/** All accesses of a cover. */
export const accessesOf = ({ sufficient, necessary }: Cover): readonly Access[] =>
  necessary.length === 0 ? sufficient : [...sufficient, ...necessary];

/**
 * The lightest cover of a tree. By a loop, in time that is linear in the tree but for a logarithm.
 *
 * @param leaves - The leaves of the tree, in document order.
 * @param held - Leaves that are known to hold.
 * @param used - Leaves by which the rule was found already: they cover nothing.
 */
export function coverOf(
  match: Match,
  leaves: readonly PlannedLeaf[],
  { held, used }: { readonly held: readonly PlannedLeaf[]; readonly used: readonly PlannedLeaf[] },
  scales: Scales,
): Covered {
  const open: Group[] = [];
  let next = 0;
  const leafNext = (): Covered => {
    const leaf = leaves[next++] as PlannedLeaf;
    return { cover: used.includes(leaf) ? null : scales.leaf(leaf), holds: held.includes(leaf) };
  };
  if (!isGroup(match)) return leafNext();
  open.push(groupOf(match, scales));
  for (;;) {
    const group = open.at(-1) as Group;
    const child = group.next();
    if (child !== undefined) {
      if (isGroup(child)) open.push(groupOf(child, scales));
      else group.take(leafNext());
      continue;
    }
    open.pop();
    const covered = group.covered();
    const parent = open.at(-1);
    if (parent === undefined) return covered;
    parent.take(covered);
  }
}

/** A group whose children are being covered, one after the other. */
abstract class Group {
  readonly #children: readonly Match[];
  #next = 0;

  constructor(children: readonly Match[]) {
    this.#children = children;
  }

  /** The next child; `undefined` after the last. */
  next(): Match | undefined {
    return this.#children[this.#next++];
  }

  /** Adds the cover of the next child. */
  abstract take(child: Covered): void;

  /** The cover of the group, once all children were taken. */
  abstract covered(): Covered;
}

const groupOf = (group: AllGroup | AnyGroup, scales: Scales): Group =>
  'all' in group ? new All(childrenOf(group), scales) : new Any(childrenOf(group));

/** Lives as long as its children are covered. */
class Any extends Group {
  #cover: Cover | null = null;
  #hasCover = true;
  #holds = false;

  take({ cover, holds }: Covered): void {
    this.#holds ||= holds;
    if (cover === null) this.#hasCover = false;
    else if (this.#hasCover) this.#cover = this.#cover === null ? cover : together(this.#cover, cover);
  }

  covered(): Covered {
    return { cover: this.#hasCover ? this.#cover : null, holds: this.#holds };
  }
}

/** Lives as long as its children are covered. */
class All extends Group {
  readonly #scales: Scales;
  #lightest: Cover | null = null;
  /** How many children the lightest cover speaks for: two where it is a range between two bounds. */
  #spokenFor = 0;
  /** Children that do not hold by the known leaves alone. */
  #unknown = 0;
  /** The ranges that children are found by alone, joined by path. */
  #ranges: Map<PathPlan, JoinedRange> | null = null;

  constructor(children: readonly Match[], scales: Scales) {
    super(children);
    this.#scales = scales;
  }

  take({ cover, holds }: Covered): void {
    if (!holds) this.#unknown++;
    if (cover === null) return;
    this.#weigh(cover, 1);
    const range = this.#narrowed(cover);
    if (range !== null) this.#weigh(range, 2);
  }

  covered(): Covered {
    const isSufficient = this.#unknown === this.#spokenFor;
    const cover = this.#lightest === null || isSufficient ? this.#lightest : asNecessary(this.#lightest);
    return { cover, holds: this.#unknown === 0 };
  }

  #weigh(cover: Cover, children: number): void {
    if (this.#lightest !== null && this.#lightest.weight < cover.weight) return;
    if (this.#lightest !== null && this.#lightest.weight === cover.weight && children === 1) return;
    this.#lightest = cover;
    this.#spokenFor = children;
  }

  /** The range that a child is found by alone, joined with those of children before on the same path. */
  #narrowed(cover: Cover): Cover | null {
    const [access, ...others] = accessesOf(cover);
    if (others.length > 0 || access === undefined || !isRange(access) || access.path.isStarred) return null;
    this.#ranges ??= new Map<PathPlan, JoinedRange>();
    const before = this.#ranges.get(access.path);
    const joined = joinedRange(before, access, cover.sufficient.length > 0);
    this.#ranges.set(access.path, joined);
    if (before === undefined) return null;
    const range = this.#scales.range(joined.range);
    return joined.isComplete ? range : asNecessary(range);
  }
}

interface JoinedRange {
  readonly range: RangeAccess;
  /** Whether the children hold wherever the range does. */
  readonly isComplete: boolean;
}

/** The later of two bounds on one side counts: the range still holds all that both do, and more. */
function joinedRange(
  before: JoinedRange | undefined,
  { path, lower, upper }: RangeAccess,
  isSufficient: boolean,
): JoinedRange {
  if (before === undefined) return { range: { path, lower, upper }, isComplete: isSufficient };
  const { range, isComplete } = before;
  const isOpposite =
    (lower === undefined || range.lower === undefined) && (upper === undefined || range.upper === undefined);
  return {
    range: { path, lower: lower ?? range.lower, upper: upper ?? range.upper },
    isComplete: isComplete && isSufficient && isOpposite,
  };
}

const together = (a: Cover, b: Cover): Cover => ({
  weight: a.weight + b.weight,
  sufficient: joined(a.sufficient, b.sufficient),
  necessary: joined(a.necessary, b.necessary),
});

const asNecessary = ({ weight, sufficient, necessary }: Cover): Cover => ({
  weight,
  sufficient: NONE,
  necessary: joined(sufficient, necessary),
});

/**
 * Both lists as one. The shorter goes into the longer, which nobody else holds, so that deep trees take linear time.
 */
function joined(a: Access[], b: Access[]): Access[] {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  for (const access of shorter) longer.push(access);
  return longer;
}
