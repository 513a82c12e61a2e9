/**
 * Answers of `compareRules` are true of every event. `PROOFS=10000` tries that many pairs of rule sets, or as many as
 * `PROOF_MINUTES` have room for, each `same` on `PROOF_EVENTS` events, and prints the figures of docs/rules.md.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareRules,
  compileRules,
  type Action,
  type Decision,
  type Event,
  type Json,
  type Leaf,
  type Match,
  type Rule,
  type RuleComparison,
} from '../../../src/index.js';
import { createArbitraries } from '../../../src/testing/arbitraries/index.js';
import { compileReferenceRules } from '../../../src/testing/index.js';
import * as arbitrary from '../arbitraries.js';
import { editedRules } from './edits.js';
import { shortLeaf } from './leaves.js';

/** The number of pairs, and of events for each that is said to be the same. */
const PAIRS = Number(process.env.PROOFS ?? 250);
const EVENTS = Number(process.env.PROOF_EVENTS ?? (process.env.PROOFS === undefined ? 300 : 100_000));
const MINUTES = Number(process.env.PROOF_MINUTES ?? Infinity);

function leaf(text: string): Leaf {
  const [path, op, ...value] = text.split(' ');
  return { path, op, ...(value.length > 0 && { value: JSON.parse(value.join(' ')) as Json }) } as Leaf;
}

const all = (...texts: string[]): Match => ({ all: texts.map(leaf) });
const any = (...texts: string[]): Match => ({ any: texts.map(leaf) });
const drop: Action = { type: 'drop' };
const tag = (...tags: string[]): Action => ({ type: 'tag', tags });
const route = (...ids: number[]): Action => ({
  type: 'route_only',
  endpoint_ids: ids.map((id) => `0000000${String(id)}-0000-4000-8000-00000000000a`),
});
const set = (path: string, value: Json): Action => ({ type: 'transform', ops: [{ op: 'set', path, value }] });

/** Rules that run in the order of the list. */
const rules = (...list: readonly (readonly [Match | string, Action])[]): Rule[] =>
  list.map(([match, action], i) => ({
    id: String(i),
    name: `rule ${String(i)}`,
    stage: 'deliver',
    match: typeof match === 'string' ? leaf(match) : match,
    action,
    priority: i,
  }));

/** The effects of a decision, besides what becomes of the data. */
const effectOf = ({ outcome, tags, endpointIds }: Decision): string =>
  JSON.stringify([outcome, tags, endpointIds]);

/** The parts of a decision that are compared. */
const decided = (decision: Decision): string => effectOf(decision) + JSON.stringify(decision.event.data);

describe('the same in other words', () => {
  test.for<[string, Rule[], Rule[]]>([
    ['no rules', [], []],
    [
      'a name',
      rules(['data.a eq 1', drop]),
      rules(['data.a eq 1', drop]).map((rule) => ({ ...rule, name: 'x' })),
    ],
    [
      'a rule that is not enabled',
      [],
      rules(['data.a eq 1', drop]).map((rule) => ({ ...rule, enabled: false })),
    ],
    [
      'an order of leaves',
      rules([all('data.a eq 1', 'data.b eq 2'), drop]),
      rules([all('data.b eq 2', 'data.a eq 1'), drop]),
    ],
    [
      'a drop, split',
      rules([any('data.a eq 1', 'data.b eq 2'), drop]),
      rules(['data.b eq 2', drop], ['data.a eq 1', drop]),
    ],
    [
      'a list',
      rules([any('data.a eq "x"', 'data.a eq "y"'), tag('t')]),
      rules(['data.a in ["y", "x"]', tag('t')]),
    ],
    ['a pattern', rules(['data.a matches "^ab"', drop]), rules(['data.a starts_with "ab"', drop])],
    ['a rule that can never match', [], rules([all('data.a gt 1', 'data.a lt 1'), drop])],
    [
      'a rule behind a drop',
      rules(['data.a gt 1', drop]),
      rules(['data.a gt 1', drop], ['data.a gt 2', tag('t')]),
    ],
    [
      'a narrower drop',
      rules(['data.a gt 1', drop]),
      rules(['data.a gt 1', drop], [all('data.a gt 2', 'data.b eq 1'), drop]),
    ],
    [
      'a tag that is there',
      rules(['data.a gt 1', tag('t')]),
      rules(['data.a gt 1', tag('t')], ['data.a gt 2', tag('t')]),
    ],
    ['a tag that the event has', [], rules(['tags contains "t"', tag('t')])],
    [
      'tags of events that are never both',
      rules(['data.a eq 1', tag('x')], ['data.a eq 2', tag('y')]),
      rules(['data.a eq 2', tag('y')], ['data.a eq 1', tag('x')]),
    ],
    [
      'two drops in another order',
      rules(['data.a eq 1', drop], ['data.b eq 1', drop]),
      rules(['data.b eq 1', drop], ['data.a eq 1', drop]),
    ],
    [
      'a tag and a route in another order',
      rules(['data.a eq 1', tag('x')], ['data.b eq 1', route(1)]),
      rules(['data.b eq 1', route(1)], ['data.a eq 1', tag('x')]),
    ],
    [
      'ids in upper case',
      rules(['data.a eq 1', route(1)]),
      rules(['data.a eq 1', { type: 'route_only', endpoint_ids: ['00000001-0000-4000-8000-00000000000A'] }]),
    ],
    [
      'a value that is overwritten',
      rules(['data.a exists', set('data.a', 1)]),
      rules([
        'data.a exists',
        {
          type: 'transform',
          ops: [
            { op: 'trim', path: 'data.a' },
            { op: 'set', path: 'data.a', value: 1 },
          ],
        },
      ]),
    ],
    [
      'ops in another order',
      rules(['data.a exists', set('data.a', 1)], ['data.a exists', set('data.b', 1)]),
      rules(['data.a exists', set('data.b', 1)], ['data.a exists', set('data.a', 1)]),
    ],
    [
      'an op on what is not there',
      rules(['data.a missing', tag('t')]),
      rules(['data.a missing', tag('t')], ['data.a missing', set('data.a', 1)]),
    ],
    [
      'an op on what is no text',
      [],
      rules(['data.a gt 5', { type: 'transform', ops: [{ op: 'trim', path: 'data.a.b' }] }]),
    ],
    ['a value that is set already', [], rules(['data.a eq "x"', set('data.a', 'x')])],
  ])('%s', ([, before, after]) => {
    expect(compareRules(before, after)).toMatchObject({ answer: 'same' });
    expect(compareRules(after, before)).toMatchObject({ answer: 'same' });
  });
});

describe('differs by a small event', () => {
  test.for<[string, Rule[], Rule[], object, string]>([
    [
      'a bound',
      rules([all('data.a gt 5', 'data.b eq 1'), drop]),
      rules([all('data.a gte 5', 'data.b eq 1'), drop]),
      { a: 5, b: 1 },
      'before /match/all/0',
    ],
    [
      'a leaf more',
      rules(['data.a eq "x"', drop]),
      rules([all('data.a eq "x"', 'data.b exists'), drop]),
      { a: 'x' },
      'after /match/all/1',
    ],
    ['a rule more', [], rules(['data.a eq "x"', tag('t')]), { a: 'x' }, 'after /match'],
    ['a rule less', rules(['data.a eq "x"', tag('t')]), [], { a: 'x' }, 'before /match'],
    ['a tag', rules(['data.a eq 1', tag('t')]), rules(['data.a eq 1', tag('u')]), { a: 1 }, 'after /action'],
    [
      'a route',
      rules(['data.a eq 1', route(1)]),
      rules(['data.a eq 1', route(2)]),
      { a: 1 },
      'after /action',
    ],
    ['a negation', rules(['data.a eq 1', drop]), rules(['data.a neq 1', drop]), { a: 1 }, 'after /match'],
    [
      'the order of tags',
      rules(['data.a eq 1', tag('x')], ['data.b eq 1', tag('y')]),
      rules(['data.b eq 1', tag('y')], ['data.a eq 1', tag('x')]),
      { a: 1, b: 1 },
      'after /priority',
    ],
    [
      'a drop before a tag',
      rules(['data.a eq 1', drop], ['data.b eq 1', tag('y')]),
      rules(['data.b eq 1', tag('y')], ['data.a eq 1', drop]),
      { a: 1, b: 1 },
      'after /priority',
    ],
    [
      'past a drop',
      rules(['data.a lt 5', drop], ['data.a lt 9', tag('x')]),
      rules(['data.a lt 5', drop], ['data.a lte 9', tag('x')]),
      { a: 9 },
      'before /match',
    ],
    [
      'a value that is set',
      rules(['data.a exists', set('data.a', 1)]),
      rules(['data.a exists', set('data.a', 2)]),
      { a: 0 },
      'after /action',
    ],
    [
      'an op before another on the same path',
      rules([
        'type exists',
        {
          type: 'transform',
          ops: [
            { op: 'trim', path: 'data.a' },
            { op: 'uppercase', path: 'data.a' },
          ],
        },
      ]),
      rules(['type exists', { type: 'transform', ops: [{ op: 'uppercase', path: 'data.a' }] }]),
      { a: ' ' },
      'after /action',
    ],
    [
      'a case',
      rules(['type exists', { type: 'transform', ops: [{ op: 'uppercase', path: 'data.a' }] }]),
      [],
      { a: 'a' },
      'before /match',
    ],
    [
      'a pattern of a redaction',
      rules([
        'type exists',
        { type: 'transform', ops: [{ op: 'redact', path: 'data.a', regex: '\\d{4}', replace: '*' }] },
      ]),
      rules([
        'type exists',
        { type: 'transform', ops: [{ op: 'redact', path: 'data.a', regex: '\\d{5}', replace: '*' }] },
      ]),
      { a: '0000' },
      'after /action',
    ],
  ])('%s', ([, before, after, data, cause]) => {
    const comparison = compareRules(before, after);
    if (comparison.answer !== 'differs') expect.fail(comparison.answer);
    expect(comparison.event.data).toEqual(data);
    expect(`${comparison.cause.in} ${comparison.cause.pointer}`).toBe(cause);
    const list = comparison.cause.in === 'before' ? before : after;
    expect(list).toContain(comparison.cause.rule);
    expect(decided(comparison.before)).not.toBe(decided(comparison.after));
  });
});

/** Fails unless an answer is right; `same` is tried on events. */
function confirm(
  { before, after }: { before: readonly Rule[]; after: readonly Rule[] },
  answer: RuleComparison,
  events: Iterable<Event>,
): void {
  const [one, other] = [compileReferenceRules(before), compileReferenceRules(after)];
  if (answer.answer === 'differs') {
    expect(decided(one.evaluate(answer.event))).not.toBe(decided(other.evaluate(answer.event)));
    expect(decided(answer.before)).toBe(decided(one.evaluate(answer.event)));
    expect(decided(answer.after)).toBe(decided(other.evaluate(answer.event)));
  }
  if (answer.answer !== 'same') return;
  const [quick, alike] = [compileRules(before), compileRules(after)];
  for (const event of events) {
    const [decision, other] = [quick.evaluate(event), alike.evaluate(event)];
    // Most events are left as they are, and need no text.
    const isSame =
      decision.event === other.event
        ? effectOf(decision) === effectOf(other)
        : decided(decision) === decided(other);
    if (!isSame) expect.fail(JSON.stringify({ before, after, event }));
  }
}

test('is right about rules that differ by a small edit', { timeout: 6_000_000 }, () => {
  const { eventFor, event } = createArbitraries(fc);
  const seed = Date.now() | 0;
  const pool = fc.sample(event(), { numRuns: EVENTS, seed });
  const answers = { same: 0, differs: 0, unknown: 0 };
  const times: number[] = [];
  const end = performance.now() + MINUTES * 60_000;
  for (const [i, pair] of fc.sample(editedRules, { numRuns: PAIRS, seed }).entries()) {
    if (performance.now() > end) break;
    const start = performance.now();
    const comparison = compareRules(pair.before, pair.after);
    times.push(performance.now() - start);
    answers[comparison.answer]++;
    const aimed = fc.sample(eventFor([...pair.before, ...pair.after]), { numRuns: 30, seed: seed + i });
    confirm(pair, comparison, [...aimed, ...(comparison.answer === 'same' ? pool : [])]);
  }
  // 2.3 % of four thousand pairs were; a few may be many more by chance.
  const usual = times.length * 0.025;
  expect(answers.unknown).toBeLessThan(usual + 5 * Math.sqrt(usual));
  expect(Math.min(answers.same, answers.differs)).toBeGreaterThan(times.length / 5);
  times.sort((a, b) => a - b);
  const at = (share: number): string =>
    `${(times[Math.floor(times.length * share)] as number).toFixed(2)} ms`;
  if (process.env.PROOFS !== undefined) {
    console.log({ seed, pairs: times.length, answers, median: at(0.5), p95: at(0.95), most: at(0.9999) });
  }
});

test('in a small universe it is right about every pair', () => {
  const values = [undefined, null, 0, 1, '0', '1', 'a', [1], { b: 1 }];
  const universe: Event[] = values.flatMap((a) =>
    values.flatMap((b) =>
      [[], ['t']].map((tags) => ({
        ...{ id: 'evt_1', type: 'webhook.received', tags },
        data: { ...(a !== undefined && { a }), ...(b !== undefined && { b }) },
      })),
    ),
  );
  const small = fc
    .tuple(shortLeaf, fc.constantFrom('data.a', 'data.b', 'data.a.b', 'tags'))
    .map(([one, path]) => ({ ...one, path }));
  const action = fc.constantFrom<Action[]>(
    drop,
    tag('t'),
    tag('u', 't'),
    route(1),
    route(2, 1),
    set('data.a', 1),
    set('data.a.b', 'x'),
  );
  const list = fc
    .array(fc.tuple(arbitrary.matchOf(small), action), { maxLength: 4 })
    .map((some) => rules(...some));
  const pair = fc.oneof(
    fc.tuple(list, list),
    fc
      .tuple(list, fc.nat(), fc.nat(9))
      .map(
        ([some, at, priority]) =>
          [some, some.map((rule, i) => (i === at % some.length ? { ...rule, priority } : rule))] as const,
      ),
  );
  const answers = { same: 0, differs: 0, unknown: 0 };
  fc.assert(
    fc.property(pair, ([before, after]) => {
      const comparison = compareRules(before, after);
      answers[comparison.answer]++;
      confirm({ before, after }, comparison, universe);
    }),
    { numRuns: 1_000 },
  );
  expect(answers.same).toBeGreaterThan(30);
  expect(answers.unknown).toBeLessThan(100);
});

test.for<[string, Rule[], Rule[]]>([
  [
    'ops on any element and on the first, in another order',
    rules(['id exists', set('data.a.*', 1)], ['id exists', set('data.a.0', 2)]),
    rules(['id exists', set('data.a.0', 2)], ['id exists', set('data.a.*', 1)]),
  ],
  [
    'an op on the key that is a star, and one on any element',
    rules(['id exists', set('data.a.*', 1)]),
    rules(['id exists', set('data.a.\\*', 1)]),
  ],
  [
    'an op on any element after one on all of them',
    rules(['id exists', set('data.a.0', 2)], ['id exists', set('data.a.*.b', 1)]),
    rules(['id exists', set('data.a.*.b', 1)]),
  ],
  [
    'an op on a key 0, and one on all elements after it',
    rules(['id exists', set('data.a.0', 2)], ['id exists', set('data.a.*', 1)]),
    rules(['id exists', set('data.a.*', 1)]),
  ],
  [
    'an op that changes all elements but those by which it is applied',
    rules(['data.a.* eq "x"', set('data.a.*', 'x')]),
    [],
  ],
])('never the same: %s', ([, before, after]) => {
  expect(compareRules(before, after).answer).not.toBe('same');
});

describe('work is bounded', () => {
  const many = Array.from({ length: 20_000 }, (_, i): [Match, Action] => [
    leaf(`data.a${String(i)} eq ${String(i)}`),
    i % 2 === 0 ? drop : tag(`t${String(i)}`),
  ]);

  test('one rule of twenty thousand', () => {
    const before = rules(...many);
    const after = before.map((rule, i) => (i === 19_999 ? { ...rule, match: leaf('data.x eq 1') } : rule));
    expect(compareRules(before, after)).toMatchObject({ answer: 'differs', cause: { pointer: '/match' } });
    expect(
      compareRules(
        before,
        before.map((rule) => ({ ...rule })),
      ),
    ).toMatchObject({ answer: 'same' });
  });

  test('all rules in another order', () => {
    const before = rules(...many.slice(0, 200));
    const after = rules(...many.slice(0, 200).reverse());
    expect(compareRules(before, after).work).toBeLessThanOrEqual(20_000_000);
    expect(compareRules(before, after, { maxWork: 500 })).toMatchObject({
      answer: 'unknown',
      reason: 'work_used_up',
    });
  });
});
