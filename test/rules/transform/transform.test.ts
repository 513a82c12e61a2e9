/** Ops, projections and the differences that they leave. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compileRules,
  compileTransform,
  diffJson,
  type Event,
  type TransformOp,
} from '../../../src/index.js';
import { ruleOf } from '../arbitraries.js';

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
  'data.b',
  'data.list',
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
    replace: fc.constantFrom('*', '<$&>', 'x'),
    deep: fc.boolean(),
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

describe('deep redact', () => {
  const deep = (regex: string, replace: string, path = 'data.a'): TransformOp => ({
    op: 'redact',
    path,
    regex,
    replace,
    deep: true,
  });

  test.for<[string, unknown, unknown]>([
    ['the string at the path', 'x1', '*1'],
    [
      'members and elements at any depth',
      { b: ['x', { c: 'axa' }], d: 'y' },
      { b: ['*', { c: 'a*a' }], d: 'y' },
    ],
    ['no key', { x: { x: 'x' } }, { x: { x: '*' } }],
    ['nothing but strings', [1, true, null, 'x', {}], [1, true, null, '*', {}]],
    ['no string at all', 5, 5],
  ])('changes %s', ([, before, after]) => {
    expect(transform([deep('x', '*')], { a: before })).toEqual({ a: after });
  });

  test('__proto__ is a key like any other, and no prototype is reached', () => {
    const before = JSON.parse('{"a":{"__proto__":{"s":"x"},"constructor":"x"}}') as Record<string, unknown>;
    const after = transform([deep('x', '*')], before) as { a: object };
    expect(JSON.stringify(after)).toBe('{"a":{"__proto__":{"s":"*"},"constructor":"*"}}');
    expect(Object.getPrototypeOf(after.a)).toBe(Object.prototype);
  });

  test('what no match touches is the very same object', () => {
    const before = freeze({ a: { clean: { s: 'y' }, list: [{ s: 'y' }, { s: 'x' }] }, raw: ['y'] });
    const { data } = compileTransform([deep('x', '*'), deep('z', '*')])(event(before));
    const { a, raw } = data as typeof before;
    expect(a).toEqual({ clean: { s: 'y' }, list: [{ s: 'y' }, { s: '*' }] });
    expect([a.clean === before.a.clean, a.list[0] === before.a.list[0], raw === before.raw]).toEqual([
      true,
      true,
      true,
    ]);
    const untouched = event(before);
    expect(compileTransform([deep('q', '*')])(untouched)).toBe(untouched);
    expect(compileTransform([deep('x', 'q'), deep('q', 'x')])(untouched)).toBe(untouched);
  });

  test('ops side by side do what they do one after the other, each on what the one before made', () => {
    const ops = [deep('a+', 'b'), deep('b+', 'c', 'data.a'), deep('c', 'd', 'data.a.x'), deep('b', 'e')];
    const before = { a: { x: 'aab b', y: ['ab', 'c', ''] } };
    expect(transform(ops, before)).toEqual({ a: { x: 'd d', y: ['c', 'c', ''] } });
  });

  test('a value 100,000 levels deep, one that contains itself, and one that doubles at each level', () => {
    let nested: unknown = 'x';
    for (let i = 0; i < 100_000; i++) nested = i % 2 === 0 ? [nested] : { n: nested };
    const redact = compileTransform([deep('x', '*'), deep('y', '*')]);
    let inner = redact(event({ a: nested })).data.a;
    while (typeof inner === 'object') inner = Object.values(inner as object)[0];
    expect(inner).toBe('*');

    const loop: Record<string, unknown> = { s: 'x', list: [] };
    loop.self = loop;
    (loop.list as unknown[]).push(loop, 'x');
    const after = redact(event({ a: loop })).data.a as typeof loop;
    expect([after.s, (after.list as unknown[])[1], after.self === after]).toEqual(['*', '*', true]);
    expect([loop.s, after === loop]).toEqual(['x', false]);
    expect(diffJson({ a: loop }, { a: after }).map(({ path }) => path)).toEqual(['a.s', 'a.list.1']);

    let doubled: unknown = { s: 'x' };
    for (let i = 0; i < 60; i++) doubled = { l: doubled, r: doubled };
    const twice = redact(event({ a: doubled })).data.a as Record<string, unknown>;
    expect(twice.l).toBe(twice.r);
    expect(diffJson(doubled, twice).length).toBeLessThan(20_000);
  });

  test('what is shared changes wherever it occurs, and a later op changes only its own path', () => {
    const shared = { s: 'x' };
    const ops: TransformOp[] = [deep('x', 'n'), { op: 'uppercase', path: 'data.a.l.s' }];
    expect(transform(ops, { a: { l: shared, r: shared } })).toEqual({ a: { l: { s: 'N' }, r: { s: 'n' } } });
    expect(shared).toEqual({ s: 'x' });
  });

  test('a member that makes a new object each time it is read is read once, and redacted', () => {
    const data = {
      a: {
        get made() {
          return { s: 'x' };
        },
      },
    };
    expect(transform([deep('x', '*')], data)).toEqual({ a: { made: { s: '*' } } });
  });
});

describe('deep redact at its bounds', () => {
  const noLiteral = '[ab]+z?';
  const op = { op: 'redact', path: 'data.a', regex: noLiteral, replace: '[gone]', deep: true } as const;
  const texts = { one: 'ab', two: 'ab'.repeat(2_000), three: ['c', '', { four: 'ab' }] };
  const evaluate = (budget: number, ops: readonly TransformOp[] = [op], a: unknown = texts) => {
    const rule = ruleOf({ path: 'data', op: 'exists' }, { action: { type: 'transform', ops } });
    const { event: after, limits } = compileRules([rule], { patterns: { budget } }).evaluate(event({ a }));
    return { a: after.data.a, limits: limits.map(({ path, pattern }) => [path, pattern]) };
  };
  const closed = {
    a: { one: '[gone]', two: '[gone]', three: ['[gone]', '[gone]', { four: '[gone]' }] },
    limits: [['data.a', noLiteral]],
  };

  test('a string that exceeds the account is replaced as a whole, and so is every one after it; limits names it once', () => {
    expect(evaluate(1e6)).toEqual({
      a: { one: '[gone]', two: '[gone]', three: ['c', '', { four: '[gone]' }] },
      limits: [],
    });
    expect(evaluate(5_000)).toEqual(closed);
  });

  test('strings before it stay as they were redacted', () => {
    const { a } = evaluate(5_000, [{ ...op, replace: '<$&>' }]);
    expect(a).toEqual({ one: '<ab>', two: '<$&>', three: ['<$&>', '<$&>', { four: '<$&>' }] });
  });

  test('an account that is spent leaves nothing unredacted that has to be looked at', () => {
    expect(evaluate(1)).toEqual(closed);
  });

  test('ops share the account, so the second one may find it spent', () => {
    const both = evaluate(12_000, [op, { ...op, replace: '[other]' }]);
    expect(both.limits).toEqual([['data.a', noLiteral]]);
  });

  test('whatever happens, an event grows by no more than its room', () => {
    const many = Array.from({ length: 20_000 }, () => 'ab');
    const long = { ...op, replace: 'y'.repeat(1_000) };
    for (const ops of [[long], [long, { ...long, regex: 'y', replace: '$&$&' }], [{ ...long, regex: '$' }]]) {
      for (const budget of [1, 1e8]) {
        const { a, limits } = evaluate(budget, ops, many);
        expect(JSON.stringify(a).length).toBeLessThanOrEqual(JSON.stringify(many).length + 2 ** 22);
        expect(JSON.stringify(a)).not.toContain('ab"');
        expect(limits.length).toBeGreaterThan(0);
      }
    }
  });
});

describe('a replacement', () => {
  test('of 400 bytes of $& on 5 MB, or of 600 KB on 2 KB, throws nothing out of a rule set', () => {
    const grow: TransformOp = { op: 'redact', path: 'data.a', regex: '(?s).+', replace: '$&'.repeat(200) };
    expect(transform([grow], { a: 'x'.repeat(5_000_000) })).toEqual({ a: grow.replace });
    const long = { ...grow, replace: '$&'.repeat(300_000) };
    expect(() => compileTransform([long])).toThrow(
      expect.objectContaining({
        issues: [expect.objectContaining({ code: 'replace_too_long', pointer: '/0/replace' })],
      }),
    );
  });
});

describe('a rule that has no work left', () => {
  const deep = (path: string, replace: string): TransformOp => ({
    op: 'redact',
    path,
    deep: true,
    regex: '[a-z]',
    replace,
  });
  const options = { patterns: { budget: 1_000 } };

  /** How often a transform calls a built-in function. */
  function calls<Owner extends object>(
    owner: Owner,
    name: keyof Owner,
    ops: readonly TransformOp[],
    data: Event['data'],
  ): number {
    const transform = compileTransform(ops, options);
    const original = owner[name] as (...args: unknown[]) => unknown;
    let count = 0;
    owner[name] = function (this: unknown, ...args: unknown[]) {
      count++;
      return original.apply(this, args);
    } as Owner[keyof Owner];
    try {
      transform({ id: 'evt_1', type: 't', data });
    } finally {
      owner[name] = original as Owner[keyof Owner];
    }
    return count;
  }

  test('visits every container once, however many deep redacts there are', () => {
    const a = Array.from({ length: 1_000 }, () => ['a']);
    const ops = Array.from({ length: 100 }, (_, i) => deep(i % 2 === 0 ? 'data.a' : 'data.b', 'x'));
    // A visit notes the container in a map. The first op works until nothing is left, and the third closes.
    const notes = (count: number) => calls(Map.prototype, 'set', ops.slice(0, count), { a, b: [['a']] });
    expect(notes(3)).toBeGreaterThan(1_000);
    expect(notes(100) - notes(3)).toBeLessThan(500);
  });

  test('lists the keys of a large object once, however many sets there are in between', () => {
    const o = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`k${i}`, 'a']));
    const ops = Array.from({ length: 100 }, (_, i): TransformOp =>
      i % 2 === 0 ? deep('data.o', 'x') : { op: 'set', path: 'data.o.k1', value: 's' },
    );
    const lists = (count: number) => calls(Object, 'getOwnPropertyNames', ops.slice(0, count), { o });
    expect(lists(100) - lists(4)).toBeLessThanOrEqual(0);
  });

  test('leaves no string as it was, also what is set in between, and keeps what is no string', () => {
    const transform = compileTransform(
      [
        deep('data.a', 'x'),
        { op: 'set', path: 'data.a.0.late', value: 'secret' },
        deep('data.a', 'x'),
        deep('data.b', 'y'),
      ],
      options,
    );
    const a = Array.from({ length: 200 }, () => ({ early: 'secret', late: 'secret', n: 1 }));
    const { data } = transform({ id: 'evt_1', type: 't', data: { a, b: ['secret', 2] } });
    expect(data).toEqual({ a: a.map(() => ({ early: 'x', late: 'x', n: 1 })), b: ['y', 2] });
    expect(a[0]).toEqual({ early: 'secret', late: 'secret', n: 1 });
  });

  test('does not close what another rule may still look at', () => {
    const rule = (id: string, ops: readonly TransformOp[]) =>
      ({
        id,
        name: id,
        stage: 'deliver',
        match: { path: 'type', op: 'exists' },
        action: { type: 'transform', ops },
        priority: 0,
      }) as const;
    const set = compileRules(
      [
        rule('a', [deep('data.a', 'x'), deep('data.a', 'x')]),
        rule('b', [{ ...deep('data.a.0', 'Y'), regex: 'x' } as TransformOp]),
      ],
      options,
    );
    const a = Array.from({ length: 200 }, () => 'secret');
    const { event } = set.evaluate({ id: 'evt_1', type: 't', data: { a } });
    expect(event.data).toEqual({ a: a.map((_, i) => (i === 0 ? 'Y' : 'x')) });
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
