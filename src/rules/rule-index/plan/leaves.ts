/** The leaves of all rules, each with the keys that describe it. */
import {
  budgetOf,
  compilePattern,
  decidedUpTo,
  type Pattern,
  type PatternOptions,
} from '../../../patterns/index.js';
import { demandOf, isNegated, type Bound, type Demand } from '../../operators/index.js';
import type { Leaf, Operator } from '../../rule.js';
import { Structures, isStructure } from '../../values/index.js';
import { KeyRegister } from './keys.js';
import { NOT_INDEXED, PathKeys, type Clause, type PathPlan } from './path-keys.js';

/** A leaf that sets a bound. */
export interface BoundLeaf extends Bound {
  readonly leaf: Leaf;
}

/** A leaf of one or more rules. */
export interface PlannedLeaf {
  /** Its index in {@link Plan.leaves}. */
  readonly id: number;
  readonly leaf: Leaf;
  readonly path: PathPlan;
  /** If the leaf holds, the event has a key of each clause. Empty for a leaf that no key describes. */
  readonly clauses: readonly Clause[];
  /** The event has one of these if and only if the leaf holds; `null` if no keys say so. */
  readonly heldBy: Clause | null;
  /** The leaf holds if and only if its path is present and the event has none of these; `null` if no keys say so. */
  readonly refutedBy: Clause | null;
  /** The bound that the leaf sets; `null` if it sets none. */
  readonly bound: BoundLeaf | null;
  /** Whether the leaf asks for its path, or for its absence; `null` if it asks for more. */
  readonly presence: boolean | null;
  /** The share of a work budget that the leaf's pattern may take for each unit of its subject; 0 without charge. */
  readonly burden: number;
}

/** Reads leaves, and numbers them, their paths and their keys. The planner keeps it until the plan is made. */
export class LeafRegister {
  readonly leaves: PlannedLeaf[] = [];
  readonly paths: PathKeys[] = [];
  readonly keys = new KeyRegister();
  /** Arrays and objects that leaves compare with. */
  readonly structures = new Structures();
  readonly #options: PatternOptions;
  readonly #byPath = new Map<string, PathKeys>();
  /** Leaves by path, operator and value. */
  readonly #alike = new Map<PathKeys, Map<Operator, Map<unknown, PlannedLeaf>>>();

  constructor(options: PatternOptions) {
    this.#options = options;
  }

  /**
   * A leaf; the same for leaves of one path, operator and scalar value, except those that equal one value, which have
   * keys.
   */
  add(leaf: Leaf): PlannedLeaf {
    const path = this.#path(leaf.path);
    const demand = demandOf(leaf);
    if (leaf.value === undefined || isStructure(leaf.value) || demand.kind === 'equals') {
      return this.#create(leaf, demand, path);
    }
    const byValue = getOrCreate(getOrCreate(this.#alike, path), leaf.op);
    const known = byValue.get(leaf.value) ?? this.#create(leaf, demand, path);
    byValue.set(leaf.value, known);
    return known;
  }

  #path(text: string): PathKeys {
    const known = this.#byPath.get(text);
    if (known !== undefined) return known;
    const path = new PathKeys(this.paths.length, text, this.keys, this.structures);
    this.paths.push(path);
    this.#byPath.set(text, path);
    return path;
  }

  #create(leaf: Leaf, demand: Demand, path: PathKeys): PlannedLeaf {
    const negated = isNegated(leaf);
    const pattern = demand.kind === 'pattern' ? compilePattern(demand.source, this.#options) : null;
    const { clauses, exact } = negated ? NOT_INDEXED : path.keysFor(demand, pattern);
    // Values are always looked for, so a single excluded value has a key, too.
    const isOneValue = negated && demand.kind === 'equals' && demand.values.length === 1;
    const planned: PlannedLeaf = {
      id: this.leaves.length,
      leaf,
      path,
      clauses,
      heldBy: exact,
      refutedBy: isOneValue ? path.keysFor(demand, null).exact : null,
      bound: demand.kind === 'bound' && !negated ? boundOf(leaf, demand) : null,
      presence: demand.kind === 'presence' ? !negated : null,
      burden: pattern === null ? 0 : this.#burden(pattern, path),
    };
    this.leaves.push(planned);
    return planned;
  }

  #burden(pattern: Pattern, { isStarred }: PathKeys): number {
    // With any number of subjects, each is charged.
    const most = isStarred && pattern.free ? budgetOf(this.#options) : decidedUpTo(pattern, this.#options);
    return 1 / most;
  }
}

const boundOf = (leaf: Leaf, { kind, isLower, isStrict, value }: Bound): BoundLeaf => ({
  leaf,
  kind,
  isLower,
  isStrict,
  value,
});

function getOrCreate<K, A, B>(maps: Map<K, Map<A, B>>, key: K): Map<A, B> {
  let map = maps.get(key);
  if (map === undefined) maps.set(key, (map = new Map<A, B>()));
  return map;
}
