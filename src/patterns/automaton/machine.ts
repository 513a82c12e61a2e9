/** Position automata as masks: what one step takes is a few operations on words. */
import { CONTEXTS, END, INSIDE, START, type Contexts } from './contexts.js';
import { MAX_POSITIONS, type Conditional, type Positions, type Step } from './positions.js';

/** A position automaton, but for which characters its positions take. */
export interface Machine extends Jumps {
  /** Whether no condition looks at anything but whether the text begins or ends there. */
  readonly plain: boolean;
  /** Positions that a match may begin with, by context. */
  readonly entering: Int32Array;
  /** Positions that a match may end with, by context of the place after them. */
  readonly final: Int32Array;
  /** Where the pattern matches the empty text. */
  readonly empty: Contexts;
  /** Positions that the one before leads to. */
  readonly shifted: number;
  /** Positions that lead to themselves. */
  readonly looped: number;
}

/** All other steps: positions that some positions lead to, where the place between them is right. */
interface Jumps {
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly when: readonly Contexts[];
  /** Positions that any of them leads from. */
  readonly jumping: number;
}

/** Puts the conditions and steps of positions into masks. */
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

/** Whether no condition looks at anything but whether the text begins or ends there. */
export function isPlain<Bits>({ first, last, steps, empty }: Positions<Bits>): boolean {
  const conditions: readonly { readonly when: Contexts }[][] = [[...first], [...last], [...steps]];
  return isWhole(empty) && conditions.every((list) => list.every(({ when }) => isWhole(when)));
}

const isWhole = (when: Contexts): boolean =>
  allOrNone(when, START) && allOrNone(when, INSIDE) && allOrNone(when, END);

const allOrNone = (when: Contexts, part: Contexts): boolean => (when & part) === 0 || (when & part) === part;

/** Folds steps into masks as far as possible; what is left is put together by where it leads, or where all of it leads. */
function fold(steps: readonly Step[]): Jumps & Pick<Machine, 'shifted' | 'looped'> {
  const rows = new Int32Array(MAX_POSITIONS);
  const jumps: Step[] = [];
  for (const step of steps) {
    if (step.when !== INSIDE) jumps.push(step);
    else eachPosition(step.from, (position) => (rows[position] = (rows[position] as number) | step.to));
  }
  let shifted = 0;
  let looped = 0;
  const whole = new Map<number, number>();
  const rest = new Map<number, number>();
  for (const [position, row] of rows.entries()) {
    const self = 1 << position;
    const next = self << 1;
    shifted |= row & next;
    looped |= row & self;
    const left = row & ~self & ~next;
    if (left === 0) continue;
    whole.set(row, (whole.get(row) ?? 0) | self);
    rest.set(left, (rest.get(left) ?? 0) | self);
  }
  for (const [to, from] of whole.size < rest.size ? whole : rest) jumps.push({ from, to, when: INSIDE });
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

/** For each context the positions whose condition holds there. */
function byContext(ends: readonly Conditional[]): Int32Array {
  const table = new Int32Array(CONTEXTS);
  for (const { positions, when } of ends)
    for (let context = 0; context < CONTEXTS; context++)
      if ((when >>> context) & 1) table[context] = (table[context] as number) | positions;
  return table;
}

/** Where jumps lead to in a context. */
export function landing(live: number, context: number, { from, to, when }: Jumps): number {
  let next = 0;
  for (let i = 0; i < from.length; i++)
    if ((live & (from[i] as number)) !== 0 && (((when[i] as number) >>> context) & 1) !== 0)
      next |= to[i] as number;
  return next;
}
