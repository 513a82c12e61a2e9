/** Rules with an index over them. What it decides is what trying each in turn decides. */
import type { PatternOptions } from '../../patterns/index.js';
import { CompiledRule, type Limit } from '../decision.js';
import type { Rule } from '../rule.js';
import { Burdens } from './burdens.js';
import { Candidates } from './candidates.js';
import { FoundKeys } from './keys.js';
import { Leaves, type LeafTests } from './leaves.js';
import { NodeBuilder, type IndexNode, type Postings } from './nodes.js';
import type { KeyFinder } from './path-keys.js';
import type { PathReader } from './paths.js';
import { ProgramBuilder, type Programs } from './programs.js';

/** Tells which rules are no longer in service. */
export type Gone = (rule: number) => boolean;

/** Rules in evaluation order, by number, and the way from an event to those that match. */
export class Segment {
  readonly rules: readonly Rule[];
  readonly #options: PatternOptions;
  readonly #compiled: (CompiledRule | undefined)[] = [];
  readonly #event: PathReader;
  readonly #finders: readonly (readonly KeyFinder[] | undefined)[];
  readonly #found: FoundKeys;
  readonly #root: IndexNode;
  readonly #postings: Postings;
  readonly #candidates: Candidates;
  readonly #programs: Programs;
  readonly #tests: LeafTests;
  readonly #burdens: Burdens;

  /** @param rules - Valid, in evaluation order. */
  constructor(rules: readonly Rule[], options: PatternOptions) {
    this.rules = rules;
    this.#options = options;
    const leaves = new Leaves(options);
    const programs = new ProgramBuilder(leaves);
    for (const { match } of rules) programs.add(match);
    const nodes = new NodeBuilder(
      rules.map(({ match }) => match),
      leaves,
      programs,
    );
    this.#root = nodes.root();
    this.#postings = nodes.postings();
    this.#programs = programs.seal();
    this.#finders = leaves.seal((key) => nodes.uses(key));
    this.#found = new FoundKeys(leaves.keys.count);
    this.#event = leaves.paths.reader();
    this.#tests = leaves.tests(this.#event, this.#found);
    this.#candidates = new Candidates(rules.length);
    this.#burdens = new Burdens(rules.length, leaves, programs);
  }

  /** The rules that match, in order, up to and with the first drop. */
  matching(event: unknown, limits: Limit[], isGone: Gone): CompiledRule[] {
    this.#read(event);
    const longest = this.#found.doubtful ? Infinity : this.#burdens.longestSubject(this.#event);
    this.#candidates.clear();
    this.#burdens.eachOver(longest, this.#meet);
    this.#search(this.#root);
    this.#candidates.sort();
    const matching = this.#confirm((rule) => {
      if (isGone(rule)) return false;
      const matches = this.#burdens.isOver(rule, longest) ? undefined : this.#programs.run(rule, this.#tests);
      return matches ?? this.#compile(rule).matches(event, limits);
    });
    this.#event.clear();
    return matching;
  }

  /** Finds what the event has at the paths of the rules, and the keys that this gives it. */
  #read(event: unknown): void {
    this.#event.clear();
    this.#found.clear();
    this.#tests.clear();
    this.#event.read(event);
    for (let i = 0; i < this.#event.count; i++) {
      const path = this.#event.at(i);
      const finders = this.#finders[path] as readonly KeyFinder[];
      for (const finder of finders) finder.find(this.#event.value(path), this.#found);
    }
  }

  readonly #meet = (rule: number): void => {
    this.#candidates.add(rule);
  };

  /** Meets the rules that a node leads to; those that the root always tries wait for the end. */
  #search(node: IndexNode): void {
    const { postings } = node;
    if (postings.size < this.#found.count) {
      for (const [key, head] of postings) if (this.#found.has(key)) this.#follow(head);
    } else {
      for (let i = 0; i < this.#found.count; i++) {
        const head = postings.get(this.#found.at(i));
        if (head !== undefined) this.#follow(head);
      }
    }
    for (const { path, ranges } of node.ranges) ranges.find(this.#event.value(path), this.#meet);
    if (node !== this.#root) for (const rule of node.always) this.#candidates.add(rule);
  }

  /** Meets the rules of a chain of postings, or searches the node that stands for them. */
  #follow(head: number): void {
    const { rules, next, inner } = this.#postings;
    for (let posting = head; posting >= 0; posting = next[posting] as number) {
      const rule = rules[posting] as number;
      if (rule >= 0) this.#candidates.add(rule);
      else this.#search(inner[-1 - rule] as IndexNode);
    }
  }

  /** Goes through the candidates and the rules that are always tried, in order, until a drop matches. */
  #confirm(matches: (rule: number) => boolean): CompiledRule[] {
    const { always } = this.#root;
    const candidates = this.#candidates;
    const matching: CompiledRule[] = [];
    let i = 0;
    let j = 0;
    for (;;) {
      const candidate = i < candidates.count ? candidates.at(i) : Infinity;
      const rule = Math.min(candidate, always[j] ?? Infinity);
      if (rule === Infinity) return matching;
      if (rule === candidate) i++;
      if (rule === always[j]) j++;
      if (!matches(rule)) continue;
      matching.push(this.#compile(rule));
      if ((this.rules[rule] as Rule).action.type === 'drop') return matching;
    }
  }

  #compile(rule: number): CompiledRule {
    return (this.#compiled[rule] ??= new CompiledRule(this.rules[rule] as Rule, this.#options));
  }
}
