/** Values that are handed out by one caller and used by all: nobody can change them for the others. */
import { describe, expect, test } from 'vitest';
import * as delivery from '../../src/delivery/index.js';
import * as headgate from '../../src/index.js';
import {
  compileMatch,
  compileRules,
  exportRules,
  importRules,
  type Event,
  type Json,
  type Match,
  type Rule,
} from '../../src/index.js';
import { compileReferenceRules } from '../../src/testing/index.js';
import * as http from '../../src/adapters/http/index.js';
import * as memory from '../../src/adapters/memory/index.js';
import * as opentelemetry from '../../src/adapters/opentelemetry/index.js';
import * as postgres from '../../src/adapters/postgres/index.js';
import * as sqlite from '../../src/adapters/sqlite/index.js';
import * as re2Wasm from '../../src/patterns/re2-wasm/index.js';
import * as signing from '../../src/signing/index.js';
import * as web from '../../src/signing/web.js';

/** The paths in a value at which something can still be changed. */
function changeable(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, member]) => changeable(member, `${path}.${key}`));
  return Object.isFrozen(value) ? inside : [path, ...inside];
}

test.for(
  Object.entries({
    headgate,
    delivery,
    signing,
    web,
    memory,
    sqlite,
    postgres,
    http,
    opentelemetry,
    re2Wasm,
  }),
)('every table that %s exports is frozen throughout', ([name, exported]) => {
  expect(changeable(Object.freeze({ ...exported }), name)).toEqual([]);
});

const ENDPOINT = '3f0b2c1e-5d7a-4c8e-9b1f-2a6d8e4c7f10';
const wanted: { [key: string]: Json } = { k: [1] };
const match = (): Match => ({
  all: [
    { path: 'data.a', op: 'eq', value: { k: [1] } },
    { path: 'type', op: 'in', value: ['t', { x: [] }] },
  ],
});
const rules = (): Rule[] => {
  const rule = { name: 'r', stage: 'deliver', priority: 0 } as const;
  return [
    { ...rule, id: '1', match: match(), action: { type: 'tag', tags: ['seen'] } },
    {
      ...rule,
      id: '2',
      match: match(),
      action: { type: 'route_only', endpoint_ids: [ENDPOINT.toUpperCase()] },
    },
    {
      ...rule,
      id: '3',
      match: match(),
      action: { type: 'transform', ops: [{ op: 'set', path: 'data.a', value: { list: [1] } }] },
    },
    { ...rule, id: '4', priority: 1, match: { path: 'data.b', op: 'exists' }, action: { type: 'drop' } },
  ];
};
const events: Event[] = [
  { id: 'evt_1', type: 't', data: { a: wanted }, tags: ['own'] },
  { id: 'evt_2', type: 't', data: { a: wanted, b: 1 } },
  { id: 'evt_3', type: 'u', data: {} },
];

/** Changes everything that can be changed, and empties every list; frozen objects say no. */
function vandalize(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    vandalize(member);
    Reflect.set(value, key, 'spoiled');
  }
  if (Array.isArray(value) && !Object.isFrozen(value)) value.length = 0;
}

describe.for(Object.entries({ compileRules, compileReferenceRules }))('rules of %s', ([, compile]) => {
  const texts = (set: { evaluate(event: Event): unknown }): string[] =>
    events.map((event) => JSON.stringify(set.evaluate(event)));

  test('decide the same whatever is done to what was handed in', () => {
    const given = rules();
    const set = compile(given);
    const before = texts(compile(rules()));
    vandalize(given);
    expect(texts(set)).toEqual(before);
  });

  test('decide the same whatever is done to what was handed out', () => {
    const set = compile(rules());
    const before = texts(set);
    for (const event of events) {
      const { event: decided, ...decision } = set.evaluate(event);
      vandalize(decision);
      vandalize(decided.tags);
    }
    vandalize(set.rules);
    if ('describe' in set) vandalize((set as headgate.RuleSet).describe());
    expect(texts(set)).toEqual(before);
    expect(() => (set.rules as Rule[]).sort(() => -1)).toThrow(TypeError);
  });

  test('are the very objects handed in, frozen, unless ids had to be put into lower case', () => {
    const given = rules();
    const set = compile(given);
    expect(set.rules.map((rule, i) => rule === given[i])).toEqual([true, false, true, true]);
    expect(changeable(set.rules, 'rules')).toEqual([]);
    expect(Object.isFrozen(given[1])).toBe(false);
  });

  test('of a class are copied: an entity of the host stays its own', () => {
    class Entity {
      counts = { matched: 1 };
    }
    const entity = Object.assign(new Entity(), rules()[0]!);
    const set = compile([entity]);
    expect(Object.isFrozen(entity)).toBe(false);
    expect(Object.isFrozen(entity.counts)).toBe(false);
    (entity as { name: string }).name = 'edited';
    expect(set.evaluate(events[0]!).matched[0]?.name).toBe('r');
  });
});

test('a change of a rule set is copied out of the hands of the host, too', () => {
  const put = rules();
  const set = compileRules([]).update({ put });
  const before = JSON.stringify(set.evaluate(events[0]!));
  vandalize(put);
  vandalize(set.rules);
  expect(JSON.stringify(set.evaluate(events[0]!))).toBe(before);
});

test('options may change after compiling, to no effect', () => {
  const patterns = { budget: 1_000 };
  const set = compileRules(rules(), { patterns });
  patterns.budget = -1;
  expect(set.evaluate(events[0]!).tags).toEqual(['own', 'seen']);
});

test('a compiled match goes by the tree as it was', () => {
  const tree = match();
  const matches = compileMatch(tree);
  vandalize(tree);
  expect(events.map((event) => matches(event))).toEqual([true, true, false]);
});

test("what is exported and imported is nobody else's", () => {
  const set = compileRules(rules());
  const text = JSON.stringify(exportRules(set.rules));
  vandalize(exportRules(set.rules));
  expect(JSON.stringify(exportRules(set.rules))).toBe(text);
  const file = JSON.parse(text) as unknown[];
  const { rules: imported } = importRules(file);
  vandalize(file);
  expect(JSON.stringify(exportRules(imported))).toBe(text);
});

test('deepFreeze gets to the bottom of what was frozen above, and ends on what is shared', async () => {
  const { deepFreeze } = await import('../../src/json.js');
  const inner: unknown[] = [[]];
  let shared: unknown = inner;
  for (let i = 0; i < 64; i++) shared = Object.freeze([shared, shared]);
  expect(deepFreeze(shared)).toBe(shared);
  expect(Object.isFrozen(inner) && Object.isFrozen(inner[0])).toBe(true);
});
