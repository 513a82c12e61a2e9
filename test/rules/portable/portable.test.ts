/** Export, import, and what becomes of files that are malformed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runInNewContext } from 'node:vm';
import {
  RuleError,
  compileRules,
  exportRules,
  importRules,
  parseRule,
  type Match,
  type Rule,
  type RuleDocument,
} from '../../../src/index.js';

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

  test.for([-1, NaN, 1.5, -Infinity, 2 ** 53])('room for %s rules is no option', (remaining) => {
    expect(() => importRules([], { remaining })).toThrow(
      `remaining must be a count of rules, 0 or more; it is ${remaining}`,
    );
  });

  test.for<[object, string]>([
    [{ remaining: '5' }, 'remaining must be a count of rules, 0 or more; it is "5"'],
    [{ newId: 'id' }, 'newId must be a function; it is "id"'],
    [{ newID: () => 'id' }, 'unknown "newID". Did you mean newId?'],
    [[], 'the options of importRules must be an object; this is an empty array'],
    [{ newId: () => 'same' }, 'newId must return another id each time; it returned "same" twice'],
    [
      { newId: () => Promise.resolve('id') },
      'newId must return text of 1 to 200 characters; it returned a Promise',
    ],
    [{ newId: () => '' }, 'newId must return text of 1 to 200 characters; it returned ""'],
    [{ newId: () => 'x'.repeat(201) }, 'newId must return text of 1 to 200 characters'],
  ])('%o are no options', ([options, message]) => {
    expect(() => importRules([document, document], options)).toThrow(
      expect.objectContaining({
        code: 'invalid_option',
        message: expect.stringContaining(message) as string,
      }),
    );
  });

  test('bytes are read as the text that they are', () => {
    const text = JSON.stringify([document, { ...document, name: 'é😀' }]);
    const bytes = new TextEncoder().encode(text);
    const padded = new Uint8Array([1, ...bytes, 1]);
    const views = [
      bytes,
      Buffer.from(text),
      Buffer.from(`\uFEFF${text}`),
      bytes.buffer,
      new DataView(bytes.buffer),
      padded.subarray(1, -1),
      runInNewContext('Uint8Array.from(bytes)', { bytes }) as Uint8Array,
      runInNewContext('Uint8Array.from(bytes).buffer', { bytes }) as ArrayBuffer,
    ];
    for (const input of views) {
      const { rules, summary } = importRules(input);
      expect(summary).toEqual({ imported: 2, skipped: 0, errors: [] });
      expect(rules[1]?.name).toBe('é😀');
    }
  });

  test.for<[string, unknown, string, string]>([
    ['bytes that are no JSON', Buffer.alloc(1_000_000, 'a'), 'invalid_json', 'this is not JSON: '],
    ['no bytes', new Uint8Array(), 'invalid_json', 'this is not JSON: '],
    ['a byte too many', new Uint8Array(10 * 1024 * 1024 + 1), 'file_too_large', '10 MiB'],
    ['UTF-16', Buffer.from('[]', 'utf16le'), 'invalid_json', 'it is UTF-16; save the file as UTF-8'],
    ['marked UTF-16', Buffer.from('\uFEFF[]', 'utf16le'), 'invalid_json', 'it is UTF-16'],
    ['big-endian UTF-16', Buffer.from('\uFEFF[]', 'utf16le').swap16(), 'invalid_json', 'it is UTF-16'],
    ['Latin-1', Buffer.from('["é"]', 'latin1'), 'invalid_json', 'these bytes are not UTF-8'],
    ['a promise', Promise.resolve('[]'), 'invalid_file', 'this is a Promise: await it'],
    ['a response', new Response('[]'), 'invalid_file', 'this is a Response: await its text()'],
    ['a file', new Blob(['[]']), 'invalid_file', 'this is a Blob: await its text()'],
    ['a map', new Map([['rules', []]]), 'invalid_file', 'this is a Map'],
    ['a date', new Date(), 'invalid_file', 'this is a Date'],
    ['what is like an array', { 0: document, length: 1 }, 'invalid_file', 'use Array.from'],
    ['more entries than a file has room for', Array(6_000_000), 'file_too_large', '10 MiB'],
    ['a function', () => [], 'invalid_file', 'holds one rule object or an array'],
  ])('%s is one error that says what to do', ([, input, code, message]) => {
    const { summary } = importRules(input);
    expect(summary).toMatchObject({ imported: 0, skipped: 0, errors: [{ code, index: null, pointer: '' }] });
    expect(summary.errors).toHaveLength(1);
    expect(summary.errors[0]?.message).toContain(message);
  });

  test('garbage fills the report and no more, however much there is', () => {
    const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, 0]));
    for (const input of [
      Array(1_000_000).fill(0),
      [keys, { ...document, match: keys }],
      `[${'0,'.repeat(1_000_000)}0]`,
    ]) {
      const { rules, summary } = importRules(input);
      expect(rules).toEqual([]);
      expect(summary.errors.length).toBeLessThan(100_000);
      expect(summary.errors.at(-1)?.code).toBe('too_many_issues');
    }
  });

  test('behind garbage that fills the report, what is valid is imported and what is malformed is not', () => {
    const faulty = {
      ...document,
      match: { all: [document.match, { path: 'a', op: 'matches', value: '(' }] },
    };
    const entries = [
      ...(Array(200_000).fill(0) as unknown[]),
      faulty,
      document,
      { ...document, match: { all: [] } },
    ];
    const { rules, summary } = importRules(entries);
    expect(summary.errors.at(-1)?.code).toBe('too_many_issues');
    expect(rules).toEqual([{ ...document, id: expect.any(String) as string }]);
  });

  test('numbers that JSON text cannot keep are refused with the bound', () => {
    for (const [text, shown] of [
      ['9007199254740992', '9007199254740992'],
      ['0.5', '0.5'],
    ] as const) {
      const [error] = importRules(JSON.stringify(document).replace('"priority":1', `"priority":${text}`))
        .summary.errors;
      expect(error).toMatchObject({ pointer: '/priority' });
      expect(error?.message).toContain('from -9,007,199,254,740,991 to 9,007,199,254,740,991');
      expect(error?.message).toContain(`it is ${shown}`);
    }
  });

  test.for([
    ['1e400', '1e400 is out of range (line 3, column'],
    ['-1E+0999', '-1E+0999 is out of range (line 3, column'],
    [`1${'0'.repeat(309)}`, `1${'0'.repeat(39)}… is out of range (line 3, column`],
  ] as const)('%s is reported as it is written, where it is written', ([number, message]) => {
    const at = '@';
    const text = (entry: object): string =>
      `[\n${JSON.stringify(document)},\r\n${JSON.stringify(entry).replaceAll(`"${at}"`, number)}]`;
    const leaf = (value: unknown) => ({ ...document, match: { path: 'data.a', op: 'eq', value } });
    const cases: readonly [object, string][] = [
      [{ ...document, priority: at }, '/priority'],
      [leaf(at), '/match/value'],
      [leaf([1, { 'a/b': [at] }]), '/match/value/1/a~1b/0'],
      [{ ...document, match: { path: 'data.a', op: 'gt', value: at } }, '/match/value'],
    ];
    for (const [entry, pointer] of cases) {
      const { rules, summary } = importRules(text({ note: '1e400 "1e400', counts: { x: at }, ...entry }));
      const lines = text({ note: '1e400 "1e400', counts: { x: at }, ...entry }).split(/\r\n|\n/);
      expect(rules).toHaveLength(1);
      const about = summary.errors.filter((issue) => issue.pointer === pointer);
      expect(about).toEqual([expect.objectContaining({ index: 1, code: 'out_of_bounds' })]);
      expect(about[0]?.message).toContain(message);
      const column = Number(/column (\d+)/.exec(about[0]?.message ?? '')?.[1]);
      expect(lines[2]?.slice(column - 1).startsWith(number)).toBe(true);
      expect(JSON.stringify(summary)).not.toMatch(/Infinity|null/);
    }
  });

  test('a number out of range is told apart from every text, and ignored where the import ignores its member', () => {
    const text = JSON.stringify({ ...document, id: 'at', counts: ['at', '\0', '\u00000'] });
    expect(importRules(text.replaceAll('"at"', '1e999')).rules).toHaveLength(1);
    const value = ['\0'.repeat(5), '\u00000', '\\u00000', 'at'];
    const entry = { ...document, match: { path: 'data.a', op: 'in', value } };
    const { errors } = importRules(JSON.stringify(entry).replace('"at"', '1e999')).summary;
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/match/value/3']);
    expect(importRules('1e400').summary.errors[0]?.code).toBe('invalid_file');
    expect(importRules('[1e400]').summary.errors).toEqual([
      expect.objectContaining({ index: 0, pointer: '', code: 'out_of_bounds' }),
    ]);
  });

  test('ids of endpoints come out in lower case, each once', () => {
    const id = '3f0b2c1e-5d7a-4c8e-9b1f-2a6d8e4c7f10';
    const action = { type: 'route_only' as const, endpoint_ids: [id.toUpperCase(), id] };
    const canonical = { type: 'route_only', endpoint_ids: [id] };
    expect(importRules({ ...document, action }).rules[0]?.action).toEqual(canonical);
    expect(exportRules([rule('r', { action })])[0]?.action).toEqual(canonical);
    expect(parseRule(rule('r', { action })).action).toEqual(canonical);
    const decision = compileRules([rule('r', { action })]).evaluate({ id: 'evt', type: 'x', data: {} });
    expect(decision.endpointIds).toEqual([id]);
  });

  test.for([undefined, '[]', { 0: {} }, [null]])('%o is nothing to export', (rules) => {
    expect(() => exportRules(rules as unknown as Rule[])).toThrow(RuleError);
  });

  test('a report that is full calls nothing valid', () => {
    const { rules, summary } = importRules(Array(60_000).fill({ name: '' }));
    expect(rules).toEqual([]);
    expect(summary.skipped).toBe(60_000);
    expect(summary.errors.at(-1)?.code).toBe('too_many_issues');
    expect(summary.errors.length).toBeLessThan(100_000);
  });
});
