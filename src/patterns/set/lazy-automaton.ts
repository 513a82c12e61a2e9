/**
 * Automata whose states are computed when a text first leads to them, and forgotten when there are too many.
 *
 * A state is a tuple of numbers, interned in a {@link StateTable}. A transition that was taken before is one look into
 * that table. Computing one takes a hundred times as long, so an automaton keeps account of its work, and `run` stops
 * when that work does not pay.
 */
import { MAX_BASIC } from '../code-points.js';
import type { Node } from '../tree.js';
import { END_OF_TEXT, type Alphabet } from './alphabet.js';
import { NONE, StateTable } from './state-table.js';
import type { TableBudget } from './table-budget.js';

/** Nanoseconds of work, for each pattern, that an automaton may do before it has read anything. */
const ADVANCE_NANOS_PER_PATTERN = 40_000;

/** Nanoseconds saved for each character read, for each automaton that would otherwise read it too; measured. */
const NANOS_SAVED_PER_CHARACTER = 10;

/** A pattern of known characters, and its index in the set. */
export interface Member {
  readonly pattern: number;
  readonly tree: Node;
}

/** Called with the index of a pattern that was found. */
export type OnFound = (pattern: number) => void;

/**
 * An automaton that looks for patterns. A forest makes it, runs it, and replaces it by its {@link parts} where it does
 * not pay. It has no states until it runs, or until an automaton of which it is a part does.
 */
export abstract class LazyAutomaton {
  /** The tuple that {@link begin} and {@link advance} write. */
  readonly made: Int32Array;
  readonly states: StateTable;
  readonly #budget: TableBudget;
  #searches = 0;
  /** Characters read, and estimated nanoseconds of work, since the states were last forgotten. */
  #read = 0;
  /** Work of computing transitions of its own, and work that includes that of its parts. */
  #ownWork = 0;
  #wholeWork = 0;

  /** @param width - Numbers in the tuple of a state. */
  constructor(
    readonly alphabet: Alphabet,
    width: number,
    budget: TableBudget,
  ) {
    this.made = new Int32Array(width);
    this.states = new StateTable(width, alphabet.size, budget);
    this.#budget = budget;
  }

  /** The automata that together do what this one does; empty if it cannot be split. */
  abstract readonly parts: readonly LazyAutomaton[];
  /** The patterns that it looks for. */
  abstract readonly patterns: readonly number[];
  /** How many automata without parts it stands for. */
  abstract readonly leaves: number;
  /** Estimated nanoseconds of computing one transition, its parts' work left out; measured. */
  abstract readonly transitionNanos: number;

  /** Writes the tuple of the state in which a text begins. @returns Whether there was room. */
  abstract begin(): boolean;

  /** Writes the tuple of the state to which a state leads by a class. @returns Whether there was room. */
  abstract advance(state: number, letter: number): boolean;

  /** Whether patterns are found in the state whose tuple was written. */
  abstract finds(): boolean;

  /** Names the patterns that are found in a state. */
  abstract report(state: number, found: OnFound): void;

  /** The state in which a text begins; {@link NONE} without room. */
  start(): number {
    if (this.states.count > 0) return 1;
    return this.begin() ? this.#intern() : NONE;
  }

  /** The state to which a state leads, negated where patterns are found in it; {@link NONE} without room. */
  step(state: number, letter: number): number {
    const known = this.states.transitions[state * this.alphabet.size + letter] as number;
    return known === NONE ? this.#compute(state, letter) : known;
  }

  /**
   * Looks for the patterns in a text.
   *
   * @returns Whether it read all of the text; otherwise there was no room, or the work did not pay.
   */
  run(text: string, found: OnFound): boolean {
    const before = this.#budget.work;
    const state = this.start();
    const end = state === NONE ? 0 : this.#readOn(text, state, found);
    this.#read += end;
    this.#wholeWork += this.#budget.work - before;
    return state !== NONE && end > text.length;
  }

  /** Reads the text and its end. @returns How many characters it read, the end being one. */
  #readOn(text: string, start: number, found: OnFound): number {
    const { ascii, size } = this.alphabet;
    const search = ++this.#searches;
    const budget = this.#budget;
    const advance = ADVANCE_NANOS_PER_PATTERN * this.patterns.length;
    const maxWhole = budget.work + advance + this.#wholeGain;
    const maxOwn = this.#ownWork + advance + this.#ownGain;
    const wholePay = NANOS_SAVED_PER_CHARACTER * this.leaves;
    let { transitions } = this.states;
    let state = start;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      let letter: number;
      if (unit < 128) letter = ascii[unit] as number;
      else {
        const point = text.codePointAt(at) as number;
        letter = this.alphabet.classOf(point);
        if (point > MAX_BASIC) at++;
      }
      let next = transitions[state * size + letter] as number;
      if (next <= 0) {
        if (
          next === NONE &&
          (budget.work > maxWhole + wholePay * at || this.#ownWork > maxOwn + NANOS_SAVED_PER_CHARACTER * at)
        ) {
          return at;
        }
        next = this.#enter(state, letter, search, found);
        if (next === NONE) return at;
        transitions = this.states.transitions;
      }
      state = next;
    }
    return this.#enter(state, END_OF_TEXT, search, found) === NONE ? text.length : text.length + 1;
  }

  /** Takes a transition that is unknown or that finds patterns, which are reported once a search. */
  #enter(state: number, letter: number, search: number, found: OnFound): number {
    const next = this.step(state, letter);
    if (next >= 0) return next;
    const { reported } = this.states;
    if (reported[-next] !== search) {
      reported[-next] = search;
      this.report(-next, found);
    }
    return -next;
  }

  /** Whether its states, now that they fill their memory, saved more than they took: then it may start over. */
  get pays(): boolean {
    return this.#wholeGain > 0 && this.#ownGain > 0;
  }

  /** Nanoseconds that were saved beside running its leaves one by one, all work subtracted. */
  get #wholeGain(): number {
    return NANOS_SAVED_PER_CHARACTER * this.leaves * this.#read - this.#wholeWork;
  }

  /** Nanoseconds that were saved beside running its parts one by one, its own work subtracted. */
  get #ownGain(): number {
    return NANOS_SAVED_PER_CHARACTER * this.#read - this.#ownWork;
  }

  /** Forgets its states and keeps their memory. */
  clear(): void {
    this.states.clear();
    this.#resetAccount();
  }

  /** Forgets its states and gives back their memory. */
  release(): void {
    this.states.release();
    this.#resetAccount();
  }

  #resetAccount(): void {
    this.#read = this.#ownWork = this.#wholeWork = 0;
  }

  #compute(state: number, letter: number): number {
    this.#budget.work += this.transitionNanos;
    this.#ownWork += this.transitionNanos;
    if (!this.advance(state, letter)) return NONE;
    const next = this.#intern();
    this.states.transitions[state * this.alphabet.size + letter] = next;
    return next;
  }

  #intern(): number {
    const state = this.states.intern(this.made);
    return this.finds() ? -state : state;
  }
}
