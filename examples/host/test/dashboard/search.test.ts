/** A search of payloads: its conditions in the editor and the address, its words, and how much there is to search. */
import fc from 'fast-check';
import { createArbitraries } from 'headgate/testing';
import { stringifyJson } from 'headgate/slim';
import { describe, expect, test } from 'vitest';
import { isTooLong, mayBeMatch } from '../../dashboard/pages/events/match-address.js';
import { eventsIn, extentOf, searchedText } from '../../dashboard/pages/events/search-progress.js';
import { newRuleHref, searchHref } from '../../dashboard/parts/match-of-picks.js';
import {
  checkedMatch,
  editMatch,
  type MatchEditor,
  showMatchBuilder,
  showMatchJson,
} from '../../dashboard/parts/rule-editor/model/match-editor.js';
import { matchText } from '../../dashboard/words/match-text.js';

/** The conditions that the page has when it is given an address. */
function matchIn(href: string): string {
  const match = new URL(href, 'http://host').searchParams.get('match') ?? '';
  return mayBeMatch(match) ? match : '';
}
const throughAddress = (match: string): string =>
  matchIn(`/dashboard/events?${new URLSearchParams({ match }).toString()}`);
const LONG = '12345678901234567890';

describe('conditions', () => {
  const { match: matches } = createArbitraries(fc);

  test('any match goes through the editor, its views and the address as it is', () => {
    fc.assert(
      fc.property(matches(), (match) => {
        const text = stringifyJson(match);
        const editor = editMatch(text);
        const { text: printed, isValid } = checkedMatch(editor);
        expect([isValid, printed]).toEqual([true, text]);
        const json = showMatchJson({ ...editor, ...(editor.view === 'json' && { view: 'builder' }) });
        if (editor.view === 'builder') {
          const again = showMatchBuilder(json) as MatchEditor;
          expect(checkedMatch(again).text).toBe(text);
        }
        expect(throughAddress(printed)).toBe(text);
      }),
    );
  });

  test('numbers keep the digits that a double does not hold', () => {
    const text = `{"all":[{"path":"data.a","op":"eq","value":${LONG}},{"path":"data.b","op":"gt","value":0.10}]}`;
    expect(checkedMatch(editMatch(text)).text).toBe(text);
    expect(checkedMatch(showMatchJson(editMatch(text))).text).toBe(text);
    expect(throughAddress(text)).toBe(text);
    expect(matchText(text)).toBe(`data.a is ${LONG} and data.b is greater than 0.1`);
    const [warning] = checkedMatch(editMatch(text)).faults;
    expect(warning?.message).toContain('has more digits than a number holds');
  });

  test('a new one has to be filled in, and an invalid one is not searched for', () => {
    expect(checkedMatch(editMatch('')).isValid).toBe(false);
    const json = { ...showMatchJson(editMatch('')), text: '{"path": "a", "op": "eq"' };
    expect(checkedMatch(json)).toMatchObject({ isValid: false, faults: [{ severity: 'error' }] });
    expect(showMatchBuilder(json)).toMatchObject({
      why: expect.stringMatching(/stops being JSON/) as string,
    });
    const unknown = checkedMatch({ ...json, text: '{"path": "a", "op": "like", "value": 1}' });
    expect(unknown.isValid).toBe(false);
    const [{ from, to } = { from: 0, to: 0 }] = unknown.faults;
    expect('{"path": "a", "op": "like", "value": 1}'.slice(from, to)).toBe('"op": "like"');
    // A match and something behind it is invalid, though a rule around it would have members of those names.
    expect(checkedMatch({ ...json, text: '{"path":"a","op":"exists"},"name":"x"' }).isValid).toBe(false);
  });

  test('an address with something else searches for nothing', () => {
    for (const text of ['', '{', '5', 'null', '"a"']) expect(throughAddress(text)).toBe('');
    expect([isTooLong('{"path":"a"}'), isTooLong('{'.repeat(8_000))]).toEqual([false, true]);
  });
});

describe('values', () => {
  const pick = { path: 'data.body.n', value: Number(LONG), written: LONG };
  const leaf = `{"path":"data.body.n","op":"eq","value":${LONG}}`;

  test('lead to the events that have them and to a rule, with all digits', () => {
    expect(matchIn(searchHref([pick]))).toBe(leaf);
    const { searchParams } = new URL(newRuleHref([pick], 'evt_1'), 'http://host');
    expect(Object.fromEntries(searchParams)).toEqual({ match: leaf, event: 'evt_1' });
  });

  test('whatever a value is, its address finds it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 0 }), (key, value) => {
        const path = `data.${key}`;
        const written = JSON.stringify(value);
        const match = matchIn(searchHref([{ path, value, written }]));
        // JSON has no negative zero.
        expect(JSON.parse(match)).toEqual({ path, op: 'eq', value: JSON.parse(written) as unknown });
      }),
    );
  });
});

test.for([
  ['{"path":"type","op":"eq","value":"a"}', 'type is "a"'],
  ['{"all":[{"path":"a","op":"exists"}]}', 'a is there'],
  [
    '{"any":[{"path":"a","op":"lt","value":5},{"all":[{"path":"b","op":"in","value":[1,2]},{"path":"c","op":"missing"}]}]}',
    'a is less than 5 or (b is one of [1,2] and c is missing)',
  ],
  ['{"colour":"red"}', '{"colour":"red"}'],
  [`${'{"all":['.repeat(3_000)}${']}'.repeat(3_000)}`, '…'],
] as const)('%s reads as a sentence', ([text, words]) => {
  expect(matchText(text)).toBe(words);
});

describe('progress', () => {
  const NOW = Date.parse('2026-11-22T12:00:00.000Z');
  const ago = (hours: number): string => new Date(NOW - hours * 3_600_000).toISOString();

  test.for([
    [{}, 30, 'month'],
    [{}, 7, 'week'],
    [{}, 31, null],
    [{ since: '30d' }, 400, 'month'],
    [{ since: '1h', status: 'dropped' }, 30, 'hour'],
    [{ from: ago(23), to: ago(2) }, 30, 'day'],
    [{ from: ago(900) }, 400, null],
    [{ from: 'yesterday' }, 30, 'month'],
    [{ since: '24h', tag: 'large' }, 30, null],
    [{ since: '24h', status: 'received' }, 30, null],
  ] as const)('the events of %j, kept for %d days, are counted by the %s', ([filter, days, period]) => {
    expect(extentOf({ ...filter, match: '{}' }, days, NOW)?.period ?? null).toBe(period);
  });

  test('spans that are partly in the extent count', () => {
    const span = (hours: number, processed: number, dropped: number) => ({
      ...{ at: ago(hours), processed, dropped },
    });
    const counts = { bucket_seconds: 3_600, series: [span(4, 1, 2), span(3, 10, 20), span(2, 100, 200)] };
    const extent = { period: 'day', from: NOW - 2.5 * 3_600_000, to: Infinity, status: undefined } as const;
    expect(eventsIn(counts, extent)).toBe(330);
    expect(eventsIn(counts, { ...extent, from: 0, to: NOW - 3.5 * 3_600_000 })).toBe(3);
    expect(eventsIn(counts, { ...extent, status: 'dropped' })).toBe(220);
    expect(eventsIn(counts, { ...extent, status: 'processed' })).toBe(110);
  });

  test.for([
    [12_400, 104_233, 'Searched 12,400 of about 100,000 events'],
    [100_000, 104_233, 'Searched 100,000 events'],
    [0, 8, 'Searched 0 of about 8 events'],
    [1, null, 'Searched 1 event'],
  ] as const)('%d of %s', ([scanned, about, text]) => {
    expect(searchedText(scanned, about)).toBe(text);
  });
});
