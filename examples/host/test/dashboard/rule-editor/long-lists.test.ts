/** Long lists of values: they are kept in pages, nothing about them is lost, and a change reads one page again. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  changeForm,
  type Editor,
  editRule,
  printed,
  showBuilder,
  showJson,
} from '../../../dashboard/parts/rule-editor/model/editor.js';
import { findingsIn } from '../../../dashboard/parts/rule-editor/model/faults.js';
import { changeLeaf, leavesIn } from '../../../dashboard/parts/rule-editor/model/match-edits.js';
import { findingsOfLong, hasLongList } from '../../../dashboard/parts/rule-editor/model/outline.js';
import { readRule } from '../../../dashboard/parts/rule-editor/model/rule-form.js';
import { nodeAt, readSource, sliceOf } from '../../../dashboard/parts/rule-editor/model/source.js';
import {
  typedItem,
  type ValueField,
  withItems,
} from '../../../dashboard/parts/rule-editor/model/value-field.js';
import {
  countOf,
  MOST_UNPAGED,
  withoutValue,
} from '../../../dashboard/parts/rule-editor/model/value-pages.js';

const anyValue = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('"', '\\', ',', ']', '[1, 2]', '\n'),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.boolean(),
  fc.constant(null),
);
const lists = fc.array(anyValue, { minLength: MOST_UNPAGED + 100, maxLength: 900, size: 'max' });
const shapes = fc.constantFrom('bare', 'flat', 'nested');

function ruleWith(value: readonly unknown[], shape = 'bare'): object {
  const leaf = { path: 'data.body.a', op: 'in', value };
  const other = { path: 'data.body.b', op: 'exists' };
  const match = {
    bare: leaf,
    flat: { any: [other, leaf] },
    nested: { all: [{ any: [other, { all: [other] }] }, { any: [other, { all: [leaf] }] }] },
  }[shape];
  return { name: 'List', stage: 'deliver', match, action: { type: 'drop' }, priority: 1 };
}

/** The editor with the value of its last leaf changed. */
function edited(editor: Editor, change: (value: ValueField) => ValueField): Editor {
  const { match } = editor.form;
  if (match.kind !== 'form') throw new Error('the builder does not show the match');
  const { id } = leavesIn(match.form).at(-1)!;
  const form = changeLeaf(match.form, id, (leaf) => ({ ...leaf, value: change(leaf.value) }));
  return changeForm(editor, { match: { kind: 'form', form } });
}

const add = (typed: string) => (value: ValueField) =>
  value.kind === 'pages' ? withItems(value, [typedItem(typed, 'text')]) : value;

const shownAs = (editor: Editor): Editor => {
  const shown = showBuilder({ ...showJson(editor), newer: 'text' });
  if ('why' in shown) throw new Error(shown.why);
  return shown;
};

describe('a long list', () => {
  test('comes out of the builder and of the JSON view as it went in', () => {
    fc.assert(
      fc.property(lists, shapes, (values, shape) => {
        const rule = ruleWith(values, shape);
        const editor = editRule(rule);
        expect(hasLongList(editor.form)).toBe(true);
        expect(JSON.parse(printed(editor).text)).toEqual(rule);
        expect(JSON.parse(showJson(editor).text)).toEqual(rule);
        expect(JSON.parse(printed(shownAs(editor)).text)).toEqual(rule);
      }),
      { numRuns: 30 },
    );
  });

  test('has each of its values where the text has it', () => {
    fc.assert(
      fc.property(lists, fc.nat(899), (values, wanted) => {
        const index = wanted % values.length;
        const source = readSource(showJson(editRule(ruleWith(values))).text);
        const { node, isExact } = nodeAt(source, `/match/value/${index}`);
        expect([isExact, JSON.parse(sliceOf(source, node))]).toEqual([true, values[index]]);
        expect(nodeAt(source, `/match/value/${values.length}`).isExact).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  test('is judged as its text is', () => {
    fc.assert(
      fc.property(lists, shapes, fc.constantFrom('List', ''), (values, shape, name) => {
        const { form } = editRule({ ...ruleWith(values, shape), name });
        const [byForm, byText] = [
          findingsOfLong(form),
          findingsIn(printed(editRule({ ...ruleWith(values, shape), name })).text),
        ];
        expect(byForm.rule).toEqual(byText.rule);
        expect(byForm.match).toEqual(byText.match);
        const said = ({ faults }: typeof byText) => faults.map(({ message }) => message).sort();
        expect(said(byForm)).toEqual(said(byText));
      }),
      { numRuns: 30 },
    );
  });

  test('with an object in it is kept whole, too', () => {
    const rule = ruleWith([...Array.from({ length: 2_000 }, (_, i) => i), { a: [1] }, 'last']);
    const editor = edited(editRule(rule), add('more'));
    const { match } = JSON.parse(printed(editor).text) as { match: { value: unknown[] } };
    expect(match.value.slice(-3)).toEqual([{ a: [1] }, 'last', 'more']);
  });

  test('a list instead of a group, or of tags, is not a list of values', () => {
    const texts = JSON.stringify(Array.from({ length: 2_000 }, (_, i) => `tag ${i}`));
    const tags = readRule(`{"match":{"path":"a","op":"exists"},"action":{"type":"tag","tags":${texts}}}`);
    expect('action' in tags && tags.action.kind === 'form' && tags.action.form.tags).toHaveLength(2_000);
    const group = readRule(`{"match":{"all":${texts}},"action":{"type":"drop"}}`);
    expect('match' in group && group.match.kind).toBe('source');
  });
});

describe('a change of a list of 130,000 values', () => {
  const values = Array.from({ length: 130_000 }, (_, i) => String(i).padStart(5, '0'));

  /** Characters of JSON that are read during some work. */
  function charactersRead(work: () => void): number {
    const parse = vi.spyOn(JSON, 'parse');
    work();
    const read = parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
    parse.mockRestore();
    return read;
  }

  test('reads one page again, and its rule is the changed one', () => {
    const first = editRule(ruleWith(values));
    expect(charactersRead(() => findingsOfLong(first.form))).toBeLessThan(1_000);
    const added = edited(first, add('new'));
    expect(charactersRead(() => findingsOfLong(added.form))).toBeLessThan(3_000);
    const removed = edited(added, (value) =>
      value.kind === 'pages' ? { kind: 'pages', pages: withoutValue(value.pages, 700, 3) } : value,
    );
    expect(charactersRead(() => findingsOfLong(removed.form))).toBeLessThan(3_000);
    const expected = [...values.filter((_, i) => i !== 70_003), 'new'];
    expect(findingsOfLong(removed.form).rule?.match).toMatchObject({ value: expected });
  });

  test('keeps the other pages as they are', () => {
    const pagesOf = ({ form: { match } }: Editor) => {
      const value = match.kind === 'form' ? leavesIn(match.form)[0]?.value : undefined;
      return value?.kind === 'pages' ? value.pages : [];
    };
    const first = editRule(ruleWith(values));
    const before = new Set(pagesOf(first));
    const after = pagesOf(edited(first, add('new')));
    expect(countOf(after)).toBe(130_001);
    expect(after.filter((page) => !before.has(page))).toHaveLength(1);
  });
});
