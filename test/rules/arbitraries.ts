/**
 * The arbitraries of `headgate/testing` as these tests use them, and what they are made of.
 *
 * Patterns stay within what RE2 and RegExp (with `u`) agree on.
 */
import fc from 'fast-check';
import type { Event, Leaf, Match, Rule, TransformOp } from '../../src/index.js';
import { aimed } from '../../src/testing/aim/aim.js';
import { matchArbitraries, treeOf } from '../../src/testing/arbitraries/matches.js';
import { patternArbitrary } from '../../src/testing/arbitraries/patterns.js';
import { endpointIds } from '../../src/testing/arbitraries/pools.js';
import { opArbitrary } from '../../src/testing/arbitraries/rules.js';
import { valueArbitraries } from '../../src/testing/arbitraries/values.js';
import { createArbitraries } from '../../src/testing/index.js';

export const { json, path, pattern, leaf, match, action, rule, event } = createArbitraries(fc);
const { rules: rulesUpTo, encounter: encounterOf } = createArbitraries(fc);

const values = valueArbitraries(fc, []);
const matches = matchArbitraries(fc, values, patternArbitrary(fc), []);

/** Inside the event's data: where a transform may write. */
export const dataPath = (): fc.Arbitrary<string> => matches.dataPath;
export const transformOp = (): fc.Arbitrary<TransformOp> =>
  opArbitrary(fc, values, patternArbitrary(fc), matches);

/** Trees over some leaves. */
export const matchOf = (leaves: fc.Arbitrary<Leaf>): fc.Arbitrary<Match> => treeOf(fc, leaves);
export const endpointId = (): fc.Arbitrary<string> => fc.constantFrom(...endpointIds);

/** Rules with ids of their own, in any order. */
export const rules = (maxRules = 8): fc.Arbitrary<Rule[]> => rulesUpTo({ maxRules });

/** Rules and a few events that have something to say to them. */
export const encounter = (maxRules = 8, maxEvents = 6): fc.Arbitrary<[readonly Rule[], readonly Event[]]> =>
  encounterOf({ maxRules, maxEvents }).map(({ rules, events }) => [rules, events]);

/** Numbers by which an event is aimed. */
export const numbers = (): fc.Arbitrary<number[]> => fc.array(fc.nat(999), { maxLength: 24, size: 'max' });

/** A tree and an event that has something to say to it. */
export const question = (): fc.Arbitrary<[Match, Event]> =>
  fc.tuple(match(), event(), numbers()).map(([tree, base, chosen]) => {
    return [tree, aimedAt(tree, base, chosen)];
  });

/** The event, changed so that the tree has something to say to it. */
export const aimedAt = (tree: Match, base: Event, chosen: readonly number[]): Event =>
  aimed([ruleOf(tree)], base, chosen);

/** A rule that tags what the tree matches. */
export const ruleOf = (tree: Match, more: Partial<Rule> = {}): Rule => ({
  id: 'a',
  name: 'a',
  stage: 'deliver',
  match: tree,
  action: { type: 'tag', tags: ['seen'] },
  priority: 0,
  ...more,
});

/** The leaves of a tree, in document order. */
export function leavesOf(tree: Match): Leaf[] {
  if ('all' in tree) return tree.all.flatMap(leavesOf);
  return 'any' in tree ? tree.any.flatMap(leavesOf) : [tree];
}

/** Freezes a value and all within it. */
export function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFrozen);
  }
  return value;
}
