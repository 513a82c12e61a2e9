/** Hostile input: depth, size, odd shapes. Nothing overflows, hangs, or reaches a prototype. */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  compileMatch,
  compileRules,
  compileTransform,
  diffJson,
  dryRun,
  explainMatch,
  exportRules,
  importRules,
  parseRule,
  validateRule,
  type Event,
  type Json,
  type Leaf,
  type Match,
  type Rule,
  type TransformOp,
} from '../../src/index.js';

const DEEP = 100_000;

const leaf: Leaf = { path: 'data.a', op: 'eq', value: 1 };
const event: Event = { id: 'evt_1', type: 't', data: { a: 1 } };
const ruleOf = (match: Match, more: Partial<Rule> = {}): Rule => ({
  id: 'r',
  name: 'r',
  stage: 'deliver',
  match,
  action: { type: 'tag', tags: ['seen'] },
  priority: 0,
  ...more,
});

/** A tree of nested groups around a leaf; each holds a sibling beside what is deeper. */
function deepTree(depth: number, innermost: unknown = leaf): Match {
  let tree = innermost as Match;
  for (let i = 0; i < depth; i++) tree = i % 2 === 0 ? { all: [leaf, tree] } : { any: [tree, leaf] };
  return tree;
}

/** `[[[…]]]` and `{"a":{"a":…}}` by turns. */
function deepValue(depth: number, innermost: Json = 1): Json {
  let value = innermost;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

const deepText = (depth: number): string =>
  `${'{"all":['.repeat(depth)}${JSON.stringify(leaf)}${']}'.repeat(depth)}`;

describe(`${DEEP.toLocaleString('en')} levels`, () => {
  const rule = ruleOf(deepTree(DEEP));
  const valued = (value: Json): Rule => ruleOf({ path: 'data.a', op: 'eq', value });

  test('validate and parse', () => {
    expect(validateRule(rule).ok).toBe(true);
    expect(parseRule(rule)).toBe(rule);
  });

  test('validate finds what is wrong at the bottom', () => {
    const result = validateRule(ruleOf(deepTree(DEEP, { path: '', op: 'exists' })));
    expect(result.ok ? [] : result.issues.map(({ code }) => code)).toEqual(['invalid_path']);
  });

  test('compile and evaluate', () => {
    expect(compileMatch(rule.match)(event)).toBe(true);
    expect(compileMatch(rule.match)({ data: { a: 2 } })).toBe(false);
    expect(compileRules([rule]).evaluate(event).tags).toEqual(['seen']);
  });

  test('explain', () => {
    const { matched, leaves } = explainMatch(rule.match, event);
    expect(matched).toBe(true);
    expect(leaves).toHaveLength(DEEP + 1);
    expect(
      Math.max(...leaves.slice(DEEP / 2, DEEP / 2 + 2).map(({ pointer }) => pointer.length)),
    ).toBeGreaterThan(DEEP);
  });

  test('export and import, as an object and as text', () => {
    const documents = exportRules([rule]);
    expect(importRules(documents).summary).toEqual({ imported: 1, skipped: 0, errors: [] });
    const text = `{"name":"r","stage":"deliver","priority":0,"action":{"type":"drop"},"match":${deepText(DEEP)}}`;
    const { rules } = importRules(text);
    expect(compileRules(rules).evaluate(event).outcome).toBe('drop');
  });

  test('dry-run', async () => {
    const { match, action, stage } = rule;
    const now = Date.UTC(2026, 0, 1);
    const events = [{ ...event, received_at: new Date(now).toISOString() }];
    expect((await dryRun({ match, action, stage }, events, { windowHours: 1, now })).matched).toBe(1);
  });

  test('equal values', () => {
    const match: Match = { path: 'data.a', op: 'eq', value: deepValue(DEEP) };
    expect(compileMatch(match)({ data: { a: deepValue(DEEP) } })).toBe(true);
    expect(compileMatch(match)({ data: { a: deepValue(DEEP, 2) } })).toBe(false);
    expect(
      compileRules([valued(deepValue(DEEP))]).evaluate({ ...event, data: { a: deepValue(DEEP) } }).tags,
    ).toEqual(['seen']);
    expect(
      compileMatch({ path: 'data.a', op: 'in', value: [deepValue(DEEP)] })({ data: { a: deepValue(DEEP) } }),
    ).toBe(true);
    expect(
      compileMatch({ path: 'data.a', op: 'contains', value: deepValue(DEEP) })({
        data: { a: [deepValue(DEEP)] },
      }),
    ).toBe(true);
  });

  test('a path', () => {
    const path = `data${'.a'.repeat(DEEP)}`;
    let data: Json = { a: 'x' };
    for (let i = 1; i < DEEP; i++) data = { a: data };
    const deep = { ...event, data: data as Event['data'] };
    expect(compileMatch({ path, op: 'eq', value: 'x' })(deep)).toBe(true);
    const after = compileTransform([{ op: 'uppercase', path }])(deep);
    expect(compileMatch({ path, op: 'eq', value: 'X' })(after)).toBe(true);
    expect(diffJson(deep, after)).toEqual([{ path, before: 'x', after: 'X' }]);
  });

  test('a value that is set', () => {
    const ops: TransformOp[] = [{ op: 'set', path: 'data.a', value: deepValue(DEEP) }];
    const set = compileTransform(ops);
    const once = set(event);
    expect(compileMatch({ path: 'data.a', op: 'eq', value: deepValue(DEEP) })(once)).toBe(true);
    expect(set(once)).toBe(once);
  });
});

describe('time grows with size, not faster', () => {
  const validMatch = (depth: number) => () => validateRule(ruleOf(deepTree(depth)));
  const compile = (depth: number) => () => compileMatch(deepTree(depth))(event);
  const faulty = (depth: number) => () => validateRule(ruleOf(deepTree(depth, { path: '', op: 'exists' })));
  const explain = (depth: number) => () => explainMatch(deepTree(depth), event);
  const wide = (width: number) => () =>
    compileMatch({ all: Array.from({ length: width }, () => leaf) })(event);
  const path = (length: number) => () =>
    compileMatch({ path: `a${'.a'.repeat(length)}`, op: 'exists' })(event);
  const text = (length: number) => () => importRules(deepText(length));
  const list = (length: number) => {
    const match: Match = { path: 'data.a', op: 'in', value: Array.from({ length }, () => ({})) };
    const data = Object.fromEntries(Array.from({ length }, (_, i) => [`k${i}`, i]));
    return () => compileMatch(match)({ data: { a: data } });
  };
  const elements = (length: number) => {
    const value = Object.fromEntries(Array.from({ length }, (_, i) => [`k${i}`, i]));
    const data = { a: Array.from({ length }, () => ({})) };
    return () => compileMatch({ path: 'data.a', op: 'contains', value })({ data });
  };

  /** Processor time of a run, in milliseconds; the best of two. */
  function cost(run: () => unknown): number {
    const once = (): number => {
      const start = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1_000;
    };
    return Math.min(once(), once());
  }

  test.for([
    { name: 'validating a deep tree', of: validMatch, size: 100_000 },
    { name: 'compiling a deep tree', of: compile, size: 100_000 },
    { name: 'finding a fault at the bottom', of: faulty, size: 100_000 },
    { name: 'explaining a deep tree', of: explain, size: 100_000 },
    { name: 'a wide group', of: wide, size: 100_000 },
    { name: 'a long path', of: path, size: 100_000 },
    { name: 'a deep file', of: text, size: 100_000 },
    { name: 'an object looked up in a list of objects', of: list, size: 20_000 },
    { name: 'an object looked for in an array of objects', of: elements, size: 20_000 },
  ])('$name', ({ of, size }) => {
    const [part, whole] = [cost(of(size / 8)), cost(of(size))];
    // Eight times the size costs about eight times as much, and 64 times as much where the cost is quadratic.
    expect(whole).toBeLessThan(24 * part + 200);
  });
});

describe('files of 10 MiB', () => {
  const SIZE = 10 * 1_048_576;
  const list = (entry: string, room = SIZE): string =>
    `[${`${entry},`.repeat(Math.floor((room - 2) / (entry.length + 1)) - 1)}${entry}]`;
  const rule = (match: string, action = '{"type":"drop"}'): string =>
    `{"name":"r","stage":"deliver","priority":0,"action":${action},"match":${match}}`;
  const nested = (open: string, close: string): string => {
    const levels = Math.floor((SIZE - 200) / (open.length + close.length));
    return `${open.repeat(levels)}1${close.repeat(levels)}`;
  };
  const keys = (): string => `{${Array.from({ length: 850_000 }, (_, i) => `"k${i}":0`).join(',')}}`;

  test.for([
    { name: 'empty entries', file: () => list('{}'), first: 'missing_key', full: true },
    { name: 'numbers', file: () => list('5'), first: 'invalid_type', full: true },
    {
      name: 'a fault at each level',
      file: () => rule(nested('{"x":1,"all":[', ']}')),
      first: 'unknown_key',
      full: true,
    },
    { name: 'unknown keys', file: keys, first: 'missing_key', full: true },
    {
      name: 'children that are nothing',
      file: () => rule(`{"all":${list('{}', SIZE - 200)}}`),
      first: 'invalid_node',
      full: true,
    },
    {
      name: 'tags',
      file: () => rule('{"path":"a","op":"exists"}', `{"type":"tag","tags":${list('""', SIZE - 200)}}`),
      first: 'out_of_bounds',
      full: false,
    },
    {
      name: 'one path with an empty end',
      file: () => rule(`{"op":"exists","path":"${'a.'.repeat(SIZE / 2 - 100)}"}`),
      first: 'invalid_path',
      full: false,
    },
  ])('full of $name: refused, with a report of bounded size', ({ file, first, full }) => {
    const text = file();
    expect(text.length).toBeGreaterThan(SIZE * 0.9);
    const { rules, summary } = importRules(text);
    expect(rules).toEqual([]);
    expect(summary.imported).toBe(0);
    expect(summary.skipped).toBeGreaterThan(0);
    expect(summary.errors[0]?.code).toBe(first);
    expect(summary.errors.some(({ code }) => code === 'too_many_issues')).toBe(full);
    expect(JSON.stringify(summary.errors).length).toBeLessThan(20_000_000);
  });

  test('one more byte is too much', () => {
    const { errors } = importRules(`${list('{}')}${' '.repeat(SIZE)}`).summary;
    expect(errors.map(({ code, index }) => [code, index])).toEqual([['file_too_large', null]]);
  });

  test('a value a million levels deep is a value', () => {
    const text = rule(`{"path":"a","op":"eq","value":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`);
    expect(importRules(text).summary).toEqual({ imported: 1, skipped: 0, errors: [] });
  });
});

describe('prototypes', () => {
  const parsed = (text: string) => JSON.parse(text) as Event;
  const paths = [
    'data.__proto__.polluted',
    'data.constructor.prototype.polluted',
    'data.a.__proto__',
    'data.list.__proto__',
  ];

  test.for(paths)('%s is absent, and nothing is written there', (path) => {
    const before = { ...event, data: { a: {}, list: [] } };
    const after = compileTransform([{ op: 'set', path, value: { polluted: true } }])(before);
    expect(after).toBe(before);
    expect(compileMatch({ path, op: 'missing' })(before)).toBe(true);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(([] as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('a key __proto__ that JSON made is a key like any other', () => {
    const before = parsed('{"id":"e","type":"t","data":{"__proto__":{"a":"x"}}}');
    const after = compileTransform([{ op: 'uppercase', path: 'data.__proto__.a' }])(before);
    expect(JSON.stringify(after.data)).toBe('{"__proto__":{"a":"X"}}');
    expect(JSON.stringify(before.data)).toBe('{"__proto__":{"a":"x"}}');
    expect(Object.getPrototypeOf(after.data)).toBe(Object.prototype);
    const replaced = compileTransform([{ op: 'set', path: 'data.__proto__', value: 5 }])(before);
    expect(JSON.stringify(replaced.data)).toBe('{"__proto__":5}');
  });

  test('a value that is set keeps its key __proto__ to itself', () => {
    const value = JSON.parse('{"__proto__":{"polluted":true}}') as Json;
    const { data } = compileTransform([{ op: 'set', path: 'data.a', value }])(event);
    expect(JSON.stringify(data)).toBe('{"a":{"__proto__":{"polluted":true}}}');
    expect((data.a as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('what is no rule', () => {
  const cyclicTree = { all: [leaf] as unknown[] };
  cyclicTree.all.push(cyclicTree);
  const cyclicValue: Record<string, unknown> = {};
  cyclicValue.self = { cyclicValue };

  test.for([
    { name: 'a tree', match: cyclicTree, code: 'invalid_node' },
    { name: 'a value', match: { path: 'data.a', op: 'eq', value: cyclicValue }, code: 'invalid_value' },
    { name: 'a list', match: { path: 'data.a', op: 'in', value: [cyclicValue] }, code: 'invalid_value' },
  ])('$name that contains itself is refused', ({ match, code }) => {
    const result = validateRule({ ...ruleOf(leaf), match });
    expect(result.ok ? [] : result.issues.map((issue) => issue.code)).toEqual([code]);
    expect(() => compileMatch(match as Match)).toThrow('contains itself');
    expect(importRules([{ ...ruleOf(leaf), match }]).summary.skipped).toBe(1);
  });

  test('a set value that contains itself is refused', () => {
    const op = { op: 'set', path: 'data.a', value: cyclicValue } as unknown as TransformOp;
    expect(() => compileTransform([op])).toThrow('contains itself');
  });

  const inputs: unknown[] = [
    null,
    undefined,
    5,
    'x',
    true,
    [],
    [[]],
    {},
    new Date(0),
    () => 1,
    Symbol('s'),
    10n,
    new Map(),
  ];

  test.for(inputs.map((input) => ({ shown: inspect(input), input })))(
    '$shown is refused everywhere, in sentences',
    ({ input }) => {
      expect(validateRule(input).ok).toBe(false);
      expect(() => parseRule(input)).toThrow('problem');
      expect(() => compileMatch(input as Match)).toThrow('problem');
      expect(() => compileRules([input as Rule])).toThrow('problem');
      if (!Array.isArray(input) || input.length > 0) {
        expect(() => compileRules(input as Rule[])).toThrow('problem');
      }
      expect(() => compileTransform(input as TransformOp[])).toThrow('problem');
      expect(importRules(input).rules).toEqual([]);
    },
  );
});

describe('ops that make text grow', () => {
  const bomb = (path: string): TransformOp[] =>
    Array.from({ length: 100 }, () => ({ op: 'redact', path, regex: 'b', replace: `b${'a'.repeat(200)}` }));
  const before: Event = { ...event, data: { a: 'b'.repeat(15_000), c: 'b'.repeat(15_000) } };

  test('end in a string that is replaced as a whole, and in limits', () => {
    const rules = ['data.a', 'data.c'].map((path, i) =>
      ruleOf({ path, op: 'exists' }, { id: `${i}`, action: { type: 'transform', ops: bomb(path) } }),
    );
    const { event: after, limits } = compileRules(rules).evaluate(before);
    expect(limits.map(({ path }) => path)).toContain('data.c');
    expect(JSON.stringify(after).length).toBeLessThan(2 ** 22 + 60_000);
  });

  test('leave each event its own room', () => {
    const transform = compileTransform(bomb('data.a').slice(0, 1));
    const [one, other] = [transform(before), transform(before)];
    expect(one.data.a).toHaveLength(15_000 * 201);
    expect(other).toEqual(one);
  });
});

describe('what is no event', () => {
  const rules = compileRules([
    ruleOf({ path: 'type', op: 'missing' }, { id: '1' }),
    ruleOf(
      { any: [leaf, { path: 'a', op: 'missing' }] },
      { id: '2', action: { type: 'transform', ops: [{ op: 'trim', path: 'data.a.0' }] } },
    ),
    ruleOf({ path: 'data', op: 'exists' }, { id: '3', action: { type: 'drop' } }),
  ]);
  const odd: unknown[] = [
    null,
    undefined,
    5,
    'x',
    true,
    [],
    {},
    { data: null },
    { data: 5, tags: 'seen' },
    { data: [' a'], tags: { length: 3 } },
    { data: {}, tags: [null, 5, 'own', ['x']] },
    { tags: 5 },
    Object.create(null),
  ];

  test.for(odd.map((input) => ({ shown: inspect(input), input })))(
    '$shown is evaluated without a word',
    ({ input }) => {
      const { outcome, tags } = rules.evaluate(input as Event);
      expect(outcome).toBe(
        typeof input === 'object' && input !== null && 'data' in input ? 'drop' : 'deliver',
      );
      expect(tags.every((tag) => typeof tag === 'string')).toBe(true);
    },
  );

  test('nor does a dry-run mind', async () => {
    const now = Date.UTC(2026, 0, 1);
    const received_at = new Date(now).toISOString();
    const events = odd.map((input) =>
      typeof input === 'object' && input !== null ? { ...input, received_at } : input,
    );
    const match: Match = { path: 'received_at', op: 'exists' };
    for (const action of rules.rules.map((rule) => rule.action)) {
      const report = await dryRun({ stage: 'deliver', match, action }, events as Event[], {
        windowHours: 1,
        now,
      });
      expect(report.matched).toBe(odd.filter((input) => typeof input === 'object' && input !== null).length);
    }
  });
});
