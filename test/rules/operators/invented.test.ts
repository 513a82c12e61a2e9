/** Operators that are invented here, in one file and its lists, work wherever the sixteen do. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  compileMatch,
  compileRules,
  dryRun,
  explainMatch,
  exportRules,
  importRules,
  lintRules,
  ruleSchema,
  validateRule,
  type Event,
  type Json,
  type Leaf,
  type Match,
  type Rule,
} from '../../../src/index.js';
import type * as families from '../../../src/rules/operators/families.js';
import type { Definition, Form } from '../../../src/rules/operators/operator.js';
import { compileReferenceRules, createArbitraries } from '../../../src/testing/index.js';
import { leavesOf, ruleOf } from '../arbitraries.js';

/**
 * Three inventions: an operator of which nothing is known but its test, its inverse, and one that a demand describes.
 */
const { lengthForm, lengthOperators, nullForm, nullOperators } = vi.hoisted(() => {
  const lengthOf = (subject: unknown): number | null =>
    typeof subject === 'string' || Array.isArray(subject) ? subject.length : null;
  const lengthForm: Form<'has_length' | 'lacks_length'> = {
    name: 'lengthLeaf',
    value: { type: 'integer', minimum: 0, maximum: 9, description: 'a length from 0 to 9' },
    operators: {
      has_length: { aliases: 'length size' },
      lacks_length: { negates: 'has_length', aliases: 'otherlength' },
    },
  };
  const lengthOperators: Readonly<Record<'has_length', Definition<number>>> = {
    has_length: {
      test: (length) => (subject) => lengthOf(subject) === length,
      near: (length) => ['a'.repeat(length), 'a'.repeat(length + 1), Array.from({ length }, () => 0)],
    },
  };
  const nullForm: Form<'is_null'> = {
    name: 'nullLeaf',
    value: { description: 'left out' },
    operators: { is_null: { aliases: 'null nil' } },
  };
  const nullOperators: Readonly<Record<'is_null', Definition<unknown>>> = {
    is_null: {
      test: () => (subject) => subject === null,
      demand: () => ({ kind: 'equals', values: [null] }),
    },
  };
  return { lengthForm, lengthOperators, nullForm, nullOperators };
});

vi.mock('../../../src/rules/operators/families.js', async (original) => {
  const real = await original<typeof families>();
  return {
    ...real,
    forms: [...real.forms, lengthForm, nullForm],
    idleForms: [...real.idleForms, nullForm],
    definitions: [...real.definitions, lengthOperators, nullOperators],
  };
});

const leaf = (op: string, value?: Json, path = 'data.a'): Match =>
  ({ path, op, ...(value !== undefined && { value }) }) as Match;
const rule = (match: Match, id = 'r1'): Rule => ({ ...ruleOf(match), id });
const eventOf = (a?: Json): Event => ({ id: 'evt_1', type: 't', data: a === undefined ? {} : { a } });
const issuesOf = (match: Match): readonly string[] => {
  const result = validateRule(rule(match));
  return result.ok ? [] : result.issues.map(({ pointer, message }) => `${pointer} ${message}`);
};

const subjects: readonly Json[] = ['abc', 'ab', [1, 2, 3], [], 3, '3', null, { length: 3 }];

describe('validation', () => {
  test('accepts what the schema allows, and says what it refuses', () => {
    expect(issuesOf(leaf('has_length', 3))).toEqual([]);
    expect(issuesOf(leaf('is_null'))).toEqual([]);
    expect(issuesOf(leaf('has_length', 10))).toEqual([
      '/match/value value must be a length from 0 to 9; it is 10',
    ]);
    expect(issuesOf(leaf('has_length'))).toEqual([
      '/match/value value is missing; it must be a length from 0 to 9',
    ]);
  });

  test.for([
    ['size', 'has_length'],
    ['not_size', 'lacks_length'],
    ['has_lenght', 'has_length'],
    ['nil', 'is_null'],
  ] as const)('for %s it suggests %s', ([written, meant]) => {
    expect(issuesOf(leaf(written, 3))[0]).toContain(`did you mean ${meant}?`);
  });
});

test('the JSON Schema for editors has them', () => {
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(ruleSchema);
  const accepts = (match: Match): boolean => {
    const { id: _, ...document } = rule(match);
    return validate(document);
  };
  expect([leaf('has_length', 3), leaf('is_null')].map(accepts)).toEqual([true, true]);
  expect([leaf('has_length', 'x'), leaf('has_length'), leaf('is_long')].map(accepts)).toEqual([
    false,
    false,
    false,
  ]);
});

describe('evaluation', () => {
  test.for<[string, Json | undefined, readonly Json[]]>([
    ['has_length', 3, ['abc', [1, 2, 3]]],
    ['lacks_length', 3, ['ab', [], 3, '3', null, { length: 3 }]],
    ['is_null', undefined, [null]],
  ])('%s holds for what it should', ([op, value, expected]) => {
    const match = leaf(op, value);
    const holds = compileMatch(match);
    const set = compileRules([rule(match)]);
    expect(subjects.filter((a) => holds(eventOf(a)))).toEqual(expected);
    expect(subjects.filter((a) => set.evaluate(eventOf(a)).matched.length === 1)).toEqual(expected);
    expect([holds(eventOf()), set.evaluate(eventOf()).matched]).toEqual([false, []]);
  });

  test('the index decides as each rule alone does', () => {
    const arbitrary = createArbitraries(fc, { paths: ['data.a'] });
    const seen = new Set<string>();
    fc.assert(
      fc.property(arbitrary.rules(), fc.gen(), (rules, gen) => {
        const event = gen(() => arbitrary.eventFor(rules));
        for (const { op } of rules.flatMap(({ match }) => leavesOf(match))) seen.add(op);
        const expected = compileReferenceRules(rules).evaluate(event);
        expect(compileRules(rules).evaluate(event)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
    expect([...seen]).toEqual(expect.arrayContaining(['has_length', 'lacks_length', 'is_null']));
  });

  test('random events meet them', () => {
    const arbitrary = createArbitraries(fc);
    const set = compileRules([rule(leaf('has_length', 7))]);
    const [events] = fc.sample(fc.array(arbitrary.eventFor(set.rules), { minLength: 200 }), 1);
    const hits = (events ?? []).filter((event) => set.evaluate(event).matched.length === 1);
    expect(hits.length).toBeGreaterThan(20);
  });
});

test('an explanation has them', () => {
  const { leaves } = explainMatch({ all: [leaf('has_length', 3), leaf('is_null')] }, eventOf('abc'));
  expect(leaves.map(({ op, value, result }) => [op, value, result])).toEqual([
    ['has_length', 3, 'held'],
    ['is_null', undefined, 'not_held'],
  ]);
});

describe('lint', () => {
  const codesOf = (match: Match): readonly string[] => lintRules([rule(match)]).map(({ code }) => code);

  test('knows an inverse', () => {
    expect(codesOf({ all: [leaf('has_length', 3), leaf('lacks_length', 3)] })).toEqual(['never_matches']);
    expect(codesOf({ all: [leaf('has_length', 3), leaf('lacks_length', 4)] })).toEqual([]);
    expect(codesOf({ all: [leaf('has_length', 3), leaf('has_length', 3)] })).toEqual([]);
    expect(codesOf(leaf('lacks_length', 3))).toEqual(['always_tried']);
  });

  test('knows what a demand says', () => {
    expect(codesOf({ all: [leaf('is_null'), leaf('has_length', 4)] })).toEqual(['never_matches']);
    expect(codesOf({ all: [leaf('is_null'), leaf('exists')] })).toEqual([]);
    expect(codesOf({ all: [leaf('is_null'), leaf('missing')] })).toEqual(['never_matches']);
  });
});

test('describe tells which are found, and by what', () => {
  const set = compileRules([rule(leaf('is_null'), 'a'), rule(leaf('has_length', 3), 'b')]);
  const described = set.describe().map(({ tried, by }) => [tried, by.map(({ kind }) => kind)]);
  expect(described).toEqual([
    ['when_found', ['value']],
    ['always', []],
  ]);
});

test('a dry-run counts their events', async () => {
  const received_at = new Date(0).toISOString();
  const events = subjects.map((a) => ({ ...eventOf(a), received_at }));
  const report = await dryRun(rule(leaf('has_length', 3)), events, { windowHours: 1, now: 0 });
  expect([report.scanned, report.matched]).toEqual([subjects.length, 2]);
});

test('they survive an export and an import, but for values that mean nothing', () => {
  const rules = [rule(leaf('has_length', 3), 'a'), rule(leaf('is_null', 'idle'), 'b')];
  const exported = exportRules(rules);
  const { rules: imported } = importRules(JSON.stringify(exported));
  const matches: readonly Match[] = [leaf('has_length', 3), leaf('is_null')];
  expect(exported.map(({ match }) => match)).toEqual(matches);
  expect(imported.map(({ match }) => match)).toEqual(matches);
});

test('what is invented here is invented nowhere else', async () => {
  const real = await vi.importActual<typeof families>('../../../src/rules/operators/families.js');
  const names = real.forms.flatMap(({ operators }) => Object.keys(operators)) as Leaf['op'][];
  const defined = real.definitions.flatMap((family) => Object.keys(family));
  const negating = real.forms.flatMap(({ operators }) =>
    Object.entries(operators).flatMap(([name, { negates }]) => (negates === undefined ? [] : [name])),
  );
  expect(names).toHaveLength(16);
  expect([...defined, ...negating].sort()).toEqual([...names].sort());
});
