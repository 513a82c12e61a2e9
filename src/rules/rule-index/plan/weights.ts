/** How selective leaves are among some rules, measured on the values that the rules themselves ask for. */
import { TextOrder, numberOf, type BoundValue } from './bounds.js';
import { EpochSet } from '../epoch-set.js';
import { NONE, type Cover, type RangeAccess, type Scales } from './cover.js';
import type { Key } from './keys.js';
import type { BoundLeaf, PlannedLeaf } from './leaves.js';
import type { Clause, PathPlan } from './path-keys.js';

/** All values that no rule asks for are assumed to be as common as this many that one rule asks for. */
const UNASKED = 4;

/** An interval costs more to find than a key. */
const RANGE_COST = 2;

/** Counts of keys and of their groups, by id. Made once for a plan. */
export interface Counters {
  readonly uses: Counts;
  readonly groupUses: Counts;
}

/** Counts by small whole numbers, emptied at no cost. Made once for a plan. */
export class Counts {
  readonly #counts: Int32Array;
  readonly #counted: EpochSet;

  /** @param size - Ids are below it. */
  constructor(size: number) {
    this.#counts = new Int32Array(size);
    this.#counted = new EpochSet(size);
  }

  clear(): void {
    this.#counted.clear();
  }

  add(id: number): void {
    this.#counts[id] = this.#counted.add(id) ? 1 : (this.#counts[id] as number) + 1;
  }

  of(id: number): number {
    return this.#counted.has(id) ? (this.#counts[id] as number) : 0;
  }
}

/**
 * A key is assumed to be as common among events as among the rules: where half of the rules that compare a type want
 * `push`, half of the events are pushes. A range is as likely to be met as the share of known bounds that it spans.
 *
 * The planner creates one for the rules of each index: it counts the leaves of all of them, then weighs.
 */
export class Weights implements Scales {
  readonly #uses: Counts;
  readonly #groupUses: Counts;
  readonly #bounds = new Map<PathPlan, Bounds>();

  /** @param counters - Are emptied for it: one index is weighed at a time. */
  constructor({ uses, groupUses }: Counters) {
    uses.clear();
    groupUses.clear();
    this.#uses = uses;
    this.#groupUses = groupUses;
  }

  /**
   * Counts a leaf of a rule.
   *
   * @returns The work: one for the leaf and one for each of its keys.
   */
  count({ path, clauses, bound }: PlannedLeaf): number {
    let work = 1;
    for (const clause of clauses) {
      work += clause.length;
      for (const { id, group } of clause) {
        this.#uses.add(id);
        this.#groupUses.add(group.id);
      }
    }
    if (bound !== null) this.#countBound(path, bound.value);
    return work;
  }

  #countBound(path: PathPlan, bound: BoundValue): void {
    let bounds = this.#bounds.get(path);
    if (bounds === undefined) this.#bounds.set(path, (bounds = new Bounds()));
    bounds.add(bound);
  }

  leaf(planned: PlannedLeaf): Cover | null {
    const { path, clauses, bound } = planned;
    let lightest: Clause | null = null;
    let weight = Infinity;
    for (const keys of clauses) {
      const own = this.#clause(keys, path.hasOpenPattern);
      if (lightest !== null && own >= weight) continue;
      lightest = keys;
      weight = own;
    }
    if (lightest === null) return bound === null ? null : this.range(loneBound(bound, path));
    return { weight, sufficient: [{ leaf: planned, keys: lightest }], necessary: NONE };
  }

  #clause(keys: Clause, hasOpenPattern: boolean): number {
    let weight = 0;
    for (const key of keys) {
      weight += hasOpenPattern && key.kind === 'pattern' ? this.#share(key) : this.key(key);
    }
    return weight;
  }

  /** The share of events that are expected to have a key. */
  key(key: Key): number {
    return Math.max(this.#share(key), key.prior);
  }

  #share({ id, group }: Key): number {
    return this.#uses.of(id) / (this.#groupUses.of(group.id) + UNASKED);
  }

  range(range: RangeAccess): Cover {
    const share = (this.#bounds.get(range.path) as Bounds).share(range.lower?.value, range.upper?.value);
    return { weight: RANGE_COST * share, sufficient: [range], necessary: NONE };
  }
}

const loneBound = (bound: BoundLeaf, path: PathPlan): RangeAccess =>
  bound.isLower ? { path, lower: bound, upper: undefined } : { path, lower: undefined, upper: bound };

/** All bounds that rules set on one path. They are added first; shares are asked for afterwards. */
class Bounds {
  readonly #numbers: number[] = [];
  readonly #texts: string[] = [];
  #sorted: { readonly numbers: Float64Array; readonly texts: TextOrder } | null = null;

  add(bound: BoundValue): void {
    const number = numberOf(bound);
    if (number === undefined) this.#texts.push(bound as string);
    else this.#numbers.push(number);
  }

  /** The share of the bounds between two, or beyond one. */
  share(lower: BoundValue | undefined, upper: BoundValue | undefined): number {
    this.#sorted ??= { numbers: Float64Array.from(this.#numbers).sort(), texts: new TextOrder(this.#texts) };
    const { numbers, texts } = this.#sorted;
    const [low, high] = [lower, upper].map((bound) => (bound === undefined ? undefined : numberOf(bound)));
    if (low === undefined && high === undefined) {
      const [first, last] = [lower, upper].map((bound) =>
        bound === undefined ? undefined : texts.rankOf(bound as string),
      );
      return span(first ?? 0, last ?? texts.ranks, texts.ranks);
    }
    const first = low === undefined ? 0 : countBelow(numbers, low);
    const last = high === undefined ? numbers.length : countBelow(numbers, high);
    return span(first, last, numbers.length);
  }
}

const span = (first: number, last: number, count: number): number =>
  (Math.max(0, last - first) + 1) / (count + UNASKED);

/** How many sorted numbers are below one. */
function countBelow(sorted: Float64Array, number: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
