/** Which leaves a tree cannot match without. */
import { MATCHED, type Program, type Step } from '../match/index.js';

/**
 * Leaves of which at least one holds whenever the tree matches, the dearest of them as cheap as can be. A leaf
 * covers itself, `all` takes the cover of one child, `any` those of all children.
 *
 * @param cost - A positive number; `Infinity` keeps a leaf out.
 * @returns null where the tree can match while none but leaves kept out hold.
 */
export function coverOf(program: Program, cost: (step: Step) => number): readonly Step[] | null {
  // Jumps go down, so one pass up finds what it costs to cover all ways on from each step.
  const costs: number[] = [];
  const from = (at: number): number => (at >= 0 ? (costs[at] as number) : at === MATCHED ? Infinity : 0);
  for (const step of program) costs.push(Math.max(Math.min(cost(step), from(step.ifHeld)), from(step.ifNot)));
  if (from(program.length - 1) === Infinity) return null;
  const places = new Set([program.length - 1]);
  const cover: Step[] = [];
  for (const at of places) {
    const step = program[at];
    if (step === undefined) continue;
    places.add(step.ifNot);
    if (cost(step) > from(step.ifHeld)) places.add(step.ifHeld);
    else cover.push(step);
  }
  return cover;
}
