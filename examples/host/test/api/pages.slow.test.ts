/** Pages of lists whose items may be large: they end early, and the next page goes on exactly there. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Database, Row } from '../../src/db/index.js';
import { PAGE_BYTES } from '../../src/api/page.js';
import { createEventIds, newId } from '../../src/ids.js';
import { databases } from '../db/databases.js';
import { ADMIN_KEY, hostOn, type HostWorld } from '../world.js';

const newEventId = createEventIds();

/** A list under test. */
interface List {
  readonly name: string;
  /**
   * Stores items whose documents have these sizes, oldest first; returns the path of the list, and the ids in its
   * order.
   */
  readonly fill: (
    db: Database,
    project: string,
    sizes: readonly number[],
  ) => Promise<{ readonly path: string; readonly ids: readonly string[] }>;
}

const AT = Date.UTC(2026, 0, 1);
/** More than the head of any item has, so that the bytes of a page can be bounded. */
const HEAD = 1_024;

/** A JSON text of a size, of letters that take two bytes. */
const textOf = (bytes: number): string => JSON.stringify('é'.repeat(Math.ceil(bytes / 2)));
/** Ids in ascending order. */
const idsOf = (sizes: readonly number[]): string[] => sizes.map((_, i) => newId(AT + i));
const newestFirst = (ids: readonly string[]): string[] => [...ids].sort().reverse();

/** Inserts row by row: large rows together would be one large statement. */
async function insert(db: Database, table: string, rows: readonly Row[]): Promise<void> {
  for (const row of rows) await db.insert(table, [row]);
}

async function storeEvent(
  db: Database,
  project: string,
  decision: string | null,
  at: number,
): Promise<string> {
  const id = newEventId(at);
  const status = decision === null ? 'received' : 'processed';
  const decided = {
    decide_at: null,
    decided_at: at,
    rules_version: 1,
    dropped_by: null,
    tags: '[]',
    decision,
  };
  const head = { project_id: project, channel_id: null, type: 'a', received_at: at, status };
  await db.insert('events', [{ id, ...head, ...decided, decision, decide_failures: 0 }]);
  const payload = { event_id: id, channel_name: null, data: '{}', raw_payload: null, projected: null };
  await db.insert('event_payloads', [payload]);
  return id;
}

const LISTS: readonly List[] = [
  {
    name: 'audit log',
    async fill(db, project, sizes) {
      const ids = idsOf(sizes);
      const head = { project_id: project, at: AT, actor: 'service', action: 'a.test', resource: 'a:1' };
      // An earlier version of the service has written large states, too; a page shows their sizes.
      const rows = ids.map((id, i) => {
        const size = sizes[i] ?? 0;
        const text = textOf(size < 1_000_000 ? Math.min(5 * size, 60_000) : size);
        return { ...head, id, before: text, after: text };
      });
      await insert(db, 'audit_log', rows);
      return { path: `/projects/${project}/audit?action=a.test&`, ids: newestFirst(ids) };
    },
  },
  {
    name: 'rules',
    async fill(db, project, sizes) {
      const ids = idsOf(sizes);
      const stamps = { version: 1, changed_in: 1, created_at: AT, updated_at: AT, enabled: 0 };
      const rule = { name: 'a', stage: 'deliver', match: { path: 'id', op: 'exists' } };
      const rows = ids.map((id, i) => {
        const action = { type: 'tag', tags: [JSON.parse(textOf(sizes[i] ?? 0)) as string] };
        const document = JSON.stringify({ ...rule, action });
        const bytes = Buffer.byteLength(document);
        return { id, project_id: project, document, bytes, priority: i % 3, ...stamps };
      });
      await insert(db, 'rules', rows);
      const order = [...rows].sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));
      return { path: `/projects/${project}/rules?`, ids: order.map(({ id }) => id) };
    },
  },
  {
    name: 'requests of a receiver',
    async fill(db, project, sizes) {
      const [receiver = ''] = idsOf([0]);
      const zeros = { arrived: 0, arrived_at: null, version: 1, created_at: AT, updated_at: AT };
      const settings = { name: 'a', token: receiver.replaceAll('-', ''), status_code: 200, delay_ms: 0 };
      await db.insert('receivers', [{ id: receiver, project_id: project, ...settings, ...zeros }]);
      const ids = idsOf(sizes);
      const rows = ids.map((id, i) => ({
        ...{ id, receiver_id: receiver, project_id: project, at: AT },
        request: `{"headers":[],"body":${textOf(sizes[i] ?? 0)}}`,
      }));
      await insert(db, 'received_requests', rows);
      return { path: `/projects/${project}/receivers/${receiver}/requests?`, ids: newestFirst(ids) };
    },
  },
  {
    name: 'replies to an event',
    async fill(db, project, sizes) {
      const event = await storeEvent(db, project, null, AT);
      const ids = idsOf(sizes);
      const rows = ids.map((id, i) => ({
        ...{ id, project_id: project, event_id: event, client: '', reply_id: id, received_at: AT },
        payload: textOf(sizes[i] ?? 0),
      }));
      await insert(db, 'replies', rows);
      return { path: `/projects/${project}/events/${event}/replies?`, ids: newestFirst(ids) };
    },
  },
  {
    name: 'events',
    async fill(db, project, sizes) {
      const ids: string[] = [];
      for (const [i, size] of sizes.entries()) {
        const rule = { id: newId(AT), name: JSON.parse(textOf(size)) as string, action: 'tag' };
        const decision = JSON.stringify({ matched: [rule], endpoint_ids: null, limits: [] });
        ids.push(await storeEvent(db, project, decision, AT + i));
      }
      return { path: `/projects/${project}/events?`, ids: newestFirst(ids) };
    },
  },
];

/** Some items are larger than a page. */
const sizes = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 2, max: 5_000 }) },
    { weight: 4, arbitrary: fc.integer({ min: 2, max: 700_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: PAGE_BYTES, max: PAGE_BYTES + 5_000 }) },
  ),
  { minLength: 12, maxLength: 25 },
);

/** All pages of a list, each with the bytes of its answer. */
async function pagesOf({ call }: HostWorld, path: string, limit: number) {
  const pages: { readonly ids: readonly string[]; readonly bytes: number }[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { status, text, json } = await call('GET', `${path}limit=${limit}${after}`);
    expect(status, text.slice(0, 1_000)).toBe(200);
    const page = json as { readonly items: readonly { readonly id: string }[]; readonly next: string | null };
    pages.push({ ids: page.items.map(({ id }) => id), bytes: Buffer.byteLength(text) });
    cursor = page.next;
  }
  return pages;
}

describe.each(databases())('pages on $name', ({ open }) => {
  test.each(LISTS)(
    '$name: nothing is skipped, nothing comes twice, and no page is large',
    async ({ fill }) => {
      const db = await open();
      const world = await hostOn(db);
      for (const some of fc.sample(sizes, { numRuns: 1, seed: 7 })) {
        const created = await world.call(
          'POST',
          '/projects',
          { name: 'B', plan: 'scale' },
          { key: ADMIN_KEY },
        );
        const { path, ids } = await fill(db, created.json.project.id as string, some);
        const call: HostWorld['call'] = (method, at) =>
          world.call(method, at, undefined, { key: created.json.key as string });
        for (const limit of [1, 3, ids.length - 1, ids.length, 200]) {
          const pages = await pagesOf({ ...world, call }, path, limit);
          expect(pages.flatMap((page) => page.ids)).toEqual(ids);
          for (const page of pages) {
            expect(page.ids.length).toBeGreaterThanOrEqual(1);
            expect(page.ids.length).toBeLessThanOrEqual(limit);
            if (page.ids.length > 1) {
              expect(page.bytes).toBeLessThan(PAGE_BYTES + HEAD * (1 + page.ids.length));
            }
          }
          if (limit === 1) expect(pages).toHaveLength(ids.length);
        }
      }
    },
  );
});
