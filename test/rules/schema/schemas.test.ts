/** The schema for editors, read by a validator of its own. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportRules, ruleSchema, ruleTemplates, type RuleDocument } from '../../../src/index.js';
import { rules } from '../arbitraries.js';

const validate = new Ajv2020({ allowUnionTypes: true }).compile(ruleSchema);

describe('ruleSchema', () => {
  test('accepts the templates', () => {
    for (const { rule } of ruleTemplates) expect([rule.name, validate(rule)]).toEqual([rule.name, true]);
  });

  test('accepts whatever is exported', () => {
    fc.assert(
      fc.property(rules(), (rules) => {
        for (const document of exportRules(rules)) {
          validate(document);
          expect(validate.errors).toBeNull();
        }
      }),
    );
  });

  const document = ruleTemplates[0]?.rule as RuleDocument;
  test.for<[string, object]>([
    ['no name', { name: undefined }],
    ['another stage', { stage: 'ingest' }],
    ['an id', { id: 'r1' }],
    ['a group of nothing', { match: { all: [] } }],
    ['both groups', { match: { all: [document.match], any: [document.match] } }],
    [
      'an unknown operator, deep down',
      { match: { all: [{ any: [{ path: 'a', op: 'equals', value: 1 }] }] } },
    ],
    ['a value of the wrong type', { match: { path: 'a', op: 'in', value: 'x' } }],
    ['false for exists', { match: { path: 'a', op: 'exists', value: false } }],
    ['an unknown action', { action: { type: 'explode' } }],
    ['an unknown op', { action: { type: 'transform', ops: [{ op: 'explode', path: 'data.a' }] } }],
    ['no tags', { action: { type: 'tag', tags: [] } }],
  ])('refuses %s', ([, change]) => {
    expect(validate(JSON.parse(JSON.stringify({ ...document, ...change })))).toBe(false);
  });
});
