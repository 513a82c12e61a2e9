/** The keys that the leaves about one path go by. */
import type { Json } from '../../json.js';
import { compilePatternSet, type Pattern, type PatternSet } from '../../patterns/index.js';
import type { Leaf, Operator } from '../rule.js';
import type { Structures } from '../structures.js';
import { Ends } from './ends.js';
import type { FoundKeys, Keys } from './keys.js';
import { Substrings } from './substrings.js';
import type { Reading } from './reading.js';
import { Values } from './values.js';

/** Keys of which an event has at least one. */
export type Clause = readonly number[];

/** The keys that a leaf goes by. */
export interface LeafKeys {
  /** Where the leaf holds, the event has a key of each; at least one clause. */
  readonly clauses: readonly Clause[];
  /** A clause whose keys no event has where the leaf does not hold; `null` where there is none. */
  readonly exact: Clause | null;
}

const exactly = (clause: Clause): LeafKeys => ({ clauses: [clause], exact: clause });
const atBest = (clause: Clause): LeafKeys => ({ clauses: [clause], exact: null });

/** Finds keys that what stands at a path has. */
export interface KeyFinder {
  find(subject: unknown, found: FoundKeys, reading: Reading): void;
}

/** It is thought that nine in ten events have the paths that rules ask for. */
const PRESENCE_PRIOR = 0.9;

/** Looking for a pattern beside others costs as much as trying, in one event of ten, the rule that it would spare. */
const PATTERN_PRIOR = 0.1;

/** A pattern sees U+FFFD in place of a lone surrogate, where the search for a text sees the surrogate. */
const hasReplacement = (text: string): boolean => text.includes('\ufffd');

/** Gives the keys of one path their numbers, and then finds them. */
export class PathKeys {
  readonly #keys: Keys;
  readonly #structures: Structures;
  #presence: number | undefined;
  #values: Values | undefined;
  #elements: Values | undefined;
  #prefixes: Ends | undefined;
  #suffixes: Ends | undefined;
  #substrings: Substrings | undefined;
  #patterns: Patterns | undefined;
  /** Leaves by operator and value, where it takes time to test them. */
  readonly leaves = new Map<Operator, Map<unknown, number>>();

  /** @param structures - Those of all paths. */
  constructor(keys: Keys, structures: Structures) {
    this.#keys = keys;
    this.#structures = structures;
  }

  /**
   * The keys that a leaf goes by; `null` where it may hold on nearly any event.
   *
   * @param pattern - That of the leaf, where it has one.
   */
  keysFor(leaf: Leaf, pattern: Pattern | null): LeafKeys | null {
    switch (leaf.op) {
      case 'eq':
        return exactly(this.valueKeys(leaf.value));
      case 'in':
        return exactly(leaf.value.flatMap((value) => this.valueKeys(value)));
      case 'contains':
        if (leaf.value === '') return atBest(this.#presenceKey());
        return exactly(this.#containsKeys(leaf.value));
      case 'starts_with':
        return leaf.value === '' ? atBest(this.#presenceKey()) : exactly(this.#prefixKey(leaf.value));
      case 'ends_with':
        return leaf.value === '' ? atBest(this.#presenceKey()) : exactly(this.#suffixKey(leaf.value));
      case 'matches':
        return this.#patternKeys(pattern as Pattern);
      case 'exists':
        return exactly(this.#presenceKey());
      default:
        return null;
    }
  }

  /** The key of being there. */
  #presenceKey(): Clause {
    this.#presence ??= this.#keys.add(this.#keys.newGroup(), PRESENCE_PRIOR);
    return [this.#presence];
  }

  /** The keys of which a subject that is equal to a value has one, and no other subject any. */
  valueKeys(value: Json): Clause {
    return (this.#values ??= new Values(this.#keys, this.#structures)).keysOf(value);
  }

  #containsKeys(value: Json): Clause {
    const elements = (this.#elements ??= new Values(this.#keys, this.#structures)).keysOf(value);
    return typeof value === 'string' ? [this.#substringKey(value), ...elements] : elements;
  }

  #prefixKey(text: string): Clause {
    return [(this.#prefixes ??= new Ends('start', this.#keys)).keyOf(text)];
  }

  #suffixKey(text: string): Clause {
    return [(this.#suffixes ??= new Ends('end', this.#keys)).keyOf(text)];
  }

  #substringKey(text: string): number {
    return (this.#substrings ??= new Substrings(this.#keys)).keyOf(text);
  }

  #patternKeys(pattern: Pattern): LeafKeys {
    const literals = pattern.requiredLiterals.filter((texts) => !texts.some(hasReplacement));
    const own = [(this.#patterns ??= new Patterns(this.#keys)).keyOf(pattern)];
    return {
      clauses: [...literals.map((texts) => texts.map((text) => this.#substringKey(text))), own],
      exact: own,
    };
  }

  /**
   * What finds the keys that are wanted, and those of all values besides.
   *
   * @param burdenOf - The share of its budget that the least burdened rule with a pattern may spend for each unit of its
   *   longest subject, by the pattern's key.
   */
  seal(wanted: (key: number) => boolean, burdenOf: (key: number) => number): readonly KeyFinder[] {
    const finders: (KeyFinder | null | undefined)[] = [
      this.#presence !== undefined && wanted(this.#presence) ? new FindPresence(this.#presence) : null,
      this.#values,
      this.#elements && new FindElements(this.#elements),
      this.#prefixes?.seal(wanted),
      this.#suffixes?.seal(wanted),
      this.#substrings?.seal(wanted),
      this.#patterns?.seal(wanted, burdenOf),
    ];
    return finders.filter((finder) => finder !== null && finder !== undefined);
  }
}

class FindPresence implements KeyFinder {
  readonly #key: number;

  constructor(key: number) {
    this.#key = key;
  }

  find(_subject: unknown, found: FoundKeys): void {
    found.add(this.#key);
  }
}

/** Looks up every element of an array. */
class FindElements implements KeyFinder {
  readonly #values: Values;

  constructor(values: Values) {
    this.#values = values;
  }

  find(subject: unknown, found: FoundKeys, reading: Reading): void {
    if (!Array.isArray(subject)) return;
    for (const element of subject) this.#values.find(element, found, reading);
  }
}

/** Patterns that need no text, or none that is rare: looked for all at once. */
class Patterns {
  readonly #keys: Keys;
  readonly #group: number;
  readonly #known = new Map<string, { readonly pattern: Pattern; readonly key: number }>();

  constructor(keys: Keys) {
    this.#keys = keys;
    this.#group = keys.newGroup();
  }

  keyOf(pattern: Pattern): number {
    let known = this.#known.get(pattern.source);
    if (known === undefined) {
      known = { pattern, key: this.#keys.add(this.#group, PATTERN_PRIOR) };
      this.#known.set(pattern.source, known);
    }
    return known.key;
  }

  seal(wanted: (key: number) => boolean, burdenOf: (key: number) => number): KeyFinder | null {
    const some = Array.from(this.#known.values())
      .filter(({ key }) => wanted(key))
      .map(({ pattern, key }) => ({ pattern, key, burden: burdenOf(key) }));
    return some.length === 0 ? null : new FindPatterns(some);
  }
}

interface KeyedPattern {
  readonly pattern: Pattern;
  readonly key: number;
  /** That of the least burdened rule that has the pattern. */
  readonly burden: number;
}

/**
 * Looks for patterns whose rules keep within their budgets. The others' rules run plainly, so that nothing is spent on an
 * event that trying the rules one by one could not spend.
 */
class FindPatterns implements KeyFinder {
  readonly #patterns: readonly KeyedPattern[];
  readonly #set: PatternSet;
  /** Of the heaviest pattern. */
  readonly #burden: number;

  constructor(patterns: readonly KeyedPattern[]) {
    this.#patterns = patterns;
    this.#set = compilePatternSet(patterns.map(({ pattern }) => pattern));
    this.#burden = patterns.reduce((most, { burden }) => Math.max(most, burden), 0);
  }

  find(subject: unknown, found: FoundKeys, reading: Reading): void {
    if (typeof subject !== 'string') return;
    const isWithin = this.#burden * reading.longest <= 1;
    const matching = isWithin ? this.#set.matching(subject, reading.subjects.texts) : undefined;
    if (matching === undefined) this.#findOneByOne(subject, found, reading);
    else for (const index of matching) found.add((this.#patterns[index] as KeyedPattern).key);
  }

  /** Each on a budget of its own. */
  #findOneByOne(subject: string, found: FoundKeys, { longest, subjects: { texts } }: Reading): void {
    for (const { pattern, key, burden } of this.#patterns) {
      if (burden * longest > 1) continue;
      const held = pattern.test(subject, { left: Infinity, texts });
      if (held === undefined) found.doubtful = true;
      else if (held) found.add(key);
    }
  }
}
