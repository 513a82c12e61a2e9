/** The JSON editor's knowledge: the positions of things in a text, what is wrong with it, what can come next. */
import fc from 'fast-check';
import { ruleTemplates } from 'headgate/slim';
import { describe, expect, test } from 'vitest';
import { completionAt, type Known } from '../../../dashboard/parts/rule-editor/model/completion.js';
import { findingsIn } from '../../../dashboard/parts/rule-editor/model/faults.js';
import { pretty } from '../../../dashboard/parts/rule-editor/model/print.js';
import { nodeAt, readSource, sliceOf } from '../../../dashboard/parts/rule-editor/model/source.js';
import { contextAt } from '../../../dashboard/parts/rule-editor/model/text-context.js';

const KNOWN: Known = {
  paths: [
    {
      path: 'data.body.action',
      kinds: ['string'],
      events: 9,
      samples: [
        { kind: 'string', text: '"opened"', is_cut: false },
        { kind: 'string', text: '"clos', is_cut: true },
      ],
    },
    {
      path: 'data.body.n',
      kinds: ['number'],
      events: 5,
      samples: [{ kind: 'number', text: '5', is_cut: false }],
    },
  ],
  endpoints: [{ id: '3f0b2c1e-5d7a-4c8e-9b1f-2a6d8e4c7f10', name: 'Warehouse' }],
  tags: ['urgent'],
};

/** Splits a text at the bar that marks the position. */
const at = (marked: string): readonly [string, number] => [marked.replace('|', ''), marked.indexOf('|')];
const labelsAt = (marked: string): readonly string[] =>
  completionAt(...at(marked), KNOWN)?.suggestions.map(({ label }) => label) ?? [];
/** The text after the suggestion of a name was taken, with the cursor as a bar. */
function taken(marked: string, label: string): string {
  const [text, position] = at(marked);
  const { from, to, suggestions } = completionAt(text, position, KNOWN)!;
  const { insert, cursor = insert.length } = suggestions.find((one) => one.label === label)!;
  return `${text.slice(0, from)}${insert.slice(0, cursor)}|${insert.slice(cursor)}${text.slice(to)}`;
}

describe('positions in a text', () => {
  test('a pointer leads to the text of the value that JSON.parse has there', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = pretty(JSON.stringify(value));
        const source = readSource(text);
        const pending: [string, unknown][] = [['', value]];
        for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
          const [pointer, below] = next;
          const { node, isExact } = nodeAt(source, pointer);
          expect(isExact).toBe(true);
          expect(JSON.parse(sliceOf(source, node))).toEqual(JSON.parse(JSON.stringify(below)));
          for (const [key, child] of Object.entries(
            below !== null && typeof below === 'object' ? below : {},
          )) {
            pending.push([`${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, child]);
          }
        }
      }),
    );
  });

  test('a pointer to what is missing leads to the innermost value that is there', () => {
    const source = readSource('{"match": {"all": [1]}}');
    expect(nodeAt(source, '/match/all/3/path')).toMatchObject({
      isExact: false,
      node: { type: 'array', start: 18 },
    });
  });
});

describe('faults', () => {
  const marked = (text: string) =>
    findingsIn(text).faults.map(({ from, to, severity, message }) => ({
      at: text.slice(from, to),
      severity,
      message,
    }));

  test('every template is a rule without faults', () => {
    for (const { rule } of ruleTemplates) {
      const { faults, rule: read } = findingsIn(pretty(JSON.stringify(rule)));
      expect(faults).toEqual([]);
      expect(read).toEqual(rule);
    }
  });

  const rule = (match: string, action = '{"type":"drop"}'): string =>
    `{"name":"a","stage":"deliver","match":${match},"action":${action},"priority":1}`;

  test.for([
    { text: '{"name": tru }', at: 'tru', severity: 'error', says: 'line 1, column' },
    { text: '{"name": "a"', at: '"', severity: 'error', says: 'ends' },
    { text: '', at: '', severity: 'error', says: 'give a value' },
    {
      text: rule('{"path":"data..a","op":"exists"}'),
      at: '"path":"data..a"',
      severity: 'error',
      says: 'empty segment',
    },
    {
      text: rule('{"path":"data.a","op":"is","value":1}'),
      at: '"op":"is"',
      severity: 'error',
      says: 'nknown operator',
    },
    {
      text: rule('{"path":"data.a","op":"matches","value":"("}'),
      at: '"value":"("',
      severity: 'error',
      says: '(',
    },
    {
      text: rule('{"path":"data.a","op":"eq"}'),
      at: '{',
      severity: 'error',
      says: 'value is missing',
    },
    { text: rule('{"all":[]}'), at: '"all":[', severity: 'error', says: 'at least one' },
    {
      text: rule('{"path":"data.a","op":"exists"}', '{"type":"tag","tags":[""]}'),
      at: '""',
      severity: 'error',
      says: 'tags/0',
    },
    {
      text: rule('{"path":"data.a","op":"eq","value":9007199254740993}'),
      at: '9007199254740993',
      severity: 'warning',
      says: 'is read as 9007199254740992',
    },
    {
      text: rule('{"path":"data.a","path":"data.b","op":"exists"}'),
      at: '"path":',
      severity: 'warning',
      says: 'is repeated here',
    },
    {
      text: rule('{"all":[{"path":"data.a","op":"eq","value":1},{"path":"data.a","op":"eq","value":2}]}'),
      at: '{',
      severity: 'warning',
      says: 'exclude each other',
    },
    {
      text: rule('{"path":"body.a","op":"exists"}'),
      at: '"path":"body.a"',
      severity: 'warning',
      says: 'data.body.a',
    },
    {
      text: `{"id":"1",${rule('{"path":"data.a","op":"exists"}').slice(1)}`,
      at: '"id":"1"',
      severity: 'warning',
      says: 'given by the service',
    },
  ])('$text: $severity at $at, $says', ({ text, at, severity, says }) => {
    expect(marked(text)).toContainEqual({ at, severity, message: expect.stringContaining(says) });
  });

  test('a part that is valid can be tried, whatever is wrong elsewhere', () => {
    const match = { path: 'data.a', op: 'exists' };
    const named = (name: string, action: unknown) => findingsIn(JSON.stringify({ name, match, action }));
    expect(named('', { type: 'drop' })).toMatchObject({ rule: null, match, action: { type: 'drop' } });
    expect(named('a', { type: 'tag', tags: [] })).toMatchObject({ rule: null, match, action: null });
    expect(findingsIn('{"match":{"all":[]},"action":{"type":"drop"}}')).toMatchObject({
      match: null,
      action: { type: 'drop' },
    });
    expect(findingsIn('{}')).toMatchObject({ match: null, action: null });
    expect(findingsIn('[]')).toMatchObject({ match: null, action: null });
  });

  test('a drop that hides the rule is told, where it runs before', () => {
    const text = rule('{"path":"data.a","op":"eq","value":1}', '{"type":"tag","tags":["t"]}');
    const drop = (priority: number) =>
      [
        {
          id: 'd',
          name: 'All',
          stage: 'deliver',
          match: { path: 'data.a', op: 'exists' },
          action: { type: 'drop' },
          priority,
        },
      ] as const;
    expect(findingsIn(text, drop(0)).faults).toMatchObject([
      { message: expect.stringContaining('ever applied') },
    ]);
    expect(findingsIn(text, drop(2)).faults).toEqual([]);
  });

  test('a text of any kind is read without throwing, and every fault lies in it', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"name"',
      '"match"',
      '"all"',
      '\\',
      '1',
      'true',
      ' ',
      '\n',
      '\ud800',
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 30 }).map((all) => all.join('')),
        (text) => {
          for (const { from, to } of findingsIn(text).faults) {
            expect(from).toBeLessThanOrEqual(to);
            expect(to).toBeLessThanOrEqual(text.length);
          }
          for (let position = 0; position <= text.length; position++) {
            const completion = completionAt(text, position, KNOWN);
            if (completion === null) continue;
            expect(completion.from).toBeLessThanOrEqual(position);
            expect(completion.to).toBeGreaterThanOrEqual(position);
          }
        },
      ),
    );
  });
});

describe('the context at which somebody types', () => {
  test.for([
    { marked: '|', at: 'value', path: [] },
    { marked: '{|', at: 'name', path: [null] },
    { marked: '{"na|', at: 'name', path: [null] },
    { marked: '{"name": |}', at: 'value', path: ['name'] },
    { marked: '{"match": {"all": [{}, {"path": "da|"}]}}', at: 'value', path: ['match', 'all', 1, 'path'] },
    { marked: '{"a": [1, |', at: 'value', path: ['a', 1] },
    { marked: '{"a": 1, |"b": 2}', at: 'name', path: [null] },
  ])('$marked is a $at at $path', ({ marked, at: kind, path }) => {
    expect(contextAt(...at(marked))).toMatchObject({ at: kind, path });
  });

  test.for(['{"a"|', '{"a": 1 |', '{"a": "b"|', '[1]| '])('nothing can be typed at %s', (marked) => {
    const context = contextAt(...at(marked));
    expect(context === null || context.path.length === 0).toBe(true);
  });
});

describe('completion', () => {
  test('a new rule begins with the members that it needs', () => {
    expect(labelsAt('{ | }')).toEqual(['name', 'stage', 'match', 'action', 'priority', 'description']);
    expect(labelsAt('{ "name": "a", | "match": {} }')).toEqual([
      'stage',
      'action',
      'priority',
      'description',
    ]);
  });

  test('a name comes with its colon and the begin of its value', () => {
    expect(taken('{ "na|" }', 'name')).toBe('{ "name": "|" }');
    expect(taken('{ st| }', 'stage')).toBe('{ "stage": "deliver"| }');
    expect(taken('{ "action": { "type": "tag", | } }', 'tags')).toBe(
      '{ "action": { "type": "tag", "tags": [|] } }',
    );
    expect(taken('{ "|": 5 }', 'priority')).toBe('{ "priority"|: 5 }');
  });

  test('a match is a leaf or a group', () => {
    expect(labelsAt('{ "match": | }')).toEqual([
      ...['all', 'any', 'eq, neq, contains, not_contains', 'starts_with, ends_with, matches, not_matches'],
      ...['in, not_in', 'gt, gte, lt, lte', 'exists, missing'],
    ]);
    expect(taken('{ "match": | }', 'in, not_in')).toBe(
      '{ "match": { "path": "|", "op": "in", "value": [] } }',
    );
    expect(taken('{ "action": | }', 'tag')).toBe('{ "action": { "type": "tag", "tags": [|] } }');
    expect(taken('{ "action": | }', 'drop')).toBe('{ "action": { "type": "drop" }| }');
    expect(taken('{ "match": | }', 'all')).toBe('{ "match": { "all": [|] } }');
  });

  test('members and values follow from the members beside them', () => {
    expect(labelsAt('{ "action": { "type": "|" } }')).toEqual([
      '"drop"',
      '"transform"',
      '"route_only"',
      '"tag"',
    ]);
    expect(labelsAt('{ "action": { "type": "tag", | } }')).toEqual(['tags']);
    expect(labelsAt('{ "action": { "type": "transform", "ops": [{ "op": "redact", | }] } }')).toEqual([
      'path',
      'regex',
      'replace',
      'deep',
    ]);
    expect(labelsAt('{ "match": { "path": "a", "op": "| } }')).toHaveLength(16);
    expect(labelsAt('{ "action": { "type": "transform", "ops": [{ "op": "redact", "deep": | }] } }')).toEqual(
      ['true', 'false'],
    );
  });

  test('paths, values, endpoints and tags come from the project', () => {
    expect(labelsAt('{ "match": { "any": [{ "path": "|" }] } }')).toEqual([
      'data.body.action',
      'data.body.n',
    ]);
    expect(labelsAt('{ "match": { "path": "data.body.action", "op": "eq", "value": | } }')).toEqual([
      '"opened"',
    ]);
    expect(labelsAt('{ "match": { "op": "in", "value": ["a", |], "path": "data.body.n" } }')).toEqual(['5']);
    expect(taken('{ "action": { "type": "route_only", "endpoint_ids": [|] } }', 'Warehouse')).toContain(
      '["3f0b2c1e-5d7a-4c8e-9b1f-2a6d8e4c7f10"|]',
    );
    expect(labelsAt('{ "action": { "type": "tag", "tags": [|] } }')).toEqual(['urgent']);
  });

  test('nothing is offered where a comma or a colon must come', () => {
    expect(completionAt(...at('{ "name": "a" | }'), KNOWN)).toBeNull();
    expect(completionAt(...at('{ "name" | }'), KNOWN)).toBeNull();
  });
});
