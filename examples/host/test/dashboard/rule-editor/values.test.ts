/** Operators, values and paths of the builder, and two people's edits put together. */
import fc from 'fast-check';
import { compileMatch } from 'headgate';
import { describe, expect, test } from 'vitest';
import { addTags } from '../../../dashboard/parts/rule-editor/model/action-form.js';
import { differences, merged, type Written } from '../../../dashboard/parts/rule-editor/model/merge.js';
import {
  fieldAt,
  fieldFor,
  fieldKindFor,
  fits,
  type FoundKind,
  misfit,
  OPERATORS,
  operatorsFor,
  phraseOf,
} from '../../../dashboard/parts/rule-editor/model/operators.js';
import {
  findPaths,
  type FoundPath,
  kindsAt,
  sampleFields,
} from '../../../dashboard/parts/rule-editor/model/paths.js';
import {
  fieldOfJson,
  retyped,
  type ScalarField,
  textOf,
  typedItem,
} from '../../../dashboard/parts/rule-editor/model/value-field.js';

const found = (path: string, samples: readonly unknown[], events = 1): FoundPath => ({
  path,
  events,
  kinds: [
    ...new Set(
      samples.map((value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)),
    ),
  ],
  samples: samples.map((value) => ({
    kind: value === null ? 'null' : typeof value,
    text: JSON.stringify(value),
    is_cut: false,
  })),
});

describe('the operators that fit', () => {
  const valuesOf: Readonly<Record<FoundKind, fc.Arbitrary<unknown>>> = {
    string: fc.stringMatching(/^[a-z ]{0,5}$/),
    timestamp: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    number: fc.integer(),
    boolean: fc.boolean(),
    null: fc.constant(null),
    array: fc.array(fc.integer(), { maxLength: 3 }),
    object: fc.constant({}),
  };
  const anyValue = fc.oneof(...Object.values(valuesOf));

  test('an operator that does not fit a kind never tells two values of that kind apart', () => {
    const kinds = fc.constantFrom(...(Object.keys(valuesOf) as FoundKind[]));
    fc.assert(
      fc.property(kinds, fc.constantFrom(...OPERATORS), anyValue, fc.gen(), (kind, op, other, gen) => {
        fc.pre(!fits(op, [kind]));
        const takesText = ['starts_with', 'ends_with', 'matches', 'not_matches'].includes(op);
        const value = takesText
          ? 'a'
          : ['in', 'not_in'].includes(op)
            ? [other]
            : typeof other === 'number'
              ? other
              : 'a';
        // Structures can be members of a list; that is too rare a wish to offer it first.
        fc.pre(!(['in', 'not_in'].includes(op) && typeof other === 'object'));
        const holds = compileMatch({ path: 'data.a', op, value } as Parameters<typeof compileMatch>[0]);
        const [first, second] = [gen(() => valuesOf[kind]), gen(() => valuesOf[kind])];
        expect(holds({ data: { a: first } })).toBe(holds({ data: { a: second } }));
      }),
      { numRuns: 500 },
    );
  });

  test.for([
    {
      kinds: ['number'],
      fitting: ['eq', 'neq', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte', 'exists', 'missing'],
    },
    { kinds: ['boolean'], fitting: ['eq', 'neq', 'in', 'not_in', 'exists', 'missing'] },
    { kinds: ['array'], fitting: ['eq', 'neq', 'contains', 'not_contains', 'exists', 'missing'] },
    { kinds: ['object'], fitting: ['eq', 'neq', 'exists', 'missing'] },
    { kinds: [], fitting: OPERATORS },
  ] as const)('where events have $kinds: $fitting', ({ kinds, fitting }) => {
    expect(operatorsFor(kinds).fitting).toEqual(fitting);
    expect([...operatorsFor(kinds).others, ...fitting].toSorted()).toEqual(OPERATORS.toSorted());
  });

  test('a misfit is described in words', () => {
    expect(misfit('starts_with', ['number', 'null'])).toContain('a number or null');
    expect(misfit('gt', ['number'])).toBeNull();
  });

  test('times are before and after', () => {
    expect(phraseOf('gt', ['timestamp'])).toBe('is after');
    expect(phraseOf('gt', ['number'])).toBe('is greater than');
  });
});

describe('typed values', () => {
  const text = (typed: string): ScalarField => ({ kind: 'text', text: typed });

  test.for([
    { typed: '5', kinds: ['number'], json: '5' },
    { typed: '01', kinds: ['string'], json: '"01"' },
    { typed: '01', kinds: ['number'], json: '"01"' },
    { typed: 'true', kinds: ['boolean'], json: 'true' },
    { typed: 'true', kinds: ['string'], json: '"true"' },
    { typed: 'yes', kinds: ['boolean'], json: '"yes"' },
    { typed: '5', kinds: ['null', 'number'], json: '5' },
    { typed: '5', kinds: [], json: '"5"' },
  ] as const)('$typed where events have $kinds is $json', ({ typed, kinds, json }) => {
    expect(textOf(fieldAt('eq', text(typed), kinds)).text).toBe(json);
  });

  test('a list takes each item as the kind that was found, and as text where it is not of that kind', () => {
    expect(['5', '01', 'x'].map((item) => textOf(typedItem(item, 'number')).text)).toEqual([
      '5',
      '"01"',
      '"x"',
    ]);
  });

  test('a value keeps what was written through every operator', () => {
    const list = fieldFor('in', text('a'), []);
    expect(list).toEqual({ kind: 'list', items: [text('a')] });
    expect(fieldFor('eq', list, [])).toEqual(text('a'));
    expect(fieldFor('in', text(''), [])).toEqual({ kind: 'list', items: [] });
  });

  test('an empty field becomes one for what was found', () => {
    expect(fieldFor('eq', text(''), ['boolean'])).toEqual({ kind: 'boolean', value: true });
    expect(fieldKindFor(['null'])).toBe('null');
    expect(fieldKindFor([])).toBe('text');
  });

  test('a value of an event becomes a field that gives the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { text: json, fault } = textOf(fieldOfJson(value));
        expect(fault).toBeNull();
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('another kind of field loses nothing: it reads the same text, or the field stays', () => {
    const fields = fc.oneof(
      fc.string().map((typed) => text(typed.trim())),
      fc
        .constantFrom('1', '1e', '-0', 'x', '')
        .map((number): ScalarField => ({ kind: 'number', text: number })),
      fc.boolean().map((value): ScalarField => ({ kind: 'boolean', value })),
      fc
        .constantFrom('[1]', '"a\\nb"', '{', '"5"')
        .map((json): ScalarField => ({ kind: 'json', text: json })),
    );
    const kinds = fc.constantFrom('text', 'number', 'boolean', 'null', 'json');
    const plain = (field: ScalarField): string => {
      const typed = field.kind === 'text' ? field.text : textOf(field).text;
      return field.kind === 'json' && typed.startsWith('"') ? (JSON.parse(typed) as string) : typed.trim();
    };
    fc.assert(
      fc.property(fields, kinds, (field, kind) => {
        fc.pre(!('text' in field && field.text === ''));
        expect(plain(retyped(field, kind as 'text'))).toBe(plain(field));
      }),
    );
  });
});

describe('paths', () => {
  const PATHS = [
    found('type', ['webhook.received'], 9),
    found('data.body.action', ['opened'], 9),
    found('data.body.amount', [5, null], 7),
    found('data.body.created_at', ['2026-11-22T10:00:00Z'], 7),
    found('data.body.transaction', ['x'], 2),
  ];

  test.for([
    { typed: 'act', first: 'data.body.action' },
    { typed: 'dba', first: 'data.body.action' },
    { typed: 'AMOUNT', first: 'data.body.amount' },
    { typed: 'trans', first: 'data.body.transaction' },
    { typed: '', first: 'type' },
  ])('$typed finds $first first', ({ typed, first }) => {
    expect(findPaths(typed, PATHS)[0]?.found.path).toBe(first);
  });

  test('every hit shows the letters that were typed, in their order', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[abcdot.]{0,5}$/), (typed) => {
        for (const { found: hit, letters } of findPaths(typed, PATHS)) {
          expect(letters.map((at) => hit.path[at]).join('')).toBe(typed);
        }
      }),
    );
    expect(findPaths('zz', PATHS)).toEqual([]);
  });

  test('texts that are all times are times, and the kinds stay in the order of how often they come', () => {
    expect(kindsAt(PATHS[3])).toEqual(['timestamp']);
    expect(kindsAt(PATHS[2])).toEqual(['number', 'null']);
    expect(kindsAt(undefined)).toEqual([]);
  });

  test('samples become fields; one that is cut does not', () => {
    const cut = { kind: 'string', text: '"lon', is_cut: true };
    expect(sampleFields({ ...PATHS[2]!, samples: [...PATHS[2]!.samples, cut] })).toEqual([
      { kind: 'number', text: '5' },
      { kind: 'null' },
    ]);
  });
});

test('tags are split at commas, trimmed, and come once', () => {
  expect(addTags(['a'], ' b, a ,,c ')).toEqual(['a', 'b', 'c']);
});

describe('two edits of one rule', () => {
  const base: Written = {
    name: 'a',
    match: { path: 'p', op: 'exists' },
    action: { type: 'drop' },
    priority: 1,
    enabled: true,
  };

  test('each side keeps what it alone has changed, and a conflict is told', () => {
    const mine = { ...base, name: 'mine', priority: 2 };
    const theirs = { ...base, priority: 3, description: 'new' };
    const found = differences(base, mine, theirs);
    expect(found.map(({ member, isConflict, suggested }) => [member, isConflict, suggested])).toEqual([
      ['name', false, 'mine'],
      ['description', false, 'theirs'],
      ['priority', true, 'mine'],
    ]);
    expect(merged(theirs, found, (member) => (member === 'priority' ? 'theirs' : 'mine'))).toEqual({
      ...base,
      name: 'mine',
      priority: 3,
    });
  });

  test('the order of members makes no difference', () => {
    expect(differences(base, base, { ...base, match: { op: 'exists', path: 'p' } })).toEqual([]);
  });

  test('a description that I removed stays removed', () => {
    const from = { ...base, description: 'x' };
    const found = differences(from, base, { ...from, name: 'b' });
    expect(
      merged(
        { ...from, name: 'b' },
        found,
        (member) => found.find((one) => one.member === member)!.suggested,
      ),
    ).toEqual({
      ...base,
      name: 'b',
    });
  });

  test('matches of any depth are compared', () => {
    const deep = (leaf: string): unknown =>
      JSON.parse(`${'{"all":['.repeat(20_000)}${leaf}${']}'.repeat(20_000)}`);
    const [a, b] = ['{"path":"a","op":"exists"}', '{"path":"b","op":"exists"}'];
    expect(differences(base, { ...base, match: deep(a) }, { ...base, match: deep(b) })).toHaveLength(1);
    expect(differences(base, { ...base, match: deep(a) }, { ...base, match: deep(a) })).toHaveLength(0);
  });
});
