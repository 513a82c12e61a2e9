/** A lazy automaton of several small patterns, each of which fits into one word. */
import { OTHER, contextOf, type Neighbor } from '../automaton/contexts.js';
import { landing, isPlain, machineOf, type Machine } from '../automaton/machine.js';
import { words, positionsOf, type Positions } from '../automaton/positions.js';
import { holds } from '../code-points.js';
import { END_OF_TEXT, alphabetOf, type Alphabet } from './alphabet.js';
import { LazyAutomaton, type Member, type OnFound } from './lazy-automaton.js';
import type { TableBudget } from './table-budget.js';

/** Patterns in a bundle. At most 32, since the bits of one number say which were found. */
export const BUNDLE_SIZE = 16;

/**
 * Indexes in the tuple of a state: the neighbor before the next character, the patterns found, live positions of each.
 */
const BEFORE = 0;
const FOUND = 1;
const LIVE = 2;

/** At most {@link BUNDLE_SIZE} patterns side by side. Lives as a {@link LazyAutomaton} does. */
export class Bundle extends LazyAutomaton {
  readonly parts = [];
  readonly patterns: readonly number[];
  readonly leaves = 1;
  readonly transitionNanos: number;
  readonly #contextual: boolean;
  readonly #machines: readonly Machine[];
  /** By class and pattern: the positions that take the characters of the class. */
  readonly #masks: Int32Array;

  constructor(members: readonly Member[], budget: TableBudget) {
    const positions = members.map(({ tree }) => positionsOf(tree, words));
    const contextual = !positions.every(isPlain);
    const alphabet = alphabetOf(
      positions.flatMap(({ takes }) => [...takes.keys()]),
      contextual,
    );
    super(alphabet, LIVE + members.length, budget);
    this.patterns = members.map(({ pattern }) => pattern);
    this.transitionNanos = 100 + 12 * members.length;
    this.#contextual = contextual;
    this.#machines = positions.map(machineOf);
    this.#masks = masksOf(alphabet, positions);
  }

  begin(): boolean {
    this.made.fill(0);
    return true;
  }

  advance(state: number, letter: number): boolean {
    const { made, states } = this;
    const machines = this.#machines;
    const masks = this.#masks;
    const before = this.states.part(state, BEFORE) as Neighbor;
    const after = this.#contextual || letter === END_OF_TEXT ? this.alphabet.neighborOf(letter) : OTHER;
    const context = contextOf(before, after);
    const offset = letter * machines.length;
    let found = 0;
    for (let i = 0; i < machines.length; i++) {
      const machine = machines[i] as Machine;
      const live = states.part(state, LIVE + i);
      if (((machine.empty >>> context) & 1) !== 0 || (live & (machine.final[context] as number)) !== 0) {
        found |= 1 << i;
      }
      let next =
        (machine.entering[context] as number) | ((live << 1) & machine.shifted) | (live & machine.looped);
      if ((live & machine.jumping) !== 0) next |= landing(live, context, machine);
      made[LIVE + i] = next & (masks[offset + i] as number);
    }
    made[BEFORE] = after;
    made[FOUND] = found;
    return true;
  }

  finds(): boolean {
    return this.made[FOUND] !== 0;
  }

  report(state: number, found: OnFound): void {
    for (let left = this.states.part(state, FOUND); left !== 0; left &= left - 1) {
      found(this.patterns[31 - Math.clz32(left & -left)] as number);
    }
  }
}

function masksOf(alphabet: Alphabet, positions: readonly Positions[]): Int32Array {
  const masks = new Int32Array(alphabet.size * positions.length);
  for (const [letter, point] of alphabet.points.entries()) {
    for (const [i, { takes }] of positions.entries()) {
      const at = letter * positions.length + i;
      for (const [set, taking] of takes) {
        if (holds(set, point)) masks[at] = (masks[at] as number) | taking;
      }
    }
  }
  return masks;
}
