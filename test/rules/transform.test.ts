import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileTransform, diffJson, type Event, type TransformOp } from '../../src/index.js';

const event = (data: Record<string, unknown>, more: object = {}): Event => ({
  id: 'evt_1',
  type: 't',
  data,
  ...more,
});
const transform = (ops: readonly TransformOp[], data: Record<string, unknown>): unknown =>
  compileTransform(ops)(event(data)).data;

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

const path = fc.constantFrom(
  'data.a',
  'data.b.c',
  'data.list.0',
  'data.list.1.x',
  'data.none',
  'data.a.deeper',
);
const op = fc.oneof(
  fc.record({ op: fc.constantFrom('uppercase' as const, 'lowercase' as const, 'trim' as const), path }),
  fc.record({
    op: fc.constant('set' as const),
    path,
    value: fc.constantFrom('v', 5, null, { x: ' Q ' }, ['l', { x: 'm' }]),
  }),
  fc.record({
    op: fc.constant('redact' as const),
    path,
    regex: fc.constantFrom('[a-m]+', 'x', '^ '),
    replace: fc.constantFrom('*', '<$&>'),
  }),
) as fc.Arbitrary<TransformOp>;
const data = fc.record({
  a: fc.constantFrom<unknown>(' Straße ', 'x', 5, null, { deeper: ' Deep ' }),
  b: fc.constantFrom<unknown>({ c: ' Mixed Case ' }, { c: ['no'] }, 'text'),
  list: fc.constantFrom<unknown>([' One ', { x: 'two' }], [], 'text'),
  same: fc.constant({ untouched: true }),
});

describe('laws', () => {
  test('a list of ops is its ops one after the other', () => {
    fc.assert(
      fc.property(fc.array(op, { minLength: 1, maxLength: 6 }), data, (ops, data) => {
        const stepwise = ops.reduce<Event>((event, op) => compileTransform([op])(event), event(data));
        expect(compileTransform(ops)(event(data))).toEqual(stepwise);
      }),
      { numRuns: 500 },
    );
  });

  test('uppercase, lowercase, trim and set are idempotent', () => {
    fc.assert(
      fc.property(
        op.filter(({ op }) => op !== 'redact'),
        data,
        (op, data) => {
          const once = compileTransform([op])(event(data));
          expect(compileTransform([op])(once)).toEqual(once);
        },
      ),
    );
  });

  test('the event handed in stays as it is; what did not change is shared, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(op, { minLength: 1, maxLength: 4 }), data, (ops, data) => {
        const before = freeze(event(data, { raw_payload: data }));
        const after = compileTransform(ops)(before);
        expect(after.data.same).toBe(before.data.same);
        expect(after.raw_payload).toBe(before.raw_payload);
        expect(Object.keys(after.data)).toEqual(Object.keys(before.data));
        expect(after === before).toBe(diffJson(before, after).length === 0);
      }),
      { numRuns: 500 },
    );
  });

  test('ops that undo each other give back the very same event; one that is not undone does not', () => {
    const before = event({ a: 'x', b: [1, { c: 2 }] });
    const there: TransformOp = { op: 'set', path: 'data.b', value: 'gone' };
    const back: TransformOp = { op: 'set', path: 'data.b', value: [1, { c: 2 }] };
    const other: TransformOp = { op: 'uppercase', path: 'data.a' };
    expect(compileTransform([there, back])(before)).toBe(before);
    expect(compileTransform([there, other, back])(before).data).toEqual({ a: 'X', b: [1, { c: 2 }] });
    expect(compileTransform([back, other])(before).data.b).toBe(before.data.b);
    expect(compileTransform([{ op: 'set', path: 'data.a', value: 'x' }])(before)).toBe(before);
  });

  test('text that grows takes from the room of the whole event, text that shrinks gives none back', () => {
    const grow = (path: string): TransformOp => ({
      op: 'redact',
      path,
      regex: 'x',
      replace: 'y'.repeat(1_000),
    });
    const big = 'x'.repeat(3_000);
    const shrink: TransformOp = { op: 'redact', path: 'data.c', regex: 'x+', replace: '' };
    const { data } = compileTransform([grow('data.a'), shrink, grow('data.b')])(
      event({ a: big, b: big, c: 'x'.repeat(4_000_000) }),
    );
    expect((data.a as string).length).toBe(3_000_000);
    expect(data.c).toBe('');
    expect(data.b).toBe('y'.repeat(1_000));
  });

  test('no event shares a mutable object with a rule, or with another event', () => {
    const value = { list: [{ n: 1 }] };
    const set = compileTransform([{ op: 'set', path: 'data.a', value }]);
    const [first, second] = [set(event({ a: 0 })), set(event({ a: 0 }))];
    (first.data.a as typeof value).list[0]!.n = 2;
    value.list.push({ n: 3 });
    expect(second.data.a).toEqual({ list: [{ n: 1 }] });
    expect(set(event({ a: 0 })).data.a).toEqual({ list: [{ n: 1 }] });
  });
});

describe('the table', () => {
  test.for<[string, TransformOp, Record<string, unknown>, unknown]>([
    ['set to the same scalar', { op: 'set', path: 'data.a', value: 1 }, { a: 1 }, { a: 1 }],
    ['set on null', { op: 'set', path: 'data.a', value: 1 }, { a: null }, { a: 1 }],
    ['set below a string', { op: 'set', path: 'data.a.b', value: 1 }, { a: 'text' }, { a: 'text' }],
    ['set past the end of an array', { op: 'set', path: 'data.a.1', value: 1 }, { a: [0] }, { a: [0] }],
    ['set on the length of an array', { op: 'set', path: 'data.a.length', value: 0 }, { a: [0] }, { a: [0] }],
    [
      'dotless i is no concern of the default mapping',
      { op: 'uppercase', path: 'data.a' },
      { a: 'iı' },
      { a: 'II' },
    ],
    ['final sigma', { op: 'lowercase', path: 'data.a' }, { a: 'ΟΔΟΣ' }, { a: 'οδος' }],
    ['a lone surrogate stays', { op: 'uppercase', path: 'data.a' }, { a: 'a\ud83d' }, { a: 'A\ud83d' }],
    ['trim of a number', { op: 'trim', path: 'data.a' }, { a: 5 }, { a: 5 }],
    [
      'redact after astral characters',
      { op: 'redact', path: 'data.a', regex: 'sk_[a-z]+', replace: '***' },
      { a: '😀😀😀 key sk_secret end sk_two' },
      { a: '😀😀😀 key *** end ***' },
    ],
    [
      'redact beside a lone surrogate',
      { op: 'redact', path: 'data.a', regex: 'sk_[a-z]+', replace: '*' },
      { a: '\udc00sk_secret' },
      { a: '\udc00*' },
    ],
  ])('%s', ([, op, before, after]) => {
    expect(transform([op], before)).toEqual(after);
  });

  test('__proto__ is written to as a key, never as a prototype', () => {
    const before = JSON.parse('{"__proto__":{"a":"x"},"b":{}}') as Record<string, unknown>;
    const after = transform(
      [
        { op: 'uppercase', path: 'data.__proto__.a' },
        { op: 'set', path: 'data.b.__proto__.polluted', value: true },
        { op: 'set', path: 'data.b.constructor.prototype.polluted', value: true },
      ],
      before,
    );
    expect(JSON.stringify(after)).toBe('{"__proto__":{"a":"X"},"b":{}}');
    expect(Object.getPrototypeOf(after)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  test('raw_payload keeps what it shares with data', () => {
    const shared = { secret: 'sk_1' };
    const after = compileTransform([{ op: 'set', path: 'data.body.secret', value: '*' }])(
      event({ body: shared }, { raw_payload: { body: shared } }),
    );
    expect(after.data).toEqual({ body: { secret: '*' } });
    expect(after.raw_payload).toEqual({ body: { secret: 'sk_1' } });
  });

  test('an object that occurs twice changes only where the path leads', () => {
    const twice = { n: 'x' };
    expect(transform([{ op: 'uppercase', path: 'data.a.n' }], { a: twice, b: twice })).toEqual({
      a: { n: 'X' },
      b: { n: 'x' },
    });
  });
});

describe('diffJson', () => {
  test.for<[string, unknown, unknown, unknown[]]>([
    ['nothing', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
    [
      'a scalar',
      { a: { 'b.c': 1, d: 2 } },
      { a: { 'b.c': 3, d: 2 } },
      [{ path: 'a.b\\.c', before: 1, after: 3 }],
    ],
    ['an element', [1, 2], [1, 3], [{ path: '1', before: 2, after: 3 }]],
    ['a list that grew', { a: [1] }, { a: [1, 2] }, [{ path: 'a', before: [1], after: [1, 2] }]],
    ['other keys', { a: { b: 1 } }, { a: { c: 1 } }, [{ path: 'a', before: { b: 1 }, after: { c: 1 } }]],
    ['another type', { a: {} }, { a: [] }, [{ path: 'a', before: {}, after: [] }]],
    ['the root', 1, 2, [{ path: '', before: 1, after: 2 }]],
    [
      'in document order',
      { a: 1, b: { c: 2 }, d: 3 },
      { a: 0, b: { c: 0 }, d: 0 },
      [
        { path: 'a', before: 1, after: 0 },
        { path: 'b.c', before: 2, after: 0 },
        { path: 'd', before: 3, after: 0 },
      ],
    ],
  ])('%s', ([, before, after, changes]) => {
    expect(diffJson(before, after)).toEqual(changes);
  });
});
