/** The keys that the leaves about one path go by. */
import type { Json } from '../../json.js';
import { compilePatternSet, type Pattern, type PatternSet } from '../../patterns/index.js';
import type { Leaf, Operator } from '../rule.js';
import type { Structures } from '../match/index.js';
import { Ends } from './ends.js';
import type { FoundKeys, Keys } from './keys.js';
import { Substrings } from './substrings.js';
import type { Reading } from './reading.js';
import { Values } from './values.js';

/** A disjunction: keys of which an event has at least one. */
export type Clause = readonly number[];

/** The keys that a leaf goes by. */
export interface LeafKeys {
  /** Where the leaf holds, the event has a key of each; at least one clause. */
  readonly clauses: readonly Clause[];
  /** A clause that is true of an event if and only if the leaf holds; `null` without one. */
  readonly exact: Clause | null;
}

const exactly = (clause: Clause): LeafKeys => ({ clauses: [clause], exact: clause });
const atBest = (clause: Clause): LeafKeys => ({ clauses: [clause], exact: null });

/** Finds the keys of the value at a path. */
export interface KeyFinder {
  find(subject: unknown, found: FoundKeys, reading: Reading): void;
}

/** The assumed share of events that have a path of a rule. */
const PRESENCE_PRIOR = 0.9;

/** Matching one more pattern of a set costs as much as trying its rule on one event in ten. */
const PATTERN_PRIOR = 0.1;

/** A pattern sees U+FFFD in place of a lone surrogate, where the search for a text sees the surrogate. */
const hasReplacement = (text: string): boolean => text.includes('\ufffd');

/** Numbers the keys of one path, and makes the finders for them. */
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
  /** Numbers of leaves, by operator and value, for leaves that share them. */
  readonly leaves = new Map<Operator, Map<unknown, number>>();

  /** @param structures - Shared by all paths. */
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

  /** The key of any value that is present. */
  #presenceKey(): Clause {
    this.#presence ??= this.#keys.add(this.#keys.newGroup(), PRESENCE_PRIOR);
    return [this.#presence];
  }

  /** The keys of a value: a subject has one of them if and only if it equals the value. */
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
   * Finders of the wanted keys. Those of values and of elements are never left out.
   *
   * @param burdenOf - The share of its budget that the least burdened rule with a pattern may spend for each unit of
   *   its longest subject, by the pattern's key.
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

/** The patterns of one path, matched together as a set. */
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
  /** The burden of the least burdened rule that has the pattern. */
  readonly burden: number;
}

/**
 * Matches patterns whose rules stay within their budgets. Rules that might exceed theirs are evaluated without the
 * index, so that an event takes no more work than trying the rules one by one could take.
 */
class FindPatterns implements KeyFinder {
  readonly #patterns: readonly KeyedPattern[];
  readonly #set: PatternSet;
  /** The greatest burden of a pattern in the set. */
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

  /** Tests each pattern by itself, on an unlimited account. */
  #findOneByOne(subject: string, found: FoundKeys, { longest, subjects: { texts } }: Reading): void {
    for (const { pattern, key, burden } of this.#patterns) {
      if (burden * longest > 1) continue;
      const held = pattern.test(subject, { left: Infinity, texts });
      if (held === undefined) found.doubtful = true;
      else if (held) found.add(key);
    }
  }
}
