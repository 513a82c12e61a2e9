/**
 * Shows that no event meets goals: this tree matches, that one does not.
 *
 * Conditions that must all be met are taken first. Then branches that conflict with them are left out of every choice,
 * and a choice with a single branch left is one more thing that must be met, until nothing follows any more. At the end
 * one choice at a time is tried branch by branch, if there are few. No further cases are told apart, so this takes time
 * in proportion to the trees, and misses only contradictions that need several choices at once.
 */
import { childrenOf, isGroup } from '../tree.js';
import type { Match } from '../rule.js';
import type { SizedStep, Tree } from './condition.js';
import type { Effort } from './effort.js';
import { Known, type Conflict } from './known.js';

/** A tree that must match, or must not. */
export interface Goal {
  readonly tree: Tree;
  readonly must: boolean;
}

/** A node of a goal's tree. */
interface Node extends Goal {
  readonly match: Match;
}

/** Nodes of which at least one must be met. */
type Choice = readonly Node[];

/** Units of effort for visiting a leaf or a choice, besides those for its condition. */
const NODE_UNITS = 100;

/** Branches of all choices together up to which they are tried one by one. */
const MAX_CASES = 32;

/**
 * Looks for a contradiction between goals.
 *
 * @returns The conflicts that show it, at least one; `null` if none was found.
 */
export function refute(goals: readonly Goal[], effort: Effort): readonly Conflict[] | null {
  const reasoner = new Reasoner(effort);
  const isRefuted = goals.some((goal) => reasoner.assume(goal)) || reasoner.refutesByCases();
  return isRefuted ? reasoner.conflicts : null;
}

/** Draws conclusions about an event that meets some goals. Made for one question, and thrown away with the answer. */
export class Reasoner {
  readonly conflicts: Conflict[] = [];
  readonly #effort: Effort;
  readonly #known: Known;
  #choices = new Set<Choice>();

  constructor(effort: Effort) {
    this.#effort = effort;
    this.#known = new Known(effort);
  }

  /** Assumes that a goal is met besides those before; true when they contradict each other. */
  assume({ tree, must }: Goal): boolean {
    return this.#refutes({ tree, must, match: tree.match });
  }

  /** Whether a goal contradicts those assumed; nothing is assumed by asking. */
  excludes(goal: Goal): boolean {
    return this.#tries(() => this.assume(goal) || this.refutesByCases());
  }

  /** Whether some choice has no branch that can be assumed. */
  refutesByCases(): boolean {
    const choices = [...this.#choices];
    if (choices.reduce((sum, { length }) => sum + length, 0) > MAX_CASES) return false;
    return choices.some((choice) => choice.every((branch) => this.#tries(() => this.#refutes(branch))));
  }

  /** Asks a question that makes assumptions, and takes them back. */
  #tries(question: () => boolean): boolean {
    const { height } = this.#known;
    const choices = new Set(this.#choices);
    const answer = question();
    this.#known.backTo(height);
    this.#choices = choices;
    return answer;
  }

  /** Takes a node, and whatever follows; true when that is a contradiction. */
  #refutes(node: Node): boolean {
    if (this.#takes(node, this.#choices)) return true;
    for (let isNew = true; isNew;) {
      isNew = false;
      // The loop also meets choices that are added on the way.
      for (const choice of this.#choices) {
        const [only, another] = this.#firstTwoPossible(choice);
        if (another !== undefined) continue;
        this.#choices.delete(choice);
        isNew = true;
        if (only === undefined || this.#takes(only, this.#choices)) return true;
      }
    }
    return false;
  }

  #firstTwoPossible(choice: Choice): readonly Node[] {
    const possible: Node[] = [];
    for (const branch of choice) {
      const { height } = this.#known;
      if (!this.#takes(branch, null)) possible.push(branch);
      this.#known.backTo(height);
      if (possible.length === 2) break;
    }
    return possible;
  }

  /**
   * Takes the conditions that a node sets whatever its choices, and adds these to a set.
   *
   * @returns True when a condition conflicts with those taken before.
   */
  #takes(node: Node, choices: Set<Choice> | null): boolean {
    for (const part of partsOf(node)) {
      if (!this.#effort.affords(NODE_UNITS)) return false;
      const { match, must, tree } = part;
      if (isGroup(match)) {
        choices?.add(childrenIn(part));
      } else {
        const conflict = this.#known.take(tree.steps.get(match) as SizedStep, must);
        if (conflict === null) continue;
        this.conflicts.push(conflict);
        return true;
      }
    }
    return false;
  }
}

/** The leaves and choices that must all be met for a node to be met, in document order. */
function* partsOf(node: Node): Generator<Node> {
  const pending = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (isConjunction(next)) {
      for (const child of childrenIn(next).toReversed()) pending.push(child);
    } else yield next;
  }
}

/** True for `all` that must match, and for `any` that must not. */
const isConjunction = ({ match, must }: Node): boolean => isGroup(match) && 'all' in match === must;

const childrenIn = (node: Node): Choice =>
  isGroup(node.match) ? childrenOf(node.match).map((match) => ({ ...node, match })) : [];
