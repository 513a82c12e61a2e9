/** Dry-runs over stored events: the library's report, read page by page, bounded in time and number. */
import { dryRun } from 'headgate';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { eventForRules } from '../../src/events/event-json.js';
import { createEventIds } from '../../src/ground/ids.js';
import type { PastEvent } from '../../src/rules/past-events.js';
import { SELECT_PAST_EVENTS } from '../../src/rules/statements.js';
import { databases } from '../db/databases.js';
import { makeProject, openRoom } from './room.js';

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;

/** Stores one event each `everyMs` before {@link NOW}; the newest is the first. */
async function storeEvents(
  db: Database,
  project: string,
  count: number,
  everyMs = MINUTE,
  size = 0,
): Promise<PastEvent[]> {
  const newId = createEventIds();
  const events = Array.from({ length: count }, (_, i): PastEvent => {
    const at = NOW - (count - 1 - i) * everyMs;
    const body = { n: i, kind: i % 3 === 0 ? 'fizz' : 'other', text: 'x'.repeat(i % 7 === 0 ? size : 0) };
    return {
      id: newId(at),
      type: 'webhook.received',
      channelId: null,
      channelName: null,
      receivedAt: at,
      data: JSON.stringify({ body }),
      rawPayload: JSON.stringify({ method: i % 2 === 0 ? 'POST' : 'PUT' }),
    };
  });
  const rows = events.map(({ id, type, receivedAt }) => ({
    id,
    project_id: project,
    channel_id: null,
    type,
    status: 'processed',
    received_at: receivedAt,
    decide_at: null,
    decide_failures: 0,
  }));
  const payloads = events.map(({ id, data, rawPayload }) => ({
    event_id: id,
    channel_name: null,
    data,
    raw_payload: rawPayload,
  }));
  await db.insert('events', rows);
  await db.insert('event_payloads', payloads);
  return events.reverse();
}

const fizz = { path: 'data.body.kind', op: 'eq', value: 'fizz' } as const;
const tag = { type: 'tag', tags: ['fizz'] } as const;

describe.each(databases())('a dry-run in $name', ({ open }) => {
  const openProject = async (parts: Parameters<typeof openRoom>[2] = {}) => {
    const db = await open();
    const project = await makeProject(db);
    return { project, ...openRoom(db, project, { now: () => NOW, ...parts }) };
  };

  test.for([
    { what: 'a tag', rule: { match: fizz, action: tag } },
    {
      what: 'a drop, by raw_payload',
      rule: { match: { path: 'raw_payload.method', op: 'eq', value: 'PUT' }, action: { type: 'drop' } },
    },
    {
      what: 'a transform',
      rule: {
        match: fizz,
        action: { type: 'transform', ops: [{ op: 'uppercase', path: 'data.body.kind' }] },
      },
    },
    {
      what: 'a route',
      rule: {
        match: { all: [fizz] },
        action: {
          type: 'route_only',
          endpoint_ids: ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'],
        },
      },
    },
  ] as const)('of $what answers what the library reports', async ({ rule }) => {
    const endpoints = [
      { id: '00000000-0000-7000-8000-000000000001', status: 'paused' as const },
      { id: '00000000-0000-7000-8000-000000000002', status: 'active' as const },
    ];
    const { db, project, ask } = await openProject({ endpoints: () => Promise.resolve(endpoints) });
    const events = await storeEvents(db, project, 500);
    await storeEvents(db, await makeProject(db), 10);
    const request = { stage: 'deliver' as const, ...rule, windowHours: 4 };
    const { status, body } = await ask('POST', '/rules/dry-run', request);
    expect(status).toBe(200);
    const { windowHours: _, ...tried } = request;
    const expected = await dryRun(tried, events.map(eventForRules), {
      windowHours: 4,
      now: NOW,
      endpoints,
    });
    expect(expected.scanned).toBe(240);
    expect(body).toEqual(expected);
  });

  test('reads pages of bounded size, and every event once', async () => {
    const { db, project, ask } = await openProject();
    await storeEvents(db, project, 300, 1_000, 1_000_000);
    const request = { stage: 'deliver', match: fizz, action: { type: 'drop' }, windowHours: 1 };
    const statements: number[] = [];
    const all = db.all.bind(db);
    const watched: Database = {
      ...db,
      all: async <Of>(...given: Parameters<Database['all']>) => {
        const rows = await all<Of>(...given);
        const bytes = rows.reduce((sum, row) => sum + ((row as { data?: string }).data?.length ?? 0), 0);
        statements.push(bytes);
        return rows;
      },
    };
    const room = openRoom(watched, project, { now: () => NOW });
    const { body } = await room.ask('POST', '/rules/dry-run', request);
    expect(body).toMatchObject({ scanned: 300, matched: 100, byAction: { drop: 100 } });
    expect(Math.max(...statements)).toBeLessThanOrEqual(4 * 1_024 * 1_024);
    expect(Math.max(...statements)).toBeGreaterThan(3_000_000);
    expect(await ask('POST', '/rules/dry-run', request)).toMatchObject({ body });
  });

  test.for<[what: string, body: object, status: number, code: string]>([
    [
      'a window of no hours',
      { stage: 'deliver', match: fizz, action: tag, windowHours: 0 },
      400,
      'invalid_window',
    ],
    [
      'a window of more than a week',
      { stage: 'deliver', match: fizz, action: tag, windowHours: 169 },
      400,
      'invalid_window',
    ],
    [
      'a window that is text',
      { stage: 'deliver', match: fizz, action: tag, windowHours: '24' },
      400,
      'invalid_window',
    ],
    ['no window', { stage: 'deliver', match: fizz, action: tag }, 400, 'invalid_window'],
    [
      'an empty group',
      { stage: 'deliver', match: { all: [] }, action: tag, windowHours: 1 },
      422,
      'empty_group',
    ],
    ['no action', { stage: 'deliver', match: fizz, windowHours: 1 }, 422, 'missing_key'],
    [
      'another member',
      { stage: 'deliver', match: fizz, action: tag, windowHours: 1, name: 'x' },
      400,
      'unknown_member',
    ],
  ])('refuses %s', async ([, body, status, code]) => {
    const { ask } = await openProject();
    expect(await ask('POST', '/rules/dry-run', body)).toMatchObject({ status, body: { issues: [{ code }] } });
  });

  test('that takes too long tells how far it came, and gives its place back', async () => {
    const { db, project } = await openProject();
    await storeEvents(db, project, 700, 1_000);
    let pages = 0;
    const stuck: Database = {
      ...db,
      all: <Of>(...given: Parameters<Database['all']>) =>
        given[0] === SELECT_PAST_EVENTS && ++pages % 3 === 0
          ? new Promise<readonly Of[]>(() => undefined)
          : db.all<Of>(...given),
    };
    const { ask } = openRoom(stuck, project, { now: () => NOW, dryRunTimeoutMs: 10_000 });
    const request = { stage: 'deliver', match: fizz, action: tag, windowHours: 1 };
    const answers = await Promise.all([
      ask('POST', '/rules/dry-run', request),
      ask('POST', '/rules/dry-run', request),
    ]);
    for (const { status, body } of answers) {
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'dry_run_timeout' });
    }
    const scanned = answers.reduce((sum, { body }) => sum + Number(body.scanned), 0);
    expect(scanned).toBeGreaterThanOrEqual(400);
    expect(await ask('POST', '/rules/dry-run', request)).toMatchObject({ status: 503 });
  });

  test('ends when its caller goes away', async () => {
    const { db, project } = await openProject();
    await storeEvents(db, project, 300, 1_000);
    let isLeft = false;
    let left = (): void => undefined;
    const gone = new Promise<void>((resolve) => (left = resolve));
    const stuck: Database = {
      ...db,
      all: async <Of>(...given: Parameters<Database['all']>) => {
        if (given[0] === SELECT_PAST_EVENTS && !isLeft) await gone;
        return db.all<Of>(...given);
      },
    };
    const { fetch, ask } = openRoom(stuck, project, { now: () => NOW });
    const request = { stage: 'deliver', match: fizz, action: tag, windowHours: 1 };
    for (let i = 0; i < 2; i++) {
      const response = await fetch('POST', '/rules/dry-run', request, { accept: 'text/event-stream' });
      await response.body!.cancel();
    }
    isLeft = true;
    left();
    await expect.poll(async () => (await ask('POST', '/rules/dry-run', request)).status).toBe(200);
  });

  test('is one of at most two of its project at a time', async () => {
    const { db, project, ask } = await openProject();
    await storeEvents(db, project, 50);
    const request = { stage: 'deliver', match: fizz, action: tag, windowHours: 1 };
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask('POST', '/rules/dry-run', request)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
    expect((await ask('POST', '/rules/dry-run', request)).status).toBe(200);
  });

  test('streams its progress and then its report', async () => {
    const { db, project, ask, fetch } = await openProject();
    await storeEvents(db, project, 500, 1_000);
    const request = { stage: 'deliver', match: fizz, action: tag, windowHours: 1 };
    const response = await fetch('POST', '/rules/dry-run', request, { accept: 'text/event-stream' });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const messages = (await response.text()).split('\n\n').filter((text) => text !== '');
    const [last] = messages.splice(-1);
    expect(last!.startsWith('event: report\ndata: ')).toBe(true);
    expect(JSON.parse(last!.slice('event: report\ndata: '.length))).toEqual(
      (await ask('POST', '/rules/dry-run', request)).body,
    );
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages) {
      expect(message).toMatch(/^event: progress\ndata: \{"matched":\d+,"scanned":\d+/);
    }
    const invalid = await fetch(
      'POST',
      '/rules/dry-run',
      { ...request, match: {} },
      { accept: 'text/event-stream' },
    );
    expect(await invalid.text()).toMatch(/^event: problem\ndata: .*"invalid_rule"/);
  });

  test('has trees and events of any depth', async () => {
    const { db, project, fetch } = await openProject();
    const [event] = await storeEvents(db, project, 1);
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    await db.run('update event_payloads set data = $2 where event_id = $1', [event!.id, `{"body":${deep}}`]);
    const match = `${'{"any":['.repeat(100_000)}{"path":"data.body","op":"exists"}${']}'.repeat(100_000)}`;
    const request = `{"stage":"deliver","match":${match},"action":{"type":"drop"},"windowHours":1}`;
    const response = await fetch('POST', '/rules/dry-run', request);
    expect((await response.text()).includes(`"data":{"body":${deep}}`)).toBe(true);
    expect(response.status).toBe(200);
  });
});
