/** The rules of a thread: a later version, made of what has changed, decides as if it were compiled from scratch. */
import fc from 'fast-check';
import { type Event, type Rule, stringifyJson } from 'headgate';
import { createArbitraries } from 'headgate/testing';
import { expect, test } from 'vitest';
import { createEvaluator, type Evaluator } from '../../src/deciding/evaluator.js';
import { PATTERNS } from '../../src/deciding/deciding.js';
import type { Evaluation, Group } from '../../src/deciding/protocol.js';
import { AT } from './seed.js';

const { encounter } = createArbitraries(fc);

/** A project's rules, version by version, and events that each of them decides. */
interface History {
  readonly versions: readonly (readonly Rule[])[];
  readonly events: readonly Event[];
}

/** Versions that have some rules in common, some with other contents under the same id. */
const history = (): fc.Arbitrary<History> =>
  encounter({ maxRules: 12 }).chain(({ rules, events }) =>
    fc.record({
      versions: fc
        .array(fc.shuffledSubarray(rules.flatMap((rule, i) => [rule, { ...rule, id: `r${i % 4}` }])), {
          minLength: 2,
          maxLength: 5,
        })
        .map((all) => all.map(eachIdOnce)),
      events: fc.constant(events),
    }),
  );

const eachIdOnce = (rules: readonly Rule[]): readonly Rule[] => [
  ...new Map(rules.map((rule) => [rule.id, rule])).values(),
];

const newEvaluator = (): Evaluator => createEvaluator(PATTERNS, () => 0);

const groupOf = (version: number, rules: readonly Rule[] | null, events: readonly Event[]): Group => ({
  project: 'p',
  version,
  rules: rules && stringifyJson(rules),
  events: events.map(({ id, type, data }) => ({
    ...{ id, type, topic: type, channelId: null, channelName: null, receivedAt: AT },
    data: stringifyJson(data),
    ...{ rawPayload: null, givenTags: null, orderingKey: null, traceparent: null },
  })),
});

const decide = (evaluator: Evaluator, group: Group) => evaluator.evaluate(group, () => undefined);

test('every version decides as if it were the first', () => {
  fc.assert(
    fc.property(history(), ({ versions, events }) => {
      const evaluator = newEvaluator();
      versions.forEach((rules, version) => {
        const group = groupOf(version, rules, events);
        const expected = decide(newEvaluator(), group);
        expect(decide(evaluator, group)).toEqual(expected);
        expect(decide(evaluator, groupOf(version, null, events))).toEqual(expected);
      });
    }),
  );
});

test('rules that are not valid leave the version before as it was', () => {
  const [good, bad]: readonly Rule[][] = ['a', '('].map((value) => [
    {
      ...{ id: 'r1', name: 'n', stage: 'deliver', priority: 1, action: { type: 'drop' } },
      match: { path: 'type', op: 'matches', value },
    } as const,
  ]);
  const event = { id: 'evt_1', type: 'a', data: {} };
  const evaluator = newEvaluator();
  const first = decide(evaluator, groupOf(1, good!, [event]));
  expect(first[0]?.decision?.outcome).toBe('drop');
  expect(() => decide(evaluator, groupOf(2, bad!, [event]))).toThrow(/missing the closing/);
  expect(decide(evaluator, groupOf(1, null, [event]))).toEqual(first);
  expect(() => decide(evaluator, groupOf(2, null, [event]))).toThrow(
    'the rules of this version were not sent',
  );
});

test('all rules of a project together have a budget on each event', () => {
  const value = 'a[ab]*c[a-z]{300}';
  const rules = Array.from({ length: 50 }, (_, i): Rule => ({
    ...{ id: `r${String(i).padStart(2, '0')}`, name: 'n', stage: 'deliver', priority: 1 },
    ...{ match: { path: 'data.a', op: 'not_matches', value }, action: { type: 'tag', tags: [`t${i}`] } },
  }));
  const event = { id: 'evt_1', type: 'a', data: { a: `${'ab'.repeat(12_000)}c-` } };
  const [{ decision }] = decide(newEvaluator(), groupOf(1, rules, [event])) as [Evaluation];
  const [decided, stopped] = [decision?.matched ?? [], decision?.limits ?? []];
  expect(decided.length).toBeGreaterThan(0);
  expect(stopped.length).toBeGreaterThan(0);
  expect([...decided.map(({ id }) => id), ...stopped.map(({ rule_id: id }) => id)]).toEqual(
    rules.map(({ id }) => id),
  );
});
