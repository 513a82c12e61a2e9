/** Finds the drop that hides a rule: it runs earlier and matches whatever the rule matches. */
import type { Json } from '../../json.js';
import { numberIn } from '../values/index.js';
import { demandOf, isNegated } from '../operators/index.js';
import { childrenOf, isGroup } from '../tree.js';
import type { Leaf, Match, Rule } from '../rule.js';
import type { Tree } from './condition.js';
import type { Effort } from './effort.js';
import { pathsTo } from './known.js';
import { Reasoner, refute } from './refutation.js';

interface Drop {
  readonly rule: Rule;
  readonly tree: Tree;
}

/** Drops kept under one key. A drop for which a key has no room is compared with fewer rules. */
const MAX_DROPS_OF_KEY = 8;

/** Members of a list that are keys, each on its own. */
const MAX_MEMBERS = 64;

/** UTF-16 units of a path up to which values at it are keys. */
const MAX_PATH = 256;

/** The key of drops that are compared with every rule. */
const ALL_RULES = '';

/**
 * The drops that run before the rule at hand. Each is kept under paths, and values at paths, that a rule it hides is
 * likely to name. Made by one call of lint; drops are added in evaluation order.
 */
export class Drops {
  readonly #byKey = new Map<string, readonly Drop[]>();
  #ofAll: Rule | undefined;

  /** Adds a drop; rules asked about from now on run after it. True when it surely drops every event. */
  add(rule: Rule, tree: Tree, effort: Effort): boolean {
    const dropsAll = refute([{ tree, must: false }], effort) !== null;
    if (dropsAll) this.#ofAll ??= rule;
    for (const key of this.#keysOf(tree.match)) {
      const drops = this.#of(key);
      if (drops.length < MAX_DROPS_OF_KEY) this.#byKey.set(key, [...drops, { rule, tree }]);
    }
    return dropsAll;
  }

  /** A drop that surely matches whatever event the tree matches. */
  hiding(tree: Tree, effort: Effort): Rule | undefined {
    if (this.#ofAll !== undefined) return this.#ofAll;
    const reasoner = new Reasoner(effort);
    reasoner.assume({ tree, must: true });
    for (const drop of this.#suspects(tree)) {
      if (!effort.affords(1)) return undefined;
      if (reasoner.excludes({ tree: drop.tree, must: false })) return drop.rule;
    }
    return undefined;
  }

  #suspects({ program }: Tree): ReadonlySet<Drop> {
    const drops = new Set(this.#of(ALL_RULES));
    for (const step of program) {
      for (const path of pathsTo(step)) {
        for (const drop of this.#of(path)) drops.add(drop);
      }
      for (const key of valueKeys(step.leaf)) {
        for (const drop of this.#of(key)) drops.add(drop);
      }
    }
    return drops;
  }

  /** The keys of one leaf for each branch of a drop: the leaf that shares its keys with the fewest drops. */
  #keysOf(match: Match): ReadonlySet<string> {
    const branches = isGroup(match) && 'any' in match ? childrenOf(match) : [match];
    const crowd = (keys: readonly string[]): number => Math.min(...keys.map((key) => this.#of(key).length));
    const keys = branches.flatMap((branch) => {
      const [first = [ALL_RULES], ...others] = leavesOf(branch).map(keysOfLeaf);
      return others.reduce((best, other) => (crowd(other) < crowd(best) ? other : best), first);
    });
    return new Set(keys);
  }

  #of(key: string): readonly Drop[] {
    return this.#byKey.get(key) ?? [];
  }
}

/** A leaf itself, or the leaves right in an `all`; none for other groups. */
function leavesOf(match: Match): readonly Leaf[] {
  if (!isGroup(match)) return [match];
  return 'all' in match ? childrenOf(match).filter((node) => !isGroup(node)) : [];
}

function keysOfLeaf(leaf: Leaf): readonly string[] {
  const keys = valueKeys(leaf);
  return keys.length > 0 ? keys : [leaf.path];
}

/**
 * A key for each value one of which a leaf must equal; no keys if one of them is a structure, or if there are too many.
 */
function valueKeys(leaf: Leaf): readonly string[] {
  const { path } = leaf;
  const demand = demandOf(leaf);
  if (path.length > MAX_PATH || demand.kind !== 'equals' || isNegated(leaf)) return [];
  const members = demand.values;
  return members.length <= MAX_MEMBERS && members.every(isScalar)
    ? members.map((member) => valueKey(path, member))
    : [];
}

type Scalar = null | boolean | number | string;

const isScalar = (value: Json): value is Scalar => typeof value !== 'object' || value === null;

/** The same for values that may be equal by coercion. */
function valueKey(path: string, value: Scalar): string {
  const number = typeof value === 'string' ? numberIn(value) : undefined;
  return `${path} ${typeof (number ?? value)} ${String(number ?? value)}`;
}
