/** The pure functions of the pages: times, numbers, causes, JSON as lines, and lists of events. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { merged, unseen, updated } from '../../dashboard/pages/events/merge.js';
import { accentsOf, contrast } from '../../dashboard/words/colours.js';
import { CAUSES, causeOf } from '../../dashboard/words/causes.js';
import { jsonExcerpt, jsonLines } from '../../dashboard/words/json-view.js';
import { bytes, count, counted, listed, percent, rate, shortCount } from '../../dashboard/words/numbers.js';
import { countdown, duration, relativeTime, utcTime } from '../../dashboard/words/time.js';
import { FAILURES } from '../../src/delivering/routes.js';

const NOW = Date.parse('2026-11-22T12:00:00.000Z');

describe('times', () => {
  test.for([
    [0, 'now'],
    [-12_000, '12 sec. ago'],
    [-61_000, '1 min. ago'],
    [-7_200_000, '2 hr. ago'],
    [90_000, 'in 1 min.'],
    [-86_400_000, 'yesterday'],
  ] as const)('%d ms from now is %s', ([ms, text]) => {
    expect(relativeTime(NOW + ms, NOW)).toBe(text);
  });

  const SIZES = {
    ...{ second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 },
    ...{ month: 2_592_000_000, year: 31_536_000_000 },
  };
  const UNITS = ['second', 'minute', 'hour', 'day', 'month', 'year'] as const;

  test('relative times are in the words of the browser', () => {
    const browser = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
    fc.assert(
      fc.property(
        fc.constantFrom(...UNITS),
        fc.integer({ min: 1, max: 2_000 }),
        fc.boolean(),
        (unit, most, isPast) => {
          const next = UNITS[UNITS.indexOf(unit) + 1];
          const units = next === undefined ? most : Math.min(most, Math.ceil(SIZES[next] / SIZES[unit]) - 1);
          fc.pre(unit !== 'second' || units > 1);
          const signed = isPast ? -units : units;
          expect(relativeTime(NOW + signed * SIZES[unit], NOW)).toBe(browser.format(signed, unit));
        },
      ),
    );
  });

  test.for([
    [340, '340 ms'],
    [2_400, '2.4 s'],
    [59_600, '1 min'],
    [185_000, '3 min 5 s'],
    [7_500_000, '2 h 5 min'],
    [187_200_000, '2 d 4 h'],
  ] as const)('a span of %d ms is %s', ([ms, text]) => {
    expect(duration(ms)).toBe(text);
  });

  test('what is due counts down, and then is due now', () => {
    expect(countdown(NOW + 4_200, NOW)).toBe('in 5 s');
    expect(countdown(NOW - 1, NOW)).toBe('due now');
  });

  test('UTC is exact', () => {
    expect(utcTime(NOW + 7)).toBe('2026-11-22 12:00:00.007 UTC');
  });
});

describe('accents', () => {
  const hex = fc.stringMatching(/^#[0-9a-f]{6}$/);

  test('whatever colour is chosen, its links and the text of its buttons can be read', () => {
    fc.assert(
      fc.property(hex, (accent) => {
        const {
          '--accent': links = '',
          '--accent-fill': fill = '',
          '--on-accent': text = '',
        } = accentsOf(accent);
        const [, light = '', dark = ''] = /^light-dark\((#\w{6}), (#\w{6})\)$/.exec(links) ?? [];
        expect(fill).toBe(accent);
        expect(contrast(text, fill)).toBeGreaterThanOrEqual(4.5);
        for (const surface of ['#ffffff', '#f6f7f9', '#f1f3f5']) {
          expect(contrast(light, surface)).toBeGreaterThanOrEqual(4.5);
        }
        for (const surface of ['#101214', '#1a1d20', '#1e2225']) {
          expect(contrast(dark, surface)).toBeGreaterThanOrEqual(4.5);
        }
      }),
    );
  });

  test('a colour that can be read stays as it is', () => {
    expect(accentsOf('#3850d0')['--accent']).toMatch(/^light-dark\(#3850d0, /);
    expect(accentsOf('#9aabff')['--accent']).toMatch(/, #9aabff\)$/);
    expect([contrast('#000000', '#ffffff'), contrast('#777777', '#777777')]).toEqual([21, 1]);
  });
});

describe('numbers', () => {
  test.for([
    [1, '100%'],
    [0.99999, '99.99%'],
    [0.9995, '99.95%'],
    [0.42, '42%'],
    [0.0001, '<0.1%'],
    [0, '0%'],
  ] as const)('the share %d is %s', ([share, text]) => {
    expect(percent(share)).toBe(text);
  });

  test.for([
    ['count', count, {}],
    ['shortCount', shortCount, { notation: 'compact', maximumFractionDigits: 1 }],
    ['rate', rate, { notation: 'compact', maximumSignificantDigits: 3 }],
  ] as const)('%s writes numbers as the browser does', ([, written, options]) => {
    const browser = new Intl.NumberFormat('en', options);
    const numbers = fc.oneof(
      fc.integer({ min: -2_000, max: 2_000 }),
      fc.maxSafeNat(),
      fc.double({ noNaN: true }),
    );
    const plus = (number: number): number => number + 0; // 0 for -0
    fc.assert(
      fc.property(numbers.map(plus), (number) => {
        expect(written(number)).toBe(browser.format(number));
      }),
    );
  });

  test('nouns and units fit their numbers', () => {
    expect([counted(1, 'event'), counted(1_200, 'event'), counted(2, 'reply', 'replies')]).toEqual([
      '1 event',
      '1,200 events',
      '2 replies',
    ]);
    expect([bytes(812), bytes(1_400), bytes(3_000_000)]).toEqual(['812 B', '1.4 kB', '3 MB']);
    expect([listed([]), listed(['a']), listed(['a', 'b', 'c'])]).toEqual(['', 'a', 'a, b and c']);
  });
});

describe('causes', () => {
  test('every failure of the API has a cause and a cure', () => {
    expect(Object.keys(CAUSES).sort()).toEqual([...FAILURES].sort());
  });

  test('a status says more than that there was one', () => {
    expect(causeOf('http_status', 404)).toMatchObject({
      text: 'HTTP 404',
      cause: 'The receiver has no such path.',
    });
    expect(causeOf('http_status', 302).cure).toContain('Redirects are not followed');
    expect(causeOf('http_status', 599).cause).toContain('failed with 599');
    expect(causeOf('of_tomorrow').text).toBe('of_tomorrow');
  });
});

describe('causes of statuses', () => {
  test.for([400, 401, 403])('%i names the secret of another channel among the likely reasons', (status) => {
    const { text, cause, cure, isSecret } = causeOf('http_status', status);
    expect({ text, isSecret }).toEqual({ text: `HTTP ${status}`, isSecret: true });
    expect(cause).toContain('secret of another channel');
    expect(cure).toMatch(/^Compare/);
  });

  test.for([404, 405, 408, 410, 413, 415, 422, 429, 500, 502, 503, 504])(
    '%i has a cause of its own',
    (status) => {
      const [own, any] = [causeOf('http_status', status), causeOf('http_status')];
      expect(own.cause).not.toBe(any.cause);
      expect(own.cure).not.toBe(any.cure);
      expect(own.isSecret).toBeUndefined();
    },
  );
});

describe('JSON as lines', () => {
  const written = (value: unknown): string =>
    jsonLines(value)
      .map(({ depth, key, text, kind, isLast }) => {
        const name = key === null || kind === 'close' ? '' : `${JSON.stringify(key)}: `;
        const comma = kind !== 'open' && !isLast && depth > 0 ? ',' : '';
        return `${'  '.repeat(depth)}${name}${text}${comma}`;
      })
      .join('\n');

  test('the lines of any value are its JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(written(value)).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  test('paths are those of rules, and pointers are RFC 6901', () => {
    const lines = jsonLines({ 'a.b': [{ 'c/d~': 1 }] }, { root: 'data' });
    expect(lines.find(({ kind }) => kind === 'value')).toMatchObject({
      path: String.raw`data.a\.b.0.c/d~`,
      pointer: '/a.b/0/c~1d~0',
    });
  });

  test('a value of any depth has its lines, up to the limit', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(jsonLines(deep, { limit: 10 })).toHaveLength(10);
  });

  test('a container that is closed is one line', () => {
    expect(jsonLines({ a: [1, 2] }, { closed: new Set(['/a']) }).map(({ text }) => text)).toEqual([
      '{',
      '[ … ]',
      '}',
    ]);
  });

  test('an excerpt is cut', () => {
    expect(jsonExcerpt({ name: 'long enough' }, 10)).toBe('{"name":"…');
    expect(jsonExcerpt(undefined, 10)).toBe('missing');
  });
});

describe('lists of events', () => {
  const some = fc.uniqueArray(
    fc.record({ id: fc.string({ minLength: 1, maxLength: 2 }), state: fc.nat(3) }),
    {
      selector: ({ id }) => id,
    },
  );
  const falling = some.map((items) => items.toSorted((a, b) => (a.id < b.id ? 1 : -1)));

  test('merging gives each event once, newest first, in its later state', () => {
    fc.assert(
      fc.property(falling, some, (items, later) => {
        const expected = new Map([...items, ...later].map((item) => [item.id, item]));
        const ids = [...expected.keys()].sort().reverse();
        expect(merged(items, later)).toEqual(ids.map((id) => expected.get(id)));
      }),
    );
  });

  test('updating adds none and moves none', () => {
    fc.assert(
      fc.property(falling, some, (items, later) => {
        const next = updated(items, later);
        expect(next.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
        expect(unseen(items, later).every(({ id }) => !next.some((item) => item.id === id))).toBe(true);
      }),
    );
  });
});
