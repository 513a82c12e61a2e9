/** Whether two evaluators say the same of the same events. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import {
  compileRules,
  type Decision,
  type Event,
  type Rule,
  type RuleEvaluator,
  type RuleOptions,
} from '../../../src/index.js';
import { compileReferenceRules } from '../../../src/testing/index.js';

/** Decisions that are the same, down to which objects they share with the event and with the rules. */
function same(event: Event, one: Decision, other: Decision): boolean {
  return (
    isDeepStrictEqual(one, other) &&
    (one.event === event) === (other.event === event) &&
    (one.event?.data === event?.data) === (other.event?.data === event?.data) &&
    one.droppedBy === other.droppedBy &&
    one.matched.every((rule, i) => rule === other.matched[i]) &&
    one.limits.every(({ rule }, i) => rule === other.limits[i]?.rule)
  );
}

/** Fails with what differs. */
export function expectSame(event: Event, actual: Decision, expected: Decision): void {
  if (same(event, actual, expected)) return;
  const ids = ({ matched, limits, ...rest }: Decision) => ({
    matched: matched.map(({ id }) => id),
    limits: limits.map(({ rule, path, pattern }) => [rule.id, path, pattern]),
    ...rest,
  });
  assert.deepEqual(ids(actual), ids(expected));
  assert.fail('the decisions differ in what they share with the event or the rules');
}

/**
 * Two sets decide alike, each event for the first time, and again in the opposite order: nothing of one event is
 * remembered with another.
 */
export function expectSameSets(set: RuleEvaluator, plain: RuleEvaluator, events: readonly Event[]): void {
  assert.equal(set.rules.length, plain.rules.length);
  assert.ok(set.rules.every((rule, i) => rule === plain.rules[i]));
  const decisions = events.map((event) => plain.evaluate(event));
  events.forEach((event, i) => expectSame(event, set.evaluate(event), decisions[i]!));
  for (let i = events.length - 1; i >= 0; i--) {
    expectSame(events[i]!, set.evaluate(events[i]!), decisions[i]!);
  }
}

/** Asserts that an indexed set decides as the loop over all rules does. */
export const expectRight = (
  rules: readonly Rule[],
  events: readonly Event[],
  options: RuleOptions = {},
): void => {
  expectSameSets(compileRules(rules, options), compileReferenceRules(rules, options), events);
};
