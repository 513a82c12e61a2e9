/** Runs a position automaton over a text: all positions at once, a few operations on one word for each character. */
import { widthAt } from '../code-points.js';
import type { Node } from '../tree.js';
import {
  CONTEXTS,
  EDGE,
  EMPTY_TEXT,
  END,
  INSIDE,
  START,
  OTHER,
  neighbors,
  type Contexts,
} from './contexts.js';
import { masksOf, type Masks } from './masks.js';
import { MAX_POSITIONS, positionsOf, type Conditional, type Positions, type Step } from './positions.js';

/** Steps of an automaton, the most frequent as masks. */
interface Steps {
  /** Positions that the one before leads to. */
  readonly shifted: number;
  /** Positions that lead to themselves. */
  readonly looped: number;
  /** All others: positions that some positions lead to, where the place between them is right. */
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly when: readonly number[];
  /** Positions that any of them leads from. */
  readonly jumping: number;
}

/** Whether the pattern is found anywhere in a text, which is well-formed. */
export type Automaton = (text: string) => boolean;

/** The automaton of a pattern that fits. */
export function automatonOf(tree: Node): Automaton {
  const positions = positionsOf(tree);
  const masks = masksOf(positions.takes);
  const steps = stepsOf(positions.steps);
  return isPlain(positions)
    ? plainAutomaton(positions, masks, steps)
    : contextualAutomaton(positions, masks, steps);
}

/** Whether no condition looks at anything but whether the text begins or ends there. */
function isPlain({ first, last, steps, empty }: Positions): boolean {
  return isWhole(empty) && [first, last, steps].every((list) => list.every(({ when }) => isWhole(when)));
}

const isWhole = (when: Contexts): boolean =>
  allOrNone(when, START) && allOrNone(when, INSIDE) && allOrNone(when, END);

const allOrNone = (when: Contexts, part: Contexts): boolean => (when & part) === 0 || (when & part) === part;

/** Folds steps into masks as far as possible; what is left is put together by where it leads, or where all of it leads. */
function stepsOf(steps: readonly Step[]): Steps {
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

/** The positions whose condition holds in some of the contexts. */
function those(ends: readonly Conditional[], contexts: number): number {
  return ends.reduce((all, { positions, when }) => ((when & contexts) === 0 ? all : all | positions), 0);
}

/** The same for each context. */
function byContext(ends: readonly Conditional[]): Int32Array {
  return Int32Array.from({ length: CONTEXTS }, (_, context) => those(ends, 1 << context));
}

/** Conditions looked at where the text begins and where it ends. */
function plainAutomaton({ first, last, empty }: Positions, masks: Masks, steps: Steps): Automaton {
  const { ascii, width } = masks;
  const { shifted, looped, jumping } = steps;
  const opening = those(first, START);
  const entering = those(first, INSIDE);
  const final = those(last, INSIDE);
  const finalAtEnd = those(last, END);
  if ((empty & (START | END)) !== 0) return (text) => text.length > 0 || (empty & EMPTY_TEXT) !== 0;

  return (text) => {
    if (text.length === 0) return empty !== 0;
    let live = 0;
    let entered = opening;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      let next = entered;
      entered = entering;
      if (live !== 0) {
        next |= ((live << 1) & shifted) | (live & looped);
        if ((live & jumping) !== 0) next |= landing(live, steps);
      }
      if (unit < width) live = next & (ascii[unit] as number);
      else {
        live = next & masks.other(text.codePointAt(at) as number);
        at += widthAt(text, at) - 1;
      }
      if ((live & final) !== 0) return true;
      if ((live | entering) === 0) return false;
    }
    return (live & finalAtEnd) !== 0;
  };
}

/** Where jumps lead to. */
function landing(live: number, { from, to }: Steps): number {
  let next = 0;
  for (let i = 0; i < from.length; i++) if ((live & (from[i] as number)) !== 0) next |= to[i] as number;
  return next;
}

/** Conditions looked at between any two characters. */
function contextualAutomaton({ first, last, empty }: Positions, masks: Masks, steps: Steps): Automaton {
  const { ascii, width } = masks;
  const { shifted, looped, jumping } = steps;
  const kinds = neighbors;
  const other = OTHER;
  const entering = byContext(first);
  const final = byContext(last);

  return (text) => {
    let live = 0;
    let before: number = EDGE;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      const after = unit < width ? (kinds[unit] as number) : other;
      const context = 4 * before + after;
      before = after;
      if (((empty >>> context) & 1) !== 0) return true;
      let next = entering[context] as number;
      if (live !== 0) {
        if ((live & (final[context] as number)) !== 0) return true;
        next |= ((live << 1) & shifted) | (live & looped);
        if ((live & jumping) !== 0) next |= conditionalLanding(live, context, steps);
      }
      if (unit < width) live = next & (ascii[unit] as number);
      else {
        live = next & masks.other(text.codePointAt(at) as number);
        at += widthAt(text, at) - 1;
      }
    }
    return ((empty >>> (4 * before)) & 1) !== 0 || (live & (final[4 * before] as number)) !== 0;
  };
}

/** Where those jumps lead to whose condition holds in the context. */
function conditionalLanding(live: number, context: number, { from, to, when }: Steps): number {
  let next = 0;
  for (let i = 0; i < from.length; i++)
    if ((live & (from[i] as number)) !== 0 && (((when[i] as number) >>> context) & 1) !== 0)
      next |= to[i] as number;
  return next;
}
