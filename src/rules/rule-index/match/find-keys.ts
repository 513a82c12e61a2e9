/** Event values → keys. */
import { ManyValues, beginsAsNumber, isStructure, numberSpelled } from '../../values/index.js';
import {
  hashOfAffix,
  withLength,
  type Affixes,
  type Layout,
  type PathLayout,
  type Patterns,
  type Values,
} from '../layout/index.js';
import { FoundKeys } from './found-keys.js';
import type { Probe } from './probe.js';
import type { Reading } from './reading.js';
import { TextSearch } from './text-search.js';

/** Finds the keys of one event after the other. A matcher has one. */
export class KeyFinder {
  readonly #paths: Layout['paths'];
  readonly #found: FoundKeys;
  readonly #search: TextSearch;
  readonly #probe: Probe | null;

  constructor(layout: Layout, probe: Probe | null) {
    this.#paths = layout.paths;
    this.#found = new FoundKeys(layout.keyCount);
    this.#search = new TextSearch(layout, this.#found, probe);
    this.#probe = probe;
  }

  /** Forgets the event. */
  clear(): void {
    this.#found.clear();
  }

  /** The keys that an event has. */
  find(reading: Reading): FoundKeys {
    const { values } = reading;
    for (let i = 0; i < values.count; i++) {
      const path = values.pathAt(i);
      const [sought, subject] = [this.#paths[path] as PathLayout, values.at(path)];
      if (!(subject instanceof ManyValues)) this.#findAt(sought, subject, reading);
      else for (const value of subject.all) this.#findAt(sought, value, reading);
    }
    if (this.#probe !== null) this.#probe.keys += this.#found.count;
    return this.#found;
  }

  #findAt(sought: PathLayout, subject: unknown, reading: Reading): void {
    this.#found.add(sought.presence);
    if (sought.values !== null) this.#findValue(sought.values, subject, reading);
    if (sought.elements !== null && Array.isArray(subject)) {
      for (const element of subject) this.#findValue(sought.elements, element, reading);
    }
    if (typeof subject !== 'string') return;
    if (sought.prefixes !== null) this.#findAffixes(sought.prefixes, subject);
    if (sought.suffixes !== null) this.#findAffixes(sought.suffixes, subject);
    for (const pass of sought.texts) this.#search.find(pass, subject, reading);
    if (sought.patterns !== null) this.#findPatterns(sought.patterns, subject, reading);
  }

  /** The subject itself; the number that it spells if it is a string; the strings that spell it if it is a number. */
  #findValue(values: Values, subject: unknown, reading: Reading): void {
    if (this.#probe !== null) this.#probe.lookUps++;
    if (isStructure(subject)) {
      if (values.hasStructures) this.#found.add(values.structure(reading.structure(subject)));
      return;
    }
    this.#found.add(values.scalar(subject));
    if (typeof subject === 'number') {
      if (values.hasSpellings) this.#found.add(values.spelling(subject));
    } else if (values.hasNumbers && typeof subject === 'string' && beginsAsNumber(subject)) {
      const number = numberSpelled(subject, reading);
      if (number !== undefined) this.#found.add(values.scalar(number));
    }
  }

  /** Extends a hash from length to length, and looks each up. */
  #findAffixes(affixes: Affixes, subject: string): void {
    const { end, table, lengths } = affixes;
    let hash = 0;
    let hashed = 0;
    for (const length of lengths) {
      if (length > subject.length) break;
      hash = hashOfAffix(end, subject, hash, hashed, length);
      hashed = length;
      const whole = withLength(hash, length);
      if (!table.mayHave(whole)) continue;
      if (this.#probe !== null) this.#probe.lookUps++;
      for (let cell = table.first(whole); cell >= 0; cell = table.after(cell)) {
        if (affixes.has(subject, cell, length)) this.#found.add(affixes.keyOf(cell));
      }
    }
    if (this.#probe !== null) this.#probe.units += hashed;
  }

  /**
   * Matches the patterns whose rules stay within their budgets. Rules that might exceed theirs are evaluated by
   * themselves, so that an event takes no more work than trying the rules one by one could take.
   */
  #findPatterns(patterns: Patterns, subject: string, reading: Reading): void {
    if (this.#probe !== null) this.#probe.units += subject.length;
    const isWithin = patterns.burden === 0 || patterns.burden * reading.longest <= 1;
    const matching = isWithin ? patterns.set.matching(subject, reading.subjects.texts) : undefined;
    if (matching === undefined) this.#findOneByOne(patterns, subject, reading);
    else for (const index of matching) this.#found.add(patterns.keyOf(index));
  }

  /** Tests each pattern by itself, on an unlimited account. If one cannot be decided, no rule's budget is trusted. */
  #findOneByOne({ all }: Patterns, subject: string, reading: Reading): void {
    for (const { pattern, number, burden } of all) {
      if (burden * reading.longest > 1) continue;
      if (this.#probe !== null) this.#probe.units += subject.length;
      const held = pattern.test(subject, reading.account);
      if (held === undefined) reading.noteLength(Infinity);
      else if (held) this.#found.add(number);
    }
  }
}
