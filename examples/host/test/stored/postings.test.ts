/** Rows of facts: what is written is read, and taken out again. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventIds, timeOfEventId } from '../../src/ids.js';
import { BUCKET_MS, eventIdsOf, postingRows, withoutIds } from '../../src/stored/postings.js';

const AT = 1_700_000_000_000;
const anEvent = fc.record({
  project: fc.constantFrom('p', 'p q'),
  at: fc.integer({ min: AT, max: AT + 4 * BUCKET_MS }),
  facts: fc.uniqueArray(fc.constantFrom('type:"a b"', 'tag:"x"', 'tag:"x y"', 'status:dropped')),
});

/** Events with ids of their own, in any order. */
const someEvents = fc.array(anEvent).map((events) => {
  const newEventId = createEventIds();
  return events.map(({ project, at, facts }) => ({ project, id: newEventId(at), facts }));
});

test('rows have every fact of every event once, by buckets of time and the newest of their ids', () => {
  fc.assert(
    fc.property(someEvents, (events) => {
      const rows = postingRows(events);
      const read = rows.flatMap((row) => eventIdsOf(row).map((id) => [row.project_id, row.fact, id].join()));
      const written = events.flatMap(({ project, id, facts }) =>
        facts.map((fact) => [project, fact, id].join()),
      );
      expect(read.toSorted()).toEqual(written.toSorted());
      const keys = rows.map((row) => [row.project_id, row.fact, row.newest_id].join());
      expect(new Set(keys).size).toBe(rows.length);
      for (const row of rows) {
        const ids = eventIdsOf(row);
        expect(row.newest_id).toBe(ids.toSorted().at(-1));
        expect(new Set(ids.map((id) => Math.floor(timeOfEventId(id) / BUCKET_MS))).size).toBe(1);
      }
    }),
  );
});

test('events of one time share their rows', () => {
  const newEventId = createEventIds();
  const events = Array.from({ length: 50 }, () => ({ project: 'p', id: newEventId(AT), facts: ['a', 'b'] }));
  expect(postingRows(events)).toHaveLength(2);
});

test('without some of its ids, a row has the others', () => {
  fc.assert(
    fc.property(someEvents, fc.func(fc.boolean()), (events, isGone) => {
      for (const row of postingRows(events)) {
        const ids = eventIdsOf(row);
        const event_ids = withoutIds(row, new Set(ids.filter((id) => isGone(id))));
        const left = event_ids === '' ? [] : eventIdsOf({ ...row, event_ids });
        expect(left).toEqual(ids.filter((id) => !isGone(id)));
      }
    }),
  );
});
