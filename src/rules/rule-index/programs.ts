/** The trees of all rules as branching programs over numbered leaves, in one flat array. */
import { MATCHED, layOut } from '../match.js';
import type { Match } from '../rule.js';
import { Ints } from './ints.js';
import type { Leaves, LeafTests } from './leaves.js';

/** A step: the leaf, and the steps to go on with when it holds and when it does not. */
const STEP = 3;

/** Collects programs. */
export class ProgramBuilder {
  readonly #leaves: Leaves;
  readonly #steps = new Ints();
  readonly #starts = new Ints();

  constructor(leaves: Leaves) {
    this.#leaves = leaves;
    this.#starts.push(0);
  }

  add(match: Match): void {
    layOut(match, (leaf, ifHeld, ifNot) => {
      this.#steps.push(this.#leaves.add(leaf));
      this.#steps.push(ifHeld);
      this.#steps.push(ifNot);
    });
    this.#starts.push(this.#steps.length / STEP);
  }

  /** How many leaves a rule has. */
  size(rule: number): number {
    return this.#starts.at(rule + 1) - this.#starts.at(rule);
  }

  /** The number of a leaf of a rule, by its place in the document. */
  leaf(rule: number, place: number): number {
    return this.#steps.at(STEP * (this.#starts.at(rule + 1) - 1 - place));
  }

  seal(): Programs {
    return new Programs(this.#steps.toArray(), this.#starts.toArray());
  }
}

/** Runs programs. */
export class Programs {
  readonly #steps: Int32Array;
  readonly #starts: Int32Array;

  constructor(steps: Int32Array, starts: Int32Array) {
    this.#steps = steps;
    this.#starts = starts;
  }

  /** Whether a rule matches; `undefined` when a leaf could not be decided. */
  run(rule: number, tests: LeafTests): boolean | undefined {
    const start = this.#starts[rule] as number;
    let at = (this.#starts[rule + 1] as number) - start - 1;
    while (at >= 0) {
      const step = STEP * (start + at);
      const held = tests.holds(this.#steps[step] as number);
      if (held === undefined) return undefined;
      at = this.#steps[held ? step + 1 : step + 2] as number;
    }
    return at === MATCHED;
  }
}
