/**
 * Keys: what can be found out about an event without asking any rule. "The string at `data.body.ref`
 * starts with `refs/tags/`" is one, whatever the number of rules that want it.
 */
import { BitSet } from './bit-set.js';
import { Ints } from './ints.js';

/** No event has this key. */
export const NO_KEY = 0;

/** Gives keys their numbers as rules name them, and remembers how likely an event is thought to have each. */
export class Keys {
  readonly #groups = new Ints();
  readonly #priors: number[] = [];
  readonly #alwaysFound: boolean[] = [];

  constructor() {
    this.add(this.newGroup(), 0); // NO_KEY
  }

  get count(): number {
    return this.#groups.length;
  }

  get groupCount(): number {
    return this.#alwaysFound.length;
  }

  /**
   * A group: keys of one kind about one path.
   *
   * @param alwaysFound - Whether they are found even where no index goes by them.
   */
  newGroup(alwaysFound = false): number {
    return this.#alwaysFound.push(alwaysFound) - 1;
  }

  /** @param prior - How likely an event has it by its nature alone, 0 where only the rules can tell. */
  add(group: number, prior: number): number {
    this.#priors.push(prior);
    return this.#groups.push(group);
  }

  groupOf(key: number): number {
    return this.#groups.at(key);
  }

  isAlwaysFound(key: number): boolean {
    return this.#alwaysFound[this.groupOf(key)] === true;
  }

  priorOf(key: number): number {
    return this.#priors[key] as number;
  }
}

/** The keys that the event at hand has, each once. */
export class FoundKeys {
  readonly #members: BitSet;
  readonly #list: Int32Array;
  #count = 0;
  /** Whether a pattern could not be decided, so that a key may be missing. */
  doubtful = false;

  /** @param keys - How many there are. */
  constructor(keys: number) {
    this.#members = new BitSet(keys);
    this.#list = new Int32Array(keys);
  }

  get count(): number {
    return this.#count;
  }

  at(index: number): number {
    return this.#list[index] as number;
  }

  clear(): void {
    for (let i = 0; i < this.#count; i++) this.#members.clearAround(this.#list[i] as number);
    this.#count = 0;
    this.doubtful = false;
  }

  add(key: number): void {
    if (key !== NO_KEY && this.#members.add(key)) this.#list[this.#count++] = key;
  }

  has(key: number): boolean {
    return this.#members.has(key);
  }
}
