/** Automata side by side as one automaton, whose state is the tuple of their states. */
import { joinAlphabets, type Alphabet } from './alphabet.js';
import { LazyAutomaton, type OnFound } from './lazy-automaton.js';
import { NONE } from './state-table.js';
import type { TableBudget } from './table-budget.js';

/** How many automata make a product. */
export const PRODUCT_SIZE = 4;

/**
 * The product of automata. The numbers of a tuple are states of the parts, negated where patterns are found in them.
 * Lives as a {@link LazyAutomaton} does.
 */
export class Product extends LazyAutomaton {
  readonly patterns: readonly number[];
  readonly leaves: number;
  readonly transitionNanos = 200;
  /** By class and part: the class that its characters have in the part's alphabet. */
  readonly #letters: Uint16Array;

  constructor(
    readonly parts: readonly LazyAutomaton[],
    budget: TableBudget,
  ) {
    const alphabet = joinAlphabets(parts.map((part) => part.alphabet));
    super(alphabet, parts.length, budget);
    this.patterns = parts.flatMap((part) => part.patterns);
    this.leaves = parts.reduce((sum, part) => sum + part.leaves, 0);
    this.#letters = lettersOf(alphabet, parts);
  }

  begin(): boolean {
    return this.parts.every((part, i) => (this.made[i] = part.start()) !== NONE);
  }

  advance(state: number, letter: number): boolean {
    const { parts, made, states } = this;
    const letters = this.#letters;
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i] as LazyAutomaton;
      const next = part.step(Math.abs(states.part(state, i)), letters[letter * parts.length + i] as number);
      if (next === NONE) return false;
      made[i] = next;
    }
    return true;
  }

  finds(): boolean {
    return this.made.some((inner) => inner < 0);
  }

  report(state: number, found: OnFound): void {
    for (const [i, part] of this.parts.entries()) {
      const inner = this.states.part(state, i);
      if (inner < 0) part.report(-inner, found);
    }
  }
}

function lettersOf(alphabet: Alphabet, parts: readonly LazyAutomaton[]): Uint16Array {
  const letters = new Uint16Array(alphabet.size * parts.length);
  for (const [range, letter] of alphabet.classes.entries()) {
    for (const [i, part] of parts.entries()) {
      letters[letter * parts.length + i] = part.alphabet.classOf(alphabet.bounds[range] as number);
    }
  }
  return letters;
}
