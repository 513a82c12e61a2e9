/** Which leaves must hold for a tree to match. Jumps of a program go down, so one pass up sees it all. */
import { MATCHED, type Program, type Step } from '../match.js';

/** Whether a tree can match while none of certain leaves holds. */
export function canMatchWithout(program: Program, leaves: (step: Step) => boolean): boolean {
  const can: boolean[] = [];
  const from = (at: number): boolean => (at >= 0 ? can[at] === true : at === MATCHED);
  for (const step of program) can.push((!leaves(step) && from(step.ifHeld)) || from(step.ifNot));
  return from(program.length - 1);
}

/**
 * Leaves of which at least one holds whenever the tree matches, with little cost in sum: a leaf covers
 * itself, `all` takes the cover of one child, `any` those of all children.
 *
 * @param cost - A positive number.
 */
export function coverOf(program: Program, cost: (step: Step) => number): readonly Step[] {
  const costs: number[] = [];
  const from = (at: number): number => (at >= 0 ? (costs[at] as number) : at === MATCHED ? Infinity : 0);
  for (const step of program) costs.push(Math.min(cost(step), from(step.ifHeld)) + from(step.ifNot));
  const cover: Step[] = [];
  const places = new Set([program.length - 1]);
  for (const at of places) {
    const step = program[at];
    if (step === undefined) continue;
    if (cost(step) <= from(step.ifHeld)) cover.push(step);
    else places.add(step.ifHeld);
    places.add(step.ifNot);
  }
  return cover;
}
