/** The trees of all rules as branching programs over numbered leaves, in one flat array. */
import { MATCHED, layOut } from '../match/index.js';
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
  readonly #places = new Ints();

  constructor(leaves: Leaves) {
    this.#leaves = leaves;
    this.#starts.push(0);
    this.#places.push(0);
  }

  add(match: Match): void {
    layOut(match, (leaf, ifHeld, ifNot) => {
      this.#steps.push(this.#leaves.add(leaf));
      this.#steps.push(ifHeld);
      this.#steps.push(ifNot);
    });
    this.#starts.push(this.#steps.length / 3);
    const numbers = HEADER + STEP * this.size(this.#starts.length - 2);
    this.#places.push(this.blocks + Math.ceil(numbers / BLOCK));
  }

  /** How many leaves a rule has. */
  size(rule: number): number {
    return this.#starts.at(rule + 1) - this.#starts.at(rule);
  }

  /** The number of a leaf of a rule, by its place in the document. */
  leaf(rule: number, place: number): number {
    return this.#steps.at(3 * (this.#starts.at(rule + 1) - 1 - place));
  }

  /** How many blocks the programs take up. */
  get blocks(): number {
    return this.#places.at(this.#places.length - 1);
  }

  /** Where the record of a rule begins, in blocks: a number that stands for the rule, in the same order. */
  placeOf(rule: number): number {
    return this.#places.at(rule);
  }

  /**
   * The programs, once it is known how each leaf is told.
   *
   * @param notes - A number to keep with each rule.
   */
  seal(notes: Int32Array): Programs {
    const records = new Int32Array(this.blocks * BLOCK);
    for (let rule = 0; rule < notes.length; rule++) {
      const record = this.placeOf(rule) * BLOCK;
      const size = this.size(rule);
      records.set([rule, size, notes[rule] as number], record);
      for (let at = 0; at < size; at++) {
        records.set(this.#step(this.#starts.at(rule) + at), record + HEADER + at * STEP);
      }
    }
    return new Programs(records);
  }

  #step(index: number): readonly number[] {
    const leaf = this.#steps.at(3 * index);
    const told = this.#leaves.told(leaf);
    const subject = told === Told.ByTest ? leaf : this.#leaves.pathOf(leaf);
    const keys = [this.#leaves.tellingKey(leaf, 0), this.#leaves.tellingKey(leaf, 1)];
    return [
      (subject << TOLD_BITS) | told,
      ...keys,
      this.#steps.at(3 * index + 1),
      this.#steps.at(3 * index + 2),
    ];
  }
}

/** Numbers in a block: half of what a cache reads at once, so that a rule with one leaf is one read. */
const BLOCK = 8;

/** Before the steps of a rule: its number, how many steps there are, and the note. */
const HEADER = 3;

/** The leaf or its path, and how it is told; two keys; the steps to go on with when it holds and when it does not. */
const STEP = 5;

/** Bits for the ways in which a leaf can be told. */
const TOLD_BITS = 3;

/** What is known of the event at hand. */
export interface Knowledge {
  readonly event: PathReader;
  readonly found: FoundKeys;
  readonly tests: LeafTests;
}

/** Runs programs. All that trying a rule takes lies side by side: what costs time is how many places in memory are read. */
export class Programs {
  readonly #records: Int32Array;

  constructor(records: Int32Array) {
    this.#records = records;
  }

  /** The number of the rule whose record is at a place. */
  ruleAt(place: number): number {
    return this.#records[place * BLOCK] as number;
  }

  noteAt(place: number): number {
    return this.#records[place * BLOCK + 2] as number;
  }

  /** Whether a rule matches; `undefined` when a leaf could not be decided. */
  run(place: number, knowledge: Knowledge): boolean | undefined {
    const steps = place * BLOCK + HEADER;
    let at = (this.#records[place * BLOCK + 1] as number) - 1;
    while (at >= 0) {
      const step = steps + at * STEP;
      const held = this.#holds(step, knowledge);
      if (held === undefined) return undefined;
      at = this.#records[held ? step + 3 : step + 4] as number;
    }
    return at === MATCHED;
  }

  #holds(step: number, { event, found, tests }: Knowledge): boolean | undefined {
    const first = this.#records[step] as number;
    const subject = first >> TOLD_BITS;
    switch (first & ((1 << TOLD_BITS) - 1)) {
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
    return found.has(this.#records[step + 1] as number) || found.has(this.#records[step + 2] as number);
  }
}
