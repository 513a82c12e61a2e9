/** Schemas of event types: the answers are those of ajv by itself, and no schema costs more than its bounds. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileSchema } from '../../src/event-types/schema/compile.js';
import { MAX_SUBSCHEMAS, prepareSchema, type Schema } from '../../src/event-types/schema/prepare.js';
import { firstDuplicate } from '../../src/event-types/schema/unique.js';
import { Work } from '../../src/event-types/schema/work.js';

const RUNS = 200;

const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'a/b~', '%', "'];//`${1}");
const scalar = fc.oneof(
  fc.constantFrom(null, true, false, 0, -0, 1, 1.5, -2, 10, 'a', 'ab', 'aab', '', 'é', '\u{1F600}'),
  fc.integer({ min: -3, max: 12 }),
);

/** JSON whose members have a few names, so that schemas meet it. */
const data: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 4 })
      .map((members) => Object.fromEntries(members) as unknown),
  ),
})).value;

const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'] as const;
const small = fc.integer({ min: 0, max: 3 });
const names = fc.uniqueArray(name, { maxLength: 3 });

/** One keyword at a time: a schema is some of them. */
const schema: fc.Arbitrary<Schema> = fc
  .letrec<{ schema: Schema | boolean; keywords: Schema }>((tie) => {
    const one = tie('schema');
    const map = (keys: fc.Arbitrary<string>) =>
      fc
        .array(fc.tuple(keys, one), { minLength: 1, maxLength: 3 })
        .map((all) => Object.fromEntries(all) as Schema);
    const list = fc.array(one, { minLength: 1, maxLength: 3 });
    const keyword = (key: string, value: fc.Arbitrary<unknown>) => value.map((of): Schema => ({ [key]: of }));
    return {
      schema: fc.oneof({ maxDepth: 3, depthSize: 'small' }, fc.boolean(), tie('keywords')),
      keywords: fc
        .array(
          fc.oneof(
            keyword(
              'type',
              fc.oneof(
                fc.constantFrom(...TYPES),
                fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1 }),
              ),
            ),
            keyword(
              'enum',
              fc.uniqueArray(data, { minLength: 1, maxLength: 4, selector: (one) => JSON.stringify(one) }),
            ),
            keyword('const', data),
            ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((key) =>
              keyword(key, fc.integer({ min: -3, max: 6 })),
            ),
            keyword('multipleOf', fc.constantFrom(1, 2, 0.5)),
            ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
              (key) => keyword(key, small),
            ),
            keyword('pattern', fc.constantFrom('^a+$', 'b', '^[^a]*$', '.', '^\\w?$')),
            keyword('uniqueItems', fc.boolean()),
            keyword('required', names),
            keyword('dependentRequired', fc.dictionary(name, names, { maxKeys: 2, noNullPrototype: true })),
            keyword('properties', map(name)),
            keyword('patternProperties', map(fc.constantFrom('a', '^b$', '%'))),
            keyword('dependentSchemas', map(name)),
            ...[
              'not',
              'items',
              'contains',
              'additionalProperties',
              'propertyNames',
              'unevaluatedProperties',
              'unevaluatedItems',
            ].map((key) => keyword(key, one)),
            ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((key) => keyword(key, list)),
            fc
              .tuple(one, one, one)
              .map(([when, then, otherwise]): Schema => ({ if: when, then, else: otherwise })),
            keyword('$ref', fc.constantFrom('#/$defs/x', '#/%24defs/y~1')),
            ...['title', 'x-own', 'format'].map((key) => keyword(key, fc.constant('email'))),
          ),
          { maxLength: 4 },
        )
        .map((all) => Object.assign({}, ...all) as Schema),
    };
  })
  .keywords.chain((root) =>
    fc.tuple(fc.constant(root), data).map(([of, example]) => ({
      ...of,
      $defs: {
        x: { not: { const: example }, properties: { a: { $ref: '#' } } },
        'y/': { type: ['array', 'object'] },
      },
    })),
  );

/** ajv by itself, as its users have it. */
const plain = (of: Schema) =>
  new Ajv2020({
    allErrors: true,
    ownProperties: true,
    strict: false,
    logger: false,
    validateFormats: false,
  }).compile(of);

const valuesFor = (one: unknown): unknown => JSON.parse(JSON.stringify(one));

describe('the answers are those of ajv', () => {
  test('for random schemas and data, valid or not, each issue at a pointer where ajv has one', () => {
    const seen = { valid: 0, invalid: 0 };
    fc.assert(
      fc.property(schema, fc.array(data, { minLength: 4, maxLength: 4 }), (of, values) => {
        const ours = compileSchema(valuesFor(of) as Schema);
        if (!ours.ok) {
          const codes = ours.issues.map(({ code }) => code);
          expect(['endless_reference', 'invalid_schema']).toContain(codes[0]);
          return;
        }
        const validate = plain(of);
        for (const value of values.map(valuesFor)) {
          const issues = ours.compiled.issuesOf(value);
          if (issues[0]?.code === 'not_checked') {
            expect(() => validate(value)).toThrow(TypeError);
            continue;
          }
          const isValid = validate(value);
          seen[isValid ? 'valid' : 'invalid']++;
          expect(issues.length === 0).toBe(isValid);
          expect(issues.length).toBeLessThanOrEqual(20);
          const pointers = new Set(validate.errors?.flatMap(({ instancePath }) => [instancePath]));
          for (const { pointer } of issues) {
            expect([...pointers].some((known) => pointer === known || pointer.startsWith(`${known}/`))).toBe(
              true,
            );
          }
        }
      }),
      { numRuns: RUNS },
    );
    expect(seen.valid).toBeGreaterThan(RUNS / 4);
    expect(seen.invalid).toBeGreaterThan(RUNS / 4);
  });

  test('uniqueItems finds what comparing each pair finds', () => {
    const work = new Work();
    const { compile } = { compile: plain({ uniqueItems: true }) };
    fc.assert(
      fc.property(fc.array(data, { maxLength: 8 }), (items) => {
        work.begin(1e6);
        expect(firstDuplicate(items, work) < 0).toBe(compile(items));
      }),
    );
  });
});

test.for<[about: string, schema: Schema, data: unknown, issues: readonly [string, string, RegExp][]]>([
  ['a member that is missing', { required: ['a'] }, {}, [['missing_member', '/a', /"a" is missing: add it/]]],
  ['an inherited name', { required: ['constructor'] }, {}, [['missing_member', '/constructor', /missing/]]],
  [
    'a member too many',
    { properties: { a: true }, additionalProperties: false },
    { 'b/': 1 },
    [['unknown_member', '/b~1', /"b\/": leave it out/]],
  ],
  [
    'another type',
    { properties: { a: { type: ['string', 'null'] } } },
    { a: 1 },
    [['invalid_type', '/a', /must be a string or null/]],
  ],
  [
    'a value that is not listed',
    { properties: { a: { enum: ['x', 2] } } },
    { a: 'secret' },
    [['invalid_value', '/a', /^must be one of "x", 2$/]],
  ],
  [
    'a pattern',
    { properties: { a: { pattern: '^\\d+$' } } },
    { a: 'x' },
    [['invalid_value', '/a', /must match pattern/]],
  ],
  ['an annotation', { properties: { a: { format: 'email', 'x-mine': 1 } } }, { a: 'x' }, []],
  [
    'the same element twice',
    { properties: { a: { uniqueItems: true } } },
    {
      a: [
        { x: 1, y: 2 },
        { y: 2, x: 1 },
      ],
    },
    [['invalid_value', '/a', /same element twice/]],
  ],
  [
    'a name of a keyword of ours',
    { properties: { 'x-work': { type: 'string' } } },
    { 'x-work': 1 },
    [['invalid_type', '/x-work', /string/]],
  ],
])('%s', ([, of, value, expected]) => {
  const made = compileSchema(of);
  const issues = made.ok ? made.compiled.issuesOf(value) : made.issues;
  expect(issues.map(({ code, pointer }) => [code, pointer])).toEqual(
    expected.map(([code, pointer]) => [code, pointer]),
  );
  for (const [i, [, , message]] of expected.entries()) expect(issues[i]?.message).toMatch(message);
});

const many = <Of>(count: number, of: (i: number) => Of): Of[] =>
  Array.from({ length: count }, (_, i) => of(i));
const named = (count: number, of: (i: number) => unknown): Schema =>
  Object.fromEntries(many(count, (i) => [`p${i}`, of(i)]));
const nested = (depth: number, value: unknown): unknown =>
  many(depth, () => 0).reduce((inner) => ({ a: inner }), value);

describe('a schema that may not be used is refused, with its pointer', () => {
  test.for<[about: string, schema: Schema, code: string, pointer: string]>([
    ['another document', { $ref: 'https://example.com/a.json' }, 'unsupported', '/$ref'],
    ['another file', { $ref: 'a.json#/b' }, 'unsupported', '/$ref'],
    ['a dynamic reference', { $dynamicRef: '#a' }, 'unsupported', '/$dynamicRef'],
    ['an identifier', { $id: 'https://example.com/' }, 'unsupported', '/$id'],
    ['an asynchronous schema', { $async: true }, 'unknown_member', '/$async'],
    ['a reference to nothing', { $ref: '#/$defs/a' }, 'unknown_reference', '/$ref'],
    ['a reference into an annotation', { $ref: '#/default', default: {} }, 'unknown_reference', '/$ref'],
    ['a reference to an inherited member', { $ref: '#/constructor' }, 'unknown_reference', '/$ref'],
    ['half a character', { $ref: '#/\ud800' }, 'unsupported', '/$ref'],
    ['half a character as a name', { properties: { '\ud800': true } }, 'unsupported', '/properties/\ud800'],
    ['half an escape', { $ref: '#/%E0' }, 'unsupported', '/$ref'],
    ['itself', { $ref: '#' }, 'endless_reference', ''],
    [
      'itself by a detour',
      {
        properties: { a: { anyOf: [{ $ref: '#/$defs/x' }] } },
        $defs: { x: { not: { $ref: '#/properties/a' } } },
      },
      'endless_reference',
      '/properties/a',
    ],
    ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, 'unsupported', '/$schema'],
    [
      'a misspelled keyword',
      { properties: { a: { requierd: [] } } },
      'unknown_member',
      '/properties/a/requierd',
    ],
    ['a keyword of OpenAPI', { type: 'string', nullable: true }, 'unsupported', '/nullable'],
    ['no type', { type: 'text' }, 'invalid_value', '/type'],
    ['a pattern that RE2 has not', { pattern: '(?=a)' }, 'invalid_pattern', '/pattern'],
    [
      'such a name',
      { patternProperties: { '(a)\\1': true } },
      'invalid_pattern',
      '/patternProperties/(a)\\1',
    ],
    ['a pattern too large', { pattern: '(abcd){500}' }, 'pattern_too_complex', '/pattern'],
    ['too many schemas', { properties: named(MAX_SUBSCHEMAS, () => ({})) }, 'too_many_schemas', ''],
    ['an empty enum', { enum: [] }, 'invalid_schema', ''],
    ['an if without then', { if: { type: 'string' } }, 'invalid_schema', ''],
  ])('%s', ([, of, code, pointer]) => {
    const made = compileSchema(of);
    if (made.ok) throw new Error('it was compiled');
    expect(made.issues[0]).toMatchObject({ code, pointer });
    expect(made.issues[0]!.message.length).toBeGreaterThan(10);
  });

  test('what remains has no text of the schema but names, numbers and patterns', () => {
    const made = prepareSchema({
      title: 't',
      description: 'd',
      default: 1,
      examples: [1],
      format: 'f',
      'x-a': {},
    });
    expect(made).toEqual({ ok: true, schema: {} });
  });
});

describe('what takes too much work ends with an answer', () => {
  const twice = (i: number) => ({ allOf: [{ $ref: `#/$defs/p${i + 1}` }, { $ref: `#/$defs/p${i + 1}` }] });
  const branch = { properties: { a: { $ref: '#' } } };
  test.for<[about: string, schema: Schema, data: unknown]>([
    [
      'references that double forty times',
      { $ref: '#/$defs/p0', $defs: { ...named(40, twice), p40: { type: 'object' } } },
      {},
    ],
    ['alternatives that double with each level', { type: 'object', anyOf: [branch, branch] }, nested(200, 1)],
    [
      'a costly pattern on many texts',
      { items: { pattern: '(\\pL|\\pN){9}' } },
      many(20_000, () => 'a'.repeat(50)),
    ],
    ['a long enum on many elements', { items: { enum: many(9_000, (i) => i) } }, many(100_000, () => 8_999)],
    [
      'many required members of many objects',
      { items: { anyOf: [{ required: many(5_000, (i) => `r${i}`) }, true] } },
      many(50_000, () => ({})),
    ],
    [
      'arrays in arrays without repeats',
      { uniqueItems: true, items: { $ref: '#' } },
      many(200, () => 0).reduce<unknown>(
        (inner) => [inner],
        many(200_000, (i) => i),
      ),
    ],
  ])('%s', ([, of, value]) => {
    const made = compileSchema(of);
    if (!made.ok) throw new Error(made.issues[0]?.message);
    expect(made.compiled.issuesOf(value)).toMatchObject([{ code: 'too_costly', pointer: '' }]);
  });

  test('the next check has its whole budget', () => {
    const made = compileSchema({ items: { type: 'integer' } });
    if (!made.ok) throw new Error('refused');
    const large = many(400_000, () => 1);
    for (let i = 0; i < 4; i++) expect(made.compiled.issuesOf(large)).toEqual([]);
  });

  test('an array of half a million elements that are all wrong has few issues, and a large valid one has none', () => {
    const made = compileSchema({ items: { type: 'string' }, uniqueItems: true });
    if (!made.ok) throw new Error('refused');
    const wrong = made.compiled.issuesOf(many(500_000, (i) => i));
    expect(wrong.length).toBeGreaterThan(0);
    expect(wrong.length).toBeLessThanOrEqual(20);
    expect(made.compiled.issuesOf(many(100_000, (i) => `${i}`))).toEqual([]);
  });
});
