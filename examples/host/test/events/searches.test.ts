/** Searches in their thread: what they answer, and that none reads events in the thread of the requests. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { createSearches } from '../../src/events/searches.js';
import { type RunSearch, type Scanned, searchHere, type SearchRequest } from '../../src/events/search.js';
import { firstEventIdAt } from '../../src/ids.js';
import { databases } from '../db/databases.js';
import { mountEvents } from './app.js';
import { storeAll, type StoredEvent, storeProject } from './stored.js';

const AT = 1_700_000_000_000;
const stored = (project: string, i: number): StoredEvent => ({
  ...{ id: firstEventIdAt(AT + i), project, status: 'processed', type: 'a', channel: null },
  ...{ tags: [], rules: [], endpoints: [], data: { body: { n: i % 3 } } },
});
const request = (project: string, match: unknown) => ({
  ...{ project, facts: [], undecided: null, outcome: null, range: { low: 'evt_', high: 'evt_~' } },
  ...{ most: 50, maxScanned: 2_000, match: JSON.stringify(match) },
});
/** All pages of a search, however little of it each has time for. */
async function allOf(search: RunSearch, asked: SearchRequest): Promise<Omit<Scanned, 'bound'>> {
  const ids: string[] = [];
  let scanned = 0;
  let { high } = asked.range;
  for (;;) {
    const found = await search({ ...asked, range: { ...asked.range, high } }, NEVER);
    ids.push(...found.ids);
    scanned += found.scanned;
    if (found.bound === null) return { ids, scanned };
    high = found.bound;
  }
}
const NEVER = new AbortController().signal;

describe.each(databases())('$name', ({ open }) => {
  const openSearches = (db: Database) => {
    const searches = createSearches(db.options);
    onTestFinished(() => searches.stop());
    return searches;
  };

  test('the thread finds what a search here finds, for several projects at once', async () => {
    const db = await open();
    const projects = [await storeProject(db), await storeProject(db)];
    await storeAll(
      db,
      projects.flatMap((project, p) => Array.from({ length: 30 }, (_, i) => stored(project, 100 * p + i))),
    );
    const { search } = openSearches(db);
    const here = searchHere(db, () => 0);
    const asked = projects.map((project) => request(project, { path: 'data.body.n', op: 'eq', value: 1 }));
    const found = await Promise.all(asked.map((one) => allOf(search, one)));
    expect(found.map(({ ids }) => ids.length)).toEqual([10, 10]);
    expect(found).toEqual(await Promise.all(asked.map((one) => allOf(here, one))));
    await expect(search(request(projects[0]!, { all: [] }), NEVER)).rejects.toMatchObject({
      code: 'invalid_rule',
      details: { issues: [{ code: 'empty_group', pointer: '/match/all' }] },
    });
    expect(await allOf(search, asked[0]!)).toEqual(found[0]);
  });

  test('the thread of the requests reads no content of events', async () => {
    const db = await open();
    const project = await storeProject(db);
    await storeAll(
      db,
      Array.from({ length: 30 }, (_, i) => stored(project, i)),
    );
    const read: unknown[] = [];
    const watched: Database = {
      ...db,
      all: <Of>(...given: Parameters<Database['all']>) => {
        read.push(given[0]);
        return db.all<Of>(...given);
      },
    };
    const { app } = mountEvents(watched, { search: openSearches(db).search });
    const match = { path: 'data.body.n', op: 'eq', value: -1 };
    const response = await app.request(`http://host/projects/${project}/events/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ match }),
    });
    const { scanned } = (await response.json()) as { readonly scanned: number };
    expect(scanned).toBeGreaterThan(0);
    expect(read).toEqual([]);
  });

  test('too many searches are refused, and a stop rejects those that wait', async () => {
    const db = await open();
    const { search, stop } = createSearches(db.options);
    const match = { path: 'type', op: 'exists' };
    const asked = Array.from({ length: 70 }, (_, i) =>
      search(request(`p${i}`, match), new AbortController().signal),
    );
    const settled = Promise.allSettled(asked);
    await expect(asked[69]).rejects.toMatchObject({ code: 'overloaded' });
    await stop();
    const codes = (await settled).map((one) =>
      one.status === 'rejected' ? (one.reason as { code?: string; name: string }).code : 'found',
    );
    expect(codes.filter((code) => code === 'overloaded')).toHaveLength(5);
    expect(codes.filter((code) => code === 'stopping').length).toBeGreaterThan(0);
  });
});
