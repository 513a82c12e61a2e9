/**
 * Two lists of rules, compared on all events.
 *
 * Rules with equal trees share a number. The comparison assumes for some trees whether they match, and compares the
 * effects that both lists still have, as they are written. If the effects are alike, no event of that kind is decided
 * differently. If they are not, the search makes an event of that kind, and both lists decide it. If they agree, the
 * comparison makes one more assumption, first the opposite of what holds on that event. So it searches only the cases
 * that the lists do not share.
 */
import { jsonEquals, jsonSize, type Json } from '../../json.js';
import { budgetOf, type PatternOptions } from '../../patterns/index.js';
import { runProgram } from '../match/index.js';
import type { Decision } from '../decision.js';
import type { Action, Event, Match, Rule, TransformOp } from '../rule.js';
import { causeOf, type Cause } from './cause.js';
import { Account } from '../values/index.js';
import { compileTree, type Tree } from './condition.js';
import { Effort } from './effort.js';
import {
  differing,
  effectsOf,
  textOf,
  type Assumed,
  type Effect,
  type Effects,
  type Numbered,
} from './effects.js';
import { isEventAnd, unknown, type OpenReason } from './find-event.js';
import { opCandidates, tagCandidates, type Candidate, type Hint } from './hints.js';
import { simplified } from './simplify.js';
import type { Goal } from './refutation.js';
import { search } from './search.js';

/** An event that two rule sets decide differently, a proof that no event does, or neither. */
export type RuleComparison =
  | {
      readonly answer: 'same';
      /** Units of work. */
      readonly work: number;
    }
  | {
      readonly answer: 'differs';
      /** As small and plain as it could be made. */
      readonly event: Event;
      readonly before: Decision;
      readonly after: Decision;
      /** The part of a rule that makes the difference. */
      readonly cause: Cause;
      readonly work: number;
    }
  | { readonly answer: 'unknown'; readonly reason: OpenReason; readonly work: number };

/** One of the lists: rules that run, in evaluation order, and their decisions. */
export interface Side {
  readonly rules: readonly Rule[];
  /** The action of each, with endpoint ids in lower case. */
  readonly actions: readonly Action[];
  decide(event: Event): Decision;
}

/** Compares two lists of valid rules. */
export function compare(before: Side, after: Side, options: PatternOptions, maxWork: number): RuleComparison {
  const effort = new Effort(maxWork);
  const size = [...before.rules, ...after.rules].reduce(
    (sum, { match }) => sum + jsonSize(match as unknown as Json),
    0,
  );
  if (!effort.affords(size)) return unknown(effort);
  const comparison = new Comparison(before, after, size, options, effort);
  const event = comparison.run();
  if (event === 'same') return { answer: 'same', work: effort.spent };
  if (event === null) return unknown(effort);
  const plainest = simplified(
    event as unknown as Json,
    isEventAnd((one) => comparison.isDecidedDifferently(one as Event)),
    effort,
  ) as unknown as Event;
  return {
    answer: 'differs',
    event: plainest,
    before: before.decide(plainest),
    after: after.decide(plainest),
    cause: causeOf(before.rules, after.rules, plainest, options),
    work: effort.spent,
  };
}

/** An event that makes a difference; `same` if no event does; `null` if that stays open. */
type Found = Event | 'same' | null;

/** Trees that are assumed, one within the case of another, up to which cases are told apart. */
const MAX_CASES_DEEP = 300;

/** Units of effort for the effect of a rule. */
const EFFECT_UNITS = 32;

/** A tree, compiled when it is first asked about. */
interface Known {
  readonly match: Match;
  tree: Tree | null;
}

/** One comparison. */
class Comparison {
  readonly #trees: Known[] = [];
  readonly #before: readonly Numbered[];
  readonly #after: readonly Numbered[];
  readonly #decide: readonly [Side, Side];
  readonly #size: number;
  readonly #options: PatternOptions;
  readonly #effort: Effort;

  constructor(before: Side, after: Side, size: number, options: PatternOptions, effort: Effort) {
    const numbers = new Map<string, number>();
    const numbered = ({ rules, actions }: Side): readonly Numbered[] =>
      rules.map(({ match }, i) => {
        const text = textOf(match);
        const known = numbers.get(text);
        const tree = known ?? this.#trees.push({ match, tree: null }) - 1;
        if (known === undefined) numbers.set(text, tree);
        return { action: actions[i] as Action, tree };
      });
    this.#before = numbered(before);
    this.#after = numbered(after);
    this.#decide = [before, after];
    this.#size = size;
    this.#options = options;
    this.#effort = effort;
  }

  run(): Found {
    return this.#tell({ assumed: new Map(), depth: 0, hinted: false });
  }

  /** Whether two decisions of an event differ in anything but the rules that caused them. */
  isDecidedDifferently(event: Event): boolean {
    if (!this.#effort.affords(this.#size)) return false;
    const [before, after] = this.#decide.map((side) => side.decide(event)) as [Decision, Decision];
    return (
      before.outcome !== after.outcome ||
      !jsonEquals(before.tags, after.tags) ||
      !jsonEquals(before.endpointIds, after.endpointIds) ||
      !jsonEquals(before.event.data, after.event.data)
    );
  }

  /** Looks for a difference among the events for which the assumptions hold. */
  #tell({ assumed, depth, hinted }: Case): Found {
    const rules = this.#before.length + this.#after.length;
    if (!this.#effort.affords(EFFECT_UNITS * (1 + rules))) return null;
    const effects = [effectsOf(this.#before, assumed), effectsOf(this.#after, assumed)] as const;
    const parts = partsOf(...effects);
    if (isEmpty(parts)) return 'same';
    if (depth > MAX_CASES_DEEP) return this.#giveUp();
    const answer = search(this.#goalsOf(assumed), this.#effort);
    if (answer?.found === false) return 'same';
    const event = answer === null ? null : (answer.event as unknown as Event);
    if (event !== null && this.isDecidedDifferently(event)) return event;
    const tree = this.#nextTree(parts, effects, event, assumed);
    if (tree === undefined) return this.#giveUp();
    if (tree === null) {
      return hinted ? this.#giveUp() : this.#settle(parts, effects, { assumed, depth, hinted });
    }
    const first = event === null || !this.#matches(tree, event);
    return this.#either(tree, first, { assumed, depth, hinted });
  }

  #either(tree: number, first: boolean, under: Case): Found {
    const one = this.#tell(within(under, tree, first));
    if (one !== null && one !== 'same') return one;
    const other = this.#tell(within(under, tree, !first));
    return other === 'same' ? one : other;
  }

  #giveUp(): null {
    this.#effort.giveUp();
    return null;
  }

  #goalsOf(assumed: Assumed): readonly Goal[] {
    return [...assumed].map(([number, must]) => ({ tree: this.#treeOf(number), must }));
  }

  #treeOf(number: number): Tree {
    const known = this.#trees[number] as Known;
    return (known.tree ??= compileTree(known.match, this.#options));
  }

  #matches(number: number, event: Event): boolean {
    return runProgram(this.#treeOf(number).program, event, new Account(budgetOf(this.#options)));
  }

  /**
   * The tree to assume next: one that brings about a difference, best one that hides it in an event; else any that may
   * hide it. `null` if no drop does, `undefined` if finding it takes too much work.
   */
  #nextTree(
    { tags, routes, ops }: Parts,
    effects: readonly Effects[],
    event: Event | null,
    assumed: Assumed,
  ): number | null | undefined {
    const open = (all: readonly (readonly Effect<unknown>[])[]): readonly number[] =>
      [...new Set(all.flat().map(({ tree }) => tree))].filter((tree) => tree >= 0 && !assumed.has(tree));
    const near = open([...tags, ...routes, ...ops]);
    const far = event === null ? [] : open(effects.flatMap((each) => [each.tags, each.routes, each.ops]));
    for (const tree of event === null ? [] : [...near, ...far]) {
      if (!this.#effort.affords(EFFECT_UNITS * this.#treeOf(tree).program.length)) return undefined;
      if (this.#matches(tree, event as Event)) return tree;
    }
    return near[0] ?? null;
  }

  /** Looks for a difference once it is known for every tree that matters whether it matches. */
  #settle(parts: Parts, effects: readonly Effects[], under: Case): Found {
    const candidates = [...tagCandidates(parts.tags.flat()), ...opCandidates(parts.ops, effects)];
    let open = false;
    for (const { needs, hints } of candidates) {
      for (const hint of hints) {
        const found = this.#tell(this.#hinted(hint, under));
        if (found !== null && found !== 'same') return found;
      }
      const needed = needs && this.#tell(this.#hinted(needs, under));
      if (needed === null) open = true;
      else if (needed !== 'same') return needed;
    }
    return !open && isEmpty(withoutItems(parts, candidates)) ? 'same' : this.#giveUp();
  }

  /** A case in which a hint is followed, too. */
  #hinted({ match, must }: Hint, under: Case): Case {
    const tree = this.#trees.push({ match, tree: null }) - 1;
    return { ...within(under, tree, must), hinted: true };
  }
}

/** Assumptions. */
interface Case {
  readonly assumed: Assumed;
  /** How many cases it is within. */
  readonly depth: number;
  /** Whether a hint is among them. */
  readonly hinted: boolean;
}

const within = ({ assumed, depth, hinted }: Case, tree: number, must: boolean): Case => ({
  assumed: new Map([...assumed, [tree, must]]),
  depth: depth + 1,
  hinted,
});

/** The effects of each kind that are not alike, before and after. */
interface Parts {
  readonly tags: readonly (readonly Effect<string>[])[];
  readonly routes: readonly (readonly Effect<string>[])[];
  readonly ops: readonly (readonly Effect<TransformOp>[])[];
}

const isEmpty = ({ tags, routes, ops }: Parts): boolean => [tags, routes, ops].flat(2).length === 0;

/** The effects without those that change nothing. A drop stays. */
function withoutItems({ tags, routes, ops }: Parts, candidates: readonly Candidate[]): Parts {
  const dead = new Set(
    candidates.map(({ item }) => (typeof item === 'string' ? item : textOf(item as object))),
  );
  const left = <Item>([before = [], after = []]: readonly (readonly Effect<Item>[])[]) => {
    const filter = (effects: readonly Effect<Item>[]): readonly Effect<Item>[] =>
      effects
        .map(({ tree, items }) => ({
          tree,
          items: items.filter((item) => !dead.has(typeof item === 'string' ? item : textOf(item as object))),
          isDrop: items.length === 0,
        }))
        .filter(({ items, isDrop }) => isDrop || items.length > 0);
    return differing(filter(before), filter(after));
  };
  return { tags: left(tags), routes, ops: left(ops) };
}

const partsOf = (before: Effects, after: Effects): Parts => ({
  tags: differing(before.tags, after.tags),
  routes: differing(before.routes, after.routes),
  ops: differing(before.ops, after.ops),
});
