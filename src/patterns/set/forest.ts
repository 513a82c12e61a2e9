/** Automata for any number of patterns, as many together as that pays. */
import { fitsAutomaton } from '../automaton/positions.js';
import { BUNDLE_SIZE, Bundle } from './bundle.js';
import { Large } from './large.js';
import type { LazyAutomaton, Member, OnFound } from './lazy-automaton.js';
import { commonLedger, type Holder, type Ledger } from './ledger.js';
import { PRODUCT_SIZE, Product } from './product.js';

/** Classes that the patterns of one automaton may tell apart. */
const MAX_CLASSES = 256;

/** Characters read by all automata after which those that were taken apart are tried together again, at first. */
const TRUCE = 2 ** 29;

/** The automata of a set. */
export class Forest implements Holder {
  private readonly trees: readonly LazyAutomaton[];
  private roots: LazyAutomaton[];
  /** Patterns that are better off alone. */
  private alone: number[] = [];
  private read = 0;
  private truce = TRUCE;

  constructor(
    members: readonly Member[],
    private readonly ledger: Ledger = commonLedger,
  ) {
    this.trees = treesOf(members, ledger);
    this.roots = [...this.trees];
  }

  /**
   * Looks for the patterns in a text.
   *
   * @returns Patterns that have to be looked for one by one.
   */
  search(text: string, found: OnFound): readonly number[] {
    this.restore();
    this.ledger.use(this);
    for (let i = 0; i < this.roots.length;) {
      const root = this.roots[i] as LazyAutomaton;
      if (root.run(text, found) || this.retries(root, text, found)) i++;
      else this.takeApart(i);
    }
    this.read += text.length * (this.roots.length + this.alone.length);
    return this.alone;
  }

  /** Forgets all states. */
  release(): void {
    for (const tree of this.trees) releaseAll(tree);
  }

  /** Once more with more room, if that was well used. */
  private retries(root: LazyAutomaton, text: string, found: OnFound): boolean {
    const { pays } = root;
    root.empty();
    return pays && root.run(text, found);
  }

  private takeApart(i: number): void {
    const [root] = this.roots.splice(i, 1) as [LazyAutomaton];
    root.release();
    this.roots.splice(i, 0, ...root.parts);
    if (root.parts.length === 0) this.alone.push(...root.patterns);
  }

  private restore(): void {
    if (this.read < this.truce) return;
    this.read = 0;
    this.truce *= 2;
    this.roots = [...this.trees];
    this.alone = [];
  }
}

function releaseAll(root: LazyAutomaton): void {
  root.release();
  root.parts.forEach(releaseAll);
}

function treesOf(members: readonly Member[], ledger: Ledger): LazyAutomaton[] {
  const finished: LazyAutomaton[] = [];
  const small = members.filter(({ tree }) => fitsAutomaton(tree));
  const large = members.filter(({ tree }) => !fitsAutomaton(tree));
  let level: LazyAutomaton[] = [
    ...chunks(small, BUNDLE_SIZE).map((some) => new Bundle(some, ledger)),
    ...large.map((member) => new Large(member, ledger)),
  ];
  while (level.length > 1) {
    const next: LazyAutomaton[] = [];
    for (const parts of chunks(level, PRODUCT_SIZE)) {
      if (parts.length === 1) next.push(...parts);
      else {
        const product = new Product(parts, ledger);
        if (product.alphabet.size <= MAX_CLASSES) next.push(product);
        else finished.push(...parts);
      }
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
