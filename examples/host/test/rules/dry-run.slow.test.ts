/** Dry-runs over stored events: the library's report, read page by page, bounded in time and number. */
import { dryRun } from 'headgate';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { eventForRules } from '../../src/stored/event-json.js';
import { createEventIds } from '../../src/ids.js';
import { type PastEvent, pagesOfPastEvents } from '../../src/rules/past-events.js';
import { databases } from '../db/databases.js';
import { makeProject, serveRules } from './served.js';

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
      ...{
        type: 'webhook.received',
        topic: 'webhook.received',
        givenTags: null,
        orderingKey: null,
        traceparent: null,
      },
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
  const openProject = async (parts: Parameters<typeof serveRules>[2] = {}) => {
    const db = await open();
    const project = await makeProject(db);
    return { project, ...serveRules(db, project, { now: () => NOW, ...parts }) };
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
      buckets: 60,
    });
    expect(expected.histogram?.filter(({ scanned }) => scanned === 4)).toHaveLength(60);
    expect(expected.scanned).toBe(240);
    expect(body).toEqual(expected);
  });

  test('reads pages of bounded size, and every event once', async () => {
    const { db, project, ask } = await openProject();
    const events = await storeEvents(db, project, 60, 1_000, 1_000_000);
    const pages: (readonly PastEvent[])[] = [];
    const wanted = { project, after: NOW - 3_600_000, until: NOW, hasRawPayload: false };
    for await (const page of pagesOfPastEvents(db, wanted)) pages.push(page);
    expect(pages.flat().map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    const bytes = pages.map((page) => page.reduce((sum, { data }) => sum + data.length, 0));
    expect(Math.max(...bytes)).toBeLessThanOrEqual(4 * 1_024 * 1_024);
    expect(Math.max(...bytes)).toBeGreaterThan(3_000_000);
    const request = { stage: 'deliver', match: fizz, action: { type: 'drop' }, windowHours: 1 };
    const { body } = await ask('POST', '/rules/dry-run', request);
    expect(body).toMatchObject({ scanned: 60, matched: 20, byAction: { drop: 20 } });
  });

  test('reads no event in the thread of the requests', async () => {
    const { db, project } = await openProject();
    await storeEvents(db, project, 20);
    const read: unknown[] = [];
    const watched: Database = {
      ...db,
      all: <Of>(...given: Parameters<Database['all']>) => {
        read.push(given[0]);
        return db.all<Of>(...given);
      },
    };
    const { ask } = serveRules(watched, project, { now: () => NOW });
    const request = { stage: 'deliver', match: fizz, action: tag, windowHours: 1 };
    expect((await ask('POST', '/rules/dry-run', request)).body).toMatchObject({ scanned: 20 });
    expect(read).toEqual([]);
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

  test('lists the tags that an event does not have yet', async () => {
    const { db, project, ask } = await openProject();
    const [newest, second, third] = await storeEvents(db, project, 3);
    await db.run('update events set tags = $1 where id = $2', ['["old","fizz"]', newest!.id]);
    await db.run('update events set tags = $1 where id = $2', ['["fizz","new"]', second!.id]);
    const rule = {
      ...{ stage: 'deliver', windowHours: 1, action: { type: 'tag', tags: ['fizz', 'new'] } },
      match: {
        all: [
          { path: 'id', op: 'exists' },
          { path: 'tags', op: 'not_contains', value: 'fizz' },
        ],
      },
    };
    await db.run('update events set topic = $1 where id = $2', ['invoice.paid', newest!.id]);
    const { body } = await ask('POST', '/rules/dry-run', rule);
    expect(body.samples).toMatchObject([
      { id: newest!.id, topic: 'invoice.paid', tags: ['new'] },
      { id: second!.id, tags: [] },
      { id: third!.id, tags: ['fizz', 'new'] },
    ]);
  });

  /** A rule that takes some 20 ms on each event of {@link openSlow}, of which it has 700. */
  const slow = {
    ...{ stage: 'deliver', action: tag, windowHours: 1 },
    match: { path: 'data.body.text', op: 'matches', value: '[ab]*a[ab]{150}[^ab].' },
  };
  const openSlow = async (parts: Parameters<typeof serveRules>[2] = {}) => {
    const served = await openProject({ patterns: { budget: 2_000_000 }, ...parts });
    await storeEvents(served.db, served.project, 700, 1_000);
    const text = Array.from({ length: 8_192 }, (_, i) => ((i * 7_919) % 13 < 6 ? 'a' : 'b')).join('');
    await served.db.run('update event_payloads set data = $1', [JSON.stringify({ body: { text } })]);
    return served;
  };
  const EVENT_STREAM = { accept: 'text/event-stream' };

  test('that takes too long says how far it got, and gives its slot back', async () => {
    const deadline = new AbortController();
    const { ask, fetch } = await openSlow({ dryRunDeadline: () => deadline.signal });
    const response = await fetch('POST', '/rules/dry-run', slow, EVENT_STREAM);
    let text = '';
    for await (const chunk of response.body!) {
      text += new TextDecoder().decode(chunk);
      if (text.includes('event: progress')) deadline.abort();
    }
    const [, problem = ''] = /event: problem\ndata: (.*)/.exec(text) ?? [];
    const { scanned, ...members } = JSON.parse(problem) as { readonly scanned: number };
    expect(members).toMatchObject({ status: 503, code: 'dry_run_timeout', matched: 0 });
    expect(scanned).toBeGreaterThan(0);
    expect(scanned).toBeLessThan(700);
    const answers = await Promise.all([1, 2].map(() => ask('POST', '/rules/dry-run', slow)));
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [503, 'dry_run_timeout'],
      [503, 'dry_run_timeout'],
    ]);
  });

  test('ends when its caller goes away', async () => {
    const { fetch, ask } = await openSlow();
    for (let i = 0; i < 2; i++) {
      const response = await fetch('POST', '/rules/dry-run', slow, EVENT_STREAM);
      await response.body!.cancel();
    }
    const quick = { ...slow, match: fizz };
    await expect.poll(async () => (await ask('POST', '/rules/dry-run', quick)).status).toBe(200);
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
