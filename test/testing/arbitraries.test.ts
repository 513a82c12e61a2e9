/** The arbitraries of `headgate/testing`: valid rules, and events that they match. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ruleTemplates, validateRule, type Event, type Rule } from '../../src/index.js';
import { STAR, parsePath, readPath, type Path } from '../../src/rules/path.js';
import { planted } from '../../src/testing/aim/plant.js';
import { compileReferenceRules, createArbitraries } from '../../src/testing/index.js';
import { deepFrozen, leavesOf, ruleOf } from '../rules/arbitraries.js';

const arbitrary = createArbitraries(fc);

describe('what is random is right', () => {
  test('every rule is valid', () => {
    fc.assert(
      fc.property(arbitrary.rule(), (rule) => {
        expect(validateRule(rule).ok).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('ids are unique, and there are no more rules than wanted', () => {
    fc.assert(
      fc.property(arbitrary.rules({ maxRules: 20 }), (rules) => {
        expect(rules.length).toBeLessThanOrEqual(20);
        expect(() => compileReferenceRules(rules)).not.toThrow();
      }),
    );
  });

  test('events keep the shape of an event, whatever the rules ask of it', () => {
    const shaped = ({ id, type, data, channel, tags }: Event): boolean =>
      typeof id === 'string' &&
      typeof type === 'string' &&
      !Array.isArray(data) &&
      Object.keys(data).length >= 0 &&
      (channel === undefined || typeof channel.type === 'string') &&
      (tags === undefined || tags.every((tag) => typeof tag === 'string'));
    const greedy = arbitrary.leaf().map((leaf) => ruleOf({ ...leaf, path: 'tags.0' }));
    fc.assert(
      fc.property(fc.oneof(arbitrary.rule(), greedy), fc.gen(), (rule, gen) => {
        expect(gen(() => arbitrary.eventFor([rule]))).toSatisfy(shaped);
      }),
      { numRuns: 1_000 },
    );
  });

  test('aiming leaves the event that it aims as it was', () => {
    fc.assert(
      fc.property(arbitrary.rules(), arbitrary.event().map(deepFrozen), fc.gen(), (rules, event, gen) => {
        gen(() => arbitrary.eventFor(rules, fc.constant(event)));
      }),
    );
  });
});

describe('events for rules hit them', () => {
  /** How many of a thousand events each rule matches. */
  function hits(rules: readonly Rule[], events: readonly Event[]): number[] {
    const sets = rules.map((rule) => compileReferenceRules([rule]));
    return sets.map((set) => events.filter((event) => set.evaluate(event).matched.length > 0).length);
  }
  const shoot = (rules: readonly Rule[]): Event[] =>
    fc.sample(arbitrary.eventFor(rules), { numRuns: 1_000, seed: 1 });

  test('of the templates, each by at least an event in twelve', () => {
    const rules = ruleTemplates.map(({ key, rule }): Rule => ({ id: key, ...rule }));
    expect(Math.min(...hits(rules, shoot(rules)))).toBeGreaterThan(80);
  });

  test.for([
    {
      what: 'a range',
      all: [
        { path: 'data.n', op: 'gte', value: 10 },
        { path: 'data.n', op: 'lt', value: 11 },
      ],
    },
    {
      what: 'a range of instants',
      all: [
        { path: 'data.at', op: 'gt', value: '2026-01-01' },
        { path: 'data.at', op: 'lt', value: '2026-01-03' },
      ],
    },
    {
      what: 'both ends of a text',
      all: [
        { path: 'data.t', op: 'starts_with', value: 'ord-' },
        { path: 'data.t', op: 'ends_with', value: '.eu' },
      ],
    },
    { what: 'a pattern', all: [{ path: 'data.t', op: 'matches', value: '^ord-\\d{5}-[a-z]+$' }] },
    {
      what: 'a pattern and a prefix',
      all: [
        { path: 'data.t', op: 'matches', value: '[0-9]+$' },
        { path: 'data.t', op: 'starts_with', value: 'a' },
      ],
    },
    {
      what: 'what is missing beside what is there',
      all: [
        { path: 'data.a', op: 'missing' },
        { path: 'data.b.c.0', op: 'exists' },
      ],
    },
    { what: 'an element', all: [{ path: 'data.list', op: 'contains', value: { sku: 'A-1' } }] },
    { what: 'a key with a dot', all: [{ path: 'data.a\\.b.__proto__', op: 'in', value: [1, 'x'] }] },
    {
      what: 'members outside of data',
      all: [
        { path: 'type', op: 'eq', value: 'push' },
        { path: 'channel.type', op: 'neq', value: 'webhook' },
      ],
    },
  ] as const)('of $what, at least half', ({ all }) => {
    const rules = [ruleOf({ all })];
    expect(hits(rules, shoot(rules))[0]).toBeGreaterThan(500);
  });

  test('and miss them, too', () => {
    const rule = ruleOf({ path: 'data.n', op: 'gte', value: 10 });
    expect(hits([rule], shoot([rule]))[0]).toBeLessThan(950);
  });

  test('of random rules, three in four hit some', () => {
    const encounters = fc.sample(arbitrary.encounter(), { numRuns: 300, seed: 1 });
    const shots = encounters.flatMap(({ rules, events }) => {
      const set = compileReferenceRules(rules.map((rule) => ({ ...rule, enabled: true })));
      return rules.length === 0 ? [] : events.map((event) => set.evaluate(event).matched.length > 0);
    });
    expect(shots.filter(Boolean).length / shots.length).toBeGreaterThan(0.75);
  });
});

test('what the host names is drawn mostly', () => {
  const own = createArbitraries(fc, { paths: ['data.order.id'], values: ['ord_1'], patterns: ['^ord_'] });
  const rules = fc.sample(own.rule(), { numRuns: 300, seed: 1 });
  const leaves = rules.flatMap(({ match }) => leavesOf(match));
  const share = (some: readonly unknown[], wanted: unknown): number =>
    some.filter((one) => one === wanted).length / some.length;
  expect(
    share(
      leaves.map(({ path }) => path),
      'data.order.id',
    ),
  ).toBeGreaterThan(0.6);
  const valued = leaves.filter(({ op }) => op === 'eq' || op === 'starts_with');
  expect(
    share(
      valued.map(({ value }) => value),
      'ord_1',
    ),
  ).toBeGreaterThan(0.3);
  const patterns = leaves.filter(({ op }) => op === 'matches').map(({ value }) => value);
  expect(share(patterns, '^ord_')).toBeGreaterThan(0.6);
});

test('what is planted is found there, and the rest as it was', () => {
  fc.assert(
    fc.property(arbitrary.json(), arbitrary.path(), arbitrary.json(), (root, text, value) => {
      const path = (parsePath(text) as Path).map((segment) =>
        segment === STAR ? { key: '1', index: 1 } : segment,
      );
      const before = JSON.stringify(root);
      const after = planted(deepFrozen(root), path, value);
      expect(readPath(after, path)).toBe(value);
      expect(readPath(planted(after, path, undefined), path)).toBeUndefined();
      expect(JSON.stringify(root)).toBe(before);
    }),
    { numRuns: 1_000 },
  );
});
