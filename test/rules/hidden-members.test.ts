/**
 * Own members of an event count, whether or not they are enumerable, and getters count as their values: everywhere
 * alike.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compileMatch,
  compileRules,
  dryRun,
  explainMatch,
  type Decision,
  type Event,
  type Json,
  type Rule,
} from '../../src/index.js';
import { compileReferenceRules } from '../../src/testing/index.js';
import * as arbitrary from './arbitraries.js';
import { crowd } from './rule-index/crowds.js';
import { expectSame } from './rule-index/same.js';

type Members = Record<string, unknown>;

/** The value with some of its members hidden, or behind getters, at any depth. */
function hidden<T>(value: T, choose: () => number): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => hidden(element as unknown, choose)) as T;
  const copy = {};
  for (const [key, member] of Object.entries(value)) {
    const inner: unknown = hidden(member, choose);
    const choice = choose();
    const enumerable = choice % 2 === 0;
    const lazy = choice % 3 === 0;
    Object.defineProperty(copy, key, {
      ...(lazy ? { get: () => inner } : { value: inner, writable: true }),
      ...{ enumerable, configurable: true },
    });
  }
  return copy as T;
}

/** The value with every own member as an ordinary one, in the order of their keys. */
function shown(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(shown);
  const keys = Object.getOwnPropertyNames(value).sort();
  return Object.fromEntries(keys.map((key) => [key, shown((value as Members)[key])]));
}

const told = ({ matched, limits, event, ...rest }: Decision) =>
  JSON.stringify({ ...rest, limits, matched: matched.map(({ id }) => id), event: shown(event) });

const choices = fc.array(fc.nat(5), { minLength: 1, maxLength: 40 });

/** One choice after the other, over and over. */
const chooser = (some: readonly number[]): (() => number) => {
  let at = 0;
  return () => some[at++ % some.length]!;
};

const cases: fc.Arbitrary<readonly [readonly Rule[], readonly Event[]]> = fc.oneof(
  arbitrary.encounter(12),
  crowd(30, 60),
);

test('a hidden member or a getter changes nothing that is decided', () => {
  fc.assert(
    fc.property(cases, choices, ([rules, events], some) => {
      const [set, plain] = [compileRules(rules), compileReferenceRules(rules)];
      for (const event of events) {
        const odd = hidden(event, chooser(some));
        const expected = told(plain.evaluate(event));
        expect(told(plain.evaluate(odd))).toBe(expected);
        expect(told(set.evaluate(odd))).toBe(expected);
        expectSame(odd, set.evaluate(odd), plain.evaluate(odd));
        for (const { match } of rules.slice(0, 6)) {
          const traced = explainMatch(match, event);
          const results = (trace: typeof traced) => trace.leaves.map(({ result }) => result);
          expect(compileMatch(match)(odd)).toBe(traced.matched);
          expect(results(explainMatch(match, odd))).toEqual(results(traced));
        }
      }
    }),
    { numRuns: 80 },
  );
});

const hiddenIn = (members: Members, key: string, value: unknown): Members =>
  Object.defineProperty(members, key, { value, writable: true, configurable: true });

test.for([2, 24, 25, 60])('an index over %d members of one object finds a hidden one', (count) => {
  const rules = Array.from({ length: count }, (_, i): Rule => ({
    ...{ id: `r${i}`, name: 'n', stage: 'deliver', priority: i },
    ...{ match: { path: `data.k${i}`, op: 'eq', value: i }, action: { type: 'tag', tags: [`${i}`] } },
  }));
  const event: Event = { id: 'evt_1', type: 't', data: hiddenIn({ k0: 0 }, 'k1', 1) };
  expect(compileRules(rules).evaluate(event).tags).toEqual(['0', '1']);
});

test('a transform changes a hidden member, and leaves it and its neighbors hidden', async () => {
  const inner = hiddenIn({ shown: 'sk_1' }, 'secret', 'sk_2');
  const data = hiddenIn(hiddenIn({}, 'inner', inner), 'other', 5) as Record<string, Json>;
  const now = Date.UTC(2026, 0, 1);
  const event: Event = { id: 'evt_1', type: 't', data, received_at: new Date(now).toISOString() };
  const tried = {
    stage: 'deliver',
    match: { path: 'data.inner.secret', op: 'exists' },
    action: {
      type: 'transform',
      ops: [{ op: 'redact', path: 'data.inner', regex: 'sk_\\d', replace: '*', deep: true }],
    },
  } as const;
  const rule: Rule = { ...tried, id: 'r', name: 'r', priority: 0 };
  const projected = compileRules([rule]).evaluate(event).event.data;
  expect(shown(projected)).toEqual({ inner: { secret: '*', shown: '*' }, other: 5 });
  expect(JSON.stringify(projected)).toBe('{}');
  const { samples } = await dryRun(tried, [event], { windowHours: 1, now });
  expect(samples[0]?.diff?.map(({ path }) => path)).toEqual(['data.inner.shown', 'data.inner.secret']);
});
