/**
 * The index itself: from what an event has to the rules that may match it.
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

/** No rule goes by a key. */
export const NONE = -1;

/**
 * Which rules may match: by key, by range, and those that are always tried. A rule stands as the place of its program.
 *
 * What is posted under a key is a rule, or `-2 - ` where a list begins.
 */
export interface IndexNode {
  readonly posted: ReadonlyMap<number, number>;
  readonly ranges: readonly { readonly path: number; readonly ranges: Ranges }[];
  /** Ascending. */
  readonly always: Int32Array;
}

/** What more than one rule is posted under. */
export interface Lists {
  /** At the beginning of a list, how many rules follow; or, as `-1 - ` its number, the inner index that stands for them. */
  readonly rules: Int32Array;
  readonly inner: readonly IndexNode[];
}

/** A rule, and what of its tree is known to hold. */
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

  /** @param rules - Valid; their places in the list are their numbers. */
  constructor(rules: readonly Rule[], options: PatternOptions) {
    this.#rules = rules;
    this.leaves = new Leaves(options);
    this.programs = new ProgramBuilder(this.leaves);
    for (const { match } of rules) this.programs.add(match);
    this.#weights = new Weights(this.leaves);
    this.#used = new BitSet(this.leaves.keys.count);
  }

  uses(key: number): boolean {
    return this.#used.has(key);
  }

  /** The node of all rules. */
  root(): IndexNode {
    return this.#build(this.plan(this.#rules.map((_, rule) => ({ rule, given: [] }))), 1);
  }

  lists(): Lists {
    return { rules: this.#lists.toArray(), inner: this.#inner };
  }

  /** Chooses a cover for each of some rules, by what is selective among them. */
  plan(members: readonly Member[]): readonly Plan[] {
    this.#weights.clear();
    for (const { rule, given } of members) {
      for (let place = 0; place < this.programs.size(rule); place++) {
        const leaf = this.programs.leaf(rule, place);
        if (!given.includes(leaf)) this.#weights.count(leaf);
      }
    }
    return members.map(({ rule, given }) => ({ rule, given, cover: this.#cover(rule, given) }));
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

  /** What stands under a key: its only rule, an inner index where that spares enough, or a list. */
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
    const inner = this.plan(members);
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

  add({ leaf, keys }: KeyAccess, plan: number): void {
    for (const key of keys) {
      this.#next.push(this.#heads.get(key) ?? NONE);
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
