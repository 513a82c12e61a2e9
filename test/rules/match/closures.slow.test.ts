/** One tree, three ways to try it: closures, the branching program, and the program with notes. All answer alike. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileMatch, explainMatch, type Json, type Leaf, type Match } from '../../../src/index.js';
import { budgetOf, type PatternOptions } from '../../../src/patterns/index.js';
import { Account } from '../../../src/rules/values/account.js';
import { MAX_DEPTH, compileClosures } from '../../../src/rules/match/closures.js';
import { compileProgram, runProgram } from '../../../src/rules/match/match.js';
import * as arbitrary from '../arbitraries.js';

const byClosures = (match: Match, event: unknown, patterns: PatternOptions = {}): boolean =>
  compileClosures(match, patterns)!(event, new Account(budgetOf(patterns)));

const byProgram = (match: Match, event: unknown, patterns: PatternOptions = {}): boolean =>
  runProgram(compileProgram(match, patterns), event, new Account(budgetOf(patterns)));

/** Every answer, of a tree that is not too deep for closures. */
const answers = (match: Match, event: unknown, patterns: PatternOptions = {}) => ({
  closures: byClosures(match, event, patterns),
  program: byProgram(match, event, patterns),
  explained: explainMatch(match, event, { patterns }).matched,
});

const all = (answer: boolean) => ({ closures: answer, program: answer, explained: answer });

/** Paths of which many share a container, at several depths. */
const path = fc.constantFrom(
  ...['type', 'channel.type', 'data', 'data.a', 'data.b', 'data.c', 'data.a.a', 'data.a.b', 'data.b.0'],
  ...['data.a.b.c', 'data.a.b.0', 'data.a.b.length', 'data.b.1.a', 'data.b.length', 'data.a.b.c.d.e'],
);
const neighboring = (): fc.Arbitrary<Match> =>
  arbitrary.matchOf(fc.tuple(arbitrary.leaf(), path).map(([leaf, path]): Leaf => ({ ...leaf, path })));

/** Groups of more children than have a closure for their number, and of more keys than are asked about at once. */
const wide = (): fc.Arbitrary<[Match, unknown]> => {
  const key = fc.nat(23).map((nth) => `k${nth}`);
  const value = fc.constantFrom<Json>(1, '1', 'x');
  const leaf = fc
    .record({ key, value, op: fc.constantFrom('eq' as const, 'neq' as const, 'gte' as const) })
    .map(({ key, value, op }) => ({ path: `data.${key}`, op, value }) as Leaf);
  const missing = key.map((key): Leaf => ({ path: `data.${key}`, op: 'missing' }));
  const group = (children: fc.Arbitrary<Match>): fc.Arbitrary<Match> =>
    fc
      .tuple(fc.array(children, { minLength: 1, maxLength: 24, size: 'max' }), fc.boolean())
      .map(([children, isAll]) => (isAll ? { all: children } : { any: children }));
  const data = fc.dictionary(key, value, { maxKeys: 24, size: 'max', noNullPrototype: true });
  const leaves = fc.oneof({ arbitrary: leaf, weight: 9 }, { arbitrary: missing, weight: 1 });
  return fc
    .tuple(fc.oneof(group(leaves), group(group(leaves))), data, fc.boolean())
    .map(([match, data, isFull]) => [match, { data: isFull ? full(data) : data }]);
};

/** With all keys; one value for most, so that groups of any width hold. */
const full = (data: Readonly<Record<string, Json>>) => ({
  ...Object.fromEntries(Array.from({ length: 24 }, (_, nth) => [`k${nth}`, 1])),
  ...Object.fromEntries(Object.entries(data).slice(0, 2)),
});

/** Trees on any paths and on neighboring ones, each with an event that is aimed at it. */
const question = (): fc.Arbitrary<[Match, unknown]> =>
  fc.oneof(
    arbitrary.question(),
    wide(),
    fc
      .tuple(neighboring(), arbitrary.event(), arbitrary.numbers())
      .map(([match, event, numbers]): [Match, unknown] => [match, arbitrary.aimedAt(match, event, numbers)]),
  );

describe('closures answer as the program does', () => {
  test('on random trees and events', () => {
    let matched = 0;
    fc.assert(
      fc.property(question(), ([match, event]) => {
        const expected = byProgram(match, event);
        matched += Number(expected);
        expect(answers(match, event)).toEqual(all(expected));
      }),
      { numRuns: 1_000 },
    );
    expect(matched).toBeGreaterThan(100);
  });

  test('on events that are no plain JSON', () => {
    const numbers = fc.array(fc.nat(99), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(question(), numbers, ([match, event], forms) => {
        const odd = oddly(event, forms.values());
        expect(answers(match, odd)).toEqual(all(byProgram(match, odd)));
      }),
      { numRuns: 1_500 },
    );
  });

  test('where every object comes to inherit a member after compiling', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'type', 'data', '0', 'length', 'e', 'k0', 'k1', 'k2');
    fc.assert(
      fc.property(
        question(),
        key,
        arbitrary.json(),
        fc.boolean(),
        ([match, event], key, value, enumerable) => {
          const closures = compileClosures(match, {})!;
          const program = compileProgram(match, {});
          const [byClosures, byProgram] = whileInherited(key, value, enumerable, () => [
            closures(event, new Account(Infinity)),
            runProgram(program, event, new Account(Infinity)),
          ]);
          expect(byClosures).toBe(byProgram);
        },
      ),
      { numRuns: 750 },
    );
  });

  test('with budgets that run out', () => {
    const patterns = ['[ab]+c', '(?:a|b)*c', '^(?:ab)+c?$', 'b.*c'];
    const text = fc.array(fc.constantFrom('ab', 'ba', 'c'), { maxLength: 24, size: 'max' });
    const asked = fc.record({
      path,
      op: fc.constantFrom('matches' as const, 'not_matches' as const),
      value: fc.constantFrom(...patterns),
    });
    const leaf = fc.oneof(
      asked,
      fc.tuple(arbitrary.leaf(), path).map(([leaf, path]): Leaf => ({ ...leaf, path })),
    );
    const event = fc
      .tuple(text, text, text)
      .map((texts) => texts.map((parts) => parts.join('')))
      .map(([a, b, c]) => ({
        type: a,
        channel: { type: b },
        data: { a: { a, b: { c } }, b: [a, { a: c }], c: b },
      }));
    const forms = fc.array(fc.nat(99), { minLength: 12, maxLength: 12 });
    let undecided = 0;
    fc.assert(
      fc.property(
        arbitrary.matchOf(leaf),
        event,
        forms,
        fc.integer({ min: 1, max: 900 }),
        (match, plain, forms, budget) => {
          for (const event of [plain, oddly(plain, forms.values())]) {
            const { leaves } = explainMatch(match, event, { patterns: { budget } });
            undecided += leaves.filter(({ result }) => result === 'undecided').length;
            expect(answers(match, event, { budget })).toEqual(all(byProgram(match, event, { budget })));
          }
        },
      ),
      { numRuns: 750 },
    );
    expect(undecided).toBeGreaterThan(30);
  });

  test('where a member that is only inherited would have led to a pattern that spends the budget', () => {
    const asks = (path: string): Leaf => ({ path, op: 'matches', value: '[ab]+c' });
    const data = into(Object.create({ a: 'inherited' }) as object, [
      ['b', `${'ab'.repeat(60)} c`],
      ['c', 'abc'],
    ]);
    const [spentOnB, spentOnC] = ['data.b', 'data.c'].map((path) => {
      const account = new Account(1e6);
      runProgram(compileProgram(asks(path), {}), { data }, account);
      return 1e6 - account.left;
    });
    expect(spentOnC).toBeGreaterThan(0);
    expect(spentOnB).toBeGreaterThan(spentOnC!);
    const inherited: Leaf = { path: 'data.a', op: 'eq', value: 'inherited' };
    const match: Match = { any: [{ all: [inherited, asks('data.b')] }, asks('data.c')] };
    expect(answers(match, { data }, { budget: spentOnB! })).toEqual(all(true));
  });

  test.for(['all', 'any'])('where both leaves of an %s would hold by what Object.prototype has', (kind) => {
    const leaves: Leaf[] = [
      { path: 'data.a', op: 'eq', value: 5 },
      { path: 'data.b', op: 'exists' },
    ];
    const matches = compileMatch(kind === 'all' ? { all: leaves } : { any: leaves });
    for (const enumerable of [true, false]) {
      const asked = () =>
        whileInherited('a', 5, enumerable, () => matches({ data: kind === 'all' ? { b: 1 } : {} }));
      expect(asked()).toBe(false);
      expect(matches({ data: { a: 5, b: 1 } })).toBe(true);
    }
  });

  test('at depths on both sides of the limit', () => {
    const depth = fc.integer({ min: MAX_DEPTH - 8, max: MAX_DEPTH + 4 });
    const sibling = arbitrary.leaf();
    fc.assert(
      fc.property(question(), sibling, depth, fc.nat(), ([innermost, event], sibling, depth, kinds) => {
        let match = innermost;
        for (let nth = 0; nth < depth; nth++) match = around(match, sibling, (kinds >> (nth % 30)) & 3);
        const expected = byProgram(match, event);
        expect(compileMatch(match)(event)).toBe(expected);
        expect(explainMatch(match, event).matched).toBe(expected);
        const closures = compileClosures(match, {});
        expect(closures === null).toBe(depthOf(match) > MAX_DEPTH);
        if (closures !== null) expect(byClosures(match, event)).toBe(expected);
      }),
      { numRuns: 200 },
    );
  });
});

describe('closures read', () => {
  const keys = ['a', 'b', 'c'].flatMap((a) => [a, `a.${a}`, `b.${a}`, `b.c.${a}`]);
  const leaf = fc.record({
    path: fc.constantFrom('type', ...keys.map((key) => `data.${key}`)),
    op: fc.constantFrom('eq' as const, 'neq' as const, 'gt' as const, 'contains' as const, 'not_in' as const),
    value: fc.constantFrom<Json>('x', 'y', 1, 2),
  });
  const tree = arbitrary.matchOf(
    leaf.map(({ value, ...leaf }) => ({ ...leaf, value: leaf.op === 'not_in' ? [value] : value }) as Leaf),
  );
  const scalar = fc.constantFrom('x', 'y', 1, 2);
  const event = fc
    .tuple(fc.array(scalar, { minLength: 8, maxLength: 8 }), fc.boolean())
    .map(([[type, a, b, c, d, e, f, g], isDeep]) => ({
      type,
      data: { a: isDeep ? { a, b } : c, b: { a: d, c: { a: e, b: f } }, c: g },
    }));

  /** Neighbors share them in one way in a program, and in another in closures. */
  const containers = ['/data', '/data/a', '/data/b', '/data/b/c'];

  test('what leaves ask for as often as the program, and nothing that it does not read', () => {
    fc.assert(
      fc.property(tree, event, (match, event) => {
        const [ofClosures, ofProgram] = [byClosures, byProgram].map((answer) => {
          const reads = new Map<string, number>();
          answer(match, counting(event, reads));
          return reads;
        });
        expect([...ofClosures!.keys()].sort()).toEqual([...ofProgram!.keys()].sort());
        for (const [path, times] of ofClosures!) {
          if (!containers.includes(path)) expect([path, times]).toEqual([path, ofProgram!.get(path)]);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('a container once for all the leaves beside each other that ask for its members', () => {
    const reads = new Map<string, number>();
    const at = (path: string): Leaf => ({ path, op: 'exists' });
    const match: Match = {
      all: [at('type'), at('data.b.a'), at('data.c'), at('data.b.c.a')],
    };
    const event = { type: 't', data: { b: { a: 1, c: { a: 1, b: 1 } }, c: 1 } };
    expect(byClosures(match, counting(event, reads))).toBe(true);
    expect(reads.get('/data')).toBe(1);
  });

  test('nothing of an event after it was decided: the next one is decided by what it has', () => {
    const matches = compileMatch(
      { all: [{ path: 'data.a', op: 'matches', value: '[ab]+c' }] },
      { patterns: { budget: 60 } },
    );
    const costly = { data: { a: 'ab'.repeat(40) } };
    const light = { data: { a: 'abc' } };
    expect([costly, light, costly, light].map(matches)).toEqual([false, true, false, true]);
  });
});

describe('compileMatch', () => {
  const at = (path: string): Leaf => ({ path, op: 'exists' });

  test('does not hear of an inherited getter that throws', () => {
    class Entity {
      readonly id = 'evt_1';
      get data(): never {
        throw new Error('not loaded');
      }
    }
    expect(compileMatch(at('data.a'))(new Entity())).toBe(false);
    expect(compileMatch({ any: [at('data.a'), at('id')] })(new Entity())).toBe(true);
  });

  test('throws what a getter of the event throws', () => {
    const event = {
      get data(): never {
        throw new Error('the database is away');
      },
    };
    expect(() => compileMatch(at('data.a'))(event)).toThrow('the database is away');
    expect(compileMatch({ any: [{ path: 'type', op: 'missing' }, at('data.a')] })(event)).toBe(true);
  });

  test('decides an event from within which it decides another', () => {
    const patterns = { budget: 100 };
    const matches = compileMatch({ path: 'data.a', op: 'matches', value: '[ab]+c' }, { patterns });
    const inner: boolean[] = [];
    const outer = {
      data: {
        get a() {
          inner.push(matches({ data: { a: 'abc' } }), matches({ data: { a: 'ab'.repeat(40) } }));
          return 'abc';
        },
      },
    };
    expect(matches(outer)).toBe(true);
    expect(inner).toEqual([true, false]);
  });

  test('takes a group of 150,000 leaves', () => {
    const leaves = Array.from({ length: 150_000 }, (_, nth): Leaf => at(`data.k${nth % 7}`));
    expect(compileMatch({ any: [{ all: leaves }, at('id')] })({ id: 'evt_1', data: {} })).toBe(true);
  });
});

function depthOf(match: Match): number {
  if ('all' in match) return 1 + Math.max(...match.all.map(depthOf));
  return 'any' in match ? 1 + Math.max(...match.any.map(depthOf)) : 0;
}

/** One level more around a tree, which rarely decides it. */
function around(inner: Match, sibling: Leaf, kind: number): Match {
  const never: Match = { all: [sibling, { path: 'data.absent', op: 'exists' }] };
  const always: Match = { any: [sibling, { path: 'data.absent', op: 'missing' }] };
  return [{ all: [inner] }, { any: [never, inner] }, { all: [always, inner] }, { any: [inner, never] }][
    kind
  ]!;
}

/** The result of `answer` while every object inherits a member. */
function whileInherited<T>(key: string, value: unknown, enumerable: boolean, answer: () => T): T {
  Object.defineProperty(Object.prototype, key, { value, enumerable, configurable: true, writable: true });
  try {
    return answer();
  } finally {
    Reflect.deleteProperty(Object.prototype, key);
  }
}

/** The value with all of its members behind getters that count how often they are read, by pointer. */
function counting(value: unknown, reads: Map<string, number>, at = ''): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const copy = {};
  for (const [key, member] of Object.entries(value)) {
    const path = `${at}/${key}`;
    const below = counting(member, reads, path);
    const get = () => {
      reads.set(path, (reads.get(path) ?? 0) + 1);
      return below;
    };
    Object.defineProperty(copy, key, { get, enumerable: true });
  }
  return copy;
}

/** An event whose class has members of its own. None throws, since only `compileMatch` answers where one does. */
class Entity {
  get b(): string {
    return `of ${typeof this.length}`;
  }

  get length(): number {
    return Object.keys(this).length;
  }
}

/** Values that are not JSON, instead of scalars. */
const oddScalars: readonly unknown[] = [
  NaN,
  Infinity,
  undefined,
  () => 'a',
  5n,
  Symbol('a'),
  new Date(5),
  'text',
  new String('a'),
];

/** The value with some of its containers made otherwise than JSON.parse does, as the numbers say. */
function oddly(value: unknown, forms: Iterator<number>): unknown {
  const form = forms.next().value ?? 0;
  if (typeof value !== 'object' || value === null) {
    return form > 90 ? oddScalars[form % oddScalars.length] : value;
  }
  const members = Object.entries(value).map(([key, member]) => [key, oddly(member, forms)] as const);
  const copy = into(Array.isArray(value) ? [] : {}, members);
  switch (form % 12) {
    case 0:
      return into(Object.create(null) as object, members);
    case 1:
      return into(new Entity(), members);
    case 2:
      return Object.create(copy);
    case 3:
      return into(Object.create({ a: 'a', c: 5, data: { a: 1 } }) as object, members);
    case 4:
      return members.reduce(
        (to, [key, member]) => Object.defineProperty(to, key, { get: () => member, enumerable: true }),
        {},
      );
    case 5:
      return new Proxy(copy, {});
    case 6:
      return into(
        [],
        members.filter(([key]) => key !== 'length'),
      );
    case 7:
      return Object.freeze(into({}, [...members, ['constructor', Object]]));
    default:
      return copy;
  }
}

/** `__proto__` among the members becomes an own one, as JSON.parse makes it. */
function into(to: object, members: Iterable<readonly [string, unknown]>): object {
  for (const [key, value] of members) {
    Object.defineProperty(to, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return to;
}

test.each([
  { members: 'elements of arrays', keys: ['0', '1'] },
  { members: 'members with names that objects inherit', keys: ['a', 'constructor'] },
])(
  'a scope in a scope in a scope reads $members once or a few times',
  ({ keys: [inner = '', other = ''] }) => {
    const depth = 14;
    let reads = 0;
    const counting = (container: object): object =>
      new Proxy(container, {
        get(target, key) {
          reads++;
          return Reflect.get(target, key) as unknown;
        },
      });
    const containerOf = (below: unknown): object =>
      inner === '0' ? [below, 1] : { a: below, constructor: 1 };
    let match: Match | null = null;
    let event: unknown = 1;
    for (let level = depth - 1; level >= 0; level--) {
      const path = `${inner}.`.repeat(level);
      const leaves: Match[] = [
        { path: path + inner, op: 'exists' },
        { path: path + other, op: 'exists' },
      ];
      match = { all: match === null ? leaves : [...leaves, match] };
      event = counting(containerOf(event));
    }
    expect(compileMatch(match as Match)(event)).toBe(true);
    expect(reads).toBeGreaterThan(2 * depth - 1);
    expect(reads).toBeLessThan(20 * depth);
  },
);
