/**
 * Automata whose states are made when they are first met, and forgotten when there are too many.
 *
 * A state is a tuple of numbers, and its name is its row in a table, which says for each class of characters where
 * it leads. So a step that was taken before is one look into the table.
 */
import type { Node } from '../tree.js';
import { END_OF_TEXT, type Alphabet } from './alphabet.js';
import type { Ledger } from './ledger.js';

/** Bounds of one automaton: what it may hold in its table, in bytes, and how many states. */
const TABLE_BYTES = 1 << 20;
const MAX_STATES = 8192;
const FIRST_ROWS = 16;

/**
 * Work, in nanoseconds or so, that an automaton may do in advance for each of its patterns, and for each character that
 * it reads: what reading takes anyway, a few times, since its parts would have to do it in its place.
 */
const CREDIT = 40_000;
const PAY = 10;

/** What a step answers where there is no room for the state that it leads to. */
export const FULL = 0;

/** A pattern of known characters, and its name. */
export interface Member {
  readonly pattern: number;
  readonly tree: Node;
}

/** Which patterns were found. */
export type OnFound = (pattern: number) => void;

/** An automaton that looks for patterns. */
export abstract class LazyAutomaton {
  /** The tuple that {@link advance} makes. */
  protected readonly made: Int32Array;
  private readonly mostStates: number;
  private states = 0;
  private isFull = false;
  private tuples = new Int32Array(0);
  private table = new Int32Array(0);
  /** Open addressing: names of states by the hash of their tuple. */
  private slots = new Int32Array(0);
  /** The search that met a state last. */
  private met = new Int32Array(0);
  private searches = 0;
  /** Characters read, and the work that it took, since it was emptied. */
  private read = 0;
  private spent = 0;

  /**
   * @param width - How many numbers make a state.
   */
  constructor(
    readonly alphabet: Alphabet,
    private readonly width: number,
    private readonly ledger: Ledger,
  ) {
    this.made = new Int32Array(width);
    const room = Math.floor(TABLE_BYTES / 4 / (alphabet.size + width));
    this.mostStates = Math.max(FIRST_ROWS, Math.min(MAX_STATES, room));
  }

  /** The automata that do together what this one does; none where it has no parts. */
  abstract readonly parts: readonly LazyAutomaton[];
  /** The patterns that it looks for. */
  abstract readonly patterns: readonly number[];
  /** What making a state takes, in nanoseconds or so. */
  protected abstract readonly weight: number;

  /** Makes the tuple of the state that a text begins in. */
  protected abstract begin(): boolean;

  /**
   * Makes the tuple of the state that a state leads to.
   *
   * @returns Whether there was room.
   */
  protected abstract advance(state: number, letter: number): boolean;

  /** Whether {@link made} is a state in which patterns are found. */
  protected abstract finds(): boolean;

  /** Names the patterns that are found in a state. */
  abstract report(state: number, found: OnFound): void;

  /** The state that a text begins in; {@link FULL} without room. */
  start(): number {
    if (this.states > 0) return 1;
    return this.begin() ? this.nameOf() : FULL;
  }

  /** The state that a state leads to, negated if patterns are found there; {@link FULL} without room. */
  step(state: number, letter: number): number {
    const known = this.table[state * this.alphabet.size + letter] as number;
    return known === FULL ? this.work(state, letter) : known;
  }

  /**
   * Looks for the patterns in a text.
   *
   * @returns Whether it came to the end; else there was no room, or it did not pay.
   */
  run(text: string, found: OnFound): boolean {
    const { ledger } = this;
    const earlier = ledger.work;
    const state = this.start();
    const end = state === FULL ? 0 : this.readOn(text, state, found);
    this.read += end;
    this.spent += ledger.work - earlier;
    return state !== FULL && end > text.length;
  }

  /** Reads to the end, and one further, or to where it fails; answers how far it came. */
  private readOn(text: string, start: number, found: OnFound): number {
    const { ledger, alphabet } = this;
    const { ascii, size } = alphabet;
    const search = ++this.searches;
    const most = ledger.work + this.credit;
    let table = this.table;
    let state = start;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      let letter: number;
      if (unit < 128) letter = ascii[unit] as number;
      else {
        letter = alphabet.classOf(text.codePointAt(at) as number);
        if (unit >= 0xd800 && unit <= 0xdbff) at++;
      }
      let next = table[state * size + letter] as number;
      if (next <= 0) {
        if (next === FULL && ledger.work > most + PAY * at) return at;
        next = this.enter(state, letter, search, found);
        if (next === FULL) return at;
        table = this.table;
      }
      state = next;
    }
    return this.enter(state, END_OF_TEXT, search, found) === FULL ? text.length : text.length + 1;
  }

  /** Takes a step that is new, or that leads to where patterns are found; answers where it leads. */
  private enter(state: number, letter: number, search: number, found: OnFound): number {
    const next = this.step(state, letter);
    if (next >= 0) return next;
    if (this.met[-next] !== search) {
      this.met[-next] = search;
      this.report(-next, found);
    }
    return -next;
  }

  /** Whether it is worth its work. */
  get pays(): boolean {
    return this.credit > 0;
  }

  /** Work that it may do before it reads on. */
  private get credit(): number {
    return CREDIT * this.patterns.length + PAY * this.read - this.spent;
  }

  /** Forgets its states, and keeps its room. */
  empty(): void {
    this.table.fill(FULL);
    this.slots.fill(0);
    this.reset();
  }

  /** Gives back all room. */
  release(): void {
    this.ledger.bytes -= this.bytes;
    this.tuples = this.table = this.slots = this.met = new Int32Array(0);
    this.reset();
  }

  private reset(): void {
    this.states = this.read = this.spent = 0;
    this.isFull = false;
  }

  /** One number of a state's tuple. */
  protected part(state: number, index: number): number {
    return this.tuples[state * this.width + index] as number;
  }

  private get bytes(): number {
    return 4 * (this.tuples.length + this.table.length + this.slots.length + this.met.length);
  }

  private work(state: number, letter: number): number {
    this.ledger.work += this.weight;
    if (!this.advance(state, letter)) return FULL;
    const next = this.nameOf();
    this.table[state * this.alphabet.size + letter] = next;
    return next;
  }

  /** The state whose tuple was made, negated if patterns are found in it; {@link FULL} without room. */
  private nameOf(): number {
    if (this.states + 1 >= this.met.length) this.grow();
    if (this.isFull) return FULL;
    const slot = this.slotOf();
    let state = this.slots[slot] as number;
    if (state === 0) {
      state = this.slots[slot] = ++this.states;
      this.tuples.set(this.made, state * this.width);
    }
    return this.finds() ? -state : state;
  }

  private slotOf(): number {
    const { made, width, slots, tuples } = this;
    let hash = 0;
    for (let i = 0; i < width; i++) hash = (Math.imul(hash, 0x01000193) ^ (made[i] as number)) | 0;
    hash ^= hash >>> 15;
    for (let slot = hash & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
      const state = slots[slot] as number;
      if (state === 0) return slot;
      let i = 0;
      while (i < width && tuples[state * width + i] === made[i]) i++;
      if (i === width) return slot;
    }
  }

  /** Doubles the room, if there is any, and finds every state its new slot. */
  private grow(): void {
    const rows = Math.max(FIRST_ROWS, 2 * this.met.length);
    const added = 4 * (rows - this.met.length) * (this.width + this.alphabet.size + 3);
    this.isFull = rows > this.mostStates || !this.ledger.admits(added);
    if (this.isFull) return;
    this.ledger.bytes += added;
    this.tuples = resized(this.tuples, rows * this.width);
    this.table = resized(this.table, rows * this.alphabet.size);
    this.met = resized(this.met, rows);
    this.slots = new Int32Array(2 * rows);
    const made = this.made.slice();
    for (let state = 1; state <= this.states; state++) {
      this.made.set(this.tuples.subarray(state * this.width, (state + 1) * this.width));
      this.slots[this.slotOf()] = state;
    }
    this.made.set(made);
  }
}

function resized(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}
