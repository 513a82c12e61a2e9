/**
 * Every rule that was made valid is accepted; every fault planted in it is found, with its pointer, beside all others.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  RuleError,
  importRules,
  parseRule,
  validateRule,
  type Rule,
  type RuleIssueCode,
} from '../../src/index.js';
import * as arbitrary from './arbitraries.js';

type Members = Record<string, unknown>;

/** An object of a rule and where it stands. */
interface Site {
  readonly node: Members;
  readonly pointer: string;
}

/** A fault in one object: the change, the member that the issue is about, and the issue's code. */
interface Fault {
  readonly name: string;
  readonly applies?: (node: Members) => boolean;
  readonly change: Members;
  /** Member to leave out. */
  readonly omit?: string;
  /** Pointer from the object. */
  readonly at: string;
  readonly code: RuleIssueCode;
}

const has =
  (key: string, ...values: unknown[]) =>
  (node: Members): boolean =>
    Object.hasOwn(node, key) && (values.length === 0 || values.includes(node[key]));

const valued = has('op', 'eq', 'neq', 'contains', 'not_contains');
const listed = has('op', 'in', 'not_in');
const texts = has('op', 'starts_with', 'ends_with', 'matches', 'not_matches');
const patterns = has('op', 'matches', 'not_matches');
const orders = has('op', 'gt', 'gte', 'lt', 'lte');
const presence = has('op', 'exists', 'missing');
const own = (key: string, value: unknown): Members => Object.fromEntries([[key, value]]);

const stray: Fault[] = [
  { name: 'an unknown key', change: { comment: 'x' }, at: '/comment', code: 'unknown_key' },
  {
    name: 'an unknown key that a pointer escapes',
    change: { 'a/b~c': 1 },
    at: '/a~1b~0c',
    code: 'unknown_key',
  },
  { name: 'a key __proto__', change: own('__proto__', {}), at: '/__proto__', code: 'unknown_key' },
];

const paths: Fault[] = [
  { name: 'no path', change: {}, omit: 'path', at: '/path', code: 'missing_key' },
  { name: 'a path that is a number', change: { path: 5 }, at: '/path', code: 'invalid_type' },
  { name: 'an empty path', change: { path: '' }, at: '/path', code: 'invalid_path' },
  { name: 'an empty segment', change: { path: 'data..a' }, at: '/path', code: 'invalid_path' },
  { name: 'a dot at the end', change: { path: 'data.a.' }, at: '/path', code: 'invalid_path' },
  { name: 'a stray backslash', change: { path: 'data.\\a' }, at: '/path', code: 'invalid_path' },
  { name: 'a backslash at the end', change: { path: 'data.a\\' }, at: '/path', code: 'invalid_path' },
];

const sources = (member: string): Fault[] => [
  {
    name: 'a pattern of 201',
    change: { [member]: '😀'.repeat(201) },
    at: `/${member}`,
    code: 'pattern_too_long',
  },
  { name: 'a look-ahead', change: { [member]: 'a(?=b)' }, at: `/${member}`, code: 'invalid_pattern' },
  { name: 'a back-reference', change: { [member]: '(a)\\1' }, at: `/${member}`, code: 'invalid_pattern' },
  { name: 'an open group', change: { [member]: '(' }, at: `/${member}`, code: 'invalid_pattern' },
  {
    name: 'a monster',
    change: { [member]: '(\\p{L}{20}){20}' },
    at: `/${member}`,
    code: 'pattern_too_complex',
  },
];

const leafFaults: Fault[] = [
  ...stray,
  ...paths,
  ...sources('value').map((fault) => ({ ...fault, applies: patterns })),
  { name: 'no op', change: {}, omit: 'op', at: '/op', code: 'missing_key' },
  { name: 'an unknown op', change: { op: 'equals' }, at: '/op', code: 'unknown_operator' },
  { name: 'an inherited op', change: { op: 'toString' }, at: '/op', code: 'unknown_operator' },
  { name: 'an op that is no text', change: { op: ['eq'] }, at: '/op', code: 'unknown_operator' },
  {
    name: 'no value',
    applies: (node) => !presence(node),
    change: {},
    omit: 'value',
    at: '/value',
    code: 'missing_key',
  },
  { name: 'no list', applies: listed, change: { value: 'a' }, at: '/value', code: 'invalid_value' },
  { name: 'no text', applies: texts, change: { value: 5 }, at: '/value', code: 'invalid_value' },
  { name: 'no order', applies: orders, change: { value: true }, at: '/value', code: 'invalid_value' },
  { name: 'exists: false', applies: presence, change: { value: false }, at: '/value', code: 'invalid_value' },
  { name: 'no JSON', applies: valued, change: { value: { a: [NaN] } }, at: '/value', code: 'invalid_value' },
];

const groupFaults = (key: 'all' | 'any', other: 'all' | 'any'): Fault[] =>
  [
    ...stray,
    { name: 'no children', change: { [key]: [] }, at: `/${key}`, code: 'empty_group' as const },
    { name: 'children in an object', change: { [key]: {} }, at: `/${key}`, code: 'invalid_type' as const },
    { name: 'a child null', change: { [key]: [null] }, at: `/${key}/0`, code: 'invalid_node' as const },
    { name: 'a child in a list', change: { [key]: [[]] }, at: `/${key}/0`, code: 'invalid_node' as const },
    { name: 'a child with nothing', change: { [key]: [{}] }, at: `/${key}/0`, code: 'invalid_node' as const },
    {
      name: 'both kinds at once',
      change: { [other]: [{ path: 'a', op: 'exists' }] },
      at: '',
      code: 'invalid_node' as const,
    },
  ].map((fault) => ({ ...fault, applies: has(key) }));

const opFaults: Fault[] = [
  ...stray,
  ...paths,
  ...sources('regex').map((fault) => ({ ...fault, applies: has('op', 'redact') })),
  { name: 'no op', change: {}, omit: 'op', at: '/op', code: 'missing_key' },
  { name: 'an unknown op', change: { op: 'constructor' }, at: '/op', code: 'unknown_op' },
  { name: 'outside data', change: { path: 'type' }, at: '/path', code: 'transform_outside_data' },
  { name: 'data itself', change: { path: 'data' }, at: '/path', code: 'transform_outside_data' },
  { name: 'raw_payload', change: { path: 'raw_payload.a' }, at: '/path', code: 'transform_outside_data' },
  { name: 'a key data.a', change: { path: 'data\\.a' }, at: '/path', code: 'transform_outside_data' },
  {
    name: 'no value',
    applies: has('op', 'set'),
    change: {},
    omit: 'value',
    at: '/value',
    code: 'missing_key',
  },
  {
    name: 'a replacement of 1,001',
    applies: has('op', 'redact'),
    change: { replace: '$'.repeat(1_001) },
    at: '/replace',
    code: 'replace_too_long',
  },
  {
    name: 'deep in words',
    applies: has('op', 'redact'),
    change: { deep: 'true' },
    at: '/deep',
    code: 'invalid_type',
  },
  {
    name: 'no replace',
    applies: has('op', 'redact'),
    change: {},
    omit: 'replace',
    at: '/replace',
    code: 'missing_key',
  },
];

const UUID = '00000000-0000-4000-8000-000000000000';
const ofType = (type: string) => has('type', type);
const actionFaults: Fault[] = [
  ...stray,
  { name: 'no type', change: {}, omit: 'type', at: '/type', code: 'missing_key' },
  { name: 'an unknown type', change: { type: 'delete' }, at: '/type', code: 'unknown_action' },
  { name: 'no ops', applies: ofType('transform'), change: {}, omit: 'ops', at: '/ops', code: 'missing_key' },
  { name: 'empty ops', applies: ofType('transform'), change: { ops: [] }, at: '/ops', code: 'out_of_bounds' },
  {
    name: 'an op null',
    applies: ofType('transform'),
    change: { ops: [null] },
    at: '/ops/0',
    code: 'invalid_type',
  },
  {
    name: '101 ops',
    applies: ofType('transform'),
    change: { ops: Array.from({ length: 101 }, () => ({ op: 'trim', path: 'data.a' })) },
    at: '/ops',
    code: 'out_of_bounds',
  },
  { name: 'empty tags', applies: ofType('tag'), change: { tags: [] }, at: '/tags', code: 'out_of_bounds' },
  {
    name: '51 tags',
    applies: ofType('tag'),
    change: { tags: Array(51).fill('a') },
    at: '/tags',
    code: 'out_of_bounds',
  },
  {
    name: 'a tag of 101',
    applies: ofType('tag'),
    change: { tags: ['😀'.repeat(101)] },
    at: '/tags/0',
    code: 'out_of_bounds',
  },
  {
    name: 'a tag 5',
    applies: ofType('tag'),
    change: { tags: ['a', 5] },
    at: '/tags/1',
    code: 'invalid_type',
  },
  ...[
    {
      name: 'no endpoints',
      change: { endpoint_ids: [] },
      at: '/endpoint_ids',
      code: 'out_of_bounds' as const,
    },
    {
      name: '1,001 endpoints',
      change: { endpoint_ids: Array(1001).fill(UUID) },
      at: '/endpoint_ids',
      code: 'out_of_bounds' as const,
    },
    {
      name: 'no UUID',
      change: { endpoint_ids: [UUID, 'x'] },
      at: '/endpoint_ids/1',
      code: 'invalid_endpoint_id' as const,
    },
    {
      name: 'a line after',
      change: { endpoint_ids: [`${UUID}\n`] },
      at: '/endpoint_ids/0',
      code: 'invalid_endpoint_id' as const,
    },
  ].map((fault) => ({ ...fault, applies: ofType('route_only') })),
];

const ruleFaults: Fault[] = [
  ...stray,
  { name: 'no id', change: {}, omit: 'id', at: '/id', code: 'missing_key' },
  { name: 'no name', change: {}, omit: 'name', at: '/name', code: 'missing_key' },
  { name: 'an empty name', change: { name: '' }, at: '/name', code: 'out_of_bounds' },
  { name: 'a name of 201', change: { name: '😀'.repeat(201) }, at: '/name', code: 'out_of_bounds' },
  {
    name: 'a description of 2,001',
    change: { description: '😀'.repeat(2001) },
    at: '/description',
    code: 'out_of_bounds',
  },
  { name: 'a description null', change: { description: null }, at: '/description', code: 'invalid_type' },
  { name: 'another stage', change: { stage: 'ingest' }, at: '/stage', code: 'invalid_stage' },
  { name: 'a broken priority', change: { priority: 1.5 }, at: '/priority', code: 'invalid_type' },
  { name: 'a priority in text', change: { priority: '1' }, at: '/priority', code: 'invalid_type' },
  { name: 'an unsafe priority', change: { priority: 2 ** 53 }, at: '/priority', code: 'out_of_bounds' },
  { name: 'enabled in text', change: { enabled: 'no' }, at: '/enabled', code: 'invalid_type' },
  { name: 'no match', change: {}, omit: 'match', at: '/match', code: 'missing_key' },
  { name: 'a match in a list', change: { match: [] }, at: '/match', code: 'invalid_type' },
  { name: 'no action', change: {}, omit: 'action', at: '/action', code: 'missing_key' },
  { name: 'an action null', change: { action: null }, at: '/action', code: 'invalid_type' },
];

/** A leaf, op, action or group is known by what it holds. */
function faultsFor({ node, pointer }: Site): Fault[] {
  const kind =
    pointer === ''
      ? ruleFaults
      : pointer === '/action'
        ? actionFaults
        : pointer.startsWith('/action')
          ? opFaults
          : Object.hasOwn(node, 'all')
            ? groupFaults('all', 'any')
            : Object.hasOwn(node, 'any')
              ? groupFaults('any', 'all')
              : leafFaults;
  return kind.filter(({ applies = () => true }) => applies(node));
}

/** The objects of a rule that are checked, each before those within it. */
function sitesOf(rule: Members): Site[] {
  const action = rule.action as Members;
  const ops = (action.ops ?? []) as Members[];
  return [
    { node: rule, pointer: '' },
    ...nodesOf(rule.match as Members, '/match'),
    { node: action, pointer: '/action' },
    ...ops.map((node, i) => ({ node, pointer: `/action/ops/${i}` })),
  ];
}

function nodesOf(node: Members, pointer: string): Site[] {
  const key = ['all', 'any'].find((group) => Object.hasOwn(node, group));
  const children = key === undefined ? [] : (node[key] as Members[]);
  return [{ node, pointer }, ...children.flatMap((child, i) => nodesOf(child, `${pointer}/${key!}/${i}`))];
}

const copy = (rule: Rule): Members => structuredClone(rule) as unknown as Members;

/** Makes the fault; returns where it must be found. */
function plant({ node, pointer }: Site, { change, omit, at, code }: Fault): string {
  if (omit !== undefined) Reflect.deleteProperty(node, omit);
  for (const [key, value] of Object.entries(change)) {
    Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return `${pointer}${at} ${code}`;
}

function found(input: unknown): string[] {
  const result = validateRule(input);
  return result.ok ? [] : result.issues.map(({ pointer, code }) => `${pointer} ${code}`);
}

describe('validateRule', () => {
  test('accepts every valid rule, and gives back the very object', () => {
    fc.assert(
      fc.property(arbitrary.rule(), (rule) => {
        expect(validateRule(arbitrary.deepFrozen(rule))).toEqual({ ok: true, rule });
        expect(parseRule(rule)).toBe(rule);
        expect(found(JSON.parse(JSON.stringify(rule)))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('finds a planted fault where it is, and nothing else', () => {
    const planted = new Set<string>();
    fc.assert(
      fc.property(arbitrary.rule(), fc.nat(), fc.nat(), (rule, nth, kind) => {
        const broken = copy(rule);
        const sites = sitesOf(broken);
        const site = sites[nth % sites.length]!;
        const faults = faultsFor(site);
        const fault = faults[kind % faults.length]!;
        planted.add(fault.name);
        const expected = plant(site, fault);
        expect(found(broken)).toEqual([expected]);
        expect(() => parseRule(broken)).toThrow(RuleError);
      }),
      { numRuns: 3_000 },
    );
    expect(planted.size).toBeGreaterThan(60);
  });

  test('finds a fault in every leaf, every op and the rule itself at once', () => {
    fc.assert(
      fc.property(arbitrary.rule(), fc.nat(), (rule, kind) => {
        const broken = copy(rule);
        const sites = sitesOf(broken).filter(({ node }) => has('path')(node) || has('name')(node));
        const expected = sites.map((site) => plant(site, faultsFor(site)[kind % 3]!));
        expect(found(broken).sort()).toEqual(expected.sort());
      }),
      { numRuns: 500 },
    );
  });

  test.for(['name', 'description', 'tags'])('counts code points in %s', (member) => {
    const rule = { id: 'a', name: 'a', stage: 'deliver', match: { path: 'a', op: 'exists' }, priority: 0 };
    const tags = [member === 'tags' ? '😀'.repeat(100) : 'a'];
    const long = { name: '😀'.repeat(200), description: '😀'.repeat(2_000), tags: 'a' };
    const input = { ...rule, action: { type: 'tag', tags } };
    const filled = member === 'tags' ? input : { ...input, [member]: long[member as 'name'] };
    expect(found(filled)).toEqual([]);
  });
});

describe('importRules', () => {
  test('keeps the valid entries and reports each fault with the index of its entry', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(arbitrary.rule(), fc.boolean(), fc.nat())), (entries) => {
        const expected: string[] = [];
        const file = entries.map(([rule, broken, kind], index) => {
          const entry = copy(rule);
          const site = sitesOf(entry)[1]!;
          const faults = faultsFor(site);
          if (broken) expected.push(`${index} ${plant(site, faults[kind % faults.length]!)}`);
          return entry;
        });
        const { rules, summary } = importRules(file);
        expect(rules.map(({ name }) => name)).toEqual(
          entries.filter(([, broken]) => !broken).map(([{ name }]) => name),
        );
        expect([summary.imported, summary.skipped]).toEqual([rules.length, entries.length - rules.length]);
        expect(summary.errors.map(({ index, pointer, code }) => `${index} ${pointer} ${code}`)).toEqual(
          expected,
        );
      }),
      { numRuns: 300 },
    );
  });
});
