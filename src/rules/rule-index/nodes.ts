/**
 * The index itself: from what an event has to the rules that may match it.
 *
 * Each rule is posted under every key and every range of its cover. Where many rules are posted under one key, they get an
 * index of their own, by what is left of their trees once that key's leaf is known to hold.
 */
import type { Match, OrderLeaf } from '../rule.js';
import { coverOf, type Access, type Cover, type Scales } from './cover.js';
import { Ints } from './ints.js';
import type { Leaves } from './leaves.js';
import type { ProgramBuilder } from './programs.js';
import { Ranges, type RuleRange } from './ranges.js';
import { Weights } from './weights.js';

/** Rules under one key up to which they are simply tried. */
const CROWD = 24;

/** Levels of indexes within indexes. */
const DEPTH = 4;

/** An inner index must be expected to spare this share of its rules. */
const SPARED = 0.5;

const NONE = -1;

/** Which rules may match: by key, by range, and those that are always tried. */
export interface IndexNode {
  /** From a key to the first of its postings. */
  readonly postings: ReadonlyMap<number, number>;
  readonly ranges: readonly { readonly path: number; readonly ranges: Ranges }[];
  /** Ascending. */
  readonly always: Int32Array;
}

/** Postings of all nodes, chained. */
export interface Postings {
  /** A rule, or what an inner index replaces all of a key's rules by: `-1 - ` its number. */
  readonly rules: Int32Array;
  /** The next posting of the key, or -1. */
  readonly next: Int32Array;
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
  readonly #matches: readonly Match[];
  readonly #leaves: Leaves;
  readonly #programs: ProgramBuilder;
  readonly #weights: Weights;
  readonly #rules = new Ints();
  readonly #next = new Ints();
  /** The leaf by which the rule of a posting was posted. */
  readonly #by = new Ints();
  readonly #inner: IndexNode[] = [];
  /** Keys that some node goes by. */
  readonly #used: Uint8Array;

  constructor(matches: readonly Match[], leaves: Leaves, programs: ProgramBuilder) {
    this.#matches = matches;
    this.#leaves = leaves;
    this.#programs = programs;
    this.#weights = new Weights(leaves);
    this.#used = new Uint8Array(leaves.keys.count);
  }

  uses(key: number): boolean {
    return this.#used[key] === 1;
  }

  /** The node of all rules. */
  root(): IndexNode {
    return this.#build(this.plan(this.#matches.map((_, rule) => ({ rule, given: [] }))), 1);
  }

  postings(): Postings {
    return { rules: this.#rules.toArray(), next: this.#next.toArray(), inner: this.#inner };
  }

  /** Chooses a cover for each of some rules, by what is selective among them. */
  plan(members: readonly Member[]): readonly Plan[] {
    this.#weights.clear();
    for (const { rule, given } of members) {
      for (let place = 0; place < this.#programs.size(rule); place++) {
        const leaf = this.#programs.leaf(rule, place);
        if (!given.includes(leaf)) this.#weights.count(leaf);
      }
    }
    return members.map((member) => ({ ...member, cover: this.#cover(member) }));
  }

  #cover({ rule, given }: Member): Cover | null {
    const weights = this.#weights;
    const scales: Scales = {
      leaf: (leaf) => (given.includes(leaf) ? null : weights.leaf(leaf)),
      range: (range) => weights.range(range),
    };
    return coverOf(this.#matches[rule] as Match, (place) => this.#programs.leaf(rule, place), scales);
  }

  #build(plans: readonly Plan[], depth: number): IndexNode {
    const postings = new Map<number, number>();
    const ranges = new Map<number, RuleRange[]>();
    const always: number[] = [];
    for (const { rule, cover } of plans) {
      if (cover === null) always.push(rule);
      else for (const access of cover.accesses) this.#post(rule, access, postings, ranges);
    }
    if (depth < DEPTH) {
      const given = new Map(plans.map((plan) => [plan.rule, plan.given]));
      for (const head of postings.values()) this.#divide(head, given, depth);
    }
    return {
      postings,
      ranges: Array.from(ranges, ([path, some]) => ({ path, ranges: new Ranges(some) })),
      always: Int32Array.from(always).sort(),
    };
  }

  #post(rule: number, access: Access, postings: Map<number, number>, ranges: Map<number, RuleRange[]>): void {
    if ('keys' in access) {
      for (const key of access.keys) {
        this.#used[key] = 1;
        this.#next.push(postings.get(key) ?? NONE);
        this.#by.push(access.leaf);
        postings.set(key, this.#rules.push(rule));
      }
    } else {
      const some = ranges.get(access.path);
      const range = { rule, lower: this.#bound(access.lower), upper: this.#bound(access.upper) };
      if (some === undefined) ranges.set(access.path, [range]);
      else some.push(range);
    }
  }

  #bound(leaf: number | undefined): OrderLeaf['value'] | undefined {
    return leaf === undefined ? undefined : (this.#leaves.leaf(leaf) as OrderLeaf).value;
  }

  /** Puts an inner index in place of a crowd, where that spares enough. */
  #divide(head: number, given: ReadonlyMap<number, readonly number[]>, depth: number): void {
    if (!this.#isCrowd(head)) return;
    const members: Member[] = [];
    for (let posting = head; posting !== NONE; posting = this.#next.at(posting)) {
      const rule = this.#rules.at(posting);
      members.push({ rule, given: [...(given.get(rule) as readonly number[]), this.#by.at(posting)] });
    }
    const plans = this.plan(members);
    const expected = plans.reduce((sum, { cover }) => sum + Math.min(1, cover?.weight ?? 1), 0);
    if (expected > members.length * SPARED) return;
    const node = this.#build(plans, depth + 1);
    this.#rules.set(head, -this.#inner.push(node));
    this.#next.set(head, NONE);
  }

  #isCrowd(head: number): boolean {
    let size = 0;
    for (let posting = head; posting !== NONE && size <= CROWD; posting = this.#next.at(posting)) size++;
    return size > CROWD;
  }
}
