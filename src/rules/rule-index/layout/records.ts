/**
 * The records of all rules, in one flat array: everything that trying a rule reads lies side by side, since cache lines
 * that are read, more than instructions, make the time.
 */
import { MATCHED } from '../../match/index.js';
import type { PlannedLeaf, PlannedRule } from '../plan/index.js';
import { NO_KEY, type KeyNumbers } from './key-numbers.js';

/** How a leaf is resolved. */
export const Resolution = {
  /** By running its operator. */
  Test: 0,
  /** It holds if the event has one of two keys. */
  Key: 1,
  /** It holds if its path is present and the event has neither of two keys. */
  NoKey: 2,
  /** It holds if its path is present. */
  Presence: 3,
  /** It holds if its path is absent. */
  Absence: 4,
} as const;

/** Numbers in a block. Records begin at blocks: the *offset* of a record is the number of its first block. */
const BLOCK = 4;

/** Numbers before the steps of a rule: its number, and that of its action. */
const HEADER = 2;

/**
 * Numbers of a step: the leaf or its path, and the resolution; two keys; the indices in the array of the steps that
 * follow when the leaf holds and when it does not, or the end of the run.
 */
const STEP = 5;

/** Bits for the resolution. */
const RESOLUTION_BITS = 3;

/** The offsets of the records of rules. */
export class RecordOffsets {
  readonly #offsets: Int32Array;

  constructor(rules: readonly PlannedRule[]) {
    this.#offsets = new Int32Array(rules.length + 1);
    rules.forEach(({ steps }, rule) => {
      const blocks = Math.ceil((HEADER + STEP * steps.length) / BLOCK);
      this.#offsets[rule + 1] = this.of(rule) + blocks;
    });
  }

  /** The offset of the record of a rule. Offsets are in evaluation order, as the numbers of rules are. */
  of(rule: number): number {
    return this.#offsets[rule] as number;
  }

  /** How many blocks all records take up. */
  get blocks(): number {
    return this.of(this.#offsets.length - 1);
  }
}

/** Immutable. */
export class Records {
  readonly #numbers: Int32Array;

  /** @param actions - The number of each rule's action. */
  constructor(rules: readonly PlannedRule[], offsets: RecordOffsets, actions: Int32Array, keys: KeyNumbers) {
    const numbers = new Int32Array(offsets.blocks * BLOCK);
    rules.forEach(({ steps }, rule) => {
      const record = offsets.of(rule) * BLOCK;
      numbers[record] = rule;
      numbers[record + 1] = actions[rule] as number;
      // The first leaf of the document comes first, so that a run reads on.
      const stepAt = (nth: number): number =>
        nth < 0 ? nth : record + HEADER + (steps.length - 1 - nth) * STEP;
      steps.forEach(({ leaf, ifHeld, ifNot }, nth) => {
        const at = stepAt(nth);
        layOutLeaf(leaf, keys, numbers, at);
        numbers[at + 3] = stepAt(ifHeld);
        numbers[at + 4] = stepAt(ifNot);
      });
    });
    this.#numbers = numbers;
  }

  /** How many blocks there are: offsets are below it. */
  get blocks(): number {
    return this.#numbers.length / BLOCK;
  }

  /** The number of the rule whose record is at an offset. */
  ruleAt(offset: number): number {
    return this.#numbers[offset * BLOCK] as number;
  }

  /** The number of the action of the rule whose record is at an offset. */
  actionAt(offset: number): number {
    return this.#numbers[offset * BLOCK + 1] as number;
  }

  /** The first step of the rule whose record is at an offset. */
  firstStep(offset: number): number {
    return offset * BLOCK + HEADER;
  }

  /** Whether a step is an end of the run. */
  isEnd(step: number): boolean {
    return step < 0;
  }

  /** How the leaf of a step is resolved, one of {@link Resolution}. */
  resolution(step: number): number {
    return (this.#numbers[step] as number) & ((1 << RESOLUTION_BITS) - 1);
  }

  /** The leaf of a step that is resolved by its test; the path of any other. */
  subject(step: number): number {
    return (this.#numbers[step] as number) >> RESOLUTION_BITS;
  }

  /** The keys that resolve the leaf of a step. */
  firstKey(step: number): number {
    return this.#numbers[step + 1] as number;
  }

  secondKey(step: number): number {
    return this.#numbers[step + 2] as number;
  }

  /** The step that follows. */
  next(step: number, held: boolean): number {
    return this.#numbers[step + (held ? 3 : 4)] as number;
  }
}

/** Whether a run that ended at a step means that the rule matches. */
export const isMatch = (end: number): boolean => end === MATCHED;

/** Writes the first three numbers of a step. */
function layOutLeaf(leaf: PlannedLeaf, keys: KeyNumbers, numbers: Int32Array, at: number): void {
  const resolution = resolutionOf(leaf, keys);
  const [first, second] = leaf.heldBy ?? leaf.refutedBy ?? [];
  const subject = resolution === Resolution.Test ? leaf.id : leaf.path.id;
  numbers[at] = (subject << RESOLUTION_BITS) | resolution;
  numbers[at + 1] = first === undefined ? NO_KEY : keys.of(first);
  numbers[at + 2] = second === undefined ? NO_KEY : keys.of(second);
}

/** How a leaf is resolved, one of {@link Resolution}. */
function resolutionOf({ presence, heldBy, refutedBy }: PlannedLeaf, keys: KeyNumbers): number {
  if (presence !== null) return presence ? Resolution.Presence : Resolution.Absence;
  const by = heldBy ?? refutedBy;
  const isFound = by !== null && by.length <= 2 && by.every((key) => keys.of(key) !== NO_KEY);
  if (!isFound) return Resolution.Test;
  return heldBy === null ? Resolution.NoKey : Resolution.Key;
}
