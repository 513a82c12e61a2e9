/**
 * Search by a match tree against a model: all pages together are the events that match both the tree and the filter.
 */
import fc from 'fast-check';
import { compileMatch, type Match } from 'headgate';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import type { EventPage } from '../../src/events/routes.js';
import { type RunSearch, searchHere } from '../../src/events/search.js';
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

/** The pages of a stream, the report last. */
async function pagesOf(response: Response): Promise<Answer[]> {
  const messages = (await response.text()).trim().split('\n\n');
  const events = messages.map((message) => /^event: (\w+)\ndata: (.*)$/.exec(message) ?? []);
  expect(events.map(([, event]) => event)).toEqual([...events.slice(1).map(() => 'progress'), 'report']);
  return events.map(([, , data]) => JSON.parse(data ?? '') as Answer);
}

const idsOf = (pages: readonly Answer[]): string[] => pages.flatMap(({ items }) => items.map(({ id }) => id));
const scannedIn = (pages: readonly Answer[]): number => pages.reduce((sum, page) => sum + page.scanned, 0);
const NONE = { path: 'data.body.n', op: 'eq', value: -1 };
const ALL = { path: 'data.body.n', op: 'exists' };

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

  const stream = async (project: string, body: object, app = mountEvents(db).app): Promise<Response> =>
    app.request(`http://host/projects/${project}/events/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(body),
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
          const pages = await pagesOf(await stream(projects[0]!, { match, ...filter }, app));
          expect(idsOf(pages)).toEqual(seen);
        },
      ),
      { numRuns: 25 },
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

  describe('as a stream', () => {
    const filled = async (count: number): Promise<string> => {
      const project = await storeProject(db);
      await storeAll(
        db,
        Array.from({ length: count }, (_, i) => stored(project, i)),
      );
      return project;
    };
    /** Parts of four events, each counted, as each look at the clock finds 10 ms later. */
    const mountCounted = () => {
      let at = 0;
      const count = { parts: 0 };
      const now = (): number => (at += 10);
      const here = searchHere(db, now);
      const counted: RunSearch = (request, signal) => {
        count.parts++;
        return here(request, signal);
      };
      return { app: mountEvents(db, { now, search: counted }).app, count };
    };

    test('it reports each part, and goes on to the end', async () => {
      const project = await filled(50);
      const { app, count } = mountCounted();
      const pages = await pagesOf(await stream(project, { match: { ...ALL, op: 'eq', value: 0 } }, app));
      expect([pages.length, scannedIn(pages), idsOf(pages).length]).toEqual([count.parts, 50, 1]);
      expect(count.parts).toBeGreaterThan(10);
      expect(pages.map((page) => page.tail_position !== null)).toEqual(pages.map((_, i) => i === 0));
      const [last, ...before] = pages.reverse();
      expect([last?.next, last?.scanned_to]).toEqual([null, null]);
      const reached = before.map((page) => page.scanned_to ?? '');
      expect(reached).toEqual([...new Set(reached)].sort());
    });

    test('it ends once it has found as many as are wanted, and continues behind them', async () => {
      const project = await filled(50);
      const { app } = mountCounted();
      const first = await pagesOf(await stream(project, { match: ALL, limit: 30 }, app));
      const rest = await pagesOf(
        await stream(project, { match: ALL, limit: 30, cursor: first.at(-1)?.next }, app),
      );
      expect([idsOf(first).length, idsOf(rest).length, rest.at(-1)?.next]).toEqual([30, 20, null]);
      expect(new Set([...idsOf(first), ...idsOf(rest)]).size).toBe(50);
    });

    test('a reader that goes away ends it', async () => {
      const project = await filled(200);
      const { app, count } = mountCounted();
      await pagesOf(await stream(project, { match: NONE }, app));
      const whole = count.parts;
      expect(whole).toBeGreaterThan(40);
      const { body } = await stream(project, { match: NONE }, app);
      const reader = (body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      await reader.cancel();
      const { parts } = count;
      expect(parts - whole).toBeLessThan(10);
      // A search that had not ended would have gone on meanwhile. One part may have been under way.
      await pagesOf(await stream(project, { match: NONE }, app));
      expect(count.parts).toBeLessThan(parts + whole + 5);
    });

    test('a slow reader misses nothing', async () => {
      const project = await filled(200);
      const { app, count } = mountCounted();
      const response = await stream(project, { match: ALL, limit: 200 }, app);
      let before = -1;
      while (count.parts > before) {
        before = count.parts;
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      const pages = await pagesOf(response);
      expect(pages.length).toBeLessThan(count.parts);
      expect([new Set(idsOf(pages)).size, idsOf(pages).length, scannedIn(pages)]).toEqual([200, 200, 200]);
    });

    test('it ends when its time is up, and another continues', async () => {
      const project = await filled(50);
      let at = 0;
      const { app } = mountEvents(db, { now: () => (at += 1_000) });
      const all: Answer[] = [];
      let streams = 0;
      for (let cursor: string | null | undefined; cursor !== null; streams++) {
        const pages = await pagesOf(
          await stream(project, { match: NONE, ...(cursor !== undefined && { cursor }) }, app),
        );
        all.push(...pages);
        cursor = pages.at(-1)!.next;
      }
      expect(streams).toBeGreaterThan(2);
      expect(scannedIn(all)).toBe(50);
    });

    test('a project has four under way, and an invalid match is a problem at the end', async () => {
      const [project, other] = [await filled(20), await storeProject(db)];
      const { app } = mountCounted();
      const asked = [project, project, project, project, project, other];
      const responses = await Promise.all(asked.map((one) => stream(one, { match: NONE }, app)));
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 200]);
      await Promise.all(responses.map((one) => one.text()));
      const text = await (await stream(project, { match: { all: [] } }, app)).text();
      expect(text).toMatch(/^event: problem\ndata: .*"code":"invalid_rule"/);
    });
  });
});
