/** Laws of the index, whatever the rules and the events. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { compileRules, type Event, type Json, type Leaf, type Match, type Rule } from '../../../src/index.js';
import { checkPattern } from '../../../src/patterns/index.js';
import { aimed } from '../../../src/testing/aim/aim.js';
import { matchArbitraries } from '../../../src/testing/arbitraries/matches.js';
import { valueArbitraries } from '../../../src/testing/arbitraries/values.js';
import { compileReferenceRules } from '../../../src/testing/index.js';
import * as patterns from '../../patterns/arbitraries.js';
import * as arbitrary from '../arbitraries.js';
import { crowd, grid } from './crowds.js';
import { describeLaws } from './descriptions.js';
import { edgeLaws } from './edges.js';
import { failing, tightOptions } from './engines.js';
import { law, type Law } from './law.js';
import { intervals, manyPatterns, texts } from './one-path.js';
import { expectRight, expectSame } from './same.js';
import { updateLaws } from './updates.js';

/** Rules without drops, so that no match hides behind one. */
const tagging = (rules: readonly Rule[]): Rule[] =>
  rules.map((rule) => ({ ...rule, enabled: true, action: { type: 'tag', tags: [rule.id] } }));

/** Rules and events around some trees. */
function encounterOver(
  match: fc.Arbitrary<Match>,
  maxRules: number,
): fc.Arbitrary<readonly [Rule[], Event[]]> {
  const shot = fc.tuple(arbitrary.event(), arbitrary.numbers());
  return fc
    .tuple(
      fc.array(match, { minLength: 1, maxLength: maxRules, size: 'max' }),
      fc.array(shot, { minLength: 1, maxLength: 4, size: 'max' }),
    )
    .map(([trees, shots]) => {
      const rules = trees.map((tree, i) => arbitrary.ruleOf(tree, { id: `r${i}` }));
      return [rules, shots.map(([base, numbers]) => aimed(rules, base, numbers))];
    });
}

/** A leaf at the bottom of as many groups as there are letters. */
const tower = (): fc.Arbitrary<Match> =>
  fc
    .tuple(
      arbitrary.leaf(),
      fc.array(fc.tuple(fc.boolean(), arbitrary.leaf()), { minLength: 5, maxLength: 12 }),
    )
    .map(([bottom, floors]) =>
      floors.reduce<Match>(
        (tree, [all, beside]) => (all ? { all: [beside, tree] } : { any: [tree, beside] }),
        bottom,
      ),
    );

/** Leaves with any pattern of the language, not only such as RegExp would read alike. */
function anyPattern(): fc.Arbitrary<Match> {
  const valid = patterns.patterns.filter((pattern) => checkPattern(pattern) === null);
  const values = valueArbitraries(fc, []);
  const { leaf } = matchArbitraries(fc, values, valid, ['data.a', 'data.b']);
  const matching = fc.record({
    path: fc.constantFrom('data.a', 'data.b'),
    op: fc.constantFrom('matches' as const, 'matches' as const, 'not_matches' as const),
    value: valid,
  });
  return arbitrary.matchOf(fc.oneof<fc.Arbitrary<Leaf>[]>(matching, matching, leaf));
}

/** Subjects of patterns that need an engine, at the paths where the leaves of `anyPattern` look. */
const subjects = fc
  .tuple(patterns.anySubjects, patterns.anySubjects, fc.nat(3))
  .map(([a, b, times]) => ({ a: a.repeat(times + 1), b }));

const withSubjects = (cases: fc.Arbitrary<readonly [Rule[], Event[]]>) =>
  fc
    .tuple(cases, fc.array(subjects, { minLength: 1, maxLength: 2 }))
    .map(([[rules, events], more]): readonly [Rule[], Event[]] => [
      rules,
      [...events, ...more.map((data) => ({ id: 'evt_1', type: 'a', data }))],
    ]);

/** Values that are no events, and events that JSON cannot express but a host may hand in. */
const oddEvents: readonly unknown[] = [
  null,
  'data.a',
  '',
  5,
  true,
  [],
  [{ data: { a: 5 } }],
  {},
  { data: null },
  { data: 'a' },
  { data: [5, 'a'] },
  { data: { a: undefined, b: [undefined, 5] } },
  { data: { a: { b: undefined } }, tags: null },
  { data: { a: Infinity, b: [-Infinity] } },
  { data: Object.assign(Object.create(null) as object, { a: 'a', b: 5 }) },
  { data: { a: [, 'a'], b: { 0: 'b' } } },
  { tags: [5, 'urgent'], type: 5, data: { a: -0 } },
  { data: { a: { length: 1, 0: 5 }, b: 'b' } },
  JSON.parse('{"data":{"__proto__":{"a":5},"a":{"__proto__":"a"}},"__proto__":"a"}'),
];

/** Values that a host writes into an event that it uses again. */
const rewritten: fc.Arbitrary<Json> = fc.oneof(arbitrary.json(), fc.constantFrom<Json[]>(5, '5', 'a', 'ab'));

export const laws: readonly Law[] = [
  law('decides as the plain evaluator', 4_000, arbitrary.encounter(12), ([rules, events]) => {
    expectRight(arbitrary.deepFrozen(rules), arbitrary.deepFrozen(events));
  }),
  law('finds every rule that matches', 2_500, arbitrary.encounter(16), ([rules, events]) => {
    expectRight(tagging(rules), events);
  }),
  law('decides for dozens of rules that share leaves', 1_200, crowd(1, 40), ([rules, events]) => {
    expectRight(rules, events);
  }),
  law('decides for hundreds of rules that share leaves', 150, crowd(100, 400), ([rules, events]) => {
    expectRight(rules, events);
  }),
  law('decides for hundreds of rules that stand on a grid', 150, grid(80, 500), ([rules, events]) => {
    expectRight(rules, events);
  }),
  law('finds texts in texts', 150, texts, ([rules, events]) => {
    expectRight(rules, events);
  }),
  law('finds intervals', 600, intervals, ([rules, events]) => {
    expectRight(rules, events);
  }),
  law('finds many patterns at once', 100, manyPatterns, ([rules, events]) => {
    expectRight(rules, events);
  }),
  law(
    'meets the same limits with many patterns',
    100,
    fc.tuple(manyPatterns, tightOptions),
    ([[rules, events], patterns]) => {
      expectRight(rules, events, { patterns });
    },
  ),
  law('finds what lies five levels deep and deeper', 800, encounterOver(tower(), 6), ([rules, events]) => {
    expectRight(rules, events);
  }),
  law('finds by any pattern', 1_000, withSubjects(encounterOver(anyPattern(), 8)), ([rules, events]) => {
    expectRight(rules, events);
  }),
  law(
    'meets the same limits',
    1_500,
    fc.tuple(withSubjects(encounterOver(anyPattern(), 6)), tightOptions),
    ([[rules, events], options]) => {
      expectRight(rules, events, { patterns: options });
    },
  ),
  law(
    'with an engine that fails, decides all that needs no engine, rightly, and names no limit that is none',
    300,
    withSubjects(encounterOver(anyPattern(), 6)),
    ([rules, events]) => {
      const options = { patterns: { engine: failing } };
      const set = compileRules(rules, options);
      const plain = compileReferenceRules(rules, options);
      const truth = compileReferenceRules(rules);
      for (const event of events) {
        const [{ limits, matched }, expected] = [set.evaluate(event), plain.evaluate(event)];
        const undecided = new Set(expected.limits.map(({ rule }) => rule.id));
        const decided = (of: readonly Rule[]): readonly string[] =>
          of.map(({ id }) => id).filter((id) => !undecided.has(id));
        assert.deepEqual(decided(matched), decided(expected.matched));
        // The index needs no engine for some patterns that the plain evaluator needs it for.
        const right = new Set(truth.evaluate(event).matched.map(({ id }) => id));
        assert.deepEqual(
          matched.filter(({ id }) => !right.has(id)),
          [],
        );
        assert.ok(limits.every((limit) => expected.limits.some((other) => isDeepStrictEqual(limit, other))));
      }
    },
  ),
  law('takes whatever is handed in as an event', 500, arbitrary.rules(12), (rules) => {
    expectRight(tagging(rules), oddEvents as readonly Event[]);
  }),
  law(
    'remembers nothing of an event that is written over',
    500,
    fc.tuple(arbitrary.encounter(12), fc.array(rewritten, { minLength: 1, maxLength: 4 })),
    ([[rules, [first]], values]) => {
      const set = compileRules(rules);
      const plain = compileReferenceRules(rules);
      const event = structuredClone(first!) as Event & { data: Record<string, Json> };
      for (const value of values) {
        expectSame(event, set.evaluate(event), plain.evaluate(event));
        event.data.a = value;
        expectSame(event, set.evaluate(event), plain.evaluate(event));
      }
    },
  ),
  ...edgeLaws,
  ...updateLaws,
  ...describeLaws,
];
