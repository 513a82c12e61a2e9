/** One event with everything that happened to it, and its replies. */
import { parseJson } from 'headgate';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { firstEventIdAt, newId } from '../../src/ids.js';
import { databases } from '../db/databases.js';
import { mountEvents } from './app.js';
import { storeAll, type StoredEvent, storeProject } from './stored.js';

const AT = 1_700_000_000_000;
const ISO = '2023-11-14T22:13:20.000Z';
const id = firstEventIdAt(AT);
const RULE = newId(1);
const ENDPOINT = newId(2);
const CHANNEL = newId(3);

const appOn = (db: Database) => mountEvents(db).app;

const stored = (project: string): StoredEvent => ({
  ...{ id, project, status: 'dropped', type: 'webhook.received', channel: CHANNEL },
  ...{ tags: ['urgent'], rules: [RULE], endpoints: [ENDPOINT] },
  ...{ data: { body: { n: 1 } }, rawPayload: { method: 'POST' } },
});

const replyOf = (project: string, n: number) => ({
  ...{ id: newId(AT + n), project_id: project, event_id: id, client: 'c', reply_id: `r${n}` },
  ...{ payload: `{"n":${n}}`, received_at: AT + n },
});

describe.each(databases())('$name', ({ open }) => {
  test('an event is shown with its decision, deliveries, replays and replies', async () => {
    const db = await open();
    const project = await storeProject(db);
    await storeAll(db, [stored(project)]);
    const replay = { id: newId(AT + 5), project_id: project, event_id: id, rules: 'again', rules_version: 2 };
    await db.insert('replays', [{ ...replay, decision: '{}', created_at: AT + 5, created_by: 'key:1' }]);
    await db.insert('replies', [replyOf(project, 7)]);
    const response = await appOn(db).request(`http://host/projects/${project}/events/${id}`);
    expect(await response.json()).toEqual({
      ...{ id, type: 'webhook.received', received_at: ISO, status: 'dropped', tags: ['urgent'] },
      outcome: 'delivering',
      topic: 'webhook.received',
      channel: { id: CHANNEL, type: 'webhook', name: `name of ${CHANNEL}` },
      data: { body: { n: 1 } },
      projected: null,
      raw_payload: { method: 'POST' },
      decision: {
        matched: [{ id: RULE, name: `name of ${RULE}`, action: 'tag' }],
        ...{ matched_count: 1, limits_count: 0 },
        dropped_by: { id: RULE, name: `name of ${RULE}` },
        endpoint_ids: null,
        ...{ limits: [], rules_version: 1, decided_at: ISO },
      },
      deliveries: [
        {
          ...{ id: `${id}:0`, endpoint_id: ENDPOINT, origin: 'live', state: 'pending', attempts: 0 },
          ...{ due_at: null, failure: null, status_code: null, redelivery_id: null },
          ...{ created_at: ISO, finished_at: null },
        },
      ],
      replays: [
        {
          ...{ id: replay.id, rules: 'again', rules_version: 2, created_by: 'key:1' },
          created_at: '2023-11-14T22:13:20.005Z',
        },
      ],
      replies: [
        {
          ...{ id: expect.any(String) as string, client: 'c', reply_id: 'r7', payload: { n: 7 } },
          received_at: '2023-11-14T22:13:20.007Z',
        },
      ],
    });
  });

  test('what is stored is shown letter by letter, at any depth', async () => {
    const db = await open();
    const project = await storeProject(db);
    await storeAll(db, [stored(project)]);
    const deep = `{"body":${'['.repeat(100_000)}12345678901234567890${']'.repeat(100_000)}}`;
    await db.run('update event_payloads set data = $1', [deep]);
    const response = await appOn(db).request(`http://host/projects/${project}/events/${id}`);
    const text = await response.text();
    expect(text).toContain(`"data":${deep},`);
    expect(parseJson(text)).toMatchObject({ id });
  });

  test("another project's event and its replies are not there", async () => {
    const db = await open();
    const [project, other] = [await storeProject(db), await storeProject(db)];
    await storeAll(db, [stored(project)]);
    await db.insert('replies', [replyOf(project, 1)]);
    for (const path of [`events/${id}`, `events/${id}/replies`, 'events/evt_1', `events/${newId(1)}`]) {
      const response = await appOn(db).request(`http://host/projects/${other}/${path}`);
      expect([path, response.status]).toEqual([path, 404]);
    }
  });

  test('all pages of replies together are all replies, newest first', async () => {
    const db = await open();
    const project = await storeProject(db);
    await storeAll(db, [stored(project)]);
    await db.insert(
      'replies',
      Array.from({ length: 7 }, (_, n) => replyOf(project, n)),
    );
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const url = `http://host/projects/${project}/events/${id}/replies?limit=3${more}`;
      const page = (await (await appOn(db).request(url)).json()) as {
        readonly items: readonly { readonly reply_id: string }[];
        readonly next: string | null;
      };
      seen.push(...page.items.map((reply) => reply.reply_id));
      cursor = page.next;
    }
    expect(seen).toEqual(['r6', 'r5', 'r4', 'r3', 'r2', 'r1', 'r0']);
  });
});
