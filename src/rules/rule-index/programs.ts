/** The trees of all rules as branching programs over numbered leaves, in one flat array. */
import { MATCHED, layOut } from '../match.js';
import type { Match } from '../rule.js';
import { Ints } from './ints.js';
import type { FoundKeys } from './keys.js';
import { Told, type LeafTests, type Leaves } from './leaves.js';
import type { PathReader } from './paths.js';

/** Collects programs. A step: the leaf, and the steps to go on with when it holds and when it does not. */
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
    this.#starts.push(this.#steps.length / 3);
  }

  /** How many leaves a rule has. */
  size(rule: number): number {
    return this.#starts.at(rule + 1) - this.#starts.at(rule);
  }

  /** The number of a leaf of a rule, by its place in the document. */
  leaf(rule: number, place: number): number {
    return this.#steps.at(3 * (this.#starts.at(rule + 1) - 1 - place));
  }

  /** The programs, once it is known how each leaf is told. */
  seal(): Programs {
    const count = this.#steps.length / 3;
    const steps = new Int32Array(STEP * count);
    for (let step = 0; step < count; step++) {
      const leaf = this.#steps.at(3 * step);
      steps.set(
        [
          this.#leaves.told(leaf),
          this.#leaves.told(leaf) === Told.ByTest ? leaf : this.#leaves.pathOf(leaf),
          this.#leaves.tellingKey(leaf, 0),
          this.#leaves.tellingKey(leaf, 1),
          this.#steps.at(3 * step + 1),
          this.#steps.at(3 * step + 2),
        ],
        STEP * step,
      );
    }
    return new Programs(steps, this.#starts.toArray());
  }
}

/**
 * A sealed step, all that it needs side by side: how its leaf is told, the leaf or its path, two keys, and the steps to go on
 * with.
 */
const STEP = 6;

/** What is known of the event at hand. */
export interface Knowledge {
  readonly event: PathReader;
  readonly found: FoundKeys;
  readonly tests: LeafTests;
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
  run(rule: number, knowledge: Knowledge): boolean | undefined {
    const start = this.#starts[rule] as number;
    let at = (this.#starts[rule + 1] as number) - start - 1;
    while (at >= 0) {
      const step = STEP * (start + at);
      const held = this.#holds(step, knowledge);
      if (held === undefined) return undefined;
      at = this.#steps[held ? step + 4 : step + 5] as number;
    }
    return at === MATCHED;
  }

  #holds(step: number, { event, found, tests }: Knowledge): boolean | undefined {
    const subject = this.#steps[step + 1] as number;
    switch (this.#steps[step]) {
      case Told.ByKey:
        return this.#hasKey(step, found);
      case Told.ByNoKey:
        return !this.#hasKey(step, found) && event.value(subject) !== undefined;
      case Told.ByPresence:
        return event.value(subject) !== undefined;
      case Told.ByAbsence:
        return event.value(subject) === undefined;
      default:
        return tests.holds(subject);
    }
  }

  #hasKey(step: number, found: FoundKeys): boolean {
    return found.has(this.#steps[step + 2] as number) || found.has(this.#steps[step + 3] as number);
  }
}
