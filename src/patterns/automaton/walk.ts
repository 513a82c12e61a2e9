/** Walks through a small pattern's automaton one character at a time: for questions about all texts, not about one. */
import { isSurrogate, type CodePoints } from '../code-points.js';
import { parseSyntax } from '../syntax.js';
import { EDGE, OTHER, contextOf, neighborOf, neighborSets, type Neighbor } from './contexts.js';
import { landing, machineOf, type Machine } from './machine.js';
import { masksOf, type Masks } from './masks.js';
import { fitsAutomaton, positionsOf, words } from './positions.js';

/** The state in which the pattern has been found, no matter what follows. */
export const FOUND = -1;

/** The character as which a pattern reads a lone surrogate. */
const REPLACEMENT = 0xfffd;

/** The deterministic automaton of a search for a pattern. States are integers; {@link FOUND} is never left. */
export interface PatternWalk {
  readonly start: number;
  /** Sets of code points; characters that no set tells apart lead to the same state. */
  readonly sets: readonly CodePoints[];
  step(state: number, point: number): number;
  /** Whether the pattern is found if the text ends in a state. */
  finds(state: number): boolean;
}

/**
 * The automaton of a valid pattern; `null` for a pattern that is too large or has characters that only an engine knows.
 */
export function walkPattern(source: string): PatternWalk | null {
  const syntax = parseSyntax(source);
  if (typeof syntax === 'string' || !fitsAutomaton(syntax.tree)) return null;
  const positions = positionsOf(syntax.tree, words);
  const machine = machineOf(positions);
  const masks = masksOf(positions.takes);
  return {
    start: stateOf(0, EDGE),
    sets: [...positions.takes.keys(), ...(machine.plain ? [] : neighborSets)],
    step: (state, point) => step(machine, masks, state, isSurrogate(point) ? REPLACEMENT : point),
    finds: (state) => state === FOUND || isFoundIn(machine, state, EDGE),
  };
}

/** A state: the positions that are live, 32 bits, and the kind of neighbor before, two bits. */
const stateOf = (live: number, before: Neighbor): number => (live >>> 0) * 4 + before;
const liveIn = (state: number): number => Math.floor(state / 4) | 0;
const beforeIn = (state: number): Neighbor => (state % 4) as Neighbor;

function isFoundIn({ empty, final }: Machine, state: number, after: Neighbor): boolean {
  const context = contextOf(beforeIn(state), after);
  return ((empty >>> context) & 1) !== 0 || (liveIn(state) & (final[context] as number)) !== 0;
}

function step(machine: Machine, masks: Masks, state: number, point: number): number {
  const after = machine.plain ? OTHER : neighborOf(point);
  if (state === FOUND || isFoundIn(machine, state, after)) return FOUND;
  const live = liveIn(state);
  const context = contextOf(beforeIn(state), after);
  const next =
    (machine.entering[context] as number) |
    ((live << 1) & machine.shifted) |
    (live & machine.looped) |
    landing(live, context, machine);
  const mask = point < masks.width ? (masks.ascii[point] as number) : masks.other(point);
  return stateOf(next & mask, after);
}
