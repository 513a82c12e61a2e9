/**
 * Event → the rules that match it. An event is read once; its values have keys; keys lead to candidates; candidates are
 * tried in evaluation order, up to the first drop.
 */
import { Matching, type Compile, type PatternLimit } from '../../decision.js';
import type { Ledger } from '../../ledger.js';
import { Purse } from '../../purse.js';
import { ManyValues } from '../../values/index.js';
import type { Action, Rule } from '../../rule.js';
import type { BitSet } from '../bit-set.js';
import {
  Resolution,
  isCertainEntry,
  isMatch,
  offsetOfEntry,
  type Layout,
  type Records,
} from '../layout/index.js';
import { CandidateFinder } from './find-candidates.js';
import type { Candidates } from './candidates.js';
import { EpochSet } from '../epoch-set.js';
import { EventValues } from './event-values.js';
import { KeyFinder } from './find-keys.js';
import type { FoundKeys } from './found-keys.js';
import { LeafAnswers } from './leaf-answers.js';
import type { Probe } from './probe.js';
import { Reading } from './reading.js';

/** Rules, by number, that are no longer in service. */
export type Gone = Pick<BitSet, 'has'>;

/** The event at hand, and what else its matching depends on. */
interface Encounter {
  readonly event: unknown;
  readonly gone: Gone | null;
  readonly pay: Ledger | null;
}

/** For an event whose budget suffices for all rules. */
const UNLIMITED = new Purse(Infinity);

/**
 * Matches one event after the other. Its state is clean after a run that returned, and must not be used after one that
 * threw.
 */
export class Matcher {
  readonly #layout: Layout;
  readonly #compile: Compile;
  readonly #values: EventValues;
  readonly #keys: KeyFinder;
  readonly #candidates: CandidateFinder;
  readonly #answers: LeafAnswers;
  /** Actions of rules that matched. */
  readonly #acted: EpochSet;
  readonly #probe: Probe | null;

  constructor(layout: Layout, compile: Compile, probe: Probe | null) {
    this.#layout = layout;
    this.#compile = compile;
    this.#probe = probe;
    this.#values = new EventValues(layout.pathTree, layout.paths.length);
    this.#keys = new KeyFinder(layout, probe);
    this.#candidates = new CandidateFinder(layout, probe);
    this.#answers = new LeafAnswers(layout.leaves);
    this.#acted = new EpochSet(layout.actions.length);
  }

  /** The share of a rule's budget that all rules together can spend on an event. */
  demandOf(event: unknown): number {
    const { budgets } = this.#layout;
    if (!budgets.hasBurdens) return 0;
    const values = this.#values.read(event);
    let demand = 0;
    for (let i = 0; i < values.count; i++) {
      const path = values.pathAt(i);
      demand += budgets.shareOf(path, unitsOf(values.at(path)));
    }
    values.clear();
    return demand;
  }

  /**
   * The rules that match an event, in order, up to and with the first drop.
   *
   * @param gone - Rules to skip; `null` if all are in service.
   * @param pay - Tries the rules that have patterns; `null` if the event's budget suffices for all.
   */
  match(event: unknown, gone: Gone | null, pay: Ledger | null): Matching {
    const reading = this.#read(event);
    if (pay !== null) reading.noteLength(Infinity);
    const found = this.#keys.find(reading);
    const candidates = this.#candidates.find(found, reading);
    const matching = this.#try(candidates, found, reading, { event, gone, pay });
    this.#clear();
    return matching;
  }

  /** Reads the values of an event, and notes the lengths of the strings that patterns look at. */
  #read(event: unknown): Reading {
    const { budgets, structures } = this.#layout;
    const values = this.#values.read(event);
    const reading = new Reading(values, structures);
    if (!budgets.hasBurdens) return reading;
    for (let i = 0; i < values.count; i++) {
      const path = values.pathAt(i);
      const units = unitsOf(values.at(path));
      if (budgets.isLong(path, units)) reading.noteLength(units);
    }
    return reading;
  }

  /** Releases the event and everything that was derived from it. */
  #clear(): void {
    this.#values.clear();
    this.#keys.clear();
    this.#candidates.clear();
    this.#answers.clear();
    this.#acted.clear();
  }

  /** Tries the candidates in order until a drop matches. */
  #try(
    candidates: Candidates,
    found: FoundKeys,
    reading: Reading,
    { event, gone, pay }: Encounter,
  ): Matching {
    const { rules, actions, records, budgets } = this.#layout;
    const matching = new Matching();
    const tryAlone = (rule: Rule, limits: PatternLimit[]): boolean =>
      pay?.matches(rule, limits) ?? this.#compile(rule).matches(event, limits, UNLIMITED, reading.subjects);
    for (let entry = candidates.next(); entry !== null; entry = candidates.next()) {
      const offset = offsetOfEntry(entry);
      const number = records.ruleAt(offset);
      if (gone?.has(number) === true) continue;
      const held = budgets.isOver(number, reading.longest)
        ? undefined
        : isCertainEntry(entry) || this.#holds(offset, found, reading);
      if (held === false) continue;
      const rule = rules[number] as Rule;
      if (held === undefined && !tryAlone(rule, matching.limits)) continue;
      matching.add(rule);
      const action = records.actionAt(offset);
      if (this.#acted.add(action) && matching.act(rule, actions[action] as Action)) break;
    }
    return matching;
  }

  /** Whether the tree of a rule holds; `undefined` when a leaf could not be decided. */
  #holds(offset: number, found: FoundKeys, reading: Reading): boolean | undefined {
    const { records } = this.#layout;
    if (this.#probe !== null) this.#probe.tried++;
    let step = records.firstStep(offset);
    while (!records.isEnd(step)) {
      const held = this.#leafHolds(records, step, found, reading);
      if (held === undefined) return undefined;
      step = records.next(step, held);
    }
    return isMatch(step);
  }

  #leafHolds(records: Records, step: number, found: FoundKeys, reading: Reading): boolean | undefined {
    const subject = records.subject(step);
    switch (records.resolution(step)) {
      case Resolution.Key:
        return hasKey(records, step, found);
      case Resolution.NoKey:
        return !hasKey(records, step, found) && reading.values.at(subject) !== undefined;
      case Resolution.Presence:
        return reading.values.at(subject) !== undefined;
      case Resolution.Absence:
        return reading.values.at(subject) === undefined;
      default:
        return this.#answers.holds(subject, reading);
    }
  }
}

/** UTF-16 units that a pattern looks at, or that count as much. */
const unitsOf = (subject: unknown): number =>
  typeof subject === 'string' ? subject.length : subject instanceof ManyValues ? subject.units : 0;

const hasKey = (records: Records, step: number, found: FoundKeys): boolean =>
  found.has(records.firstKey(step)) || found.has(records.secondKey(step));
