/** Rules with an index over them. What it decides is what trying each in turn decides. */
import type { PatternOptions } from '../../patterns/index.js';
import { Matching, type Compile, type Limit } from '../decision.js';
import type { Action, Rule } from '../rule.js';
import type { BitSet } from './bit-set.js';
import { Burdens } from './burdens.js';
import { Candidates } from './candidates.js';
import { FoundKeys } from './keys.js';
import { NONE, NodeBuilder, type IndexNode, type Lists } from './nodes.js';
import type { KeyFinder } from './path-keys.js';
import type { PathReader } from './paths.js';
import type { Knowledge, Programs } from './programs.js';
import { Stamps } from './stamps.js';

/** Rules, by number, that are no longer in service. */
export type Gone = Pick<BitSet, 'has'>;

/** Rules in evaluation order, by number, and the way from an event to those that match. */
export class Segment {
  readonly rules: readonly Rule[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #actions: readonly Action[];
  /** Actions of rules that matched. */
  readonly #acted: Stamps;
  readonly #compile: Compile;
  readonly #finders: readonly (readonly KeyFinder[])[];
  readonly #root: IndexNode;
  /** What the root has posted, by key. */
  readonly #posted: Int32Array;
  readonly #lists: Lists;
  readonly #programs: Programs;
  readonly #burdens: Burdens;
  readonly #event: PathReader;
  readonly #found: FoundKeys;
  readonly #knowledge: Knowledge;
  readonly #candidates: Candidates;

  /** @param rules - Valid, in evaluation order. */
  constructor(rules: readonly Rule[], options: PatternOptions, compile: Compile) {
    this.rules = rules;
    this.#numbers = new Map(rules.map(({ id }, number) => [id, number]));
    const [actions, actionOf] = distinct(rules);
    this.#actions = actions;
    this.#acted = new Stamps(actions.length);
    this.#compile = compile;
    const nodes = new NodeBuilder(rules, options);
    const { leaves, programs } = nodes;
    this.#root = nodes.root();
    this.#posted = new Int32Array(leaves.keys.count).fill(NONE);
    for (const [key, posted] of this.#root.posted) this.#posted[key] = posted;
    this.#lists = nodes.lists();
    this.#finders = leaves.seal((key) => nodes.uses(key));
    this.#programs = programs.seal(actionOf);
    this.#burdens = new Burdens(rules.length, leaves, programs);
    this.#event = leaves.paths.reader();
    this.#found = new FoundKeys(leaves.keys.count);
    this.#knowledge = { event: this.#event, found: this.#found, tests: leaves.tests(this.#event) };
    this.#candidates = new Candidates(programs.blocks);
  }

  /** The number of the rule with an id; `undefined` where there is none. */
  numberOf(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  /** The rules that match, in order, up to and with the first drop. */
  matching(event: unknown, limits: Limit[], gone: Gone | null): Matching {
    this.#read(event);
    const longest = this.#found.doubtful ? Infinity : this.#burdens.longestSubject(this.#event);
    this.#candidates.clear();
    this.#burdens.eachOver(longest, this.#meet);
    this.#search();
    this.#candidates.sort();
    const matching = this.#confirm(event, limits, longest, gone);
    this.#event.clear();
    return matching;
  }

  /** Finds what the event has at the paths of the rules, and the keys that this gives it. */
  #read(event: unknown): void {
    const reader = this.#event;
    const found = this.#found;
    reader.clear();
    found.clear();
    this.#knowledge.tests.clear();
    reader.read(event);
    for (let i = 0; i < reader.count; i++) {
      const path = reader.at(i);
      for (const finder of this.#finders[path] as readonly KeyFinder[])
        finder.find(reader.value(path), found);
    }
  }

  readonly #meet = (rule: number): void => {
    this.#candidates.add(rule);
  };

  /** Meets the rules that the root leads to; those that it always tries wait for the end. */
  #search(): void {
    const found = this.#found;
    for (let i = 0; i < found.count; i++) {
      const posted = this.#posted[found.at(i)] as number;
      if (posted !== NONE) this.#follow(posted);
    }
    for (const { path, ranges } of this.#root.ranges) ranges.find(this.#event.value(path), this.#meet);
  }

  /** Meets all rules that an inner index leads to, in the time of the fewer: of its keys, or of those found. */
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
    for (const { path, ranges: some } of ranges) some.find(this.#event.value(path), this.#meet);
    for (const rule of always) this.#candidates.add(rule);
  }

  /** Meets what is posted under a key. */
  #follow(posted: number): void {
    if (posted >= 0) {
      this.#candidates.add(posted);
      return;
    }
    const { rules, inner } = this.#lists;
    const place = -2 - posted;
    const count = rules[place] as number;
    if (count < 0) this.#searchInner(inner[-1 - count] as IndexNode);
    for (let i = 1; i <= count; i++) this.#candidates.add(rules[place + i] as number);
  }

  /** Tries the candidates and the rules that are always tried, in order, until a drop matches. */
  #confirm(event: unknown, limits: Limit[], longest: number, gone: Gone | null): Matching {
    const { always } = this.#root;
    const candidates = this.#candidates;
    const matching = new Matching();
    this.#acted.clear();
    let i = 0;
    let j = 0;
    for (;;) {
      const candidate = i < candidates.count ? candidates.at(i) : LAST;
      const constant = j < always.length ? (always[j] as number) : LAST;
      const place = candidate < constant ? candidate : constant;
      if (place === LAST) return matching;
      if (place === candidate) i++;
      if (place === constant) j++;
      const number = this.#programs.ruleAt(place);
      if (gone?.has(number) === true) continue;
      const isOver = this.#burdens.isOver(number, longest);
      const held = isOver ? undefined : this.#programs.run(place, this.#knowledge);
      const rule = this.rules[number] as Rule;
      if (!(held ?? this.#compile(rule).matches(event, limits))) continue;
      if (matching.add(rule, this.#newAction(place))) return matching;
    }
  }

  /** What the rule at a place does; `null` where a rule that matched before it does the same. */
  #newAction(place: number): Action | null {
    const number = this.#programs.noteAt(place);
    return this.#acted.add(number) ? (this.#actions[number] as Action) : null;
  }
}

/** After the place of any rule. */
const LAST = 2 ** 31 - 1;

/** Lists in actions that are short enough to be compared as text. */
const SHORT = 8;

/** The actions of rules, tags and routes that are the same once, and which of them is that of each rule. */
function distinct(rules: readonly Rule[]): readonly [readonly Action[], Int32Array] {
  const actions: Action[] = [];
  const known = new Map<string, number>();
  const actionOf = Int32Array.from(rules, ({ action }) => {
    const list =
      action.type === 'tag' ? action.tags : action.type === 'route_only' ? action.endpoint_ids : [];
    if (action.type === 'transform' || list.length > SHORT) return actions.push(action) - 1;
    const text = `${action.type} ${JSON.stringify(list)}`;
    const number = known.get(text) ?? actions.push(action) - 1;
    known.set(text, number);
    return number;
  });
  return [actions, actionOf];
}
