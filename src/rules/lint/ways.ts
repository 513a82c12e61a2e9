/**
 * Whether an event can meet goals: this tree matches, that one does not.
 *
 * The search walks the programs of the trees and takes the conditions that it needs: of one child of `any`,
 * of every child of `all`. At a dead end it turns back and goes on without a condition. Trees are monotone, so
 * going on without one that was not to blame for the dead end would open nothing.
 */
import type { Program, Step } from '../match.js';
import { Known, type KnownCondition } from './known.js';

/** A program that must match, or must not. */
export interface Goal {
  readonly program: Program;
  readonly must: boolean;
}

/** A step, and the conditions of which no value meets all. The step's is the last. */
export type Conflict = readonly KnownCondition[];

/** Steps that searches may take. */
export interface Effort {
  left: number;
}

/** What may be spent on one question about a program; it is always enough to pass through it once. */
export const effortFor = (program: Program): Effort => ({ left: 300 + 4 * program.length });

/** A place in the program of a goal. */
interface Place {
  readonly goal: number;
  readonly at: number;
}

/** A place to go on from without the condition that was taken at a height. */
interface Turn extends Place {
  readonly height: number;
  /** Heights of the conditions that made a dead end of going on with it; null before that. */
  blame: Set<number> | null;
}

/**
 * Looks for a way to meet all goals.
 *
 * @returns The conflicts that were met, where it is sure that there is no way; null where there is one, or may be.
 */
export function conflictsOf(goals: readonly Goal[], effort: Effort): readonly Conflict[] | null {
  const known = new Known();
  const turns: Turn[] = [];
  const conflicts: Conflict[] = [];
  for (let place: Place | undefined = startOf(goals, 0); place !== undefined;) {
    const conflict = walk(goals, place, { known, turns, effort });
    if (conflict === null) return null;
    conflicts.push(conflict);
    const turn = turnBack(turns, new Set(conflict.map(({ at }) => at)));
    if (turn !== undefined) known.backTo(turn.height);
    place = turn;
  }
  return conflicts;
}

const startOf = (goals: readonly Goal[], goal: number): Place => ({
  goal,
  at: (goals[goal] as Goal).program.length - 1,
});

interface Search {
  readonly known: Known;
  readonly turns: Turn[];
  readonly effort: Effort;
}

/** Goes on until conditions conflict; null when all goals are met, or the effort is spent. */
function walk(
  goals: readonly Goal[],
  { goal, at }: Place,
  { known, turns, effort }: Search,
): Conflict | null {
  while (effort.left-- > 0) {
    const { program, must } = goals[goal] as Goal;
    const step = program[at] as Step;
    const [on, without] = must ? [step.ifHeld, step.ifNot] : [step.ifNot, step.ifHeld];
    if (without >= 0) turns.push({ goal, at: without, height: known.height, blame: null });
    const conflict = known.take(step, must);
    if (conflict !== null) return conflict;
    if (on >= 0) at = on;
    else if (++goal === goals.length) return null;
    else at = startOf(goals, goal).at;
  }
  return null;
}

/** The last place to go on from otherwise, of those that had a part in the dead end. */
function turnBack(turns: Turn[], blame: Set<number>): Turn | undefined {
  for (let turn = turns.at(-1); turn !== undefined; turn = turns.at(-1)) {
    if (turn.blame === null && blame.delete(turn.height)) {
      turn.blame = blame;
      return turn;
    }
    for (const height of turn.blame ?? []) blame.add(height);
    turns.pop();
  }
  return undefined;
}
