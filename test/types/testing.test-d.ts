/** Code that compiles and code that does not: arbitraries of the host's fast-check. */
import fc from 'fast-check';
import * as wholeModule from 'fast-check';
import type { Event, Rule, RuleEvaluator, RuleSet } from 'headgate';
import { compileReferenceRules, createArbitraries, type Encounter } from 'headgate/testing';
import { describe, expectTypeOf, test } from 'vitest';

describe('arbitraries', () => {
  const arbitrary = createArbitraries(fc, { paths: ['data.a'], values: [1, null], patterns: ['^a'] });

  test('are those of the fast-check handed in, however it is imported', () => {
    expectTypeOf(arbitrary.rules()).toEqualTypeOf<fc.Arbitrary<Rule[]>>();
    expectTypeOf(arbitrary.encounter({ maxRules: 2 })).toEqualTypeOf<fc.Arbitrary<Encounter>>();
    expectTypeOf(createArbitraries).toBeCallableWith(wholeModule);
    // @ts-expect-error that is no fast-check
    createArbitraries({});
  });

  test('take rules, and events that are aimed', () => {
    expectTypeOf(arbitrary.eventFor).toBeCallableWith([] as const, arbitrary.event());
    expectTypeOf(arbitrary.eventFor([])).toEqualTypeOf<fc.Arbitrary<Event>>();
    // @ts-expect-error no event is a number
    arbitrary.eventFor([], fc.nat());
    // @ts-expect-error no value is a function
    createArbitraries(fc, { values: [() => 1] });
  });

  test('a rule set of either kind is a RuleEvaluator, and only the one with an index can be updated', () => {
    expectTypeOf<RuleSet>().toExtend<RuleEvaluator>();
    expectTypeOf(compileReferenceRules).returns.toEqualTypeOf<RuleEvaluator>();
    expectTypeOf<RuleEvaluator>().not.toExtend<RuleSet>();
  });

  test('give what a property takes', () => {
    fc.property(arbitrary.rules(), arbitrary.event(), (rules, event) => {
      expectTypeOf(compileReferenceRules(rules).evaluate(event).event).toEqualTypeOf<Event>();
    });
  });
});
