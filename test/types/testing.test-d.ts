/** Code that compiles and code that does not: arbitraries of the host's fast-check. */
import fc from 'fast-check';
import * as wholeModule from 'fast-check';
import type { Event, Rule, RuleEvaluator, RuleSet } from 'headgate';
import {
  compileReferenceRules,
  createArbitraries,
  createRecordingReceiver,
  createSignedRequest,
  receiverContract,
} from 'headgate/testing';
import { describe, expectTypeOf, test } from 'vitest';

describe('arbitraries', () => {
  const arbitrary = createArbitraries(fc, { paths: ['data.a'], values: [1, null], patterns: ['^a'] });

  test('are those of the fast-check handed in, however it is imported', () => {
    expectTypeOf(arbitrary.rules()).toEqualTypeOf<fc.Arbitrary<Rule[]>>();
    interface Encounter {
      readonly rules: readonly Rule[];
      readonly events: readonly Event[];
    }
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

describe('requests and receivers', () => {
  const secrets = 'whsec_test';
  const request = createSignedRequest({ secrets });

  test('a signed request is what fetch takes, and what makes a Request', () => {
    expectTypeOf(fetch).toBeCallableWith('http://localhost', request);
    expectTypeOf(request.toRequest()).toEqualTypeOf<Request>();
    expectTypeOf(request.body).toBeString();
  });

  test('an event may be of a type of the host, and a fault is one of a list', () => {
    interface Order {
      id: string;
      type: 'order.paid';
      data: { amount: number };
    }
    const order: Order = { id: 'evt_1', type: 'order.paid', data: { amount: 1 } };
    expectTypeOf(createSignedRequest).toBeCallableWith({ secrets, event: order, fault: 'stale' });
    // @ts-expect-error there is no such fault
    createSignedRequest({ secrets, fault: 'late' });
    // @ts-expect-error a request without secrets cannot be signed
    createSignedRequest({ event: order });
  });

  test('a recording receiver answers with statuses, at once or later', () => {
    expectTypeOf(createRecordingReceiver).toBeCallableWith({ answer: () => 204 });
    expectTypeOf(createRecordingReceiver).toBeCallableWith({
      answer: () => Promise.resolve('hang' as const),
    });
    // @ts-expect-error an answer must be given
    void createRecordingReceiver({ answer: () => undefined });
  });

  test('a receiver under test gives a status', () => {
    expectTypeOf(receiverContract).toBeCallableWith({ secrets, send: () => Promise.resolve(204) });
    // @ts-expect-error a Response is no status
    receiverContract({ secrets, send: (one: Request) => fetch(one) });
  });
});
