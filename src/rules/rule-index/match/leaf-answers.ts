/** Whether leaves hold that no key resolves: their operators are run, and the answers kept as long as the event is. */
import { compileLeaf, compileMany } from '../../match/index.js';
import type { Test } from '../../operators/index.js';
import type { Leaf } from '../../rule.js';
import { ManyValues } from '../../values/index.js';
import type { LeafTable } from '../layout/index.js';
import type { Reading } from './reading.js';

/** A matcher has one. It is cleared after each event. */
export class LeafAnswers {
  readonly #table: LeafTable;
  /** Operators, compiled when they are first run. */
  readonly #tests: (Test | undefined)[];
  /** The epoch in which a leaf was found to hold, or that epoch negated if it did not. */
  readonly #answers: Int32Array;
  #epoch = 1;

  constructor(table: LeafTable) {
    const count = table.leaves.length;
    this.#table = table;
    this.#tests = new Array<Test | undefined>(count).fill(undefined); // with holes it would be a dictionary
    this.#answers = new Int32Array(count);
  }

  /** Forgets the event. */
  clear(): void {
    if (++this.#epoch > LAST_EPOCH) {
      this.#answers.fill(0);
      this.#epoch = 1;
    }
  }

  /** Whether a leaf holds; `undefined` when that could not be decided. */
  holds(leaf: number, reading: Reading): boolean | undefined {
    const answer = this.#answers[leaf];
    if (answer === this.#epoch) return true;
    if (answer === -this.#epoch) return false;
    const held = this.#test(leaf, reading);
    if (held !== undefined) this.#answers[leaf] = held ? this.#epoch : -this.#epoch;
    return held;
  }

  #test(leaf: number, { values, account }: Reading): boolean | undefined {
    const { leaves, pathOf, options } = this.#table;
    const subject = values.at(pathOf[leaf] as number);
    if (subject === undefined) return false;
    const compile = subject instanceof ManyValues ? compileMany : compileLeaf;
    this.#tests[leaf] ??= compile(leaves[leaf] as Leaf, options) as Test;
    return this.#tests[leaf](subject, account);
  }
}

const LAST_EPOCH = 2 ** 31 - 1;
