/** The reader of node schemas, held to ajv: the same things are wrong, at the same pointers. */
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { problemsBy } from '../../../src/rules/schema/problems.js';
import { nodeSchemas } from '../../../src/rules/schema/schemas.js';

const ajv = new Ajv({ allErrors: true, ownProperties: true, allowUnionTypes: true });

/** Values of every type, and around every bound. */
const anyValue = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      1.5,
      -0,
      2 ** 53,
      -(2 ** 53),
      Infinity,
      Number.NaN,
      {},
      [],
    ),
    fc.constantFrom<unknown>(
      '',
      'x',
      'deliver',
      'eq',
      'in',
      'gt',
      'exists',
      'starts_with',
      'drop',
      'tag',
      'set',
    ),
    fc.constantFrom(100, 101, 200, 201, 1_000, 1_001, 2_000, 2_001).map((length) => 'x'.repeat(length)),
    fc.constantFrom(100, 101, 200, 201, 1_000, 1_001).map((length) => '😀'.repeat(length)),
    fc.constantFrom(1, 50, 51, 100, 101).map((length) => Array.from({ length }, (_, i) => `tag ${i}`)),
    fc.array(fc.constantFrom<unknown>('x', '', 5, null, '3f0b2c1e-5d7a-4c8e-9b1f-2a6d8e4c7f10'), {
      maxLength: 3,
    }),
  );

/** The problems that ajv finds, as the reader tells them; the two name members in different orders. */
function byAjv(name: string, node: object): readonly string[] {
  ajv.validate(name, node);
  return (ajv.errors ?? [])
    .map(({ keyword, instancePath, params }) => {
      const { missingProperty, additionalProperty } = params as Record<string, string>;
      const [member = missingProperty ?? additionalProperty, item = ''] = instancePath.split('/').slice(1);
      return `${keyword} ${member} ${item}`;
    })
    .sort();
}

for (const [name, schema] of Object.entries(nodeSchemas)) ajv.addSchema(schema, name);

describe('problems of an object', () => {
  test.for(Object.entries(nodeSchemas))('of the kind %s are those that ajv finds', ([name, schema]) => {
    const find = problemsBy(schema);
    const keys = [...Object.keys(schema.properties), 'other'];
    const node = fc.dictionary(fc.constantFrom(...keys), anyValue(), { maxKeys: keys.length, size: 'max' });
    fc.assert(
      fc.property(node, (node) => {
        const found = find(node).map(({ keyword, member, item = '' }) => `${keyword} ${member} ${item}`);
        expect(found.sort()).toEqual(byAjv(name, node));
      }),
      { numRuns: 300 },
    );
  });

  test('come in an order: what is missing, unknown keys, then the members as the schema lists them', () => {
    const find = problemsBy(nodeSchemas.tag);
    expect(find({ other: 1, type: 'tags', tags: ['', 5] })).toEqual([
      { keyword: 'additionalProperties', member: 'other' },
      { keyword: 'const', member: 'type' },
      { keyword: 'minLength', member: 'tags', item: 0 },
      { keyword: 'type', member: 'tags', item: 1 },
    ]);
    expect(find(Object.create({ type: 'tag', tags: ['inherited'] }) as object)).toMatchObject([
      { keyword: 'required', member: 'type' },
      { keyword: 'required', member: 'tags' },
    ]);
  });

  test('every keyword that a node schema uses is read', () => {
    const used = new Set(
      Object.values(nodeSchemas).flatMap(({ properties }) =>
        Object.values(properties).flatMap((member) => [
          ...Object.keys(member),
          ...Object.keys(member.items ?? {}),
        ]),
      ),
    );
    const read = ['const', 'description', 'enum', 'items', 'maxItems', 'maxLength', 'maximum', 'minItems'];
    expect([...used].sort()).toEqual([...read, 'minLength', 'minimum', 'not', 'pattern', 'type'].sort());
  });
});
