/** Arbitraries of rules, and of events that the rules match or nearly match. */
import {
  type Check,
  assertMembers,
  type Checks,
  integer,
  invalid,
  kindOf,
  optional,
  part,
  texts,
} from '../../delivery/arguments.js';
import type { Json } from '../../json.js';
import type { Action, Event, Leaf, Match, Rule } from '../../rules/rule.js';
import { aimed } from '../aim/aim.js';
import { eventArbitrary } from './events.js';
import type { Arbitrary, FastCheck } from './fast-check.js';
import { matchArbitraries } from './matches.js';
import { patternArbitrary } from './patterns.js';
import { actionArbitrary, opArbitrary, ruleArbitrary } from './rules.js';
import { valueArbitraries, withOwn } from './values.js';

/**
 * Parts of a host's own rules and events, from which most draws are taken.
 *
 * @experimental
 */
export interface ArbitraryOptions {
  /** Paths of leaves and transforms. @defaultValue a few paths, which are often equal, and unusual ones */
  readonly paths?: readonly string[];
  /** Values of leaves and events. @defaultValue a few values, often equal after coercion, and any JSON */
  readonly values?: readonly Json[];
  /** RE2 patterns. @defaultValue short ones, with and without a required literal */
  readonly patterns?: readonly string[];
}

/**
 * Arbitraries of rules, their parts, and events.
 *
 * @experimental
 */
export interface Arbitraries {
  /** Any JSON value, with structures of up to three levels. */
  readonly json: () => Arbitrary<Json>;
  /** A path of a leaf. */
  readonly path: () => Arbitrary<string>;
  /** An RE2 pattern. */
  readonly pattern: () => Arbitrary<string>;
  /** A leaf with any of the sixteen operators. */
  readonly leaf: () => Arbitrary<Leaf>;
  /** A match tree, up to six levels deep. */
  readonly match: () => Arbitrary<Match>;
  /** An action of a rule. */
  readonly action: () => Arbitrary<Action>;
  /** A valid rule; one in three is disabled. */
  readonly rule: () => Arbitrary<Rule>;
  /** Rules with ids of their own, in any order, with equal priorities among them; at most 8 by default. */
  readonly rules: (constraints?: { readonly maxRules?: number }) => Arbitrary<Rule[]>;
  /** An event, independent of any rule. */
  readonly event: () => Arbitrary<Event>;
  /**
   * Events that these rules often match: each is changed towards up to three of the rules.
   *
   * @param rules - The rules to match, such as the host's own.
   * @param base - The events to change, such as the host's own. @defaultValue `event()`
   */
  readonly eventFor: (rules: readonly Rule[], base?: Arbitrary<Event>) => Arbitrary<Event>;
  /**
   * Rules, at most 8 by default, and events most of which a rule matches or nearly matches, from one to 6 by default.
   */
  readonly encounter: (constraints?: {
    readonly maxRules?: number;
    readonly maxEvents?: number;
  }) => Arbitrary<{ readonly rules: readonly Rule[]; readonly events: readonly Event[] }>;
}

const list: Check = (name, value) => {
  if (!Array.isArray(value)) throw invalid(`${name} is ${kindOf(value)}: give an array of JSON values`);
};
const OPTIONS: Checks<ArbitraryOptions> = {
  paths: optional(texts),
  values: optional(list),
  patterns: optional(texts),
};
const MAX_COUNT = 1_000_000;
type RulesOptions = NonNullable<Parameters<Arbitraries['rules']>[0]>;
type EncounterOptions = NonNullable<Parameters<Arbitraries['encounter']>[0]>;
const RULES: Checks<RulesOptions> = { maxRules: optional(integer(0, MAX_COUNT)) };
const ENCOUNTER: Checks<EncounterOptions> = {
  ...RULES,
  maxEvents: optional(integer(1, MAX_COUNT)),
};

/**
 * Arbitraries for property tests of rules, made by the fast-check that the tests use.
 *
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { compileRules } from 'headgate';
 * import { createArbitraries } from 'headgate/testing';
 *
 * const { encounter } = createArbitraries(fc);
 * fc.assert(
 *   fc.property(encounter(), ({ rules, events }) => {
 *     const set = compileRules(rules);
 *     for (const event of events) set.evaluate(event); // throws for none
 *   }),
 *   { numRuns: 10 },
 * );
 * ```
 * @param fc - The default export of `fast-check`, version 4.
 * @throws `OptionError` `invalid_option`, naming what to give; `rules` and `encounter` throw it too.
 * @experimental
 */
export function createArbitraries(fc: FastCheck, options: ArbitraryOptions = {}): Arbitraries {
  part(['oneof', 'constantFrom'], "what import fc from 'fast-check' gives")('fc', fc);
  assertMembers<ArbitraryOptions>('createArbitraries', options, OPTIONS);
  const values = valueArbitraries(fc, options.values ?? []);
  const pattern = withOwn(fc, options.patterns ?? [], patternArbitrary(fc));
  const matches = matchArbitraries(fc, values, pattern, options.paths ?? []);
  const action = actionArbitrary(fc, opArbitrary(fc, values, pattern, matches));
  const rule = ruleArbitrary(fc, matches.match, action);
  const event = eventArbitrary(fc, values);
  const numbers = fc.array(fc.nat(999), { maxLength: 24, size: 'max' });
  const rules: Arbitraries['rules'] = (constraints = {}) => {
    assertMembers<RulesOptions>('rules', constraints, RULES);
    const { maxRules = 8 } = constraints;
    return fc.uniqueArray(rule, { selector: ({ id }) => id, maxLength: maxRules, size: 'max' });
  };

  return {
    json: () => values.json,
    path: () => matches.path,
    pattern: () => pattern,
    leaf: () => matches.leaf,
    match: () => matches.match,
    action: () => action,
    rule: () => rule,
    rules,
    event: () => event,
    eventFor: (all, base = event) => fc.tuple(base, numbers).map(([one, chosen]) => aimed(all, one, chosen)),
    encounter: (constraints = {}) => {
      assertMembers<EncounterOptions>('encounter', constraints, ENCOUNTER);
      const { maxRules = 8, maxEvents = 6 } = constraints;
      const shots = fc.array(fc.tuple(event, numbers), { minLength: 1, maxLength: maxEvents, size: 'max' });
      return fc.tuple(rules({ maxRules }), shots).map(([all, bases]) => ({
        rules: all,
        events: bases.map(([base, chosen]) => aimed(all, base, chosen)),
      }));
    },
  };
}
