/**
 * Search by a match tree against a model: all pages together are the events that match both the tree and the filter.
 */
import fc from 'fast-check';
import { compileMatch, type Match } from 'headgate';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import type { EventPage } from '../../src/events/routes.js';
import { firstEventIdAt, newId } from '../../src/ids.js';
import { databases } from '../db/databases.js';
import { mountEvents } from './app.js';
import { clear, storeAll, type StoredEvent, storeProject } from './stored.js';

type Answer = EventPage & { readonly scanned: number };

const AT = 1_700_000_000_000;

const leaves: fc.Arbitrary<Match> = fc.oneof(
  fc.record({
    path: fc.constant('data.body.n'),
    op: fc.constant('eq'),
    value: fc.integer({ min: 0, max: 3 }),
  }),
  fc.record({ path: fc.constant('type'), op: fc.constant('neq'), value: fc.constantFrom('a', 'b') }),
  fc.record({
    path: fc.constant('raw_payload.body'),
    op: fc.constant('contains'),
    value: fc.constantFrom('1', '2'),
  }),
  fc.record({ path: fc.constant('data.body.text'), op: fc.constant('matches'), value: fc.constant('^x*y') }),
  fc.constant({ path: 'status', op: 'eq', value: 'received' }),
);
const matches: fc.Arbitrary<Match> = fc.oneof(
  leaves,
  fc.array(leaves, { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
  fc.array(leaves, { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
);

const contents = fc.record({
  status: fc.constantFrom('received', 'processed', 'dropped'),
  type: fc.constantFrom('a', 'b'),
  tags: fc.subarray(['x', 'y']),
  n: fc.integer({ min: 0, max: 3 }),
  text: fc.constantFrom('xxy', 'y', 'z', 7),
});

/** An event as rules see it. */
const seenByRules = (event: StoredEvent): unknown => ({
  id: event.id,
  type: event.type,
  data: event.data,
  raw_payload: event.rawPayload,
  status: 'received',
  tags: [],
});

describe.each(databases())('$name', ({ open }) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(() => clear(db));

  const search = async (project: string, body: unknown, app = mountEvents(db).app): Promise<Response> =>
    app.request(`http://host/projects/${project}/events/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  const stored = (project: string, i: number, more: Partial<StoredEvent> = {}): StoredEvent => ({
    ...{ id: firstEventIdAt(AT + i), project, status: 'processed', type: 'a', channel: null },
    ...{ tags: [], rules: [], endpoints: [], data: { body: { n: i } } },
    ...more,
  });

  test('all pages together are the events that match as persisted, and pass the filter', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(contents, { maxLength: 30 }),
        matches,
        fc.record(
          { status: fc.constantFrom('received', 'processed', 'dropped'), tag: fc.constant('x') },
          { requiredKeys: [] },
        ),
        fc.record({ limit: fc.integer({ min: 1, max: 5 }), maxScanned: fc.constantFrom(1, 3, 2_000) }),
        async (all, match, filter, { limit, maxScanned }) => {
          const projects = [await storeProject(db), await storeProject(db)];
          await clear(db);
          const events = all.map(({ n, text, status, tags, type }, i) =>
            stored(projects[i % 2]!, i, {
              ...{ status, type, tags: status === 'received' ? [] : tags },
              ...{ data: { body: { n, text } }, rawPayload: { body: `${n}` } },
            }),
          );
          await storeAll(db, events);
          const isMatch = compileMatch(match);
          const right = events.filter(
            (event) =>
              event.project === projects[0] &&
              isMatch(seenByRules(event)) &&
              (filter.status === undefined || event.status === filter.status) &&
              (filter.tag === undefined || event.tags.includes(filter.tag)),
          );
          const { app } = mountEvents(db, { maxScanned });
          const seen: string[] = [];
          for (let cursor: string | null = null; ;) {
            const body = { match, ...filter, limit, ...(cursor !== null && { cursor }) };
            const answer = (await (await search(projects[0]!, body, app)).json()) as Answer;
            expect(answer.items.length).toBeLessThanOrEqual(limit);
            seen.push(...answer.items.map(({ id }) => id));
            ({ next: cursor } = answer);
            if (cursor === null) break;
          }
          expect(seen).toEqual(right.map(({ id }) => id).reverse());
        },
      ),
      { numRuns: 60 },
    );
  });

  test('a search ends in time, says how far it got, and goes on from there', async () => {
    const project = await storeProject(db);
    await storeAll(
      db,
      Array.from({ length: 50 }, (_, i) => stored(project, i)),
    );
    let at = 0;
    // Each look at the clock finds 10 ms later.
    const { app } = mountEvents(db, { now: () => (at += 10) });
    const match = { path: 'data.body.n', op: 'eq', value: 0 };
    let calls = 0;
    let scanned = 0;
    for (let cursor: string | null = null; ; calls++) {
      const body = { match, ...(cursor !== null && { cursor }) };
      const answer = (await (await search(project, body, app)).json()) as Answer;
      scanned += answer.scanned;
      if (answer.items.length > 0) break;
      expect(answer.scanned).toBeGreaterThan(0);
      expect(answer.scanned).toBeLessThan(10);
      cursor = answer.next;
    }
    expect(calls).toBeGreaterThan(5);
    expect(scanned).toBe(50);
  });

  test('a caller who goes away ends its search', async () => {
    const project = await storeProject(db);
    await storeAll(
      db,
      Array.from({ length: 50 }, (_, i) => stored(project, i)),
    );
    const { app } = mountEvents(db);
    const response = await app.request(`http://host/projects/${project}/events/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ match: { path: 'data.body.n', op: 'eq', value: -1 } }),
      signal: AbortSignal.abort(),
    });
    expect(((await response.json()) as Answer).scanned).toBe(1);
  });

  test('an invalid match tree is refused with every issue and its pointer in the body', async () => {
    const match = {
      all: [
        { path: 'a..b', op: 'eq', value: 1 },
        { path: 'a', op: 'none', value: 1 },
      ],
    };
    const response = await search(newId(1), { match });
    const problem = (await response.json()) as { readonly issues: readonly { readonly pointer: string }[] };
    expect(response.status).toBe(422);
    expect(problem).toMatchObject({ code: 'invalid_rule' });
    expect(problem.issues.map(({ pointer }) => pointer)).toEqual(['/match/all/0/path', '/match/all/1/op']);
  });

  test.for([
    { body: {}, status: 400, why: 'no match tree' },
    { body: { match: null }, status: 422, why: 'null for one' },
    {
      body: `{"match":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      status: 422,
      why: 'a tree that is 30,000 lists deep',
    },
    { body: { match: { path: 'a', op: 'exists' }, colour: 'red' }, status: 400, why: 'an unknown member' },
    { body: { match: { path: 'a', op: 'exists' }, cursor: 'x' }, status: 400, why: 'a cursor of nobody' },
    {
      body: { match: { path: 'a', op: 'exists' }, filler: 'x'.repeat(70_000) },
      status: 413,
      why: 'a long body',
    },
  ])('refuses $why', async ({ body, status }) => {
    expect((await search(newId(1), body)).status).toBe(status);
  });

  test('a project has two searches under way, and others are not held up by them', async () => {
    const [project, other] = [await storeProject(db), await storeProject(db)];
    await storeAll(
      db,
      Array.from({ length: 400 }, (_, i) => stored(project, i)),
    );
    const { app } = mountEvents(db);
    const match = { path: 'data.body.n', op: 'eq', value: -1 };
    const asked = [project, project, project, other].map((one) => search(one, { match }, app));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 429, 200]);
    expect((await search(project, { match }, app)).status).toBe(200);
  });
});
