/** Bounds of the cost of an event with many rules, from its cost with few. */
import { COUNTERS, type Counter, type EventCost } from './event-cost.js';

/** The bounds of a kind of rules. */
export interface Bounds {
  /** The most that each count may grow. */
  readonly growth: Readonly<Record<Counter, number>>;
  /** Entries met, rules tried, keys had and look-ups made for each further rule that matches. */
  readonly perMatch: number;
  /** The share of the rules that an event may meet in vain. Nearly always none. */
  readonly inVain?: number;
  /** The keys that find a rule tell its whole tree: no rule is tried. */
  readonly isTold?: true;
  /** No key tells of these rules: each may be met and tried, once. */
  readonly isEachTried?: true;
}

/** @param unlike - Counts that may grow by another factor. */
export const atMost = (growth: number, unlike: Partial<Record<Counter, number>> = {}): Bounds => ({
  growth: { lookUps: growth, units: growth, keys: growth, entries: growth, tried: growth, ...unlike },
  perMatch: 1,
});

/** A filter spares the look-up of most units: one in so many is looked up. */
const UNITS_A_LOOK_UP = 32;

/** Look-ups of values: a shape of rules compares with values at no more paths than this. */
const VALUES = 24;

/** Sums of fractions are off by less. */
const ROUNDING = 1e-9;

/** The counts beyond their bounds, each as a sentence. */
export function violationsOf(few: EventCost, many: EventCost, bounds: Bounds): readonly string[] {
  return [
    ...COUNTERS.flatMap((counter) => beyond(counter, many, mostOf(counter, few, many, bounds), few)),
    ...beyond('lookUps', many, filteredLookUps(many), few),
  ];
}

function mostOf(counter: Counter, few: EventCost, many: EventCost, bounds: Bounds): number {
  const isRule = counter === 'entries' || counter === 'tried';
  if (bounds.isEachTried && isRule) return many.rules;
  if (bounds.isTold && counter === 'tried') return 0;
  const grown = bounds.growth[counter] * few[counter];
  if (counter === 'units') return grown;
  const further = bounds.perMatch * Math.max(0, many.matches - few.matches);
  const inVain = (bounds.inVain ?? 0) * many.rules;
  return grown + further + inVain + (counter === 'lookUps' ? many.units / UNITS_A_LOOK_UP : 0);
}

/** The most look-ups that a filter lets through, where texts are searched. */
const filteredLookUps = ({ units }: EventCost): number =>
  units === 0 ? Infinity : VALUES + (2 * units) / UNITS_A_LOOK_UP;

function beyond(counter: Counter, cost: EventCost, most: number, few: EventCost): readonly string[] {
  if (cost[counter] <= most * (1 + ROUNDING)) return [];
  const [count, bound, before] = [cost[counter], most, few[counter]].map((value) =>
    Number(value.toPrecision(3)),
  );
  return [
    `${counter}: ${count} with ${cost.rules} rules and ${before} with ${few.rules}; at most ${bound} may be`,
  ];
}
