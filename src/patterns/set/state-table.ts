/** The states of one automaton: numbered tuples, and the transitions between them that were computed so far. */
import type { TableBudget } from './table-budget.js';

/** Bounds of one table. A transition is a signed 16-bit number. */
const MAX_BYTES = 1 << 22;
const MAX_ROWS = 1 << 15;
const FIRST_ROWS = 16;

/** The absence of a state: a transition not computed yet, or a state for which memory is lacking. */
export const NONE = 0;

/**
 * Interns tuples of numbers as states 1, 2, …, and stores a row of transitions for each.
 *
 * Empty at first; it doubles as states come, until its own bound or the process's is met. `clear` forgets the states
 * and keeps the memory, `release` gives the memory back; after either it fills again.
 */
export class StateTable {
  /** By state and character class: the next state, negated where patterns are found in it; {@link NONE} if unknown. */
  transitions = new Int16Array(0);
  /** By state: the search that last reported its patterns. */
  reported = new Int32Array(0);
  /** How many states there are. */
  count = 0;
  readonly #width: number;
  readonly #classes: number;
  readonly #budget: TableBudget;
  readonly #maxRows: number;
  #tuples = new Int32Array(0);
  /** Open addressing: states by the hash of their tuple. */
  #cells = new Uint16Array(0);

  /**
   * @param width - Numbers in a tuple.
   * @param classes - Transitions of a state.
   */
  constructor(width: number, classes: number, budget: TableBudget) {
    this.#width = width;
    this.#classes = classes;
    this.#budget = budget;
    this.#maxRows = Math.max(FIRST_ROWS, Math.min(MAX_ROWS, Math.floor(MAX_BYTES / this.#bytesOf(1))));
  }

  /** One number of a state's tuple. */
  part(state: number, index: number): number {
    return this.#tuples[state * this.#width + index] as number;
  }

  /** The state of a tuple; {@link NONE} if it is new and memory is lacking. */
  intern(tuple: Int32Array): number {
    if (this.count + 1 >= this.#rows && !this.#grow()) return NONE;
    const cell = this.#cellOf(tuple);
    let state = this.#cells[cell] as number;
    if (state === NONE) {
      state = this.#cells[cell] = ++this.count;
      this.#tuples.set(tuple, state * this.#width);
    }
    return state;
  }

  /** Forgets all states; keeps the memory. */
  clear(): void {
    this.transitions.fill(NONE);
    this.#cells.fill(NONE);
    this.count = 0;
  }

  /** Forgets all states and gives back the memory. */
  release(): void {
    this.#budget.bytes -= this.#bytesOf(this.#rows);
    this.#tuples = this.reported = new Int32Array(0);
    this.transitions = new Int16Array(0);
    this.#cells = new Uint16Array(0);
    this.count = 0;
  }

  get #rows(): number {
    return this.reported.length;
  }

  #bytesOf(rows: number): number {
    return rows * (4 * this.#width + 2 * this.#classes + 4 + 2 * 2);
  }

  /** The cell that holds a tuple's state, or the free cell where it belongs. */
  #cellOf(tuple: Int32Array): number {
    const width = this.#width;
    const cells = this.#cells;
    const tuples = this.#tuples;
    let hash = 0;
    for (let i = 0; i < width; i++) hash = (Math.imul(hash, 0x01000193) ^ (tuple[i] as number)) | 0;
    hash ^= hash >>> 15;
    for (let cell = hash & (cells.length - 1); ; cell = (cell + 1) & (cells.length - 1)) {
      const state = cells[cell] as number;
      if (state === NONE) return cell;
      let i = 0;
      while (i < width && tuples[state * width + i] === tuple[i]) i++;
      if (i === width) return cell;
    }
  }

  /** Doubles the rows, if there is room. */
  #grow(): boolean {
    const rows = Math.max(FIRST_ROWS, 2 * this.#rows);
    const added = this.#bytesOf(rows) - this.#bytesOf(this.#rows);
    if (rows > this.#maxRows || !this.#budget.admits(added)) return false;
    this.#budget.bytes += added;
    this.#tuples = copied(this.#tuples, new Int32Array(rows * this.#width));
    this.reported = copied(this.reported, new Int32Array(rows));
    this.transitions = copied(this.transitions, new Int16Array(rows * this.#classes));
    this.#cells = new Uint16Array(2 * rows);
    for (let state = 1; state <= this.count; state++) {
      const tuple = this.#tuples.subarray(state * this.#width, (state + 1) * this.#width);
      this.#cells[this.#cellOf(tuple)] = state;
    }
    return true;
  }
}

function copied<Numbers extends Int32Array | Int16Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
