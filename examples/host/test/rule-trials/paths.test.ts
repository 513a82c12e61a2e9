/** The paths that events have, as rules write them. */
import { compileMatch } from 'headgate';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathsOf } from '../../src/rule-trials/paths.js';

const eventOf = (data: object) => ({
  ...{ id: 'evt_1', type: 'order', topic: 'order', received_at: '2026-01-01T00:00:00.000Z' },
  ...{ status: 'received' as const, tags: [], data: data as Record<string, unknown> },
});
const never = (): boolean => false;

test('paths are counted by event, with kinds and samples', () => {
  const events = [{ a: 'x' }, { a: 1 }, { a: 'y', list: [{ b: null }] }].map(eventOf);
  const { events: count, items, is_cut } = pathsOf(events, never);
  expect([count, is_cut]).toEqual([3, false]);
  const byPath = new Map(items.map((item) => [item.path, item]));
  expect(byPath.get('data.a')).toEqual({
    ...{ path: 'data.a', kinds: ['string', 'number'], events: 3 },
    samples: ['"x"', '1', '"y"'].map((text) => ({
      kind: text === '1' ? 'number' : 'string',
      text,
      is_cut: false,
    })),
  });
  expect(byPath.get('data.list.0.b')).toMatchObject({ kinds: ['null'], events: 1 });
  expect(byPath.get('data.list')).toMatchObject({ kinds: ['array'], samples: [] });
  expect([...byPath.keys()]).toContain('received_at');
});

/** Indexes after the first three, by which no path of an array is returned; objects may have such members. */
const BEYOND = /\.(?:[3-9]|\d\d+)(?:\.|$)/;

test('every path that is returned exists in one of the events', () => {
  fc.assert(
    fc.property(
      fc.array(fc.object({ maxDepth: 4, key: fc.string() }), { minLength: 1, maxLength: 4 }),
      (all) => {
        const events = all.map((data) => eventOf(JSON.parse(JSON.stringify(data)) as object));
        for (const { path, events: count } of pathsOf(events, never).items) {
          const exists = compileMatch({ path, op: 'exists' });
          const having = events.filter(exists).length;
          expect(having).toBeGreaterThanOrEqual(count);
          if (!BEYOND.test(path)) expect(having).toBe(count);
        }
      },
    ),
  );
});

test('the answer is bounded, however large and deep events are', () => {
  const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`key${i}`, 'x'.repeat(500)]));
  let deep: object = {};
  for (let i = 0; i < 10_000; i++) deep = { deep };
  const { items, is_cut } = pathsOf([eventOf({ wide, deep }), eventOf({ ...wide })], never);
  expect(is_cut).toBe(true);
  expect(items).toHaveLength(1_000);
  expect(Math.max(...items.map(({ path }) => path.split('.').length))).toBeLessThanOrEqual(12);
  expect(JSON.stringify(items).length).toBeLessThan(2_000_000);
});
