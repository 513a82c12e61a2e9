/**
 * The index itself: from the keys and values of an event to the rules that may match it.
 *
 * Each rule is posted under every key and every range of its cover. Where many rules are posted under one key, they get an
 * index of their own, by what is left of their trees once that key's leaf is known to hold.
 */
import type { PatternOptions } from '../../patterns/index.js';
import type { OrderLeaf, Rule } from '../rule.js';
import { BitSet } from './bit-set.js';
import { coverOf, type Cover, type KeyAccess, type RangeAccess, type Scales } from './cover.js';
import { Ints } from './ints.js';
import { Leaves } from './leaves.js';
import { ProgramBuilder } from './programs.js';
import { Ranges, type RuleRange } from './ranges.js';
import { Weights } from './weights.js';

/** Rules under one key up to which they are simply tried. */
const CROWD = 6;

/** Levels of indexes within indexes. */
const DEPTH = 4;

/** An inner index must be expected to spare this share of its rules. */
const SPARED = 0.5;

/**
 * A rule is planned anew for every key that it goes by and that is crowded. All inner indexes together may spend this many
 * times the work of its first plan on it, and so much besides; then it stands in them unplanned, to be tried always.
 */
const PLANS_OF_RULE = 8;
const FREE_WORK = 2_048;

/** The posting of a key that no rule goes by. */
export const NONE = -1;

/**
 * Which rules may match: by key, by range, and those that are always tried. A rule stands as the place of its program.
 *
 * The posting of a key is a rule, or `-2 - ` the place where a list begins.
 */
export interface IndexNode {
  readonly posted: ReadonlyMap<number, number>;
  readonly ranges: readonly { readonly path: number; readonly ranges: Ranges }[];
  /** Ascending. */
  readonly always: Int32Array;
}

/** The lists and inner indexes of keys under which several rules are posted. */
export interface Lists {
  /** A list begins with the count of rules that follow, or with `-1 - ` the number of the inner index for them. */
  readonly rules: Int32Array;
  readonly inner: readonly IndexNode[];
}

/** A rule, and the leaves of its tree that are known to hold. */
interface Member {
  readonly rule: number;
  readonly given: readonly number[];
}

interface Plan extends Member {
  readonly cover: Cover | null;
}

/** Builds the nodes. */
export class NodeBuilder {
  readonly leaves: Leaves;
  readonly programs: ProgramBuilder;
  readonly #rules: readonly Rule[];
  readonly #weights: Weights;
  readonly #lists = new Ints();
  readonly #inner: IndexNode[] = [];
  /** Keys that some node goes by. */
  readonly #used: BitSet;
  /** Leaves and keys looked at for each rule's first plan; and how many more inner indexes may look at for it. */
  readonly #work: Float64Array;
  readonly #workLeft: Float64Array;
  #worked = 0;

  /** @param rules - Valid; their places in the list are their numbers. */
  constructor(rules: readonly Rule[], options: PatternOptions) {
    this.#rules = rules;
    this.leaves = new Leaves(options);
    this.programs = new ProgramBuilder(this.leaves);
    for (const { match } of rules) this.programs.add(match);
    this.#weights = new Weights(this.leaves);
    this.#used = new BitSet(this.leaves.keys.count);
    this.#work = new Float64Array(rules.length);
    this.#workLeft = new Float64Array(rules.length);
  }

  /** Leaves and keys that were looked at to choose covers, so far. */
  get worked(): number {
    return this.#worked;
  }

  uses(key: number): boolean {
    return this.#used.has(key);
  }

  /** The node of all rules. */
  root(): IndexNode {
    return this.#build(this.plan(), 1);
  }

  lists(): Lists {
    return { rules: this.#lists.toArray(), inner: this.#inner };
  }

  /** Chooses a cover for each rule, by what is selective among all. */
  plan(): readonly Plan[] {
    const members = this.#rules.map((_, rule): Member => ({ rule, given: [] }));
    this.#weights.clear();
    for (const member of members) {
      const work = this.#count(member);
      this.#work[member.rule] = work;
      this.#workLeft[member.rule] = FREE_WORK + PLANS_OF_RULE * work;
    }
    return members.map((member) => this.#planned(member));
  }

  /** Chooses covers anew, by what is selective among some rules. `null` where too many have been planned too often. */
  #replan(members: readonly Member[]): readonly Plan[] | null {
    const affordable = members.map(({ rule }) => this.#canSpend(rule));
    if (affordable.filter(Boolean).length < members.length * SPARED) return null;
    this.#weights.clear();
    members.forEach((member, i) => {
      if (affordable[i] === true)
        this.#workLeft[member.rule] = (this.#workLeft[member.rule] as number) - this.#count(member);
    });
    return members.map((member, i) =>
      affordable[i] === true ? this.#planned(member) : { ...member, cover: null },
    );
  }

  #canSpend(rule: number): boolean {
    return (this.#workLeft[rule] as number) >= (this.#work[rule] as number);
  }

  /** Weighs in the leaves of which it is not known that they hold. */
  #count({ rule, given }: Member): number {
    let work = 0;
    for (let place = 0; place < this.programs.size(rule); place++) {
      const leaf = this.programs.leaf(rule, place);
      work += given.includes(leaf) ? 1 : this.#weights.count(leaf);
    }
    this.#worked += work;
    return work;
  }

  #planned({ rule, given }: Member): Plan {
    return { rule, given, cover: this.#cover(rule, given) };
  }

  #cover(rule: number, given: readonly number[]): Cover | null {
    const weights = this.#weights;
    const scales: Scales = {
      leaf: (leaf) => (given.includes(leaf) ? null : weights.leaf(leaf)),
      range: (range) => weights.range(range),
    };
    return coverOf((this.#rules[rule] as Rule).match, (place) => this.programs.leaf(rule, place), scales);
  }

  #build(plans: readonly Plan[], depth: number): IndexNode {
    const postings = new Postings();
    const ranges = new Map<number, RuleRange[]>();
    const always: number[] = [];
    plans.forEach(({ rule, cover }, plan) => {
      if (cover === null) always.push(this.programs.placeOf(rule));
      for (const access of cover?.accesses ?? []) {
        if ('keys' in access) postings.add(access, plan);
        else push(ranges, access.path, this.#range(rule, access));
      }
    });
    const posted = new Map<number, number>();
    for (const key of postings.keys()) {
      this.#used.add(key);
      posted.set(key, this.#post(postings.of(key), plans, depth));
    }
    return {
      posted,
      ranges: Array.from(ranges, ([path, some]) => ({ path, ranges: new Ranges(some) })),
      always: Int32Array.from(always).sort(),
    };
  }

  #range(rule: number, { lower, upper }: RangeAccess): RuleRange {
    return { rule: this.programs.placeOf(rule), lower: this.#bound(lower), upper: this.#bound(upper) };
  }

  #bound(leaf: number | undefined): OrderLeaf['value'] | undefined {
    return leaf === undefined ? undefined : (this.leaves.leaf(leaf) as OrderLeaf).value;
  }

  /** The posting of a key: its only rule, an inner index where that spares enough, or a list. */
  #post(postings: readonly Posting[], plans: readonly Plan[], depth: number): number {
    const placeOf = ({ plan }: Posting): number => this.programs.placeOf((plans[plan] as Plan).rule);
    if (postings.length === 1) return placeOf(postings[0] as Posting);
    const inner = postings.length > CROWD && depth < DEPTH ? this.#divide(postings, plans, depth) : null;
    if (inner !== null) return -2 - this.#lists.push(-this.#inner.push(inner));
    const place = this.#lists.push(postings.length);
    for (const posting of postings) this.#lists.push(placeOf(posting));
    return -2 - place;
  }

  #divide(postings: readonly Posting[], plans: readonly Plan[], depth: number): IndexNode | null {
    const members = postings.map(({ plan, leaf }) => {
      const { rule, given } = plans[plan] as Plan;
      return { rule, given: [...given, leaf] };
    });
    const inner = this.#replan(members);
    if (inner === null) return null;
    const expected = inner.reduce((sum, { cover }) => sum + Math.min(1, cover?.weight ?? 1), 0);
    return expected > members.length * SPARED ? null : this.#build(inner, depth + 1);
  }
}

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** A rule under a key: which plan, and the leaf of its cover that goes by the key. */
interface Posting {
  readonly plan: number;
  readonly leaf: number;
}

/** Postings by key, chained in flat arrays while they are collected. */
class Postings {
  readonly #heads = new Map<number, number>();
  readonly #next = new Ints();
  readonly #plans = new Ints();
  readonly #leaves = new Ints();

  /** A plan that goes by a key more than once is posted there once. */
  add({ leaf, keys }: KeyAccess, plan: number): void {
    for (const key of keys) {
      const head = this.#heads.get(key) ?? NONE;
      if (head !== NONE && this.#plans.at(head) === plan) continue;
      this.#next.push(head);
      this.#plans.push(plan);
      this.#heads.set(key, this.#leaves.push(leaf));
    }
  }

  keys(): Iterable<number> {
    return this.#heads.keys();
  }

  of(key: number): Posting[] {
    const postings: Posting[] = [];
    for (let at = this.#heads.get(key) ?? NONE; at !== NONE; at = this.#next.at(at)) {
      postings.push({ plan: this.#plans.at(at), leaf: this.#leaves.at(at) });
    }
    return postings;
  }
}
