/** Position automata as masks, so that a step of all positions is a few operations on words. */
import { CONTEXTS, END, INSIDE, START, type Contexts } from './contexts.js';
import { MAX_POSITIONS, type Conditional, type Positions, type Step } from './positions.js';

/** A position automaton, without the characters that its positions take. Immutable. */
export interface Machine extends Jumps {
  /** Whether conditions look at nothing but whether the text begins or ends there. */
  readonly plain: boolean;
  /** By context: the positions with which a match may begin there. */
  readonly entering: Int32Array;
  /** By context: the positions with which a match may end there. */
  readonly final: Int32Array;
  /** The contexts in which the pattern matches the empty text. */
  readonly empty: Contexts;
  /** Positions to which the position before leads. */
  readonly shifted: number;
  /** Positions that lead to themselves. */
  readonly looped: number;
}

/** All other steps: any of the positions `from[i]` leads to all of `to[i]` in the contexts `when[i]`. */
interface Jumps {
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly when: readonly Contexts[];
  /** The union of `from`. */
  readonly jumping: number;
}

/** The masks of a position automaton. */
export function machineOf(positions: Positions): Machine {
  const { first, last, empty, steps } = positions;
  return {
    plain: isPlain(positions),
    entering: byContext(first),
    final: byContext(last),
    empty,
    ...fold(steps),
  };
}

/** Whether conditions look at nothing but whether the text begins or ends there. */
export function isPlain<Bits>({ first, last, steps, empty }: Positions<Bits>): boolean {
  const conditions: readonly { readonly when: Contexts }[][] = [[...first], [...last], [...steps]];
  return isWhole(empty) && conditions.every((list) => list.every(({ when }) => isWhole(when)));
}

const isWhole = (when: Contexts): boolean =>
  allOrNone(when, START) && allOrNone(when, INSIDE) && allOrNone(when, END);

const allOrNone = (when: Contexts, part: Contexts): boolean => (when & part) === 0 || (when & part) === part;

/**
 * Folds steps to the next position and to the same one into masks. The rest become jumps, one for each set of targets.
 */
function fold(steps: readonly Step[]): Jumps & Pick<Machine, 'shifted' | 'looped'> {
  const rows = new Int32Array(MAX_POSITIONS);
  const jumps: Step[] = [];
  for (const step of steps) {
    if (step.when !== INSIDE) jumps.push(step);
    else eachPosition(step.from, (position) => (rows[position] = (rows[position] as number) | step.to));
  }
  let shifted = 0;
  let looped = 0;
  const rest = new Map<number, number>();
  for (const [position, row] of rows.entries()) {
    const self = 1 << position;
    const next = self << 1;
    shifted |= row & next;
    looped |= row & self;
    const left = row & ~self & ~next;
    if (left === 0) continue;
    rest.set(left, (rest.get(left) ?? 0) | self);
  }
  for (const [to, from] of rest) jumps.push({ from, to, when: INSIDE });
  return {
    shifted,
    looped,
    from: jumps.map(({ from }) => from),
    to: jumps.map(({ to }) => to),
    when: jumps.map(({ when }) => when),
    jumping: jumps.reduce((all, { from }) => all | from, 0),
  };
}

function eachPosition(positions: number, visit: (position: number) => void): void {
  for (let left = positions; left !== 0; left &= left - 1) visit(31 - Math.clz32(left & -left));
}

/** By context: the positions whose condition holds there. */
function byContext(ends: readonly Conditional[]): Int32Array {
  const table = new Int32Array(CONTEXTS);
  for (const { positions, when } of ends) {
    for (let context = 0; context < CONTEXTS; context++) {
      if ((when >>> context) & 1) table[context] = (table[context] as number) | positions;
    }
  }
  return table;
}

/** The positions to which jumps lead in a context. */
export function landing(live: number, context: number, { from, to, when }: Jumps): number {
  let next = 0;
  for (let i = 0; i < from.length; i++) {
    if ((live & (from[i] as number)) !== 0 && (((when[i] as number) >>> context) & 1) !== 0) {
      next |= to[i] as number;
    }
  }
  return next;
}
