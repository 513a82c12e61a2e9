/** Ranges at the edges of numbers and texts: the interval says what the operator says. */
import { expect, test } from 'vitest';
import { compileRules, type Match, type OrderLeaf, type Rule } from '../../../src/index.js';
import { compileReferenceRules } from '../../../src/testing/index.js';

const NUMBERS = [
  ...[0, 5, Number.MIN_VALUE, Number.MAX_VALUE, 2 ** 53, 1 + Number.EPSILON].flatMap((n) => [n, -n]),
];
const TEXTS = [
  '5',
  '5.0',
  '1.7976931348623157e308',
  '-1.7976931348623157e308',
  '1e400',
  '',
  'a',
  'b',
  '\u{1f600}',
  '\ufffd',
];
const VALUES: readonly (number | string)[] = [...NUMBERS, ...TEXTS];
const OPS = ['gt', 'gte', 'lt', 'lte'] as const;

const bound = (op: OrderLeaf['op'], value: number | string): OrderLeaf => ({ path: 'data.n', op, value });

const ruleOf = (id: string, match: Match): Rule => ({
  id,
  name: id,
  stage: 'deliver',
  match,
  action: { type: 'tag', tags: [id] },
  priority: 0,
});

const trees: readonly Match[] = VALUES.flatMap((value) => [
  ...OPS.map((op) => bound(op, value)),
  ...VALUES.flatMap((other) =>
    (['gt', 'gte'] as const).flatMap((lower) =>
      (['lt', 'lte'] as const).map((upper): Match => ({ all: [bound(lower, value), bound(upper, other)] })),
    ),
  ),
]);

test.each(VALUES.map((subject) => [subject]))('%j is in the ranges that hold it', (subject) => {
  const rules = trees.map((match, nth) => ruleOf(String(nth), match));
  const event = { id: 'evt_1', type: 'webhook.received', data: { n: subject } };
  const matched = compileRules(rules)
    .evaluate(event)
    .matched.map(({ match }) => match);
  const expected = compileReferenceRules(rules)
    .evaluate(event)
    .matched.map(({ match }) => match);
  expect(matched).toEqual(expected);
});
