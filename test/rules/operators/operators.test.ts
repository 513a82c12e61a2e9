/** The sixteen operators, row by row. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileMatch, type Json, type Leaf, type Match } from '../../../src/index.js';
import { operatorNames } from '../../../src/rules/operators/index.js';

const holds = (op: string, subject: unknown, value: unknown): boolean =>
  compileMatch({ path: 'data.a', op, value } as Match)({ data: { a: subject } });

const scalar = (): fc.Arbitrary<Json> =>
  fc.oneof(
    fc.constantFrom<Json>(0, -0, 5, -1.5, 1e21, 1e308, 9007199254740993, null, true, false, ''),
    fc.constantFrom<Json>(
      '5',
      '5.0',
      '-0',
      '0',
      '05',
      ' 5',
      '5 ',
      '+5',
      '0x5',
      '5e0',
      '50E-1',
      '1e400',
      '-1e400',
      'Infinity',
      'NaN',
      '9007199254740993',
      '.5',
      '5.',
      '--5',
      '１',
    ),
    fc.string({ maxLength: 3 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
const value = () =>
  fc.oneof(
    scalar(),
    fc.array(scalar(), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b'), scalar(), { maxKeys: 2 }),
  ) as fc.Arbitrary<Json>;

describe('laws', () => {
  test.for([
    ['eq', 'neq', value()],
    ['contains', 'not_contains', value()],
    ['in', 'not_in', fc.array(value(), { maxLength: 3 })],
    ['matches', 'not_matches', fc.constantFrom('a', '^5', '\\d+', '^$', '(?i)x|y')],
  ] as const)('on a present path %s and %s are opposites', ([op, inverse, values]) => {
    fc.assert(
      fc.property(value(), values as fc.Arbitrary<Json>, (subject, value) => {
        expect(holds(inverse, subject, value)).toBe(!holds(op, subject, value));
      }),
    );
  });

  test('on an absent path only missing holds', () => {
    const values: Partial<Record<string, Json>> = { in: [], not_in: [], gt: 0, gte: 0, lt: 0, lte: 0 };
    const holding = operatorNames.filter((op) =>
      compileMatch({
        path: 'data.a',
        op,
        ...(op === 'exists' || op === 'missing' ? {} : { value: values[op] ?? '' }),
      } as Leaf)({ data: {} }),
    );
    expect(operatorNames).toHaveLength(16);
    expect(holding).toEqual(['missing']);
  });

  test('eq is symmetric', () => {
    fc.assert(fc.property(value(), value(), (a, b) => holds('eq', a, b) === holds('eq', b, a)));
  });

  test('in is eq against any member', () => {
    fc.assert(
      fc.property(value(), fc.array(value(), { maxLength: 4 }), (subject, members) => {
        expect(holds('in', subject, members)).toBe(members.some((member) => holds('eq', subject, member)));
      }),
      { numRuns: 1_000 },
    );
  });

  test('contains in an array is eq with any element', () => {
    fc.assert(
      fc.property(fc.array(value(), { maxLength: 4 }), value(), (subject, member) => {
        expect(holds('contains', subject, member)).toBe(
          subject.some((element) => holds('eq', element, member)),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  test('of two numbers, or two strings, exactly one of lt, gt, and both of gte and lte holds', () => {
    const pair = fc.oneof(
      fc.tuple(fc.double({ noNaN: true }), fc.double({ noNaN: true, noDefaultInfinity: true })),
      fc.tuple(fc.string(), fc.string()),
    );
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const [lt, lte, gt, gte] = ['lt', 'lte', 'gt', 'gte'].map((op) => holds(op, a, b));
        expect([lte, gte]).toEqual([!gt, !lt]);
        expect(lt && gt).toBe(false);
      }),
    );
  });
});

describe('the table', () => {
  test.for([
    { subject: 5, op: 'eq', value: '5', expected: true, because: 'numbers coerce' },
    { subject: '5', op: 'eq', value: '5.0', expected: false, because: 'two strings compare by bytes' },
    { subject: '-1e3', op: 'eq', value: -1000, expected: true, because: 'a JSON number literal' },
    { subject: 'Infinity', op: 'eq', value: 5, expected: false, because: 'no JSON number literal' },
    {
      subject: Infinity,
      op: 'eq',
      value: '1e400',
      expected: true,
      because: 'JSON.parse reads 1e400 as Infinity',
    },
    {
      subject: '9007199254740993',
      op: 'eq',
      value: 9007199254740992,
      expected: true,
      because: 'compared as doubles',
    },
    { subject: true, op: 'eq', value: 1, expected: false, because: 'booleans never coerce' },
    { subject: 'true', op: 'eq', value: true, expected: false, because: 'booleans never coerce' },
    { subject: null, op: 'eq', value: 'null', expected: false, because: 'null never coerces' },
    { subject: null, op: 'eq', value: null, expected: true, because: 'null is a value' },
    { subject: '\ud83d', op: 'eq', value: '\ufffd', expected: false, because: 'a lone surrogate is itself' },
    { subject: 'ß', op: 'eq', value: 'ss', expected: false, because: 'no case folding' },
    { subject: '', op: 'starts_with', value: '', expected: true, because: 'the empty prefix' },
    { subject: 5, op: 'starts_with', value: '5', expected: false, because: 'not a string' },
    { subject: ['a'], op: 'ends_with', value: 'a', expected: false, because: 'not a string' },
    { subject: '1e1', op: 'gt', value: 9, expected: true, because: 'both spell numbers' },
    { subject: '10', op: 'gt', value: '9', expected: true, because: 'both spell numbers' },
    { subject: '10', op: 'gt', value: '9a', expected: false, because: 'else by code point' },
    { subject: 10, op: 'gt', value: '9a', expected: false, because: 'a number and a text have no order' },
    { subject: 'b', op: 'gt', value: 9, expected: false, because: 'a text and a number have no order' },
    { subject: '😀', op: 'gt', value: '\uffff', expected: true, because: 'code points, not UTF-16 units' },
    { subject: 'a', op: 'lt', value: 'aa', expected: true, because: 'a prefix comes first' },
    { subject: -0, op: 'gte', value: 0, expected: true, because: 'zero has one value' },
    { subject: null, op: 'lte', value: 5, expected: false, because: 'null has no order' },
    { subject: { a: 1 }, op: 'contains', value: 'a', expected: false, because: 'objects contain nothing' },
    { subject: ['5'], op: 'contains', value: 5, expected: true, because: 'elements coerce' },
    { subject: [['5']], op: 'contains', value: [5], expected: false, because: 'structures do not' },
    {
      subject: { a: [1] },
      op: 'in',
      value: [{ a: [1] }],
      expected: true,
      because: 'members compare by structure',
    },
    { subject: 'x', op: 'matches', value: '', expected: true, because: 'the empty pattern is everywhere' },
    { subject: 5, op: 'not_matches', value: '5', expected: true, because: 'not a string, so no match' },
  ])('$subject $op $value is $expected: $because', ({ subject, op, value, expected }) => {
    expect(holds(op, subject, value)).toBe(expected);
  });
});
