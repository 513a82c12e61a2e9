/** The evaluation of one event at a time: from its values to the rules that match it. */
import { Subjects, type KnownStructures, type Structures } from '../match/index.js';
import { Matching, type Compile, type PatternLimit } from '../decision.js';
import type { Action, Rule } from '../rule.js';
import type { BitSet } from './bit-set.js';
import type { Burdens } from './burdens.js';
import { Candidates } from './candidates.js';
import { FoundKeys } from './keys.js';
import { LeafTests, type LeafTable } from './leaves.js';
import { NONE, type IndexNode, type Lists } from './nodes.js';
import type { KeyFinder } from './path-keys.js';
import type { PathReader } from './paths.js';
import type { Knowledge, Programs } from './programs.js';
import type { Reading } from './reading.js';
import { Stamps } from './stamps.js';

/** Rules, by number, that are no longer in service. */
export type Gone = Pick<BitSet, 'has'>;

/** The index of the rules, built before any event. Immutable. */
export interface Index {
  /** In evaluation order, by number. */
  readonly rules: readonly Rule[];
  readonly actions: readonly Action[];
  readonly compile: Compile;
  readonly leaves: LeafTable;
  readonly newReader: () => PathReader;
  /** How many keys there are. */
  readonly keys: number;
  readonly structures: Structures;
  readonly burdens: Burdens;
  /** By path. */
  readonly finders: readonly (readonly KeyFinder[])[];
  readonly root: IndexNode;
  /** The posting of each key at the root; `NONE` where there is none. */
  readonly posted: Int32Array;
  readonly lists: Lists;
  readonly programs: Programs;
  /** How many blocks the programs take up. */
  readonly blocks: number;
}

/**
 * The state of evaluating an event. It is reused for event after event: {@link Evaluation.run} clears it before it
 * returns. After a run that threw it must not be used again.
 */
export class Evaluation implements Reading {
  readonly #index: Index;
  readonly #event: PathReader;
  readonly #found: FoundKeys;
  readonly #knowledge: Knowledge;
  readonly #candidates: Candidates;
  /** Actions of rules that matched. */
  readonly #acted: Stamps;
  readonly #structures: KnownStructures = new Map();
  #subjects: Subjects | null = null;
  #longest = 0;

  constructor(index: Index) {
    const { leaves, newReader, keys, blocks, actions } = index;
    this.#index = index;
    this.#event = newReader();
    this.#found = new FoundKeys(keys);
    const tests = new LeafTests(leaves, this.#event, this);
    this.#knowledge = { event: this.#event, found: this.#found, tests };
    this.#candidates = new Candidates(blocks);
    this.#acted = new Stamps(actions.length);
  }

  get subjects(): Subjects {
    return (this.#subjects ??= new Subjects());
  }

  get longest(): number {
    return this.#longest;
  }

  structure(structure: object): number {
    return this.#index.structures.find(structure, this.#structures);
  }

  /** The rules that match, in order, up to and with the first drop. */
  run(event: unknown, limits: PatternLimit[], gone: Gone | null): Matching {
    this.#read(event);
    this.#search();
    this.#candidates.sort();
    const matching = this.#confirm(event, limits, gone);
    this.#clear();
    return matching;
  }

  /** Reads the event's values at the paths of the rules, and finds their keys. */
  #read(event: unknown): void {
    const reader = this.#event;
    reader.read(event);
    this.#longest = this.#index.burdens.longestSubject(reader);
    for (let i = 0; i < reader.count; i++) {
      const path = reader.at(i);
      for (const finder of this.#index.finders[path] as readonly KeyFinder[])
        finder.find(reader.value(path), this.#found, this);
    }
    if (this.#found.doubtful) this.#longest = Infinity;
  }

  /** Releases the event and all that was derived from it. */
  #clear(): void {
    this.#event.clear();
    this.#found.clear();
    this.#candidates.clear();
    this.#acted.clear();
    this.#structures.clear();
    this.#subjects = null;
    this.#knowledge.tests.clear();
  }

  readonly #meet = (rule: number): void => {
    this.#candidates.add(rule);
  };

  /** Collects the rules that may match, except those that the root always tries. */
  #search(): void {
    const { root, posted, burdens } = this.#index;
    const found = this.#found;
    burdens.eachOver(this.#longest, this.#meet);
    for (let i = 0; i < found.count; i++) {
      const under = posted[found.at(i)] as number;
      if (under !== NONE) this.#follow(under);
    }
    for (const { path, ranges } of root.ranges) ranges.find(this.#event.value(path), this.#meet, this);
  }

  /** Collects the rules of an inner index. Goes through its keys or the keys found, whichever are fewer. */
  #searchInner({ posted, ranges, always }: IndexNode): void {
    const found = this.#found;
    if (posted.size < found.count) {
      for (const [key, under] of posted) if (found.has(key)) this.#follow(under);
    } else {
      for (let i = 0; i < found.count; i++) {
        const under = posted.get(found.at(i));
        if (under !== undefined) this.#follow(under);
      }
    }
    for (const { path, ranges: some } of ranges) some.find(this.#event.value(path), this.#meet, this);
    for (const rule of always) this.#candidates.add(rule);
  }

  /** Collects the rules of a posting: a single rule, a list or an inner index. */
  #follow(posted: number): void {
    if (posted >= 0) {
      this.#candidates.add(posted);
      return;
    }
    const { rules, inner } = this.#index.lists;
    const place = -2 - posted;
    const count = rules[place] as number;
    if (count < 0) this.#searchInner(inner[-1 - count] as IndexNode);
    for (let i = 1; i <= count; i++) this.#candidates.add(rules[place + i] as number);
  }

  /** Tries the candidates and the rules that are always tried, in order, until a drop matches. */
  #confirm(event: unknown, limits: PatternLimit[], gone: Gone | null): Matching {
    const { rules, programs, burdens, compile, root } = this.#index;
    const { always } = root;
    const candidates = this.#candidates;
    const matching = new Matching();
    let i = 0;
    let j = 0;
    for (;;) {
      const candidate = i < candidates.count ? candidates.at(i) : LAST;
      const constant = j < always.length ? (always[j] as number) : LAST;
      const place = candidate < constant ? candidate : constant;
      if (place === LAST) return matching;
      if (place === candidate) i++;
      if (place === constant) j++;
      const number = programs.ruleAt(place);
      if (gone?.has(number) === true) continue;
      const isOver = burdens.isOver(number, this.#longest);
      const held = isOver ? undefined : programs.run(place, this.#knowledge);
      const rule = rules[number] as Rule;
      if (!(held ?? compile(rule).matches(event, limits, this.subjects))) continue;
      if (matching.add(rule, this.#newAction(place))) return matching;
    }
  }

  /** The action of the rule at a place; `null` where a rule that matched before it has the same. */
  #newAction(place: number): Action | null {
    const number = this.#index.programs.noteAt(place);
    return this.#acted.add(number) ? (this.#index.actions[number] as Action) : null;
  }
}

/** Greater than the place of any rule. */
const LAST = 2 ** 31 - 1;
