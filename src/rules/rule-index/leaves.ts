/** The leaves of all rules: the keys that each goes by, and whether it holds on the event at hand. */
import { compilePattern, decidedUpTo, type PatternOptions } from '../../patterns/index.js';
import { compileLeaf, type Test, Account, Structures, isStructure } from '../match/index.js';
import type { Leaf, TextLeaf } from '../rule.js';
import { Ints } from './ints.js';
import { Keys, NO_KEY } from './keys.js';
import { PathKeys, type Clause, type KeyFinder, type LeafKeys } from './path-keys.js';
import { PathTree, type PathReader } from './paths.js';
import type { Reading } from './reading.js';

type PatternLeaf = TextLeaf & { readonly op: 'matches' | 'not_matches' };

/** The ways to decide whether a leaf holds. */
export const Told = {
  /** By running its operator. */
  ByTest: 0,
  /** It holds where the event has one of two keys. */
  ByKey: 1,
  /** It holds where its path is present and the event has neither. */
  ByNoKey: 2,
  ByPresence: 3,
  ByAbsence: 4,
} as const;

/** Numbers leaves, their paths and their keys. */
export class Leaves {
  readonly keys = new Keys();
  readonly paths = new PathTree();
  /** Arrays and objects that leaves compare with. */
  readonly structures = new Structures();
  readonly #options: PatternOptions;
  readonly #leaves: Leaf[] = [];
  readonly #pathOf = new Ints();
  readonly #clauses: (readonly Clause[])[] = [];
  readonly #told = new Ints();
  /** The keys that decide a leaf, two for each leaf. */
  readonly #tellingKeys = new Ints();
  readonly #byPath: PathKeys[] = [];
  readonly #burdens = new Map<number, number>();

  constructor(options: PatternOptions) {
    this.#options = options;
  }

  leaf(number: number): Leaf {
    return this.#leaves[number] as Leaf;
  }

  pathOf(number: number): number {
    return this.#pathOf.at(number);
  }

  /** Where the leaf holds, the event has a key of each clause. Empty for a leaf without keys. */
  clausesOf(number: number): readonly Clause[] {
    return this.#clauses[number] as readonly Clause[];
  }

  /** The share of a work budget that a leaf's pattern may take for each unit of its subject; 0 without charge. */
  burdenOf(number: number): number {
    return this.#burdens.get(number) ?? 0;
  }

  /** The number of a leaf. Leaves of the same path, operator and scalar value share one, except `eq` and `neq`. */
  add(leaf: Leaf): number {
    const path = this.paths.add(leaf.path);
    const about = (this.#byPath[path] ??= new PathKeys(this.keys, this.structures));
    if (leaf.value === undefined || isStructure(leaf.value) || leaf.op === 'eq' || leaf.op === 'neq') {
      return this.#create(leaf, path, about);
    }
    let alike = about.leaves.get(leaf.op);
    if (alike === undefined) about.leaves.set(leaf.op, (alike = new Map<unknown, number>()));
    let number = alike.get(leaf.value);
    if (number === undefined) alike.set(leaf.value, (number = this.#create(leaf, path, about)));
    return number;
  }

  #create(leaf: Leaf, path: number, about: PathKeys): number {
    const pattern = isPatternLeaf(leaf) ? compilePattern(leaf.value, this.#options) : null;
    if (pattern !== null) this.#burdens.set(this.#leaves.length, 1 / decidedUpTo(pattern, this.#options));
    const known = about.keysFor(leaf, pattern);
    const { told, keys } = telling(leaf, known, about);
    this.#clauses.push(known?.clauses ?? []);
    this.#told.push(told);
    this.#tellingKeys.push(keys[0] ?? NO_KEY);
    this.#tellingKeys.push(keys[1] ?? NO_KEY);
    this.#pathOf.push(path);
    return this.#leaves.push(leaf) - 1;
  }

  /**
   * Key finders, by path.
   *
   * @param wanted - Which keys the index goes by.
   * @param burdenOf - As {@link PathKeys.seal} has it.
   */
  seal(
    wanted: (key: number) => boolean,
    burdenOf: (key: number) => number,
  ): readonly (readonly KeyFinder[])[] {
    const findable = (key: number): boolean => key === NO_KEY || wanted(key) || this.keys.isAlwaysFound(key);
    for (let leaf = 0; leaf < this.#leaves.length; leaf++) {
      const found = findable(this.#tellingKeys.at(2 * leaf)) && findable(this.#tellingKeys.at(2 * leaf + 1));
      if (!found) this.#told.set(leaf, Told.ByTest);
    }
    return this.#byPath.map((about) => about.seal(wanted, burdenOf));
  }

  /** The way to decide a leaf, one of {@link Told}; final when the leaves are sealed. */
  told(number: number): number {
    return this.#told.at(number);
  }

  /** One of the two keys that decide a leaf. */
  tellingKey(number: number, nth: 0 | 1): number {
    return this.#tellingKeys.at(2 * number + nth);
  }

  /** The data needed to test the leaves; the rest can be discarded. */
  table(): LeafTable {
    return {
      leaves: this.#leaves,
      pathOf: this.#pathOf.toArray(),
      options: this.#options,
    };
  }
}

const isPatternLeaf = (leaf: Leaf): leaf is PatternLeaf => leaf.op === 'matches' || leaf.op === 'not_matches';

/** The way to decide a leaf, and the keys that decide it. */
function telling(leaf: Leaf, known: LeafKeys | null, about: PathKeys): { told: number; keys: Clause } {
  if (leaf.op === 'exists') return { told: Told.ByPresence, keys: [] };
  if (leaf.op === 'missing') return { told: Told.ByAbsence, keys: [] };
  if (leaf.op === 'neq') {
    return { told: Told.ByNoKey, keys: about.valueKeys(leaf.value) };
  }
  const keys = known?.exact ?? null;
  return keys !== null && keys.length <= 2 ? { told: Told.ByKey, keys } : { told: Told.ByTest, keys: [] };
}

/** Leaves by number, with their paths and the options of their patterns. */
export interface LeafTable {
  readonly leaves: readonly Leaf[];
  readonly pathOf: Int32Array;
  readonly options: PatternOptions;
}

/** Tests leaves, and keeps the answers as long as the event is at hand. */
export class LeafTests {
  readonly #table: LeafTable;
  readonly #event: PathReader;
  readonly #reading: Reading;
  readonly #tests: (Test | undefined)[];
  /** The round in which a leaf was found to hold, or that round negated if it did not. */
  readonly #answers: Int32Array;
  #round = 1;
  #account: Account | null = null;

  constructor(table: LeafTable, event: PathReader, reading: Reading) {
    const count = table.leaves.length;
    this.#table = table;
    this.#event = event;
    this.#reading = reading;
    this.#tests = new Array<Test | undefined>(count).fill(undefined); // with holes it would be a dictionary
    this.#answers = new Int32Array(count);
  }

  /** Forgets the event. */
  clear(): void {
    this.#account = null;
    if (++this.#round > LAST_ROUND) {
      this.#answers.fill(0);
      this.#round = 1;
    }
  }

  /** Whether a leaf holds; `undefined` when that could not be decided. */
  holds(leaf: number): boolean | undefined {
    const answer = this.#answers[leaf];
    if (answer === this.#round) return true;
    if (answer === -this.#round) return false;
    const held = this.#ask(leaf);
    if (held !== undefined) this.#answers[leaf] = held ? this.#round : -this.#round;
    return held;
  }

  #ask(leaf: number): boolean | undefined {
    const subject = this.#event.value(this.#table.pathOf[leaf] as number);
    if (subject === undefined) return false;
    const { leaves, options } = this.#table;
    this.#tests[leaf] ??= compileLeaf(leaves[leaf] as Leaf, options);
    // An unlimited account: a rule that might exceed its budget is evaluated without the index.
    this.#account ??= new Account(Infinity, this.#reading.subjects);
    return this.#tests[leaf](subject, this.#account);
  }
}

const LAST_ROUND = 2 ** 31 - 1;
