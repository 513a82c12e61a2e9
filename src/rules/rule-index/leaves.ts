/** The leaves of all rules: the keys that each goes by, and whether it holds on the event at hand. */
import { compilePattern, decidedUpTo, type PatternOptions } from '../../patterns/index.js';
import { compileLeaf, type Test } from '../operators.js';
import type { Leaf, TextLeaf } from '../rule.js';
import { Ints } from './ints.js';
import { Keys, NO_KEY, type FoundKeys } from './keys.js';
import { PathKeys, type Clause, type KeyFinder, type LeafKeys } from './path-keys.js';
import { PathTree, type PathReader } from './paths.js';
import { Stamps } from './stamps.js';
import { isStructure } from './values.js';

type PatternLeaf = TextLeaf & { readonly op: 'matches' | 'not_matches' };

/** How it is told whether a leaf holds. */
const Told = {
  /** By asking its operator. */
  ByTest: 0,
  /** It holds where the event has one of two keys. */
  ByKey: 1,
  /** It holds where its path is present and the event has neither. */
  ByNoKey: 2,
  ByPresence: 3,
  ByAbsence: 4,
} as const;

/** Gives leaves their numbers, and their paths and keys theirs. */
export class Leaves {
  readonly keys = new Keys();
  readonly paths = new PathTree();
  readonly #options: PatternOptions;
  readonly #leaves: Leaf[] = [];
  readonly #pathOf = new Ints();
  readonly #clauses: (readonly Clause[])[] = [];
  readonly #told = new Ints();
  /** Two for each leaf. */
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

  /** Where the leaf holds, the event has a key of each clause. None for a leaf that no key tells of. */
  clausesOf(number: number): readonly Clause[] {
    return this.#clauses[number] as readonly Clause[];
  }

  /** The share of a work budget that a leaf's pattern may take for each unit of its subject; 0 where none is taken. */
  burdenOf(number: number): number {
    return this.#burdens.get(number) ?? 0;
  }

  /** The number of a leaf. One that takes time to test has the same number wherever it stands. */
  add(leaf: Leaf): number {
    const path = this.paths.add(leaf.path);
    const about = (this.#byPath[path] ??= new PathKeys(this.keys));
    if (leaf.value === undefined || isStructure(leaf.value) || leaf.op === 'eq' || leaf.op === 'neq') {
      return this.#create(leaf, path, about);
    }
    let alike = about.leaves.get(leaf.op);
    if (alike === undefined) about.leaves.set(leaf.op, (alike = new Map()));
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
   * What finds keys, by path.
   *
   * @param wanted - Which keys the index goes by.
   */
  seal(wanted: (key: number) => boolean): readonly (readonly KeyFinder[])[] {
    const findable = (key: number): boolean => key === NO_KEY || wanted(key) || this.keys.isAlwaysFound(key);
    for (let leaf = 0; leaf < this.#leaves.length; leaf++) {
      const found = findable(this.#tellingKeys.at(2 * leaf)) && findable(this.#tellingKeys.at(2 * leaf + 1));
      if (!found) this.#told.set(leaf, Told.ByTest);
    }
    return this.#byPath.map((about) => about.seal(wanted));
  }

  /** What tests the leaves on the event that is read and whose keys are found. */
  tests(event: PathReader, found: FoundKeys): LeafTests {
    const tables = {
      leaves: this.#leaves,
      pathOf: this.#pathOf.toArray(),
      told: Uint8Array.from(this.#told.toArray()),
      tellingKeys: this.#tellingKeys.toArray(),
    };
    return new LeafTests(tables, event, found, this.#options);
  }
}

const isPatternLeaf = (leaf: Leaf): leaf is PatternLeaf => leaf.op === 'matches' || leaf.op === 'not_matches';

/** How a leaf is told, and by which keys. */
function telling(leaf: Leaf, known: LeafKeys | null, about: PathKeys): { told: number; keys: Clause } {
  if (leaf.op === 'exists') return { told: Told.ByPresence, keys: [] };
  if (leaf.op === 'missing') return { told: Told.ByAbsence, keys: [] };
  if (leaf.op === 'neq' && !isStructure(leaf.value)) {
    return { told: Told.ByNoKey, keys: about.valueKeys(leaf.value) };
  }
  const keys = known?.clauses[0] ?? [];
  return known?.exact === true && keys.length <= 2 ? { told: Told.ByKey, keys } : { told: Told.ByTest, keys: [] };
}

interface LeafTables {
  readonly leaves: readonly Leaf[];
  readonly pathOf: Int32Array;
  readonly told: Uint8Array;
  readonly tellingKeys: Int32Array;
}

/** Work without end: what the index tests has been found to stay within the budget. */
const UNBOUNDED = { left: Infinity };

/** Tests leaves on one event after the other, each that takes time at most once an event. */
export class LeafTests {
  readonly #leaves: readonly Leaf[];
  readonly #pathOf: Int32Array;
  readonly #told: Uint8Array;
  readonly #tellingKeys: Int32Array;
  readonly #event: PathReader;
  readonly #found: FoundKeys;
  readonly #options: PatternOptions;
  readonly #tests: (Test | undefined)[] = [];
  readonly #known: Stamps;
  readonly #held: Uint8Array;

  constructor(tables: LeafTables, event: PathReader, found: FoundKeys, options: PatternOptions) {
    this.#leaves = tables.leaves;
    this.#pathOf = tables.pathOf;
    this.#told = tables.told;
    this.#tellingKeys = tables.tellingKeys;
    this.#event = event;
    this.#found = found;
    this.#options = options;
    this.#known = new Stamps(this.#leaves.length);
    this.#held = new Uint8Array(this.#leaves.length);
  }

  /** Forgets the event before. */
  clear(): void {
    this.#known.clear();
  }

  /** Whether a leaf holds; `undefined` when that could not be decided. */
  holds(leaf: number): boolean | undefined {
    switch (this.#told[leaf]) {
      case Told.ByKey:
        return this.#hasKey(leaf);
      case Told.ByNoKey:
        return this.#event.has(this.#pathOf[leaf] as number) && !this.#hasKey(leaf);
      case Told.ByPresence:
        return this.#event.has(this.#pathOf[leaf] as number);
      case Told.ByAbsence:
        return !this.#event.has(this.#pathOf[leaf] as number);
      default:
        return this.#remembered(leaf);
    }
  }

  #hasKey(leaf: number): boolean {
    return (
      this.#found.has(this.#tellingKeys[2 * leaf] as number) ||
      this.#found.has(this.#tellingKeys[2 * leaf + 1] as number)
    );
  }

  #remembered(leaf: number): boolean | undefined {
    if (this.#known.has(leaf)) return this.#held[leaf] === 1;
    const held = this.#ask(leaf);
    if (held !== undefined) {
      this.#known.add(leaf);
      this.#held[leaf] = held ? 1 : 0;
    }
    return held;
  }

  #ask(leaf: number): boolean | undefined {
    const path = this.#pathOf[leaf] as number;
    if (!this.#event.has(path)) return false;
    this.#tests[leaf] ??= compileLeaf(this.#leaves[leaf] as Leaf, this.#options);
    return this.#tests[leaf](this.#event.value(path), UNBOUNDED);
  }
}
