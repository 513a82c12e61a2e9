/** Laws of a set that is changed rule by rule. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compileRules, type Event, type Rule, type RuleOptions } from '../../../src/index.js';
import { compileReferenceRules } from '../../../src/testing/index.js';
import { aimed } from '../../../src/testing/aim/aim.js';
import * as arbitrary from '../arbitraries.js';
import { crowd } from './crowds.js';
import { tightOptions } from './engines.js';
import { law, type Law } from './law.js';
import { manyPatterns } from './one-path.js';
import { expectSameSets } from './same.js';

/** One change: rules that are new or replace others, and ids of some that go. */
interface Change {
  readonly put: readonly Rule[];
  readonly remove: readonly string[];
}

/** Rules before any change, the changes in order, and events for whatever rules there are. */
interface History {
  readonly rules: readonly Rule[];
  readonly changes: readonly Change[];
  readonly events: readonly Event[];
}

const afterwards = (rules: readonly Rule[], { put, remove }: Change): readonly Rule[] => {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  for (const id of remove) byId.delete(id);
  for (const rule of put) byId.set(rule.id, rule);
  return [...byId.values()];
};

/** Every set along the way decides as one that was never changed, also after those that came from it. */
function expectRightThroughout({ rules, changes, events }: History, options: RuleOptions = {}): void {
  const sets = [{ set: compileRules(rules, options), plain: compileReferenceRules(rules, options) }];
  let current = rules;
  for (const change of changes) {
    current = afterwards(current, change);
    const set = sets.at(-1)!.set.update(change);
    const plain = compileReferenceRules(current, options);
    assert.deepEqual(ids(set.rules), ids(compileRules(current).rules));
    sets.push({ set, plain });
    expectSameSets(set, plain, events.slice(0, 2));
  }
  for (const { set, plain } of sets) expectSameSets(set, plain, events);
}

const ids = (rules: readonly Rule[]): string[] => rules.map(({ id }) => id);

/** Some rules of few ids, each once. */
const someRules = (maxLength: number): fc.Arbitrary<Rule[]> =>
  fc
    .array(fc.tuple(arbitrary.rule(), fc.nat(11)), { maxLength, size: 'max' })
    .map((some) => [...new Map(some.map(([rule, n]) => [`r${n}`, { ...rule, id: `r${n}` }])).values()]);

const shots = fc.array(fc.tuple(arbitrary.event(), arbitrary.numbers()), {
  minLength: 1,
  maxLength: 4,
  size: 'max',
});

const smallHistory: fc.Arbitrary<History> = fc
  .tuple(
    someRules(8),
    fc.array(fc.tuple(someRules(3), fc.array(fc.nat(13), { maxLength: 3 })), { minLength: 1, maxLength: 6 }),
    shots,
  )
  .map(([rules, steps, bases]) => {
    const changes = steps.map(([put, gone]) => ({
      put,
      remove: gone.map((n) => `r${n}`),
    }));
    const all = [...rules, ...changes.flatMap(({ put }) => put)];
    return { rules, changes, events: bases.map(([base, numbers]) => aimed(all, base, numbers)) };
  });

/** Dozens of rules, most of which are replaced or removed bit by bit. */
const largeHistory: fc.Arbitrary<History> = fc
  .tuple(
    crowd(40, 120),
    crowd(10, 60),
    fc.array(fc.tuple(fc.nat(6), fc.nat(200), fc.nat(4)), { maxLength: 12 }),
  )
  .map(([[rules, events], [others, more], steps]) => {
    let next = 0;
    const changes = steps.map(([count, from, gone]) => {
      const put = others.slice(next, (next += count));
      return { put, remove: ids(rules.slice(from, from + gone)) };
    });
    return { rules, changes, events: [...events, ...more] };
  });

/** Patterns that come and go, some of them in drops. */
const patternHistory: fc.Arbitrary<History> = fc
  .tuple(manyPatterns, fc.array(fc.tuple(fc.nat(8), fc.nat(59)), { minLength: 1, maxLength: 8 }))
  .map(([[some, events], steps]) => {
    const all = some.map((rule, i): Rule => (i % 6 === 5 ? { ...rule, action: { type: 'drop' } } : rule));
    let next = all.length >> 1;
    const changes = steps.map(([count, gone]) => ({
      put: all.slice(next, (next += count)),
      remove: [`r${gone}`],
    }));
    return { rules: all.slice(0, all.length >> 1), changes, events };
  });

export const updateLaws: readonly Law[] = [
  law('decides after every change as a set that was made so', 500, smallHistory, (history) => {
    expectRightThroughout(history);
  }),
  law('decides after many changes to many rules', 60, largeHistory, (history) => {
    expectRightThroughout(history);
  }),
  law(
    'meets the same limits after changes',
    60,
    fc.tuple(patternHistory, tightOptions),
    ([history, patterns]) => {
      expectRightThroughout(history, { patterns });
    },
  ),
];
