/**
 * Whether an event can meet goals: this tree matches, that one does not.
 *
 * The search walks the programs of the trees and takes the conditions that it needs: of one child of `any`,
 * of every child of `all`. Where conditions conflict it turns to the next child of an `any`. Trees are monotone:
 * another child opens nothing unless a condition of this one was to blame, so other turns are left out.
 */
import type { SizedProgram, SizedStep } from './condition.js';
import type { Effort } from './effort.js';
import { Known, type Conflict } from './known.js';

/** A program that must match, or must not. */
export interface Goal {
  readonly program: SizedProgram;
  readonly must: boolean;
}

/** A place in the program of a goal. */
interface Place {
  readonly goal: number;
  readonly at: number;
}

/** Units of effort that a step takes besides what its condition does. */
const STEP = 100;

/** Instead of the height of a turn: there is none to turn to without the condition. */
const ALWAYS = -1;

/** A place to turn to when conditions taken for its neighbor conflict. */
interface Turn extends Place {
  /** How many conditions had been taken before. */
  readonly height: number;
  /** Heights of turns whose conditions made a dead end of the neighbor; null until then. */
  blame: Set<number> | null;
}

/** Looks for a way to meet goals. */
class Search {
  readonly #goals: readonly Goal[];
  readonly #known: Known;
  readonly #turns: Turn[] = [];
  /** Those of the turns that have not been taken, by goal and place. */
  readonly #open = new Map<string, Turn>();

  readonly #effort: Effort;

  constructor(goals: readonly Goal[], effort: Effort) {
    this.#goals = goals;
    this.#effort = effort;
    this.#known = new Known(effort);
  }

  /** Goes on with a goal and those after it until conditions conflict; null when all are met, or the effort is spent. */
  start(goal: number): Conflict | null {
    const { length } = this.#goals[goal]?.program ?? [];
    return length === 0 ? null : this.goOn({ goal, at: length - 1 });
  }

  /** Goes on like {@link start}, from a place. */
  goOn({ goal, at }: Place): Conflict | null {
    const { program, must } = this.#goals[goal] as Goal;
    for (let next = at; next >= 0;) {
      if (!this.#effort.affords(STEP)) return null;
      const step = program[next] as SizedStep;
      const without = must ? step.ifNot : step.ifHeld;
      const conflict = this.#known.take(
        step,
        must,
        without < 0 ? ALWAYS : this.#turnTo(goal, without).height,
      );
      if (conflict !== null) return conflict;
      next = must ? step.ifHeld : step.ifNot;
    }
    return this.start(goal + 1);
  }

  /** The turn to a place. The first one there stands for all, having the fewest conditions. */
  #turnTo(goal: number, at: number): Turn {
    const key = `${goal} ${at}`;
    let turn = this.#open.get(key);
    if (turn === undefined) {
      turn = { goal, at, height: this.#known.height, blame: null };
      this.#open.set(key, turn);
      this.#turns.push(turn);
    }
    return turn;
  }

  /** Takes the last turn of those that are to blame for a conflict; `none` where there is no such turn. */
  turnBack(conflict: Conflict): Turn | 'none' | 'gave up' {
    const blame = new Set(conflict.map(({ turn }) => turn));
    for (let turn = this.#turns.at(-1); turn !== undefined; turn = this.#turns.at(-1)) {
      this.#open.delete(`${turn.goal} ${turn.at}`);
      if (turn.blame === null && blame.delete(turn.height)) {
        turn.blame = blame;
        this.#known.backTo(turn.height);
        return turn;
      }
      if (!this.#effort.affords(1 + (turn.blame?.size ?? 0))) return 'gave up';
      for (const height of turn.blame ?? []) blame.add(height);
      this.#turns.pop();
    }
    return 'none';
  }
}

/**
 * Looks for a way to meet all goals.
 *
 * @returns The conflicts that were met, where it is sure that there is no way; null where there is one, or may be.
 */
export function conflictsOf(goals: readonly Goal[], effort: Effort): readonly Conflict[] | null {
  const search = new Search(goals, effort);
  const conflicts: Conflict[] = [];
  let conflict = search.start(0);
  while (conflict !== null) {
    conflicts.push(conflict);
    const turn = search.turnBack(conflict);
    if (turn === 'none') return conflicts;
    if (turn === 'gave up') return null;
    conflict = search.goOn(turn);
  }
  return null;
}
