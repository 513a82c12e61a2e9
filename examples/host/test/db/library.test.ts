/** The options with which the host opens the library's stores. */
import fc from 'fast-check';
import { newDelivery } from 'headgate/delivery';
import { describe, expect, test } from 'vitest';
import { bodyReader, withoutQuery } from '../../src/db/library.js';
import { recordDecisions } from '../../src/deciding/record.js';
import { eventBytes } from '../../src/stored/event-json.js';
import { AT, decisionOf, seedEvents, seedProject } from '../deciding/seed.js';
import { databases } from './databases.js';

describe.each(databases())('$name', ({ open }) => {
  test('the body of each delivery is its event as it was decided, and none is of another project', async () => {
    const db = await open();
    const projects = [await seedProject(db), await seedProject(db)];
    const events = (
      await Promise.all(projects.map((project) => seedEvents(db, project, [1, 'ü', {}])))
    ).flat();
    const decisions = events.map((_, n) =>
      decisionOf({ tags: n % 2 === 0 ? [`tag ${n}`] : [], projected: n % 3 === 0 ? `{"body":${n}}` : null }),
    );
    const decided = events.map((event, n) => ({ event, decision: decisions[n]! }));
    await db.transaction((tx) => recordDecisions(tx, decided, () => [], AT));
    const bodies = events.map((event, n) => {
      const { projected, tags } = decisions[n]!;
      return Buffer.from(
        eventBytes(event, { data: projected ?? event.data, tags: JSON.stringify(tags) }),
      ).toString();
    });
    const read = bodyReader(db);
    const one = fc.record({
      n: fc.nat({ max: events.length }),
      project: fc.constantFrom('own', 'another', 'none'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 12 }), async (all) => {
        // The reader has one project for each event.
        const projectOf = new Map(all.map(({ n, project }) => [n, project]));
        const deliveries = all.map(({ n }, i) => {
          const { id, type, project } = events[n] ?? { id: 'evt_unknown', type: 'x', project: projects[0]! };
          const other = projects.find((each) => each !== project)!;
          const columns = { own: { project_id: project }, another: { project_id: other }, none: undefined };
          const given = columns[projectOf.get(n)!];
          return newDelivery({ id, type }, `e${i}`, {
            at: AT,
            ...(given !== undefined && { columns: given }),
          });
        });
        const found = (await read(deliveries)).map((bytes) => bytes && Buffer.from(bytes).toString());
        expect(found).toEqual(all.map(({ n }) => (projectOf.get(n) === 'own' ? (bodies[n] ?? null) : null)));
      }),
      { numRuns: 30 },
    );
  });
});

test.for([
  { url: 'https://one.example/in?key=secret#part', kept: 'https://one.example/in' },
  { url: 'https://name:secret@one.example:8443/', kept: 'https://one.example:8443/' },
  { url: 'unix://socket/path?key=secret', kept: 'unix://socket/path' },
  { url: 'no url?key=secret', kept: null },
])('of $url, an attempt keeps $kept', ({ url, kept }) => {
  expect(withoutQuery(url)).toBe(kept);
});
