/** A lazy automaton of one pattern that has more positions than a word has bits. */
import { INSIDE, OTHER, contextOf, type Contexts, type Neighbor } from '../automaton/contexts.js';
import { isPlain } from '../automaton/machine.js';
import {
  countPositions,
  integers,
  positionsOf,
  type Conditional,
  type Positions,
  type Step,
} from '../automaton/positions.js';
import { holds } from '../code-points.js';
import { END_OF_TEXT, alphabetOf } from './alphabet.js';
import { LazyAutomaton, type Member, type OnFound } from './lazy-automaton.js';
import type { TableBudget } from './table-budget.js';

/**
 * Indexes in the tuple of a state: the neighbor before the next character, whether the pattern was found, live
 * positions.
 */
const BEFORE = 0;
const FOUND = 1;
const LIVE = 2;

const BITS = 32;

/** One pattern of any size. Lives as a {@link LazyAutomaton} does. */
export class Large extends LazyAutomaton {
  readonly parts = [];
  readonly patterns: readonly number[];
  readonly leaves = 1;
  readonly transitionNanos: number;
  readonly #contextual: boolean;
  readonly #positions: Positions<bigint>;
  /** By class: the positions that take the characters of the class. */
  readonly #masks: readonly bigint[];
  /** Positions to which the position before leads. */
  #shifted = 0n;
  /** All other steps. */
  readonly #jumps: Step<bigint>[] = [];

  constructor({ pattern, tree }: Member, budget: TableBudget) {
    const positions = positionsOf(tree, integers);
    const contextual = !isPlain(positions);
    const alphabet = alphabetOf([...positions.takes.keys()], contextual);
    super(alphabet, LIVE + Math.ceil(countPositions(tree) / BITS), budget);
    this.patterns = [pattern];
    this.#positions = positions;
    this.#contextual = contextual;
    this.#masks = alphabet.points.map((point) => maskOf(positions, point));
    for (const step of positions.steps) this.#fold(step);
    this.transitionNanos = 500 + 150 * this.#jumps.length;
  }

  begin(): boolean {
    this.made.fill(0);
    return true;
  }

  advance(state: number, letter: number): boolean {
    const { first, last, empty } = this.#positions;
    const before = this.states.part(state, BEFORE) as Neighbor;
    const after = this.#contextual || letter === END_OF_TEXT ? this.alphabet.neighborOf(letter) : OTHER;
    const here = 1 << contextOf(before, after);
    const live = this.#liveIn(state);
    let next = those(first, here) | ((live << 1n) & this.#shifted);
    for (const { from, to, when } of this.#jumps) {
      if ((when & here) !== 0 && (live & from) !== 0n) next |= to;
    }
    this.made[BEFORE] = after;
    this.made[FOUND] = (empty & here) !== 0 || (live & those(last, here)) !== 0n ? 1 : 0;
    this.#setLive(next & (this.#masks[letter] as bigint));
    return true;
  }

  finds(): boolean {
    return this.made[FOUND] !== 0;
  }

  report(state: number, found: OnFound): void {
    if (this.states.part(state, FOUND) !== 0) found(this.patterns[0] as number);
  }

  /** Adds a step to {@link #shifted} if it leads from one position to the next, otherwise to {@link #jumps}. */
  #fold({ from, to, when }: Step<bigint>): void {
    const isOne = (from & (from - 1n)) === 0n;
    const next = isOne && when === INSIDE ? (from << 1n) & to : 0n;
    this.#shifted |= next;
    if (to !== next) this.#jumps.push({ from, to: to & ~next, when });
  }

  #liveIn(state: number): bigint {
    let live = 0n;
    for (let i = this.made.length - 1; i >= LIVE; i--) {
      live = (live << BigInt(BITS)) | BigInt(this.states.part(state, i) >>> 0);
    }
    return live;
  }

  #setLive(live: bigint): void {
    for (let i = LIVE; i < this.made.length; i++) {
      this.made[i] = Number(BigInt.asIntN(BITS, live >> BigInt(BITS * (i - LIVE))));
    }
  }
}

function maskOf({ takes }: Positions<bigint>, point: number): bigint {
  let mask = 0n;
  for (const [set, positions] of takes) {
    if (holds(set, point)) mask |= positions;
  }
  return mask;
}

/** The positions whose condition holds in a context. */
function those(ends: readonly Conditional<bigint>[], here: Contexts): bigint {
  let all = 0n;
  for (const { positions, when } of ends) {
    if ((when & here) !== 0) all |= positions;
  }
  return all;
}
