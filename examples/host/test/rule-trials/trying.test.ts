/** Rules and patterns are tried on events and texts, within bounds. */
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { createEventIds, newId } from '../../src/ids.js';
import { databases } from '../db/databases.js';
import { storeAll, storeProject } from '../events/stored.js';
import { openRuleTrials } from './served.js';

const newEventId = createEventIds();

/** Stores decided events, oldest first, and returns their ids. */
async function store(
  db: Database,
  project: string,
  data: readonly unknown[],
  type = 'order',
): Promise<string[]> {
  const at = Date.now();
  const decided = {
    project,
    status: 'processed',
    channel: null,
    tags: [],
    rules: [],
    endpoints: [],
  } as const;
  const events = data.map((one, i) => ({ id: newEventId(at + i), ...decided, type, data: one }));
  await storeAll(db, events);
  return events.map(({ id }) => id);
}

describe.each(databases())('a trial in $name', ({ open }) => {
  test('shows for each event why it matches and what follows', async () => {
    const db = await open();
    const project = await storeProject(db);
    const [active, paused] = [newId(1), newId(2)];
    const ask = openRuleTrials(db, project, {
      endpoints: [
        { id: active, status: 'active' },
        { id: paused, status: 'paused' },
      ],
    });
    const [first, second, third] = await store(db, project, [
      { body: { card: '4242' } },
      { body: { card: 'none' } },
      { body: { card: '4343' } },
    ]);
    const match = { path: 'data.body.card', op: 'matches', value: String.raw`\d+` };
    const redact = { op: 'redact', path: 'data.body.card', regex: String.raw`\d`, replace: '*' };
    const tried = (action: object, more: object = {}) =>
      ask('POST', '/rules/try', { match, action, ...more });
    const { status, body } = await tried({ type: 'transform', ops: [redact] });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      left_out: 0,
      items: [
        {
          event: { id: third, type: 'order', topic: 'order' },
          explanation: { matched: true, nodes: [{ result: 'held', is_deciding: true }] },
          effect: {
            ...{ type: 'transform', data: { body: { card: '****' } }, limits: [] },
            diff: [{ path: 'data.body.card', before: '4343', after: '****' }],
          },
        },
        { event: { id: second }, explanation: { matched: false }, effect: null },
        { event: { id: first }, effect: { data: { body: { card: '****' } } } },
      ],
    });
    const effects = async (action: object) =>
      ((await tried(action, { event_ids: [first] })).body.items as { effect: unknown }[]).map(
        ({ effect }) => effect,
      );
    expect(await effects({ type: 'tag', tags: ['a'] })).toEqual([{ type: 'tag', tags: ['a'], limits: [] }]);
    await db.run('update events set tags = $1 where id = $2', ['["a","old"]', first!]);
    expect(await effects({ type: 'tag', tags: ['new', 'a'] })).toMatchObject([{ tags: ['new'] }]);
    expect(await effects({ type: 'tag', tags: ['a'] })).toMatchObject([{ tags: [] }]);
    expect(await effects({ type: 'drop' })).toEqual([{ type: 'drop', limits: [] }]);
    expect(await effects({ type: 'route_only', endpoint_ids: [active, paused] })).toEqual([
      { type: 'route_only', endpoint_ids: [active], limits: [] },
    ]);
    const alone = await ask('POST', '/rules/try', { action: { type: 'tag', tags: ['a'] }, limit: 1 });
    expect(alone.body.items).toMatchObject([
      { explanation: { matched: true, nodes: [] }, effect: { tags: ['a'] } },
    ]);
    expect((await ask('POST', '/rules/try', { match, type: 'other' })).body.items).toEqual([]);
    expect((await ask('POST', '/rules/try', { match, type: 'order' })).body.items).toHaveLength(3);
  });

  test('tells every fault of what is tried', async () => {
    const db = await open();
    const ask = openRuleTrials(db, await storeProject(db));
    const faulty = { match: { all: [{ path: '', op: 'eq', value: 1 }] }, action: { type: 'tag', tags: [] } };
    const { status, body } = await ask('POST', '/rules/try', faulty);
    expect([status, body.code]).toEqual([422, 'invalid_rule']);
    const issues = body.issues as readonly { readonly pointer: string }[];
    const pointers = issues.map(({ pointer }) => pointer);
    expect(pointers).toEqual(['/match/all/0/path', '/action/tags']);
    const pattern = await ask('POST', '/rules/try-pattern', { pattern: '(', replace: '', texts: [''] });
    expect([pattern.status, pattern.body.issues[0].pointer]).toEqual([422, '/pattern']);
  });

  test('finds no event of another project', async () => {
    const db = await open();
    const [mine, theirs] = [await storeProject(db), await storeProject(db)];
    const [own] = await store(db, mine, [{}]);
    const [other] = await store(db, theirs, [{ secret: 1 }]);
    const ask = openRuleTrials(db, mine);
    for (const event_ids of [[other], [own, other]]) {
      expect((await ask('POST', '/rules/try', { event_ids })).status).toBe(404);
    }
    expect((await ask('GET', `/events/${other!}/explanation`)).status).toBe(404);
    expect(JSON.stringify((await ask('GET', '/events/paths')).body)).not.toContain('secret');
  });

  test('is bounded: large events are left out, and large effects lose their values', async () => {
    const db = await open();
    const project = await storeProject(db);
    const ask = openRuleTrials(db, project);
    await store(
      db,
      project,
      Array.from({ length: 5 }, () => ({ text: 'x'.repeat(1_000_000) })),
    );
    const ops = [{ op: 'uppercase', path: 'data.text' }];
    const { body } = await ask('POST', '/rules/try', { action: { type: 'transform', ops } });
    expect(Number(body.items.length) + Number(body.left_out)).toBe(5);
    expect(body.left_out).toBeGreaterThan(1);
    expect(body.items[0].effect).toMatchObject({ data: null, diff: [], diff_truncated: true });
    expect(JSON.stringify(body).length).toBeLessThan(100_000);
  });

  test('of a deep event is as deep', async () => {
    const db = await open();
    const project = await storeProject(db);
    const ask = openRuleTrials(db, project);
    const [id] = await store(db, project, [{}]);
    const depth = 20_000;
    const deep = `{"deep":${'['.repeat(depth)}${']'.repeat(depth)},"text":"a"}`;
    await db.run('update event_payloads set data = $2 where event_id = $1', [id!, deep]);
    const ops = [{ op: 'uppercase', path: 'data.text' }];
    const { body } = await ask('POST', '/rules/try', { action: { type: 'transform', ops } });
    expect(body.items[0].effect.data.text).toBe('A');
    expect((await ask('GET', '/events/paths')).body.items[0].path).toBe('data');
  });
});

describe.each(databases().slice(0, 1))('patterns', ({ open }) => {
  const opened = async (settings?: Parameters<typeof openRuleTrials>[2]) => {
    const db = await open();
    return openRuleTrials(db, await storeProject(db), settings);
  };

  test('are tried on texts, with the ranges that they match', async () => {
    const ask = await opened();
    const texts = ['card 4242 and 17', 'none', '\uE000 1'];
    const { body } = await ask('POST', '/rules/try-pattern', {
      pattern: String.raw`\d+`,
      replace: '<$&>',
      texts,
    });
    expect(body.items).toEqual([
      {
        result: 'held',
        ranges: [
          [5, 9],
          [14, 16],
        ],
        redacted: 'card <4242> and <17>',
      },
      { result: 'not_held', ranges: [], redacted: 'none' },
      { result: 'held', ranges: [[2, 3]], redacted: '\uE000 <1>' },
    ]);
    const alone = await ask('POST', '/rules/try-pattern', { pattern: 'n', texts: ['none'] });
    expect(alone.body.items).toEqual([
      {
        result: 'held',
        ranges: [
          [0, 1],
          [2, 3],
        ],
        redacted: null,
      },
    ]);
  });

  test('that meet their budget are undecided', async () => {
    const ask = await opened({ patterns: { budget: 10 } });
    const { body } = await ask('POST', '/rules/try-pattern', {
      pattern: '[ab]+c',
      texts: [`c${'ab'.repeat(20)}`],
    });
    expect(body.items).toEqual([{ result: 'undecided', ranges: [], redacted: null }]);
  });

  test('that take too long end with their thread, and the next is tried all the same', async () => {
    const ask = await opened({ settings: { maxMs: 1, endAfterMs: 60_000 } });
    const many = Array.from({ length: 50 }, () => 'ab'.repeat(5_000));
    const { status, body } = await ask('POST', '/rules/try-pattern', { pattern: '[ab]+c', texts: many });
    expect([status, body.code]).toEqual([503, 'dry_run_timeout']);
    const again = await ask('POST', '/rules/try-pattern', { pattern: '[ab]+c', texts: many });
    expect(again.body.code).toBe('dry_run_timeout');
  });

  test('wait for their turn, eight of a project, and none once its caller has gone', async () => {
    const ask = await opened();
    const one = { pattern: 'a', texts: ['a'] };
    const gone = new AbortController();
    const asked = Array.from({ length: 9 }, () => ask('POST', '/rules/try-pattern', one));
    const statuses = (await Promise.all(asked)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(8).fill(200), 429]);
    const left = ask('POST', '/rules/try-pattern', one, { signal: gone.signal }).catch(() => null);
    gone.abort();
    await left;
    expect((await ask('POST', '/rules/try-pattern', one)).status).toBe(200);
  });
});
