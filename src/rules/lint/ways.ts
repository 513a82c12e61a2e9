/**
 * The ways in which events can meet goals: this tree matches, that one does not.
 *
 * A way is a list of conditions, no more than it takes: one child of `any`, every child of `all`. The
 * search walks the branching programs of {@link Goal}s. At a leaf it first takes the condition, then goes
 * on without. Trees are monotone: to go on without a condition opens nothing unless the condition was to
 * blame for the dead end, so other turns are skipped.
 */
import type { Program, Step } from '../match.js';
import { Known, type KnownCondition } from './known.js';

/** A program that must match, or must not. */
export interface Goal {
  readonly program: Program;
  readonly must: boolean;
}

/** Steps that a search takes, besides four for each leaf. */
const MAX_STEPS = 1_000;

/** Why there is no way on: what was taken at these heights. */
type Blame = Set<number> | 'all';

interface Place {
  readonly goal: number;
  readonly at: number;
}

/** A place where the search took a condition and may go on without. */
interface Turn {
  readonly goal: number;
  /** Where to go on without the condition. */
  readonly without: number;
  readonly height: number;
  /** Set when the search is going on without: why it could not with it. */
  blame: Blame | null;
}

/** A search for ways on which all goals are met. */
export class Search {
  /** Steps that some way takes. */
  readonly used = new Set<Step>();
  /** Steps whose conditions could not be met, each with the conditions that no value meets together. */
  readonly conflicts = new Map<Step, readonly KnownCondition[]>();
  readonly #goals: readonly Goal[];
  readonly #known = new Known();
  readonly #turns: Turn[] = [];
  #stepsLeft: number;
  /** Height up to which the steps taken are in `used`. */
  #noted = 0;

  /** @param goals - One at least. */
  constructor(goals: readonly Goal[]) {
    this.#goals = goals;
    this.#stepsLeft = goals.reduce((sum, { program }) => sum + 4 * program.length, MAX_STEPS);
  }

  /**
   * Looks for a way, or with `all` for more of them until every step of the first goal is used.
   *
   * @returns `found`: whether there is a way. `complete`: false where the search gave up.
   */
  run(all = false): { readonly found: boolean; readonly complete: boolean } {
    let found = false;
    let place: Place | undefined = { goal: 0, at: this.#startOf(0) };
    while (place !== undefined) {
      let blame = this.#walk(place);
      if (this.#stepsLeft < 0) return { found, complete: false };
      if (blame === null) {
        found = true;
        this.#note();
        if (!all || this.used.size === this.#goals[0]?.program.length) break;
        blame = 'all';
      }
      place = this.#turnBack(blame);
    }
    return { found, complete: true };
  }

  #startOf(goal: number): number {
    return (this.#goals[goal] as Goal).program.length - 1;
  }

  /** Goes on to the end of the last goal, which gives null, or to a dead end. */
  #walk({ goal, at }: Place): Blame | null {
    for (;;) {
      const { program, must } = this.#goals[goal] as Goal;
      while (at >= 0) {
        if (--this.#stepsLeft < 0) return 'all';
        const step = program[at] as Step;
        const [on, without] = must ? [step.ifHeld, step.ifNot] : [step.ifNot, step.ifHeld];
        if (without >= 0) this.#turns.push({ goal, without, height: this.#known.height, blame: null });
        const conflict = this.#known.take(step, must);
        if (conflict !== null) {
          this.conflicts.set(step, conflict);
          return new Set(conflict.map((condition) => condition.at));
        }
        at = on;
      }
      if (++goal === this.#goals.length) return null;
      at = this.#startOf(goal);
    }
  }

  /** The last place from which it makes sense to go on otherwise. */
  #turnBack(blame: Blame): Place | undefined {
    for (let turn = this.#turns.at(-1); turn !== undefined; turn = this.#turns.at(-1)) {
      if (turn.blame === null && (blame === 'all' || blame.delete(turn.height))) {
        turn.blame = blame;
        this.#known.backTo(turn.height);
        this.#noted = Math.min(this.#noted, turn.height);
        return { goal: turn.goal, at: turn.without };
      }
      if (turn.blame !== null) blame = union(turn.blame, blame);
      this.#turns.pop();
    }
    return undefined;
  }

  #note(): void {
    for (const step of this.#known.stepsFrom(this.#noted)) this.used.add(step);
    this.#noted = this.#known.height;
  }
}

/** Adds the smaller set to the larger. */
function union(a: Blame, b: Blame): Blame {
  if (a === 'all' || b === 'all') return 'all';
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  for (const height of small) large.add(height);
  return large;
}
