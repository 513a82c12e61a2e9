/** Automata for any number of patterns: as few as pay, each for as many patterns as possible. */
import { fitsAutomaton } from '../automaton/positions.js';
import { BUNDLE_SIZE, Bundle } from './bundle.js';
import { Large } from './large.js';
import type { LazyAutomaton, Member, OnFound } from './lazy-automaton.js';
import { PRODUCT_SIZE, Product } from './product.js';
import { processBudget, type Evictable, type TableBudget } from './table-budget.js';

/** Character classes that one automaton may tell apart. */
const MAX_CLASSES = 256;

/** Characters read, over all automata, before split automata are tried together again; doubles each time. */
const FIRST_RETRY_CHARACTERS = 2 ** 29;

/**
 * The automata of a set. Made by the set at its first search; each search may split an automaton that does not pay, and
 * once in a long while all are put together again. Its tables are evicted when other sets need the memory.
 */
export class Forest implements Evictable {
  readonly #budget: TableBudget;
  readonly #wholes: readonly LazyAutomaton[];
  /** The automata that read every text. */
  #roots: LazyAutomaton[];
  /** Patterns that no automaton pays for. */
  #alone: number[] = [];
  #read = 0;
  #retryAfter = FIRST_RETRY_CHARACTERS;

  constructor(members: readonly Member[], budget: TableBudget = processBudget) {
    this.#budget = budget;
    this.#wholes = wholesOf(members, budget);
    this.#roots = [...this.#wholes];
  }

  /**
   * Looks for the patterns in a text.
   *
   * @returns Patterns that have to be looked for one by one.
   */
  search(text: string, found: OnFound): readonly number[] {
    if (this.#read >= this.#retryAfter) this.#reunite();
    this.#budget.use(this);
    for (let i = 0; i < this.#roots.length;) {
      const root = this.#roots[i] as LazyAutomaton;
      if (root.run(text, found) || runsAgain(root, text, found)) i++;
      else this.#split(i);
    }
    this.#read += text.length * (this.#roots.length + this.#alone.length);
    return this.#alone;
  }

  /** How many automata read each text. */
  get automata(): number {
    return this.#roots.length;
  }

  /** Forgets all states and gives back their memory. */
  release(): void {
    for (const whole of this.#wholes) eachOf(whole, (automaton) => automaton.release());
  }

  #split(i: number): void {
    const [root] = this.#roots.splice(i, 1) as [LazyAutomaton];
    root.release();
    this.#roots.splice(i, 0, ...root.parts);
    if (root.parts.length === 0) this.#alone.push(...root.patterns);
  }

  #reunite(): void {
    this.#read = 0;
    this.#retryAfter *= 2;
    this.#roots = [...this.#wholes];
    this.#alone = [];
  }
}

/** Runs an automaton once more, on memory that it has emptied, if it made good use of that memory. */
function runsAgain(root: LazyAutomaton, text: string, found: OnFound): boolean {
  if (!root.pays) return false;
  eachOf(root, (automaton) => automaton.clear());
  return root.run(text, found);
}

function eachOf(root: LazyAutomaton, visit: (automaton: LazyAutomaton) => void): void {
  visit(root);
  for (const part of root.parts) eachOf(part, visit);
}

/** Bundles of small patterns and automata of large ones, in products of products. */
function wholesOf(members: readonly Member[], budget: TableBudget): LazyAutomaton[] {
  const finished: LazyAutomaton[] = [];
  const small = members.filter(({ tree }) => fitsAutomaton(tree));
  const large = members.filter(({ tree }) => !fitsAutomaton(tree));
  let level: LazyAutomaton[] = [
    ...chunks(small, BUNDLE_SIZE).map((some) => new Bundle(some, budget)),
    ...large.map((member) => new Large(member, budget)),
  ];
  while (level.length > 1) {
    const next: LazyAutomaton[] = [];
    for (const parts of chunks(level, PRODUCT_SIZE)) {
      const product = parts.length === 1 ? null : new Product(parts, budget);
      if (product === null) next.push(...parts);
      else if (product.alphabet.size <= MAX_CLASSES) next.push(product);
      else finished.push(...parts);
    }
    level = next;
  }
  return [...finished, ...level];
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}
