/**
 * Looks for an event that meets goals: this tree matches, that one does not.
 *
 * A search for a model, as solvers of satisfiability modulo theories do it, lazily: the leaves that must be met come
 * first; the theory of JSON values makes an event of them; a choice that this event does not meet is split into its
 * branches. A refuted branch names the choices that its refutation rests on, and a choice that none rests on is not
 * tried further (conflict-directed backjumping).
 */
import type { Json } from '../../json.js';
import { layOut, runProgram, type Program, type Step } from '../match/index.js';
import { STAR, type Path } from '../path.js';
import { childrenOf, isGroup } from '../tree.js';
import type { Leaf, Match } from '../rule.js';
import { isStarred, type SizedStep } from './condition.js';
import { leafDemandOf } from './demand.js';
import type { Effort } from './effort.js';
import { refute, type Goal } from './refutation.js';
import { eventShape } from './shape.js';
import { MAX_DEPTH, NONE, OPEN, DemandNode } from './demand-node.js';
import { solve } from './values.js';

/** A node of a goal's tree that must match, or must not. */
interface Node extends Goal {
  readonly match: Match;
}

/** Nodes of which at least one must be met, and the choice that brought this one about. */
interface Choice {
  readonly branches: readonly Node[];
  readonly level: number;
  /** Whether one of its branches is being tried. */
  made: boolean;
}

/** The choices that a refutation rests on. */
type Levels = ReadonlySet<number>;

/** An event that meets all goals; or none does, by these leaves; or neither is known. */
export type Answer =
  | { readonly found: true; readonly event: Readonly<Record<string, Json>> }
  | { readonly found: false; readonly leaves: ReadonlySet<Leaf> }
  | null;

/** Choices, one within the branch of another, up to which they are tried. */
const MAX_LEVELS = 400;

/** Units of effort for visiting a leaf or a group. */
const NODE_UNITS = 32;

/**
 * Looks for an event; what it finds has been worked out, not tried, unless paths have stars.
 *
 * With stars it looks only for arrays in which the first element meets all leaves, or each element meets one; what it
 * finds is tried, and that it finds nothing proves nothing. Then a refutation may.
 */
export function search(goals: readonly Goal[], effort: Effort): Answer {
  if (!goals.some(({ tree }) => tree.program.some(isStarred))) return new Search(effort, 'first').run(goals);
  for (const spread of ['first', 'each'] as const) {
    const answer = new Search(effort, spread).run(goals);
    if (answer?.found === true && meetsAll(goals, answer.event, effort)) return answer;
  }
  const conflicts = refute(goals, effort);
  if (conflicts === null) return null;
  return { found: false, leaves: new Set(conflicts.flat().map(({ step }) => step.leaf)) };
}

const meetsAll = (goals: readonly Goal[], event: unknown, effort: Effort): boolean =>
  goals.every(({ tree: { program }, must }) => {
    if (!effort.affords(NODE_UNITS * program.length)) return false;
    return runProgram(program, event, effort) === must;
  });

/** The elements that leaves with stars in their paths are asked of: the first, or one for each leaf. */
type Spread = 'first' | 'each';

/** One search. */
class Search {
  readonly #effort: Effort;
  readonly #root = new DemandNode(eventShape);
  readonly #taken: Path[] = [];
  readonly #choices: Choice[] = [];
  readonly #programs = new Map<Match, Program>();
  readonly #blamed = new Set<Leaf>();
  /** Whether some leaf is not among the demands, so that an event may fail to meet it. */
  #incomplete = false;
  readonly #spread: Spread;
  #starred = 0;

  constructor(effort: Effort, spread: Spread) {
    this.#effort = effort;
    this.#spread = spread;
  }

  run(goals: readonly Goal[]): Answer {
    for (const goal of goals) this.#take({ ...goal, match: goal.tree.match }, 0);
    const result = this.#extend(1);
    if (result === null) return null;
    return result instanceof Set
      ? { found: false, leaves: this.#blamed }
      : { found: true, event: result as Readonly<Record<string, Json>> };
  }

  /** Meets the choices that are left. @returns An event, the choices that a refutation rests on, or `null`. */
  #extend(level: number): object | Levels | null {
    const outcome = solve(this.#root, this.#effort);
    if (outcome === NONE) return this.#conflict();
    if (outcome === OPEN || level > MAX_LEVELS) return this.#giveUp();
    const event = outcome.value as object;
    const choice = this.#unmet(event);
    if (choice === undefined) return this.#giveUp();
    if (choice === null) return this.#incomplete ? this.#giveUp() : event;
    choice.made = true;
    const result = this.#split(choice, level);
    choice.made = false;
    return result;
  }

  #split(choice: Choice, level: number): object | Levels | null {
    const conflict = new Set([choice.level]);
    let open = false;
    for (const branch of choice.branches) {
      const result = this.#try(branch, level);
      if (result === null) open = true;
      else if (!(result instanceof Set) || !result.has(level)) return result;
      else for (const each of result as Levels) conflict.add(each);
    }
    conflict.delete(level);
    return open ? null : conflict;
  }

  #giveUp(): null {
    this.#effort.giveUp();
    return null;
  }

  #try(branch: Node, level: number): object | Levels | null {
    const [taken, choices] = [this.#taken.length, this.#choices.length];
    this.#take(branch, level);
    const result = this.#extend(level + 1);
    for (const path of this.#taken.splice(taken)) this.#root.change(path, (demands) => demands.pop());
    this.#choices.length = choices;
    return result;
  }

  /** Takes the leaves that a node demands regardless of its choices, and adds the choices to the others. */
  #take(node: Node, level: number): void {
    const pending = [node];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { match, must, tree } = next;
      if (!this.#effort.affords(NODE_UNITS)) return void (this.#incomplete = true);
      if (!isGroup(match)) this.#demand(tree.steps.get(match) as SizedStep, must, level);
      else {
        const branches = childrenOf(match).map((child) => ({ tree, must, match: child }));
        if ('all' in match === must || branches.length === 1) pending.push(...branches.reverse());
        else this.#choices.push({ branches, level, made: false });
      }
    }
  }

  #demand(step: SizedStep, must: boolean, level: number): void {
    if (step.path.length > MAX_DEPTH) this.#incomplete = true;
    else {
      const path = isStarred(step) ? this.#elementOf(step.path) : step.path;
      this.#taken.push(path);
      this.#root.change(path, (demands) => demands.push(leafDemandOf(step, must, level)));
    }
  }

  /** The path of one of the elements that the stars of a path stand for. */
  #elementOf(path: Path): Path {
    const index = this.#spread === 'first' ? 0 : this.#starred++;
    return path.map((segment) => (segment === STAR ? { key: String(index), index } : segment));
  }

  #conflict(): Levels {
    const demands = this.#root.conflict();
    for (const { leaf } of demands) this.#blamed.add(leaf);
    return new Set(demands.map(({ level }) => level));
  }

  /** The choice with the fewest branches among those that an event does not meet; `null` if all are met. */
  #unmet(event: object): Choice | null | undefined {
    let best: Choice | null = null;
    for (const choice of this.#choices) {
      if (choice.made || (best !== null && best.branches.length <= choice.branches.length)) continue;
      const isMet = this.#meets(choice, event);
      if (isMet === undefined) return undefined;
      if (!isMet) best = choice;
    }
    return best;
  }

  #meets({ branches }: Choice, event: object): boolean | undefined {
    for (const { tree, match, must } of branches) {
      const program = this.#programOf(match, tree.steps);
      if (!this.#effort.affords(NODE_UNITS * program.length)) return undefined;
      const undecided: Leaf[] = [];
      const matches = runProgram(program, event, this.#effort, (leaf) => undecided.push(leaf));
      if (undecided.length > 0) return undefined;
      if (matches === must) return true;
    }
    return false;
  }

  /** The part of a compiled tree that tries a node. */
  #programOf(match: Match, steps: ReadonlyMap<Leaf, SizedStep>): Program {
    let program = this.#programs.get(match);
    if (program === undefined) {
      const laidOut: Step[] = [];
      layOut(match, (leaf, ifHeld, ifNot) => {
        laidOut.push({ ...(steps.get(leaf) as SizedStep), ifHeld, ifNot });
      });
      this.#programs.set(match, (program = laidOut));
    }
    return program;
  }
}
