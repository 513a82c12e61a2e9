/**
 * Sets of many rules, skewed as real ones are: a few leaves are shared by dozens of rules each, and what tells the
 * rules apart lies beside or below them.
 */
import fc from 'fast-check';
import type { Event, Leaf, Match, Rule } from '../../../src/index.js';
import { aimed } from '../../../src/testing/aim/aim.js';
import * as arbitrary from '../arbitraries.js';

/** Leaves that come in numbers: each `n` gives another, and many are alike but for `n`. */
const families: readonly ((n: number) => Leaf)[] = [
  (n) => ({ path: 'data.k', op: 'eq', value: n }),
  (n) => ({ path: 'data.k', op: 'eq', value: String(n) }),
  (n) => ({ path: 'data.k', op: 'eq', value: `${n}.0` }),
  (n) => ({ path: 'data.k.0', op: 'eq', value: n % 3 }),
  (n) => ({ path: 'data.k', op: 'eq', value: [n % 5, { a: n % 2 }] }),
  (n) => ({ path: 'data.k', op: 'in', value: [n, `${n + 1}`, `n${n}`, null] }),
  (n) => ({ path: 'data.k', op: 'in', value: Array.from({ length: n * 8 }, (_, i) => (i % 2 ? i : `${i}`)) }),
  (n) => ({ path: 'data.k', op: 'gt', value: n }),
  (n) => ({ path: 'data.k', op: 'gte', value: `${n}` }),
  (n) => ({ path: 'data.k', op: 'lt', value: n / 2 }),
  (n) => ({ path: 'data.k', op: 'lte', value: `n${n}` }),
  (n) => ({ path: 'data.at', op: n % 2 ? 'gte' : 'lt', value: `2026-01-${String(n).padStart(2, '0')}` }),
  (n) => ({ path: 'data.k', op: 'neq', value: n }),
  (n) => ({ path: 'data.k', op: 'not_in', value: [n, `${n}`] }),
  (n) => ({ path: 'data.t', op: 'starts_with', value: 'order.created'.slice(0, n % 14) }),
  (n) => ({ path: 'data.t', op: 'starts_with', value: `order.${n}` }),
  (n) => ({ path: 'data.t', op: 'ends_with', value: `${n}.eu` }),
  (n) => ({ path: 'data.t', op: 'ends_with', value: 'order.created'.slice(n % 14) }),
  (n) => ({ path: 'data.t', op: 'contains', value: `r.${n}` }),
  (n) => ({ path: 'data.t', op: 'contains', value: `${n}` }),
  (n) => ({ path: 'data.t', op: 'not_contains', value: `${n}` }),
  (n) => ({ path: 'data.list', op: 'contains', value: n }),
  (n) => ({ path: 'data.t', op: 'matches', value: `^order\\.${n}-[a-z]+$` }),
  (n) => ({ path: 'data.t', op: 'matches', value: `[${n % 10}-9]{2}` }),
  (n) => ({ path: 'data.t', op: 'not_matches', value: `${n}|a+b` }),
  (n) => ({ path: 'data.t', op: 'eq', value: `order.${n}-a` }),
  (n) => ({ path: `data.x${n}`, op: 'exists' }),
  (n) => ({ path: `data.x${n}`, op: 'missing' }),
  (n) => ({ path: `data.x${n}.y`, op: 'eq', value: 1 }),
  (n) => ({ path: `data.list.${n}`, op: 'exists' }),
  (n) => ({ path: 'type', op: 'eq', value: n % 2 ? 'a' : 'webhook.received' }),
];

const family = fc
  .tuple(fc.nat(families.length - 1), fc.nat(40))
  .map(([which, n]): Leaf => families[which]!(n));

const leaf = fc.oneof({ arbitrary: family, weight: 6 }, { arbitrary: arbitrary.leaf(), weight: 1 });

/** How a rule joins leaves that it shares with two that it has, mostly, for itself. */
const forms: readonly ((a: Leaf, b: Leaf, own: Leaf, other: Leaf) => Match)[] = [
  (a, _b, own) => ({ all: [a, own] }),
  (a, b, own) => ({ all: [a, b, own] }),
  (a, b, own) => ({ all: [own, { all: [b, { all: [a] }] }] }),
  (a, _b, own, other) => ({ all: [a, { any: [own, other] }] }),
  (a, b, own, other) => ({ any: [{ all: [a, own] }, { all: [b, other] }] }),
  (a, b, own, other) => ({ all: [{ any: [a, b] }, { any: [own, other] }] }),
  (a, b, own, other) => ({ all: [a, { any: [{ all: [b, own] }, { all: [{ any: [other, b] }, own] }] }] }),
  (_a, _b, own, other) => ({ any: [own, other] }),
  (_a, _b, own, other) => ({ all: [own, other] }),
  (a, _b, own, other) => ({ all: [other, a, own] }),
  (a, b, own, other) => ({ all: [own, { any: [b, { all: [other, a] }] }, other] }),
  (_a, _b, own) => own,
  (a) => a,
];

/** Few of the leaves that many share, the first of them in most rules. */
const skew = fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3);

const member = fc.record({
  form: fc.nat(forms.length - 1),
  shared: fc.tuple(skew, skew),
  own: fc.tuple(leaf, leaf),
  priority: fc.constantFrom(0, 0, 0, 1, -1),
  /** Drops and disabled rules are rare, or nothing would be left to look at. */
  kind: fc.nat(99),
});

const actions: readonly Rule['action'][] = [
  { type: 'drop' },
  { type: 'route_only', endpoint_ids: ['00000000-0000-4000-8000-000000000000'] },
  { type: 'transform', ops: [{ op: 'set', path: 'data.k', value: { a: [1] } }] },
];

/** The members by which rules of the same match differ. */
const labels = (i: number, kind: number, priority: number): Partial<Rule> => ({
  id: `r${(i * 7919) % 1_000}`,
  priority,
  ...(kind === 99 && { enabled: false }),
  action: actions[kind] ?? { type: 'tag', tags: [`t${i % 50}`] },
});

const shots = fc.array(fc.tuple(arbitrary.event(), arbitrary.numbers()), {
  minLength: 1,
  maxLength: 5,
  size: 'max',
});

const aimedAt = (rules: Rule[], bases: readonly [Event, number[]][]): readonly [Rule[], Event[]] => [
  rules,
  bases.map(([base, numbers]) => aimed(rules, base, numbers)),
];

/** Between so many rules and so many, and a few events for them. */
export const crowd = (minRules: number, maxRules: number): fc.Arbitrary<readonly [Rule[], Event[]]> =>
  fc
    .tuple(
      fc.array(leaf, { minLength: 4, maxLength: 4 }),
      fc.array(member, { minLength: minRules, maxLength: maxRules, size: 'max' }),
      shots,
    )
    .map(([common, members, bases]) => {
      const rules = members.map(({ form, shared: [a, b], own: [one, other], priority, kind }, i) =>
        arbitrary.ruleOf(forms[form]!(common[a]!, common[b]!, one, other), labels(i, kind, priority)),
      );
      return aimedAt(rules, bases);
    });

/** The axes of grids: leaves on one path, few of which hold at once. */
const axes: readonly ((path: string, n: number) => Leaf)[] = [
  (path, n) => ({ path, op: 'eq', value: n }),
  (path, n) => ({ path, op: 'eq', value: n % 2 ? n : String(n) }),
  (path, n) => ({ path, op: 'eq', value: { n, a: [n] } }),
  (path, n) => ({ path, op: 'in', value: [n, `x${n}`, [n]] }),
  (path, n) => ({ path, op: 'in', value: [n, n + 1] }),
  (path, n) => ({ path, op: 'starts_with', value: `order.${n}.` }),
  (path, n) => ({ path, op: 'ends_with', value: `.${n}` }),
  (path, n) => ({ path, op: 'contains', value: `-${n}-` }),
  (path, n) => ({ path, op: 'matches', value: `^no-${n}[a-z]` }),
  (path, n) => ({ path: `${path}.x${n}`, op: 'exists' }),
  (path, n) => ({ path: `${path}.x${n}`, op: 'eq', value: true }),
];

const axis = fc.constantFrom(...axes);
const coordinate = fc.nat(59);

/**
 * Rules none of which has a leaf for itself: they stand on a grid, and only two or three leaves together tell them
 * apart. So an index over them needs others within.
 */
export const grid = (minRules: number, maxRules: number): fc.Arbitrary<readonly [Rule[], Event[]]> =>
  fc
    .tuple(
      fc.tuple(axis, axis, axis),
      fc.constantFrom(3, 3, 3, 2, 4, 5, 6),
      fc.array(
        fc.record({
          coordinates: fc.tuple(coordinate, coordinate, coordinate),
          form: fc.nat(19),
          own: leaf,
          priority: fc.constantFrom(0, 0, 1),
          kind: fc.nat(199),
        }),
        { minLength: minRules, maxLength: maxRules, size: 'max' },
      ),
      shots,
    )
    .map(([chosen, size, members, bases]) => {
      const paths = ['data.k', 'data.t', 'data.u'];
      const rules = members.map(({ coordinates, form, own, priority, kind }, i) => {
        const [a, b, c] = coordinates.map((n, d) => chosen[d]!(paths[d]!, n % size));
        const match = (gridForms[form] ?? gridForms[0]!)(a!, b!, c!, own);
        return arbitrary.ruleOf(match, labels(i, kind, priority));
      });
      return aimedAt(rules, bases);
    });

/** Mostly the first: all three. */
const gridForms: readonly ((a: Leaf, b: Leaf, c: Leaf, own: Leaf) => Match)[] = [
  (a, b, c) => ({ all: [a, b, c] }),
  (a, b) => ({ all: [b, a] }),
  (a, b, c, own) => ({ all: [c, { any: [b, own] }, a] }),
  (a, b, c, own) => ({ any: [{ all: [a, b] }, { all: [b, c, own] }] }),
  (a, b, c) => ({ all: [{ any: [a, b] }, c] }),
  (a) => a,
  (a, b, _c, own) => ({ all: [a, own, b] }),
  (a, b, c) => ({ any: [{ all: [a, c] }, { all: [a, b] }] }),
];
