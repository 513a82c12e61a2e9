/** Topics of events and subscriptions of endpoints, from the API to the receivers, on both databases. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { coversTopic } from 'headgate/delivery';
import { describe, expect, test } from 'vitest';
import type { Database, Sql } from '../../src/db/index.js';
import { createHeadersVault } from '../../src/endpoints/headers.js';
import { createSealer } from '../../src/secrets/sealing.js';
import { SEALING_KEYS } from '../started.js';
import { createLookups } from '../../src/endpoints/lookups.js';
import { EVERY_TOPIC, SUBSCRIBERS, WITH_TOPICS } from '../../src/endpoints/statements.js';
import { newId } from '../../src/ids.js';
import { databases } from '../db/databases.js';
import { hostOn, type HostWorld, receiver, type Receiver } from '../world.js';

/** For look-ups of endpoints without headers and secrets of their own. */
const sealed = {
  vault: createHeadersVault(createSealer(SEALING_KEYS)),
  secrets: { of: () => Promise.resolve([]) },
};

const SLOW = { timeout: 60_000 };

/** Waits until this many requests have come, and then a moment for one too many. */
async function arrivals({ got }: Receiver, count: number): Promise<Receiver['got']> {
  for (let waited = 0; got.length < count && waited < 10_000; waited += 20) await sleep(20);
  await sleep(50);
  return got;
}

const publish = (host: HostWorld, event: object) =>
  host.call('POST', `/projects/${host.project}/events`, event);

const entriesIn = async (db: Database): Promise<readonly string[]> => {
  const rows = await db.all<{ entry: string; endpoint_id: string }>(
    'select entry, endpoint_id from endpoint_topics order by endpoint_id, entry',
  );
  return rows.map(({ entry, endpoint_id }) => `${endpoint_id} ${entry}`);
};

describe.each(databases())('$name', ({ open }) => {
  test('an event goes to the endpoints that are subscribed to its topic', SLOW, async () => {
    const host = await hostOn(await open());
    const [all, invoices, users] = [await receiver(), await receiver(), await receiver()];
    await host.endpoint(all);
    await host.endpoint(invoices, { topics: ['invoice.*', 'order.made'] });
    await host.endpoint(users, { topics: ['user.*'] });
    const { json: event } = await publish(host, { type: 'invoice.paid', data: { n: 12 }, tags: ['eu'] });
    const [delivered] = await arrivals(invoices, 1);
    expect(delivered!.event).toMatchObject({
      ...{ id: event.id, type: 'invoice.paid', topic: 'invoice.paid', data: { n: 12 }, tags: ['eu'] },
      channel: { type: 'api', name: 'API' },
    });
    expect(delivered!.headers['svc-event-type']).toBe('invoice.paid');
    // A webhook has the topic that its body names, and its type stays.
    const channel = await host.channel();
    await host.send(channel.url, { type: 'order.made' });
    expect((await arrivals(invoices, 2))[1]!.event).toMatchObject({
      ...{ type: 'webhook.received', topic: 'order.made', channel: { type: 'webhook' } },
    });
    await host.send(channel.url, { kind: 'order.made' });
    expect((await arrivals(all, 3)).map((one) => one.event.topic as string).sort()).toEqual([
      ...['invoice.paid', 'order.made', 'webhook.received'],
    ]);
    expect(invoices.got).toHaveLength(2);
    expect(users.got).toHaveLength(0);
  });

  test('rules name the topic, and a route delivers only to subscribers', SLOW, async () => {
    const host = await hostOn(await open());
    const [billing, users] = [await receiver(), await receiver()];
    const one = await host.endpoint(billing, { topics: ['invoice.*'] });
    const other = await host.endpoint(users, { topics: ['user.*'] });
    const action = { type: 'route_only', endpoint_ids: [one.id, other.id] };
    const match = { path: 'topic', op: 'starts_with', value: 'invoice.' };
    const base = `/projects/${host.project}`;
    const rule = { name: 'Invoices', stage: 'deliver', priority: 1, match, action };
    expect((await host.call('POST', `${base}/rules`, rule)).status).toBe(201);
    const { json: event } = await publish(host, { type: 'invoice.paid', data: {} });
    await arrivals(billing, 1);
    expect(users.got).toHaveLength(0);
    const odd = { ...action, endpoint_ids: ['a\0b', '\ud800', one.id] };
    const dryRun = { stage: 'deliver', match, action: odd, windowHours: 1 };
    expect((await host.call('POST', `${base}/rules/dry-run`, dryRun)).status).toBe(422);
    const tried = await host.call('POST', `${base}/rules/try`, { match, action });
    expect(tried.json.items[0].effect.endpoint_ids).toEqual([one.id]);
    const replayed = await host.call('POST', `${base}/events/${event.id}/replay`, { rules: 'again' });
    expect(replayed.json.skipped).toEqual([{ endpoint_id: other.id, reason: 'not_subscribed' }]);
    const named = await host.call('POST', `${base}/events/${event.id}/replay`, { endpoint_ids: [other.id] });
    expect(named.json).toMatchObject({ deliveries: [{ endpoint_id: other.id }], skipped: [] });
    // One that has unsubscribed since gets no replay of what it was sent then.
    await host.call('PATCH', `${base}/endpoints/${one.id}`, { topics: ['user.*'] });
    const again = await host.call('POST', `${base}/events/${event.id}/replay`, {});
    expect(again.json.skipped).toEqual([{ endpoint_id: one.id, reason: 'not_subscribed' }]);
  });

  test('events are found by their topics, and lists show them', SLOW, async () => {
    const host = await hostOn(await open());
    const base = `/projects/${host.project}/events`;
    const channel = await host.channel({ topic_path: 'data.body.meta.event' });
    const { json: webhook } = await host.send(channel.url, { meta: { event: 'order made' }, type: 'x' });
    const { json: published } = await publish(host, { type: 'invoice.paid', data: {} });
    const { json: plain } = await host.send((await host.channel()).url, { n: 1 });
    const list = async (query: string): Promise<readonly string[]> => {
      const { json } = await host.call('GET', `${base}?${query}`);
      return (json.items as { id: string; topic: string }[]).map(({ id, topic }) => `${id} ${topic}`);
    };
    const all = [`${plain.id} webhook.received`, `${published.id} invoice.paid`, `${webhook.id} order made`];
    for (let i = 0; (await list('status=processed')).length < 3 && i < 100; i++) await sleep(20);
    expect(await list('')).toEqual(all);
    expect(await list('topic=order%20made')).toEqual(all.slice(2));
    expect(await list('topic=invoice.paid&status=processed')).toEqual([all[1]]);
    expect(await list('type=invoice.paid')).toEqual([all[1]]);
    expect(await list('type=webhook.received')).toEqual([all[0], all[2]]);
    const values = await host.call('GET', `${base}/values?of=topic`);
    expect(values.json.items).toEqual(['invoice.paid', 'order made']);
    const { json: whole } = await host.call('GET', `${base}/${webhook.id}`);
    expect(whole).toMatchObject({
      type: 'webhook.received',
      topic: 'order made',
      channel: { type: 'webhook' },
    });
  });

  test('an undecided event is found by its topic', async () => {
    const db = await open();
    const host = await hostOn(db);
    const { json: made } = await publish(host, { type: 'invoice.paid', data: {} });
    for (const set of [`status = 'received', decide_at = 9e15`]) {
      for (let i = 0; i < 100; i++) {
        const { n } = (await db.get<{ n: number }>(
          `select count(*) as n from events where status = 'processed'`,
        ))!;
        if (n === 1) break;
        await sleep(20);
      }
      await db.run(`update events set ${set.replace('9e15', '9000000000000000')}`);
    }
    await db.run('delete from event_postings');
    const list = (topic: string) =>
      host.call('GET', `/projects/${host.project}/events?topic=${topic}&status=received`);
    expect((await list('invoice.paid')).json.items).toMatchObject([{ id: made.id }]);
    expect((await list('invoice')).json.items).toEqual([]);
  });

  test('look-ups find exactly the subscribers, and rows follow every edit', SLOW, async () => {
    const db = await open();
    const host = await hostOn(db);
    const base = `/projects/${host.project}/endpoints`;
    const entry = fc.constantFrom('a', 'a.b', 'a.b.c', 'a.*', 'a.b.*', 'b.*', '😀.*', 'x y');
    const topics = fc.option(fc.uniqueArray(entry, { minLength: 1, maxLength: 4 }));
    const known = new Map<string, readonly string[] | null>();
    await fc.assert(
      fc.asyncProperty(topics, topics, fc.boolean(), async (first, second, isKept) => {
        const { json: made } = await host.call('POST', base, { url: 'https://example.com', topics: first });
        expect(made.topics).toEqual(first);
        const path = `${base}/${made.id as string}`;
        expect((await host.call('PATCH', path, { topics: second })).json.topics).toEqual(second);
        if (isKept) known.set(made.id as string, second);
        else await host.call('DELETE', path);
        expect(await entriesIn(db)).toEqual(
          [...known].flatMap(([id, own]) => [...(own ?? [])].map((one) => `${id} ${one}`)).sort(),
        );
        const lookups = createLookups(db, Date.now, sealed);
        for (const topic of ['a', 'a.b', 'a.b.c', 'a.c', 'b', 'b.c', '😀.b', 'x y', 'other', 'a.']) {
          const found = await lookups.subscribers(host.project, topic);
          expect(found.map(({ id }) => id)).toEqual(
            [...known]
              .filter(([, own]) => coversTopic(own, topic))
              .map(([id]) => id)
              .sort(),
          );
        }
        lookups.stop();
      }),
      { numRuns: 15 },
    );
  });

  test('an event costs what its subscribers cost, however many endpoints the project has', SLOW, async () => {
    const db = await open();
    const [project, other] = [newId(0), newId(0)];
    const ids = Array.from({ length: 3_000 }, () => newId(0));
    const common = {
      name: 'E',
      url: 'https://example.com',
      status: 'active',
      version: 1,
      created_at: 0,
      updated_at: 0,
    };
    const retries = { retry_max_attempts: 5, retry_backoff_base_seconds: 60 };
    const entryOf = (i: number): string => (i % 2 === 0 ? `topic${i % 300}.made` : `topic${i % 300}.*`);
    await db.transaction(async (tx) => {
      const of = (project_id: string) => (id: string, i: number) => ({
        ...common,
        ...retries,
        id,
        project_id,
        topics: JSON.stringify([entryOf(i)]),
      });
      await tx.insert('endpoints', ids.map(of(project)));
      await tx.insert(
        'endpoint_topics',
        ids.map((endpoint_id, i) => ({ project_id: project, entry: entryOf(i), endpoint_id })),
      );
      await tx.insert('endpoints', [{ ...of(other)(newId(0), 0), topics: null }]);
    });
    const lookups = createLookups(db, Date.now, sealed);
    expect(await lookups.subscribers(project, 'topic8.made')).toHaveLength(10);
    expect(await lookups.subscribers(other, 'topic8.made')).toHaveLength(1);
    lookups.stop();
    const key = `${project} topic8.made`;
    const entries = ['topic8.made', 'topic8.*'].map((entry) => ({ key, project_id: project, entry }));
    for (const [sql, value] of [
      [EVERY_TOPIC, [project]],
      [WITH_TOPICS, [{ id: project }]],
      [SUBSCRIBERS, entries],
    ] as const) {
      const plan = await rowsRead(db, sql, JSON.stringify(value));
      expect(plan.scans, plan.text).toEqual([]);
      expect(plan.most, plan.text).toBeLessThanOrEqual(10);
    }
  });
});

/** How a database reads for a statement: the tables that it scans, and the most rows that a step of the plan has. */
async function rowsRead(db: Database, statement: Sql, value: string) {
  const sql = typeof statement === 'string' ? statement : statement[db.dialect];
  if (db.dialect === 'sqlite') {
    const steps = await db.all<{ detail: string }>(`explain query plan ${sql}`, [value]);
    const text = steps.map(({ detail }) => detail).join('; ');
    return { text, scans: text.match(/SCAN (?:endpoints|endpoint_topics|t|e)\b[^;]*/g) ?? [], most: 0 };
  }
  await db.run('analyze endpoints');
  await db.run('analyze endpoint_topics');
  const steps = await db.all<Readonly<Record<string, string>>>(`explain (analyze, timing off) ${sql}`, [
    value,
  ]);
  const lines = steps.map((row) => Object.values(row)[0] ?? '');
  const rows = lines.map((line) => Number(/actual rows=([\d.]+)/.exec(line)?.[1] ?? 0));
  return {
    text: lines.join('\n'),
    scans: lines.filter((line) => line.includes('Seq Scan on endpoint')),
    most: Math.max(...rows),
  };
}

const [sqlite] = databases();

describe('what is refused', () => {
  test.each([
    ['no entry', []],
    ['101 entries', Array.from({ length: 101 }, (_, i) => `t${i}`)],
    ['an empty topic', ['']],
    ['a star alone', ['*']],
    ['a star within', ['invoice.*.paid']],
    ['a star without a dot', ['invoice*']],
    ['a prefix that is empty', ['.*']],
    ['131 characters', ['x'.repeat(131)]],
    ['a line break', ['a\nb']],
  ])('%s', async (_, topics) => {
    const host = await hostOn(await sqlite!.open());
    const answer = await host.call('POST', `/projects/${host.project}/endpoints`, {
      url: 'https://example.com',
      topics,
    });
    expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
    expect(answer.json.issues[0].pointer).toMatch(/^\/topics/);
  });

  test('more endpoints than one event may have deliveries', SLOW, async () => {
    const db = await sqlite!.open();
    const host = await hostOn(db);
    const base = `/projects/${host.project}/endpoints`;
    const { json: all } = await host.call('POST', base, { url: 'https://example.com' });
    const { json: some } = await host.call('POST', base, {
      url: 'https://example.com',
      topics: ['a', 'b.*'],
    });
    const copies = async (id: string, count: number) => {
      const row = await db.get('select * from endpoints where id = $1', [id]);
      const made = Array.from({ length: count }, () => newId(0));
      await db.transaction(async (tx) => {
        await tx.insert(
          'endpoints',
          made.map((one) => ({ ...row, id: one })),
        );
        if (row?.topics === null) return;
        const rows = made.map((endpoint_id) => ({ project_id: host.project, entry: 'b.*', endpoint_id }));
        await tx.insert('endpoint_topics', rows);
      });
    };
    await copies(all.id as string, 999);
    await copies(some.id as string, 999);
    const create = (topics: readonly string[] | null) =>
      host.call('POST', base, { url: 'https://example.com', topics });
    expect(await create(null)).toMatchObject({ status: 409, json: { code: 'conflict' } });
    const full = await create(['c', 'b.*']);
    expect(full.json.detail).toBe(
      '1000 endpoints of the project have the topic b.*, which is as many as may; give this one other topics, or delete some',
    );
    const { json: fits } = await create(['a', 'c']);
    const moved = await host.call('PATCH', `${base}/${fits.id as string}`, { topics: null });
    expect(moved.status).toBe(409);
    expect((await host.call('GET', `${base}/${fits.id as string}`)).json.topics).toEqual(['a', 'c']);
  });
});
