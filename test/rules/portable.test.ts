import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportRules, importRules, type Match, type Rule, type RuleDocument } from '../../src/index.js';

const document: RuleDocument = {
  name: 'a',
  stage: 'deliver',
  match: { path: 'type', op: 'eq', value: 'x' },
  action: { type: 'drop' },
  priority: 1,
};
const rule = (id: string, more: Partial<Rule> = {}): Rule => ({ id, ...document, ...more });

describe('export', () => {
  test('is in evaluation order, disabled rules too, with these keys in this order', () => {
    const rules = [
      rule('b', { name: 'third', counts: { matched: 1 } } as Partial<Rule>),
      rule('a', { name: 'second', description: 'd', enabled: false }),
      rule('z', { name: 'first', priority: 0 }),
    ];
    const exported = exportRules(rules);
    expect(exported.map(({ name }) => name)).toEqual(['first', 'second', 'third']);
    expect(Object.keys(exported[1]!)).toEqual([
      'name',
      'description',
      'stage',
      'match',
      'action',
      'priority',
    ]);
    expect(Object.keys(exported[2]!)).toEqual(['name', 'stage', 'match', 'action', 'priority']);
    expect(rules[0]?.name).toBe('third');
  });

  test('leaves out values that exists and missing ignore, and only those', () => {
    const match: Match = {
      all: [
        { path: 'a', op: 'exists', value: true },
        {
          any: [
            { path: 'b', op: 'missing', value: 0 },
            { path: 'c', op: 'eq', value: null },
          ],
        },
      ],
    };
    expect(exportRules([rule('a', { match })])[0]?.match).toEqual({
      all: [
        { path: 'a', op: 'exists' },
        {
          any: [
            { path: 'b', op: 'missing' },
            { path: 'c', op: 'eq', value: null },
          ],
        },
      ],
    });
    expect(match.all[0]).toEqual({ path: 'a', op: 'exists', value: true });
  });
});

describe('import', () => {
  test('of an export, in any order of equal priorities, keeps the order', () => {
    const priorities = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 30 });
    fc.assert(
      fc.property(priorities, (priorities) => {
        const rules = priorities.map((priority, i) => rule(`${i}`, { priority, name: `n${i}` }));
        const exported = exportRules(rules);
        const { rules: imported, summary } = importRules(JSON.stringify(exported));
        expect(exportRules(imported)).toEqual(exported);
        expect(summary).toEqual({ imported: rules.length, skipped: 0, errors: [] });
        expect(new Set(imported.map(({ id }) => id)).size).toBe(rules.length);
      }),
    );
  });

  test('takes one object or an array, as text or parsed', () => {
    for (const input of [
      document,
      [document],
      JSON.stringify(document),
      `\uFEFF${JSON.stringify([document])}`,
    ]) {
      expect(importRules(input, { newId: () => 'id' }).rules).toEqual([{ id: 'id', ...document }]);
    }
    expect(importRules([]).summary).toEqual({ imported: 0, skipped: 0, errors: [] });
  });

  test('ignores what belongs to the server that the file came from', () => {
    const { rules } = importRules(
      { ...document, id: 5, counts: 'x', enabled: 'maybe' },
      { newId: () => 'new' },
    );
    expect(rules).toEqual([{ id: 'new', ...document }]);
  });

  test('skips what is malformed and says everything that is wrong with it', () => {
    const { rules, summary } = importRules(
      [document, { ...document, name: '', priority: 'x', extra: 1 }, null, { name: 'n'.repeat(300) }],
      { newId: () => 'new' },
    );
    expect(rules).toHaveLength(1);
    expect(summary).toMatchObject({ imported: 1, skipped: 3 });
    expect(
      summary.errors.map(({ index, code, pointer, name }) => [index, code, pointer, name?.length]),
    ).toEqual([
      [1, 'unknown_key', '/extra', 0],
      [1, 'out_of_bounds', '/name', 0],
      [1, 'invalid_type', '/priority', 0],
      [2, 'invalid_type', '', undefined],
      [3, 'missing_key', '/stage', 200],
      [3, 'missing_key', '/match', 200],
      [3, 'missing_key', '/action', 200],
      [3, 'missing_key', '/priority', 200],
      [3, 'out_of_bounds', '/name', 200],
    ]);
  });

  test.for<[string, unknown, string]>([
    ['no JSON', '[{', 'invalid_json'],
    ['an empty text', '', 'invalid_json'],
    ['a number', '5', 'invalid_file'],
    ['a text in JSON', '"x"', 'invalid_file'],
    ['an object around the array', { rules: [document] }, 'invalid_file'],
    ['null', null, 'invalid_file'],
    ['undefined', undefined, 'invalid_file'],
    ['a byte too many', ' '.repeat(10 * 1024 * 1024 + 1), 'file_too_large'],
    ['two-byte characters past the bound', `"${'é'.repeat(5 * 1024 * 1024)}"`, 'file_too_large'],
    ['three-byte characters past the bound', `"${'€'.repeat(3_600_000)}"`, 'file_too_large'],
    ['four-byte characters past the bound', `"${'😀'.repeat(2_700_000)}"`, 'file_too_large'],
  ])('%s is one error for the file', ([, input, code]) => {
    const { rules, summary } = importRules(input);
    expect(rules).toEqual([]);
    expect(summary).toMatchObject({ imported: 0, skipped: 0, errors: [{ code, index: null, pointer: '' }] });
    expect(summary.errors).toHaveLength(1);
  });

  test('a file of exactly 10 MiB is read', () => {
    const text = JSON.stringify(document);
    expect(importRules(text.padEnd(10 * 1024 * 1024)).summary.imported).toBe(1);
  });

  test.for(['\x7f', '\x80', '\u07ff', '\u0800', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'])(
    'the bytes of %j are counted as in UTF-8',
    (character) => {
      const most = 10 * 1024 * 1024;
      const text = `"${character.repeat(Math.floor((most - 2) / Buffer.byteLength(character)))}"`;
      const padded = text + ' '.repeat(most - Buffer.byteLength(text));
      expect(importRules(padded).summary.errors[0]?.code).toBe('invalid_file');
      expect(importRules(`${padded} `).summary.errors[0]?.code).toBe('file_too_large');
    },
  );

  test('what is wrong with a file is said in a sentence', () => {
    const message = (input: unknown, options = {}) => importRules(input, options).summary.errors[0]?.message;
    expect(message(5)).toBe('a file of rules holds one rule object or an array of them');
    expect(message({ rules: [] })).toBe('this object keeps its rules under "rules"; import that array');
    expect(message('{')).toMatch(/^this is not JSON: .+/);
    expect(message(' '.repeat(11_000_000))).toBe(
      'a file of rules may have 10 MiB; split it and import the parts',
    );
    expect(message(document, { remaining: 0 })).toBe(
      'the plan has no room for this rule; remove one or upgrade',
    );
  });

  test('past the quota entries are skipped, malformed ones for what they are', () => {
    const { rules, summary } = importRules([document, {}, document, { ...document, name: 'over' }], {
      remaining: 2,
    });
    expect(rules).toHaveLength(2);
    expect(summary).toMatchObject({ imported: 2, skipped: 2 });
    const quota = summary.errors.filter(({ code }) => code === 'quota_exceeded');
    expect(quota).toMatchObject([{ index: 3, name: 'over', pointer: '' }]);
    expect(importRules(document, { remaining: 0 }).summary.errors[0]?.code).toBe('quota_exceeded');
    expect(importRules(document, { remaining: Infinity }).summary.imported).toBe(1);
  });

  test.for([-1, NaN])('room for %s rules is no option', (remaining) => {
    expect(() => importRules([], { remaining })).toThrow(
      `remaining must be a count of rules, 0 or more; it is ${remaining}`,
    );
  });

  test('a report that is full calls nothing valid', () => {
    const { rules, summary } = importRules(Array(60_000).fill({ name: '' }));
    expect(rules).toEqual([]);
    expect(summary.skipped).toBe(60_000);
    expect(summary.errors.at(-1)?.code).toBe('too_many_issues');
    expect(summary.errors.length).toBeLessThan(100_000);
  });
});
