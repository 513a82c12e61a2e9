/**
 * Every counter-example that was ever found, as data, and the cases that an index is likeliest to get wrong. Each
 * says by its events which rules match them, so that it holds the plain evaluator to account too.
 *
 * Findings of `npm run fuzz` go to the end, with their law, seed and path.
 */
import type { Event, Json, Leaf, Match, Rule, RuleOptions } from '../../src/index.js';
import { re2js } from '../../src/patterns/re2js/index.js';
import { ruleOf } from './arbitraries.js';

/** Rules, and what they must say to some events. */
export interface Regression {
  /** The mistake that was made once, or is easily made. */
  readonly name: string;
  readonly rules: readonly Rule[];
  /** Events, each with the ids of the rules that match it, in order, up to and with the first drop. */
  readonly events: readonly (readonly [event: Event, matched: string])[];
  /** Work that the patterns of one rule may take on one event. */
  readonly budget?: number;
  /** The longest subject that the engine holds. */
  readonly maxSubjectLength?: number;
  /** Ids of the rules in the decision's limits, for each event. */
  readonly limits?: readonly string[];
  /** The law, seed and path that found it. */
  readonly found?: { readonly law: string; readonly seed: number; readonly path: string };
}

/** How its rules are compiled. */
export const optionsOf = ({ budget = 1e8, maxSubjectLength = Infinity }: Regression): RuleOptions => ({
  patterns: { budget, engine: { ...re2js, maxSubjectLength } },
});

/** A tagging rule for each tree; its key is its id. */
const named = (matches: Readonly<Record<string, Match>>): Rule[] =>
  Object.entries(matches).map(([id, match]) => ruleOf(match, { id }));

const event = (data: Event['data']): Event => ({ id: 'evt_1', type: 'webhook.received', data });

/** Values of `data.a`, each with the ids of the rules that match it. */
const values = (...cases: readonly (readonly [unknown, string])[]): Regression['events'] =>
  cases.map(([a, ids]) => [event({ a }), ids]);

/** A question about `data.a`. */
const at = (op: Leaf['op'], value?: Json): Leaf => on('data.a', op, value);
const on = (path: string, op: Leaf['op'], value?: Json): Leaf => ({ path, op, value }) as Leaf;
const eq = (value: Json): Leaf => at('eq', value);

/** As many as make an index look for a second leaf, below one that they all share. */
const crowd = (beside: (n: number) => Match, shared = on('type', 'eq', 'webhook.received')): Rule[] =>
  Array.from({ length: 40 }, (_, n) => ruleOf({ all: [shared, beside(n)] }, { id: `n${n}` }));

/** `x0` … `x39`, but for one. */
const membersBut = (one: string): Event['data'] =>
  Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`x${n}`, null] as const).filter(([key]) => key !== one),
  );

const digits = '0'.repeat(400);

export const regressions: readonly Regression[] = [
  {
    name: 'a number equals what spells it, and two texts are equal only to the byte',
    rules: named({ a: eq(5), b: eq('5'), c: eq('5.0'), d: eq('05'), e: eq(50) }),
    events: values(
      [5, 'a b c'],
      ['5', 'a b'],
      ['5.0', 'a c'],
      ['0.5e1', 'a'],
      ['05', 'd'],
      [' 5', ''],
      [50, 'e'],
      [[5], ''],
      [true, ''],
    ),
  },
  {
    name: 'the coercion holds in lists, and not inside structures',
    rules: named({
      a: at('in', [5, 'x', [5], null]),
      b: at('in', ['5', ['5']]),
      c: at('in', []),
      d: at('not_in', [5, '6']),
      e: at('in', [5, 5, '5', 5]),
    }),
    events: values(
      [5, 'a b e'],
      ['5', 'a b e'],
      ['5.0', 'a e'],
      [[5], 'a d'],
      [['5'], 'b d'],
      [null, 'a d'],
      [6, ''],
      ['6.0', 'd'],
      [undefined, ''],
    ),
  },
  {
    name: 'zero has one value and many spellings',
    rules: named({ a: eq(0), b: eq(-0), c: eq('-0'), d: at('in', [-0]), e: at('gte', 0), f: at('lt', -0) }),
    events: values(
      [0, 'a b c d e'],
      [-0, 'a b c d e'],
      ['-0', 'a b c d e'],
      ['0', 'a b d e'],
      ['-0.0e7', 'a b d e'],
      ['1e-400', 'a b d e'],
      [-5e-324, 'f'],
    ),
  },
  {
    name: 'what is too large to spell is infinite, and equals all that is',
    rules: named({
      a: eq('1e400'),
      b: at('gt', 1.7976931348623157e308),
      c: at('gte', '1e400'),
      d: at('lte', '-1e400'),
      e: at('in', [`1${digits}`]),
    }),
    events: values(
      [Infinity, 'a b c e'],
      ['1e400', 'a b c'],
      ['1e500', 'b c'],
      [`1${digits}`, 'b c e'],
      [-Infinity, 'd'],
      [1e308, ''],
      ['Infinity', 'c'],
    ),
  },
  {
    name: 'two spellings beyond a double are one number',
    rules: named({ a: eq(2 ** 53), b: eq('9007199254740993'), c: at('in', ['9007199254740993', 1]) }),
    events: values(
      [2 ** 53, 'a b c'],
      ['9007199254740993', 'a b c'],
      ['9007199254740992', 'a'],
      [2 ** 53 + 2, ''],
    ),
  },
  {
    name: 'booleans and null are neither numbers nor text',
    rules: named({
      a: eq(true),
      b: eq('true'),
      c: eq(1),
      d: eq(null),
      e: eq('null'),
      f: eq(0),
      g: eq(false),
    }),
    events: values(
      [true, 'a'],
      ['true', 'b'],
      [1, 'c'],
      ['1', 'c'],
      [null, 'd'],
      ['null', 'e'],
      [0, 'f'],
      [false, 'g'],
      ['', ''],
      [undefined, ''],
    ),
  },
  {
    name: 'texts that name members of every object are texts like any other',
    rules: named({
      a: eq('__proto__'),
      b: at('in', ['constructor', 'toString']),
      c: at('starts_with', '__proto__'),
      d: at('contains', 'hasOwnProperty'),
      e: at('neq', 'valueOf'),
    }),
    events: values(
      ['__proto__', 'a c e'],
      ['constructor', 'b e'],
      ['toString', 'b e'],
      ['valueOf', ''],
      ['hasOwnProperty', 'd e'],
      [{}, 'e'],
    ),
  },
  {
    name: 'keys that every object inherits are seen only where they are own',
    rules: named({
      a: on('data.__proto__.x', 'eq', 1),
      b: on('data.__proto__', 'exists'),
      c: on('data.constructor', 'missing'),
      d: on('__proto__.x', 'eq', 1),
      e: on('data.__proto__', 'eq', { x: 1 }),
    }),
    events: [
      [event({}), 'c'],
      [JSON.parse('{"id":"evt_1","type":"t","data":{"__proto__":{"x":1}}}') as Event, 'a b c e'],
      [JSON.parse('{"id":"evt_1","type":"t","data":{"constructor":1},"__proto__":{"x":1}}') as Event, 'd'],
    ],
  },
  {
    name: 'a key with a dot is not a path, nor is one with a backslash',
    rules: named({
      a: on('data.a.b', 'eq', 1),
      b: on('data.a\\.b', 'eq', 1),
      c: on('data.a\\\\b', 'eq', 1),
      d: on('data.a\\\\.b', 'eq', 1),
    }),
    events: [
      [event({ a: { b: 1 } }), 'a'],
      [event({ 'a.b': 1 }), 'b'],
      [event({ 'a\\b': 1 }), 'c'],
      [event({ 'a\\': { b: 1 } }), 'd'],
    ],
  },
  {
    name: 'an index is canonical on an array and a key on an object',
    rules: named({
      a: on('data.a.0', 'eq', 'x'),
      b: on('data.a.00', 'eq', 'x'),
      c: on('data.a.1', 'exists'),
      d: on('data.a.length', 'exists'),
      e: on('data.a.-1', 'missing'),
      f: on('data.a.4294967296', 'exists'),
    }),
    events: values(
      [['x'], 'a e'],
      [['x', null], 'a c e'],
      [{ 0: 'x' }, 'a e'],
      [{ '00': 'x', length: 0 }, 'b d e'],
      ['x', 'e'],
      [{ 4294967296: 0, '-1': 0 }, 'f'],
    ),
  },
  {
    name: 'a path may lead to what another goes through',
    rules: named({
      a: at('exists'),
      b: on('data.a.b', 'eq', 1),
      c: eq({ b: 1 }),
      d: on('data.a.b.c', 'missing'),
      e: on('data', 'eq', { a: { b: 1 } }),
      f: on('data.a.b', 'exists'),
    }),
    events: values(
      [{ b: 1 }, 'a b c d e f'],
      [{ b: { c: 0 } }, 'a f'],
      [{}, 'a d'],
      [1, 'a d'],
      [undefined, 'd'],
    ),
  },
  {
    name: 'a member that is undefined is absent, at any depth',
    rules: named({
      a: at('missing'),
      b: at('exists'),
      c: eq({ x: 1 }),
      d: at('neq', 1),
      e: on('data.a.1', 'exists'),
    }),
    events: values(
      [undefined, 'a'],
      [null, 'b d'],
      [{ x: 1, y: undefined }, 'b c d'],
      [[1, undefined], 'b d'],
    ),
  },
  {
    name: 'structures are equal whatever the order of their keys, and only with the same ones',
    rules: named({
      a: eq({ x: 1, y: [0, 'z'] }),
      b: eq([{}]),
      c: eq({}),
      d: eq([]),
      e: at('in', [[], { y: [-0, 'z'], x: 1 }]),
      f: eq(JSON.parse('{"__proto__":1}') as Json),
    }),
    events: values(
      [{ y: [0, 'z'], x: 1 }, 'a e'],
      [{ x: 1, y: [-0, 'z'] }, 'a e'],
      [{ x: 1, y: [0, 'z'], z: null }, ''],
      [{ x: '1', y: [0, 'z'] }, ''],
      [[{}], 'b'],
      [{}, 'c'],
      [[], 'd e'],
      [JSON.parse('{"__proto__":1}'), 'f'],
      [Object.assign(Object.create(null) as object, { x: 1, y: [0, 'z'] }), 'a e'],
    ),
  },
  {
    name: 'the empty text begins, ends and is in every text, and nothing else',
    rules: named({
      a: at('starts_with', ''),
      b: at('ends_with', ''),
      c: at('contains', ''),
      d: at('matches', ''),
      e: eq(''),
      f: at('not_contains', ''),
      g: at('not_matches', ''),
    }),
    events: values(
      ['', 'a b c d e'],
      ['x', 'a b c d'],
      [[''], 'c g'],
      [[], 'f g'],
      [5, 'f g'],
      [null, 'f g'],
      [undefined, ''],
    ),
  },
  {
    name: 'one text may begin, end or hold another, in whole or in part',
    rules: named({
      a: at('starts_with', 'ab'),
      b: at('starts_with', 'abab'),
      c: at('ends_with', 'ab'),
      d: at('ends_with', 'bab'),
      e: at('contains', 'ba'),
      f: at('contains', 'aba'),
      g: eq('ab'),
    }),
    events: values(
      ['ab', 'a c g'],
      ['abab', 'a b c d e f'],
      ['ababab', 'a b c d e f'],
      ['bab', 'c d e'],
      ['b', ''],
      ['aab', 'c'],
      ['AB', ''],
    ),
  },
  {
    name: 'half of a pair is a beginning, an end and a part of a text',
    rules: named({
      a: at('starts_with', '\ud83d'),
      b: at('ends_with', '\ude00'),
      c: at('contains', '\ude00'),
      d: eq('\ud83d'),
      e: at('contains', '\ufffd'),
    }),
    events: values(
      ['😀', 'a b c'],
      ['\ud83d', 'a d'],
      ['x\ude00', 'b c'],
      ['\ufffd', 'e'],
      ['\ude00\ud83d', 'c'],
    ),
  },
  {
    name: 'to a pattern, half of a pair is U+FFFD',
    rules: named({
      a: at('matches', '\ufffd'),
      b: at('matches', '^x\ufffdy+$'),
      c: at('matches', '\\x{fffd}[a-z]'),
      d: at('matches', '^.$'),
      e: at('not_matches', '\ufffd'),
    }),
    events: values(
      ['\ud83d', 'a d'],
      ['x\ude00y', 'a b c'],
      ['x\ufffdyy', 'a b c'],
      ['😀', 'd e'],
      ['x\ud83d\ude00y', 'e'],
    ),
  },
  {
    name: 'the literals of a pattern are looked for as its flags say',
    rules: named({
      a: at('matches', '(?i)order'),
      b: at('matches', 'order|ORDER'),
      c: at('matches', '^order\\.[0-9]+$'),
      d: at('matches', '(?:order)?x'),
      e: at('matches', '(?i)k'),
      f: at('matches', '(ab|cd)[0-9]ef'),
    }),
    events: values(
      ['order', 'a b'],
      ['oRdEr', 'a'],
      ['an ORDER', 'a b'],
      ['order.17', 'a b c'],
      ['x', 'd'],
      ['\u212a', 'e'],
      ['cd7ef', 'f'],
      ['ab7ef cd', 'f'],
      ['ab ef', ''],
      [['order'], ''],
    ),
  },
  {
    name: 'ranges compare numbers where both sides spell one, else texts',
    rules: named({
      a: at('gt', '9'),
      b: at('gt', 9),
      c: at('lt', 'm'),
      d: at('gte', '2026'),
      e: at('lte', '2026-06'),
      f: at('lt', '10'),
    }),
    events: values(
      [10, 'a b'],
      ['10', 'a b c e'],
      ['9', 'c f'],
      [9, 'f'],
      ['a', 'a c d'],
      ['2026-01-01', 'c d e'],
      ['2026', 'a b c d e'],
      ['2025.5', 'a b c e'],
      ['z', 'a d'],
      ['', 'c e f'],
      [[10], ''],
      [null, ''],
    ),
  },
  {
    name: 'a range is as open as its operators say',
    rules: named({
      a: { all: [at('gte', 5), at('lt', 5)] },
      b: { all: [at('gte', 5), at('lte', 5)] },
      c: { all: [at('gt', '4'), at('lt', 6)] },
      d: { all: [at('gte', 'a'), at('lt', 9)] },
      e: { all: [at('gte', '4'), { any: [at('lt', '6'), at('gt', '8')] }] },
      f: { all: [at('lte', 7), at('lte', 5), at('gt', 4)] },
      g: { all: [at('gt', 6), at('lt', 4)] },
    }),
    events: values(
      [5, 'b c e f'],
      ['5', 'b c e f'],
      ['5.0', 'b c e f'],
      [4, 'e'],
      [9, 'e'],
      [5.999, 'c e'],
      [6, ''],
      ['a', 'e'],
      ['50', 'e'],
    ),
  },
  {
    name: 'bounds that shut each other out hold nothing, and nothing goes on for ever',
    rules: named({
      a: { all: [at('gt', 6), at('lt', 4)] },
      b: at('gt', 1),
      c: at('gt', 2),
      d: { all: [at('gte', 'm'), at('lte', 'a')] },
      e: { all: [at('gt', 'b'), at('lt', '')] },
      f: { all: [at('gt', '6'), at('lt', '4')] },
      g: { all: [at('gt', '1e400'), at('lt', '-1e400')] },
    }),
    events: values([5, 'b c'], ['5', 'b c'], ['b', ''], ['', ''], [Infinity, 'b c']),
  },
  {
    name: 'texts are ordered by code point, halves of pairs too',
    rules: named({ a: at('gt', '\uffee'), b: at('lt', '😀'), c: at('gte', '\ud83d'), d: at('lte', 'z') }),
    events: values(
      ['😀', 'a c'],
      ['\uffef', 'a b c'],
      ['\ue000', 'b c'],
      ['\ud83d', 'b c'],
      ['\ud83d\ue000', 'b c'],
      ['a', 'b d'],
    ),
  },
  {
    name: 'an element is found however often it is there, and as eq would find it',
    rules: named({
      a: at('contains', 5),
      b: at('contains', '5'),
      c: at('contains', [5]),
      d: at('contains', null),
      e: at('not_contains', 5),
      f: at('contains', 'a'),
    }),
    events: values(
      [[5, 5, '5'], 'a b'],
      [['5.0'], 'a'],
      [[[5]], 'c e'],
      [[null, 'a', 'a'], 'd e f'],
      ['5a', 'b e f'],
      [['ba'], 'e'],
      [{ 0: 5 }, 'e'],
    ),
  },
  {
    name: 'the same leaf twice is the leaf once',
    rules: named({
      a: { all: [eq(5), eq(5)] },
      b: { any: [eq(5), eq(5), eq('5')] },
      c: { any: [{ all: [eq(5), at('exists')] }, eq(5)] },
      d: { all: [{ any: [eq(5)] }, { any: [eq(6), eq(5)] }] },
    }),
    events: values([5, 'a b c d'], ['5', 'a b c d'], [6, ''], [undefined, '']),
  },
  {
    name: 'rules that are equal but for their ids all match',
    rules: Array.from({ length: 30 }, (_, i) => ruleOf({ all: [eq(5), at('lt', 6)] }, { id: `r${10 + i}` })),
    events: values([5, Array.from({ length: 30 }, (_, i) => `r${10 + i}`).join(' ')], [6, '']),
  },
  {
    name: 'a branch that nothing can find is tried all the same',
    rules: named({
      a: { any: [eq(5), at('missing')] },
      b: { any: [eq(5), { all: [at('neq', 6), at('not_matches', 'x')] }] },
      c: { all: [at('not_in', [6]), { any: [at('neq', 7), eq(5)] }] },
      d: { any: [{ any: [eq(5), { any: [on('data.b', 'missing')] }] }, eq(6)] },
    }),
    events: [
      [event({ a: 5 }), 'a b c d'],
      [event({ a: 6, b: 0 }), 'd'],
      [event({ a: 'x', b: 0 }), 'c'],
      [event({}), 'a d'],
    ],
  },
  {
    name: 'what may not be there is false, and only missing is true',
    rules: named({
      a: at('neq', 5),
      b: at('not_contains', 'x'),
      c: at('not_in', []),
      d: at('not_matches', 'x'),
      e: at('missing'),
      f: on('data.a.b.c', 'missing'),
    }),
    events: values([undefined, 'e f'], [5, 'b c d f'], ['x', 'a c f'], [null, 'a b c d f']),
  },
  {
    name: 'groups of alternatives need one of each',
    rules: named({
      a: { all: [{ any: [eq(1), eq(2)] }, { any: [on('data.b', 'eq', 1), on('data.b', 'eq', 2)] }] },
      b: { any: [{ all: [eq(1), on('data.b', 'eq', 2)] }, { all: [eq(2), on('data.b', 'eq', 1)] }] },
    }),
    events: [
      [event({ a: 1, b: 1 }), 'a'],
      [event({ a: 1, b: 2 }), 'a b'],
      [event({ a: '2', b: '1' }), 'a b'],
      [event({ a: 1 }), ''],
      [event({ b: 1 }), ''],
    ],
  },
  {
    name: 'below a leaf that many share, a second tells them apart',
    rules: crowd((n) => on('data.n', 'eq', n)),
    events: [
      [event({ n: 7 }), 'n7'],
      [event({ n: '7.0' }), 'n7'],
      [event({ n: 40 }), ''],
      [event({}), ''],
      [{ ...event({ n: 7 }), type: 'other' }, ''],
    ],
  },
  {
    name: 'below a leaf that many share, some have no second',
    rules: [
      ...crowd((n) => ({ all: [on('data.n', 'eq', n), on('data.m', 'gt', n)] })),
      ruleOf(on('type', 'eq', 'webhook.received'), { id: 'o1' }),
      ruleOf({ all: [on('type', 'eq', 'webhook.received'), on('data.n', 'neq', 7)] }, { id: 'o2' }),
      ruleOf({ any: [on('type', 'eq', 'webhook.received'), on('data.n', 'eq', 7)] }, { id: 'o3' }),
      ruleOf(
        { all: [{ any: [on('type', 'eq', 'webhook.received')] }, on('data.x', 'missing')] },
        { id: 'o4' },
      ),
    ],
    events: [
      [event({ n: 7, m: 8 }), 'n7 o1 o3 o4'],
      [event({ n: 7, m: 7, x: 1 }), 'o1 o3'],
      [event({ n: 8, m: '9' }), 'n8 o1 o2 o3 o4'],
      [event({}), 'o1 o3 o4'],
      [{ ...event({ n: 7, m: 8 }), type: 'other' }, 'o3'],
    ],
  },
  {
    name: 'below two leaves that many share, a third tells them apart',
    rules: [
      ...crowd((n) => ({ all: [on('data.n', 'starts_with', `n${n}.`), on('data.m', 'eq', true)] })),
      ...crowd((n) => on('data.n', 'ends_with', `.${n}`), { ...on('data.m', 'eq', true) }).map((rule) => ({
        ...rule,
        id: `m${rule.id}`,
      })),
    ],
    events: [
      [event({ n: 'n7.8', m: true }), 'mn8 n7'],
      [event({ n: 'n7.8', m: 'true' }), ''],
      [event({ n: 'n7.88', m: true }), 'n7'],
      [{ ...event({ n: 'n7.8', m: true }), type: 'other' }, 'mn8'],
    ],
  },
  {
    name: 'below a leaf that many share, what is missing is looked for too',
    rules: crowd((n) => on(`data.x${n}`, 'missing')),
    events: [[event(membersBut('x7')), 'n7']],
  },
  {
    name: 'lists of a thousand are looked through to the end',
    rules: named({
      a: at(
        'in',
        Array.from({ length: 1_000 }, (_, i) => i),
      ),
      b: at(
        'in',
        Array.from({ length: 1_000 }, (_, i) => `${i}`),
      ),
      c: at(
        'not_in',
        Array.from({ length: 1_000 }, (_, i) => (i % 2 ? i : [i])),
      ),
    }),
    events: values(
      [999, 'a b'],
      ['999', 'a b'],
      ['998.0', 'a c'],
      [1_000, 'c'],
      [[998], ''],
      ['998', 'a b c'],
    ),
  },
  {
    name: 'equal priorities go by id, in code-point order; a disabled rule is not there',
    rules: [
      ruleOf(eq(5), { id: '😀' }),
      ruleOf(eq(5), { id: '\uffee' }),
      ruleOf(eq(5), { id: 'b', enabled: false }),
      ruleOf(eq(5), { id: 'B' }),
      ruleOf(eq(5), { id: 'z', priority: -1 }),
      ruleOf(eq(5), { id: 'a', priority: Number.MAX_SAFE_INTEGER }),
    ],
    events: values([5, 'z B \uffee 😀 a']),
  },
  {
    name: 'nothing behind a drop is seen, in whatever order rules are found',
    rules: [
      ruleOf(at('neq', 0), { id: 'a', priority: 2 }),
      ruleOf(at('exists'), { id: 'b', priority: 1, action: { type: 'drop' } }),
      ruleOf(eq(5), { id: 'c', priority: 0 }),
      ruleOf(eq(5), { id: 'd', priority: 1, action: { type: 'drop' } }),
    ],
    events: values([5, 'c b'], [6, 'b'], [undefined, '']),
  },
  {
    name: 'limits name what was tried before the drop, and nothing after it',
    budget: 1,
    rules: [
      ruleOf({ all: [at('matches', 'a.*b'), eq('no such text')] }, { id: 'a' }),
      ruleOf({ all: [eq('no such text'), at('matches', 'a.*b')] }, { id: 'b' }),
      ruleOf({ any: [at('not_matches', 'a.*b'), at('starts_with', 'a')] }, { id: 'c' }),
      ruleOf(at('ends_with', 'b'), { id: 'd', action: { type: 'drop' } }),
      ruleOf(at('matches', 'a.*b'), { id: 'e' }),
    ],
    events: values(['a to b', 'c d'], ['a to b.', 'c'], ['to b', 'c d'], [5, 'c']),
    limits: ['a c', 'a c e', '', ''],
  },
  {
    name: 'a pattern whose literal is not there is decided, whatever the budget',
    budget: 1,
    rules: named({
      a: at('matches', 'needle.*[0-9]$'),
      b: at('not_matches', 'needle.*[0-9]$'),
      c: at('matches', '^[0-9]+$'),
      d: at('matches', 'needle'),
    }),
    events: values(['hay', 'b'], ['needle 5', 'd']),
    limits: ['c', 'a b c'],
  },
  {
    name: 'a pattern that needs no engine is found also where another meets a subject too long for its engine',
    maxSubjectLength: 9,
    rules: named({ a: at('matches', '(?:a|(a)?)|a'), b: at('matches', 'a|\\W') }),
    events: values(['a'.repeat(9), 'a b'], ['a'.repeat(10), 'a']),
    limits: ['', 'b'],
    found: { law: 'meets the same limits', seed: -987210676, path: '54' },
  },
  {
    name: 'an infinite number is within a bound that spells one',
    rules: named({
      a: at('lte', '1e400'),
      b: at('gte', '-1e400'),
      c: at('lt', '1e400'),
      d: at('gt', '-1e400'),
      e: { all: [at('gte', '1e400'), at('lte', '1e400')] },
    }),
    events: values([Infinity, 'a b d e'], [-Infinity, 'a b c'], [0, 'a b c d'], ['1e999', 'a b d e']),
    found: { law: 'takes whatever is handed in as an event', seed: 2031810609, path: '40' },
  },
  {
    name: 'a thousand groups deep is as deep as one',
    rules: named({
      a: Array.from({ length: 1_000 }).reduce<Match>(
        (tree, _, i) => (i % 2 ? { all: [at('exists'), tree] } : { any: [tree, eq(i)] }),
        eq('x'),
      ),
    }),
    events: values(['x', 'a'], [998, 'a'], ['998.0', 'a'], [999, ''], [undefined, '']),
  },
  {
    name: 'what is no object has nothing anywhere, and no evaluator throws',
    rules: named({ a: at('missing'), b: at('exists'), c: on('type', 'eq', 'a'), d: on('0', 'eq', 'a') }),
    events: (
      [
        [null, 'a'],
        ['a', 'a'],
        [5, 'a'],
        [[], 'a'],
        [['a'], 'a d'],
        [{ data: null }, 'a'],
        [{ data: ['a'], type: 'a' }, 'a c'],
      ] as const
    ).map(([odd, ids]) => [odd as unknown as Event, ids]),
  },
];
