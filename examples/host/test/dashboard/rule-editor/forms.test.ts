/** The forms of the builder: what goes in comes out, and what does not fit is refused with a reason. */
import fc from 'fast-check';
import { type Match, stringifyJson, validateRuleDocument } from 'headgate/slim';
import { createArbitraries } from 'headgate/testing';
import { describe, expect, test } from 'vitest';
import {
  changeOp,
  newOp,
  NEW_ACTION,
  printAction,
  readAction,
} from '../../../dashboard/parts/rule-editor/model/action-form.js';
import {
  changeForm,
  changeText,
  editForm,
  editText,
  printed,
  showBuilder,
  showJson,
} from '../../../dashboard/parts/rule-editor/model/editor.js';
import { isRefusal, moved, withKey } from '../../../dashboard/parts/rule-editor/model/form.js';
import { newLeaf, withOperator } from '../../../dashboard/parts/rule-editor/model/leaf-form.js';
import {
  addLeaf,
  changeLeaf,
  nodesIn,
  remove,
} from '../../../dashboard/parts/rule-editor/model/match-edits.js';
import {
  type MatchForm,
  MOST_LEVELS,
  NEW_MATCH,
  type NodeForm,
  printMatch,
  readMatch,
} from '../../../dashboard/parts/rule-editor/model/match-form.js';
import { fieldFor, OPERATORS, takes } from '../../../dashboard/parts/rule-editor/model/operators.js';
import { pretty } from '../../../dashboard/parts/rule-editor/model/print.js';
import {
  changeRule,
  NEW_RULE,
  printRule,
  readRule,
  textOfRule,
} from '../../../dashboard/parts/rule-editor/model/rule-form.js';
import { readSource } from '../../../dashboard/parts/rule-editor/model/source.js';

/** JSON numbers as people write them, many of which no number of JavaScript holds. */
const numbers = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '1.0',
    '1e2',
    '1E+2',
    '9007199254740993',
    '12345678901234567890.5',
    '1e999',
    '0.10',
  ),
  fc.integer().map(String),
);
/** Texts with every kind of character, escaped in whatever way JSON allows. */
const strings = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('01', '5', 'true', 'null', 'a\nb', '\ud800', '\u2028', ''),
  )
  .chain((text) =>
    fc.constantFrom(
      JSON.stringify(text),
      `"${[...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`,
    ),
  );
const scalars = fc.oneof(numbers, strings, fc.constantFrom('true', 'false', 'null'));
const { value: values } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(strings, tie('value')), {
        maxLength: 3,
        selector: ([name]) => JSON.parse(name) as string,
      })
      .map((members) => `{${members.map(([name, value]) => `${name}: ${value}`).join(',')}}`),
  ),
}));
const objectOf = (members: readonly string[]): fc.Arbitrary<string> =>
  fc.shuffledSubarray([...members], { minLength: members.length }).map((all) => `{ ${all.join(', ')} }`);
/** Leaves as text: every operator, members in every order, values of every type, `value` left out now and then. */
const leaves = fc
  .tuple(strings, fc.constantFrom(...OPERATORS), fc.option(values))
  .chain(([path, op, value]) =>
    objectOf([`"path": ${path}`, `"op": "${op}"`, ...(value === null ? [] : [`"value": ${value}`])]),
  );
const joins = fc.constantFrom('all', 'any');
/** Leaves and groups of every depth that the builder shows. */
const matches = fc.oneof(
  fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 6 },
      leaves,
      fc.tuple(joins, fc.array(tie('node'), { maxLength: 4 })).map(([join, all]) => groupOf(join, all)),
    ),
  })).node,
  fc
    .tuple(leaves, leaves, fc.array(joins, { maxLength: MOST_LEVELS }))
    .map(([leaf, beside, all]) => all.reduce((inner, join) => groupOf(join, [beside, inner]), leaf)),
);

function groupOf(join: string, all: readonly string[]): string {
  return `{"${join}":[${all.join(', ')}]}`;
}

const formOf = (isBare: boolean, ...children: NodeForm[]): MatchForm => ({ ...NEW_MATCH, isBare, children });

/** A text as values with numbers as they were written and members in their order: equal only if nothing was lost. */
function letterByLetter(text: string): string {
  return text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"|\s+/g, (token) =>
    token.startsWith('"') ? stringifyJson(JSON.parse(token)) : '',
  );
}

const readBack = (text: string) => readMatch(readSource(text), readSource(text).nodes[0]!);

describe('the builder of a match', () => {
  test('every tree that it takes comes out equal, with members in their order and numbers as written', () => {
    fc.assert(
      fc.property(matches, (text) => {
        const form = readBack(text);
        if (isRefusal(form)) throw new Error(form.why);
        const out = printMatch(form);
        expect(letterByLetter(out.text)).toBe(letterByLetter(text));
        expect(out.faults).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('every rule of the language comes out equal, and no two nodes of its form have one id', () => {
    fc.assert(
      fc.property(createArbitraries(fc).match(), (match) => {
        const form = readBack(stringifyJson(match));
        if (isRefusal(form)) throw new Error(form.why);
        expect(letterByLetter(printMatch(form).text)).toBe(letterByLetter(stringifyJson(match)));
        const ids = [form.id, ...nodesIn(form).map(({ id }) => id)];
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 300 },
    );
  });

  test('a draft that went through storage is the same', () => {
    fc.assert(
      fc.property(matches, (text) => {
        const form = readBack(text);
        expect(JSON.parse(JSON.stringify(form))).toEqual(form);
      }),
    );
  });

  test.for([
    { match: '{"all":[{"all":[],"any":[]}]}', pointer: '/match/all/0', why: 'more than its list' },
    { match: '{"all":[],"any":[]}', pointer: '/match', why: 'more than its list' },
    { match: '{"all":{}}', pointer: '/match', why: 'without one' },
    { match: '{"all":[5]}', pointer: '/match/all/0', why: 'not an object' },
    { match: '{"path":"a","op":"eq","value":1,"value":2}', pointer: '/match', why: '"value" twice' },
    {
      match: '{"path":"a","op":"eq","value":1,"note":2}',
      pointer: '/match',
      why: '"note", which no leaf has',
    },
    {
      match: '{"path":"a","op":"is","value":1}',
      pointer: '/match',
      why: 'no operator that the builder knows',
    },
    { match: '{"path":5,"op":"eq","value":1}', pointer: '/match', why: 'no path' },
    { match: '{}', pointer: '/match', why: 'no path' },
    { match: '[]', pointer: '/match', why: 'not an object' },
  ])('$match is refused at $pointer: $why', ({ match, pointer, why }) => {
    const refusal = readBack(match);
    expect(refusal).toMatchObject({ pointer });
    expect(isRefusal(refusal) && refusal.why).toContain(why);
  });

  test('a tree a hundred thousand groups deep is refused without overflowing the stack', () => {
    const deep = `${'{"all":['.repeat(100_000)}{"path":"a","op":"exists"}${']}'.repeat(100_000)}`;
    const refusal = readBack(deep);
    expect(refusal).toMatchObject({ pointer: `/match${'/all/0'.repeat(MOST_LEVELS)}` });
    expect(isRefusal(refusal) && refusal.why).toContain(`a group at level ${MOST_LEVELS + 1}`);
    expect(pretty(deep).replaceAll(/\s/g, '')).toBe(deep);
  });

  test('a leaf keeps its value through an operator that takes none', () => {
    const leaf = newLeaf(0, 'data.n', 'gt', { kind: 'number', text: '5' });
    const absent = withOperator(leaf, 'missing', fieldFor('missing', leaf.value, []));
    expect(printMatch(formOf(true, absent)).text).toBe('{ "path": "data.n", "op": "missing" }');
    const again = withOperator(absent, 'lt', fieldFor('lt', absent.value, []));
    expect(printMatch(formOf(true, again)).text).toBe('{ "path": "data.n", "op": "lt", "value": 5 }');
  });

  test('every operator chosen after every other prints a leaf that the library takes, once its value is filled in', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...OPERATORS), { minLength: 1, maxLength: 6 }), (ops) => {
        let leaf = newLeaf(0, 'data.a', 'eq', { kind: 'text', text: '12' });
        for (const op of ops) leaf = withOperator(leaf, op, fieldFor(op, leaf.value, []));
        const { text, faults } = printMatch(formOf(false, leaf));
        expect(faults).toEqual([]);
        const action = { type: 'drop' };
        const rule = { name: 'a', stage: 'deliver', match: JSON.parse(text) as Match, action, priority: 1 };
        expect(validateRuleDocument(rule)).toMatchObject({ ok: true });
        expect(Object.hasOwn((rule.match.all ?? [])[0]!, 'value')).toBe(takes(leaf.op) !== 'nothing');
      }),
    );
  });

  test('a bare leaf stays bare until a second one is added, and a group stays a group', () => {
    const bare = readBack('{"path":"a","op":"exists"}');
    if (isRefusal(bare)) throw new Error(bare.why);
    const renamed = changeLeaf(bare, 0, (leaf) => ({ ...leaf, path: 'b' }));
    expect(printMatch(renamed).text).toBe('{ "path": "b", "op": "exists" }');
    const two = addLeaf(renamed);
    expect(two.children.map(({ id }) => id)).toEqual([0, 2]);
    expect(printMatch(two).text).toBe(
      '{ "all": [{ "path": "b", "op": "exists" }, { "path": "", "op": "eq", "value": "" }] }',
    );
    expect(printMatch(remove(two, 0)).text).toBe('{ "path": "", "op": "eq", "value": "" }');
  });

  test('what is half-written is printed as it is and named', () => {
    const leaf = newLeaf(0, 'a', 'gt', { kind: 'number', text: '1e' });
    const { text, faults } = printMatch({ ...formOf(false, newLeaf(1), leaf), join: 'any' });
    expect(text).toContain('"value": 1e }');
    expect(faults).toEqual([
      { pointer: '/match/any/1/value', message: expect.stringContaining('not a number') },
    ]);
  });
});

describe('the form of an action', () => {
  const ops = fc.oneof(
    fc
      .tuple(strings, values)
      .chain(([path, value]) => objectOf(['"op": "set"', `"path": ${path}`, `"value": ${value}`])),
    fc
      .tuple(strings, strings, strings, fc.option(fc.boolean()))
      .chain(([path, regex, replace, deep]) =>
        objectOf([
          ...['"op": "redact"', `"path": ${path}`, `"regex": ${regex}`, `"replace": ${replace}`],
          ...(deep === null ? [] : [`"deep": ${deep}`]),
        ]),
      ),
    fc
      .tuple(fc.constantFrom('uppercase', 'lowercase', 'trim'), strings)
      .chain(([op, path]) => objectOf([`"op": "${op}"`, `"path": ${path}`])),
  );
  const list = (name: string, type: string, items: fc.Arbitrary<string>) =>
    fc
      .array(items, { maxLength: 4 })
      .chain((all) => objectOf([`"type": "${type}"`, `"${name}": [${all.join(', ')}]`]));
  const actions = fc.oneof(
    fc.constant('{"type":"drop"}'),
    list('ops', 'transform', ops),
    list('endpoint_ids', 'route_only', strings),
    list('tags', 'tag', strings),
  );

  test('every action that it takes comes out equal, with members in their order and numbers as written', () => {
    fc.assert(
      fc.property(actions, (text) => {
        const source = readSource(text);
        const form = readAction(source, source.nodes[0]!);
        if (isRefusal(form)) throw new Error(form.why);
        expect(letterByLetter(printAction(form).text)).toBe(letterByLetter(text));
      }),
      { numRuns: 500 },
    );
  });

  test.for([
    { action: '{"type":"delete"}', pointer: '/action/type', why: 'none of the four' },
    { action: '{}', pointer: '/action/type', why: 'none of the four' },
    { action: '{"type":"drop","tags":[]}', pointer: '/action', why: '"tags", which drop has not' },
    { action: '{"type":"tag","tags":"a"}', pointer: '/action/tags', why: 'not a list' },
    { action: '{"type":"tag","tags":["a",5]}', pointer: '/action/tags/1', why: 'not a string' },
    {
      action: '{"type":"transform","ops":[{"op":"trim","path":"a","value":1}]}',
      pointer: '/action/ops/0',
      why: '"value"',
    },
    {
      action: '{"type":"transform","ops":[{"op":"cut","path":"a"}]}',
      pointer: '/action/ops/0/op',
      why: 'none of the ops',
    },
    {
      action: '{"type":"transform","ops":[{"op":"redact","path":"a","regex":5,"replace":""}]}',
      pointer: '/action/ops/0',
      why: 'wrong type',
    },
    {
      action: '{"type":"transform","ops":[{"op":"redact","path":"a","regex":"","replace":"","deep":"no"}]}',
      pointer: '/action/ops/0',
      why: 'wrong type',
    },
    { action: '"drop"', pointer: '/action', why: 'not an object' },
  ])('$action is refused at $pointer: $why', ({ action, pointer, why }) => {
    const source = readSource(action);
    const refusal = readAction(source, source.nodes[0]!);
    expect(refusal).toMatchObject({ pointer });
    expect(isRefusal(refusal) && refusal.why).toContain(why);
  });

  test('an op has exactly the members that it needs, whichever it was before', () => {
    const form = { ...NEW_ACTION, type: 'transform' as const, ops: [newOp('set', 0, 'data.a')] };
    const redact = changeOp(form, 0, { op: 'redact', regex: 'x+', replace: '*', deep: true });
    expect(printAction(redact).text).toBe(
      '{ "type": "transform", "ops": [{ "op": "redact", "path": "data.a", "regex": "x+", "replace": "*", "deep": true }] }',
    );
    expect(printAction(changeOp(redact, 0, { op: 'trim' })).text).toBe(
      '{ "type": "transform", "ops": [{ "op": "trim", "path": "data.a" }] }',
    );
    expect(printAction(changeOp(redact, 0, { deep: false })).text).not.toContain('deep');
  });

  test('the inputs of another type are kept while one is tried', () => {
    const tagged = { ...NEW_ACTION, tags: ['a'] };
    const dropped = { ...tagged, type: 'drop' as const };
    expect(printAction(dropped).text).toBe('{ "type": "drop" }');
    expect(printAction({ ...dropped, type: 'tag' }).text).toBe('{ "type": "tag", "tags": ["a"] }');
  });
});

describe('a whole rule', () => {
  const rules = fc
    .record({
      name: strings,
      description: fc.option(strings),
      match: matches,
      priority: numbers,
      others: fc.option(values),
    })
    .chain(({ name, description, match, priority, others }) =>
      objectOf([
        ...[`"name": ${name}`, `"match": ${match}`, `"priority": ${priority}`],
        ...['"stage": "deliver"', '"action": {"type":"drop"}'],
        ...(description === null ? [] : [`"description": ${description}`]),
        ...(others === null ? [] : [`"x y": ${others}`]),
      ]),
    );

  test('every rule that the builder takes comes out equal', () => {
    fc.assert(
      fc.property(rules, (text) => {
        const form = readRule(text);
        if (isRefusal(form)) throw new Error(form.why);
        expect(letterByLetter(printRule(form).text)).toBe(letterByLetter(text));
      }),
      { numRuns: 300 },
    );
  });

  test('a text that nobody has changed in the builder is the very same letter by letter', () => {
    fc.assert(
      fc.property(rules, (text) => {
        const builder = showBuilder(changeText(editForm(), text));
        if ('why' in builder) throw new Error(builder.why);
        expect(showJson(builder).text).toBe(text);
      }),
    );
  });

  test('a match that is too deep stays as it is while name and action are edited in the builder', () => {
    const levels = MOST_LEVELS + 1;
    const deep = `${'{"all":[ '.repeat(levels)}{"path":"p","op":"exists"}${']}'.repeat(levels)}`;
    const text = `{"name":"a","stage":"deliver","match":${deep},"action":{"type":"drop"},"priority":1}`;
    const editor = editText(text);
    expect(editor.view).toBe('builder');
    expect(editor.form.match).toMatchObject({ kind: 'source' });
    const renamed = showJson(changeForm(editor, { name: 'b' }));
    expect(letterByLetter(renamed.text)).toBe(letterByLetter(text.replace('"a"', '"b"')));
  });

  test('text that is not JSON stays as it is, and the refusal names line and column', () => {
    const editor = changeText(showJson(editForm()), '{\n  "name": }');
    expect(showBuilder(editor)).toMatchObject({
      why: expect.stringContaining('line 2, column 11'),
      position: 12,
    });
    expect(editor.text).toBe('{\n  "name": }');
  });

  test('what is half-written in a field survives the way to the JSON view and back', () => {
    const form = changeRule(NEW_RULE, { priority: 'soon', name: 'a' });
    const json = showJson({ ...editForm(), form, newer: 'form' });
    expect(json.text).toContain('"priority": soon');
    const back = showBuilder(json);
    expect(back).toMatchObject({ view: 'builder', form });
    expect(!('why' in back) && printed(back).faults).toEqual([
      { pointer: '/priority', message: expect.any(String) },
    ]);
  });

  test.for([
    { text: '[]', pointer: '', why: 'object' },
    { text: '{"name":"a","name":"b"}', pointer: '', why: 'twice' },
    { text: '{"name":5}', pointer: '/name', why: 'not a string' },
    { text: '{"priority":"1"}', pointer: '/priority', why: 'not a number' },
  ])('$text is refused: $why', ({ text, pointer, why }) => {
    const refusal = readRule(text);
    expect(refusal).toMatchObject({ pointer });
    expect(isRefusal(refusal) && refusal.why).toContain(why);
  });

  test('a description comes after the name once it is written, and goes when it is emptied', () => {
    const described = changeRule({ ...NEW_RULE, name: 'a' }, { description: 'why' });
    expect(Object.keys(JSON.parse(printRule(described).text) as object)).toEqual([
      ...['name', 'description', 'stage', 'match', 'action', 'priority'],
    ]);
    expect(printRule(changeRule(described, { description: '' })).text).not.toContain('description');
  });

  test('a member that was missing is added once the form is edited, so that the rule can be saved', () => {
    const form = readRule('{"name":"a","match":{"path":"p","op":"exists"}}');
    if (isRefusal(form)) throw new Error(form.why);
    const rule = JSON.parse(printRule(changeRule(form, { priority: '5' })).text) as Record<string, unknown>;
    expect(rule).toMatchObject({ stage: 'deliver', priority: 5, action: { type: 'tag' } });
  });

  test('a rule of the service becomes text without the members that the service gives', () => {
    const rule = {
      id: 'x',
      name: 'n',
      stage: 'deliver',
      match: { path: 'a', op: 'exists' },
      action: { type: 'drop' },
      priority: 1,
    };
    expect(JSON.parse(textOfRule({ ...rule, version: 3, counts: {} }))).toEqual({ ...rule, id: undefined });
  });
});

test('the layout changes nothing but white space', () => {
  fc.assert(
    fc.property(values, (text) => {
      expect(letterByLetter(pretty(text))).toBe(letterByLetter(text));
    }),
  );
});

test('a short object is printed on one line, a long one has a line for each member', () => {
  expect(
    pretty(
      '{"all":[{"path":"data.body.action","op":"eq","value":"opened"},{"path":"data.body.sender.login","op":"ends_with","value":"[bot]"}]}',
    ),
  ).toBe(`{
  "all": [
    { "path": "data.body.action", "op": "eq", "value": "opened" },
    { "path": "data.body.sender.login", "op": "ends_with", "value": "[bot]" }
  ]
}`);
});

test('moving an item and moving it back changes nothing', () => {
  const moves = fc.array(fc.integer(), { minLength: 1 }).chain((items) => {
    const index = fc.nat(items.length - 1);
    return fc.tuple(fc.constant(items), index, index);
  });
  fc.assert(
    fc.property(moves, ([items, from, to]) => {
      expect(moved(moved(items, from, to), to, from)).toEqual(items);
    }),
  );
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(moved(['a'], 0, 5)).toEqual(['a']);
});

test('a key comes after those that it usually follows', () => {
  expect(withKey(['value', 'op'], 'path', ['path', 'op', 'value'])).toEqual(['path', 'value', 'op']);
  expect(withKey(['op', 'path'], 'value', ['path', 'op', 'value'])).toEqual(['op', 'path', 'value']);
});
