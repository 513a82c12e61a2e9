/** Pure functions of an event's page: what is invisible, what is picked, what has changed, when to look again. */
import fc from 'fast-check';
import { validateRule } from 'headgate';
import { describe, expect, test } from 'vitest';
import { changesOf } from '../../dashboard/pages/events/changes.js';
import { requestOf } from '../../dashboard/pages/events/request.js';
import { leafOf, matchOf, newRuleHref, toggled } from '../../dashboard/parts/match-of-picks.js';
import { visible } from '../../dashboard/words/visible.js';

describe('text of others', () => {
  test('characters that turn the order or are not seen are written out', () => {
    expect(visible('a\u202Eb\u0000c\u2066d\uFEFFe\u200Bf')).toBe('a\\u202Eb\\u0000c\\u2066d\\uFEFFe\\u200Bf');
  });

  test('what people see stays as it is', () => {
    const seen = 'tab\tline\nÄ 漢字 🎉 עברית';
    expect(visible(seen)).toBe(seen);
  });

  test('nothing that is left turns the order, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(/[\u200E\u200F\u202A-\u202E\u2066-\u2069\u0000]/u); // eslint-disable-line no-control-regex
      }),
    );
  });
});

describe('conditions that are picked', () => {
  test('a simple value is compared, and what is large is asked for', () => {
    expect(leafOf({ path: 'data.a', value: 5 })).toEqual({ path: 'data.a', op: 'eq', value: 5 });
    expect(leafOf({ path: 'data.a', value: null })).toEqual({ path: 'data.a', op: 'eq', value: null });
    for (const value of [{}, [], 'x'.repeat(201), 12345678901234567890]) {
      expect(leafOf({ path: 'data.a', value })).toEqual({ path: 'data.a', op: 'exists' });
    }
  });

  test('picks of any values make a match that a rule may have', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 5 }), (values) => {
        const match = matchOf(values.map((value, index) => ({ path: `data.m${index}`, value })));
        const rule = { id: 'r', name: 'r', stage: 'deliver', priority: 1, action: { type: 'drop' } };
        expect(validateRule({ ...rule, match })).toMatchObject({ ok: true });
      }),
    );
  });

  test('a second click removes a path, and the address carries the rest', () => {
    const [a, b] = [
      { path: 'type', value: 'x' },
      { path: 'data.a', value: 1 },
    ];
    const picks = toggled(toggled(toggled([], a), b), a);
    expect(picks).toEqual([b]);
    const { searchParams } = new URL(newRuleHref(picks, 'evt_1'), 'http://localhost');
    expect(JSON.parse(searchParams.get('match') ?? '')).toEqual({ path: 'data.a', op: 'eq', value: 1 });
    expect(searchParams.get('event')).toBe('evt_1');
  });
});

test('values that transforms changed are marked, even if names have dots and slashes', () => {
  const data = { body: { 'a.b': 1, 'c/d': { e: [1, 2] }, same: true } };
  const projected = { body: { 'a.b': 2, 'c/d': { e: [1, 3] }, same: true } };
  const { list, marks } = changesOf(data, projected);
  expect(list).toHaveLength(2);
  expect([...marks.keys()].sort()).toEqual(['/body/a.b', '/body/c~1d/e/1']);
  expect(changesOf(data, null)).toEqual({ list: [], marks: new Map() });
});

test('a raw payload of any form is read without a fault', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => void requestOf(value)));
  expect(requestOf(null)).toBeNull();
  expect(requestOf({ method: 'POST', path: '/in/a', query: '', headers: [['a', 'b']], body: 'x' })).toEqual({
    ...{ method: 'POST', path: '/in/a', query: '', headers: [['a', 'b']], body: 'x', isBase64: false },
  });
});
