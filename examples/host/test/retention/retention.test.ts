/** Retention: what goes and what stays, on both databases. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayGo } from '../../src/retention/old-events.js';
import { newId } from '../../src/ids.js';
import { createRetention } from '../../src/retention/retention.js';
import { databases } from '../db/databases.js';
import { postingRows } from '../../src/stored/postings.js';
import { storedFacts } from '../deciding/seed.js';
import { answering, mountDelivering, setStage } from '../delivering/stage.js';

const DAY = 86_400_000;
const TABLES = [
  'events',
  'event_payloads',
  'event_postings',
  'event_log',
  '{deliveries}',
  '{attempts}',
  'replays',
  'replies',
];
const report = (error: unknown): never => {
  throw error instanceof Error ? error : new Error(String(error));
};

describe.each(databases())('$name', ({ open }) => {
  const countAll = async (db: Awaited<ReturnType<typeof open>>): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const table of TABLES) {
      counts[table] = (await db.get<{ n: number }>(`select count(*) as n from ${table}`))!.n;
    }
    return counts;
  };

  test('an old event goes with everything that belongs to it, and nothing else goes', async () => {
    const stage = await setStage(await open());
    const { db, clock } = stage;
    const endpoint = await stage.addEndpoint();
    const settings = { tags: ['a', 'b"c'], projected: { body: 1 } };
    const old = await stage.addEvent([endpoint.id], settings);
    const served = mountDelivering(stage);
    await served.call('POST', `/projects/{project}/events/${old.id}/replay`);
    await db.insert('replies', [
      {
        ...{ id: 'r', project_id: stage.project, event_id: old.id, client: 'c', reply_id: '1' },
        ...{ payload: '{}', received_at: clock.now() },
      },
    ]);
    served.start();
    await stage.pass(2_000);
    await served.stop(AbortSignal.abort());
    const before = await countAll(db);
    expect(before).toMatchObject({
      events: 1,
      '{deliveries}': 2,
      '{attempts}': 2,
      replays: 1,
      replies: 1,
      event_log: 2,
    });
    clock.set(clock.now() + 29 * DAY);
    const young = await stage.addEvent([]);
    const retention = createRetention({ db, clock, report });
    const sweep = async () => {
      const swept = retention.sweep();
      await stage.pass(7_200_000);
      return swept;
    };
    expect(await sweep()).toMatchObject({ events: 0 });
    clock.set(clock.now() + 2 * DAY);
    expect(await sweep()).toMatchObject({ events: 1, deliveries: 2 });
    expect(await countAll(db)).toMatchObject({
      ...{
        events: 1,
        event_payloads: 1,
        '{deliveries}': 0,
        '{attempts}': 0,
        replays: 0,
        replies: 0,
        event_log: 1,
      },
    });
    expect(new Set((await storedFacts(db)).map(({ id }) => id))).toEqual(new Set([young.id]));
    expect(await db.store.get(`${old.id}:${endpoint.id}`)).toBeNull();
  });

  test('a dead letter, an undecided event and a pending delivery stay until their time has passed twice', async () => {
    const stage = await setStage(await open());
    const { db, clock } = stage;
    const failing = await stage.addEndpoint({ retry_max_attempts: 1 });
    const dead = await stage.addEvent([failing.id]);
    const served = mountDelivering(stage, { transport: answering(() => 500) });
    served.start();
    await stage.pass(2_000);
    await served.stop(AbortSignal.abort());
    const undecided = await stage.addEvent([], { status: 'received' });
    const pending = await stage.addEvent([failing.id]);
    const plain = await stage.addEvent([]);
    const retention = createRetention({ db, clock, report });
    const left = async (days: number): Promise<readonly string[]> => {
      clock.set(clock.now() + days * DAY);
      const swept = retention.sweep();
      await stage.pass(7_200_000);
      await swept;
      return (await db.all<{ id: string }>('select id from events order by id')).map(({ id }) => id);
    };
    expect(await left(0)).toEqual([dead.id, undecided.id, pending.id, plain.id]);
    expect(await left(31)).toEqual([dead.id, undecided.id, pending.id]);
    expect(await left(30)).toEqual([]);
    expect(await db.store.get(`${dead.id}:${failing.id}`)).toBeNull();
    expect(await db.store.get(`${pending.id}:${failing.id}`)).toBeNull();
    const later = await stage.addEvent([failing.id]);
    served.start();
    await stage.pass(10_000);
    await served.stop(AbortSignal.abort());
    expect((await db.store.get(`${later.id}:${failing.id}`))?.attempts).toHaveLength(1);
  });

  test('an event that goes leaves the rows of its facts to those of its time that stay', async () => {
    const stage = await setStage(await open());
    const { db, clock, project, channel } = stage;
    const dead = await stage.addEndpoint();
    const [stays, goes] = [await stage.addEvent([dead.id]), await stage.addEvent([])];
    await db.run(
      "update {deliveries} set state = 'failed', due_at = null, finished_at = created_at, dead_letter = $1",
      [db.dialect === 'sqlite' ? 1 : 'true'],
    );
    // As one transaction had decided both.
    const facts = ['status:processed', 'type:"webhook.received"', `channel:${channel}`];
    await db.run('delete from event_postings');
    await db.insert(
      'event_postings',
      postingRows([
        { project, id: stays.id, facts: [...facts, `endpoint:${dead.id}`] },
        { project, id: goes.id, facts },
      ]),
    );
    clock.set(clock.now() + 31 * DAY);
    const swept = createRetention({ db, clock, report }).sweep();
    await stage.pass(7_200_000);
    expect(await swept).toMatchObject({ events: 1 });
    const left = await storedFacts(db);
    expect(left.map(({ id }) => id)).toEqual(left.map(() => stays.id));
    expect(left.map(({ fact }) => fact).toSorted()).toEqual([...facts, `endpoint:${dead.id}`].toSorted());
  });

  test('one process at a time sweeps, and none again within the hour', async () => {
    const stage = await setStage(await open());
    const processes = [1, 2, 3].map(() => createRetention({ db: stage.db, clock: stage.clock, report }));
    const all = processes.map((one) => one.sweep());
    await stage.pass(60_000);
    const swept = await Promise.all(all);
    expect(swept.filter((one) => one !== null)).toHaveLength(1);
    for (const one of processes.filter((_, i) => swept[i] === null)) expect(await one.sweep()).toBeNull();
    const again = processes.map((one) => one.sweep());
    await stage.pass(60_000);
    expect(await Promise.all(again)).toEqual([null, null, null]);
    stage.clock.set(stage.clock.now() + 3_600_001);
    const next = processes[0]!.sweep();
    await stage.pass(60_000);
    expect(await next).not.toBeNull();
  });

  test('the name of a client goes when it was away for the days of its project', async () => {
    const stage = await setStage(await open());
    const { db, clock, project } = stage;
    const of = { project_id: project, position: 0, connected_at: null, created_at: 0 };
    const now = clock.now() + 31 * DAY;
    await db.insert('clients', [
      { ...of, name: 'away', connection: null, seen_at: clock.now() },
      { ...of, name: 'killed', connection: 'c1', seen_at: clock.now() },
      { ...of, name: 'resting', connection: null, seen_at: now - 29 * DAY },
      { ...of, name: 'connected', connection: 'c2', seen_at: now },
    ]);
    clock.set(now);
    const swept = createRetention({ db, clock, report }).sweep();
    await stage.pass(60_000);
    await swept;
    const left = await db.all<{ name: string }>('select name from clients order by name');
    expect(left.map(({ name }) => name)).toEqual(['connected', 'resting']);
  });

  test('keys, sessions, links, audit entries and minutes go when their own time is over', async () => {
    const stage = await setStage(await open());
    const { db, clock, project } = stage;
    clock.set(clock.now() + 500 * DAY);
    const endpoint = await stage.addEndpoint();
    const at = clock.now();
    const minute = Math.floor(at / 60_000);
    for (const [i, time] of [at - 401 * DAY, at - 31 * DAY, at + DAY].entries()) {
      const id = `${i}`;
      await db.insert('idempotency_keys', [
        { scope: 's', key: id, digest: 'd', result: 'r', expires_at: time },
      ]);
      await db.insert('sessions', [
        { hash: id, key_id: null, project_id: project, scopes: '[]', created_at: 0, expires_at: time },
      ]);
      await db.insert('sign_in_links', [{ hash: id, project_id: project, expires_at: time, used_at: null }]);
      await db.insert('audit_log', [
        {
          ...{ id, project_id: project, at: time, actor: 'a', action: 'b', resource: 'c' },
          ...{ before: null, after: null },
        },
      ]);
      await db.insert('large_rule_versions', [{ rule_id: 'r', id: newId(time), bytes: 2, rule: '{}' }]);
      const minutes = {
        minute: Math.floor(time / 60_000),
        code: 'ok',
        attempts: 1,
        duration_ms: 1,
        slowest_ms: 1,
      };
      await db.insert('endpoint_minutes', [
        { endpoint_id: endpoint.id, ...minutes },
        { endpoint_id: 'gone', ...minutes },
      ]);
      const { minute: of } = minutes;
      await db.insert('event_minutes', [{ project_id: project, minute: of, status: 'dropped', events: 1 }]);
    }
    const retention = createRetention({ db, clock, report });
    const swept = retention.sweep();
    await stage.pass(60_000);
    expect(await swept).toMatchObject({ others: 2 + 2 + 2 + 1 + 1 + 3 + 2 });
    expect((await db.all('select * from audit_log')).length).toBe(2);
    expect((await db.all('select * from large_rule_versions')).length).toBe(2);
    expect(
      await db.all('select endpoint_id from endpoint_minutes where minute < $1 order by endpoint_id', [
        minute,
      ]),
    ).toHaveLength(1);
    expect((await db.all('select * from sessions')).length).toBe(1);
  });
});

test('what is unfinished, undecided or a dead letter goes only when its time has passed twice', () => {
  const delivery = fc.oneof(
    fc.constant({ finished_at: null, dead: 0 }),
    fc.constant({ finished_at: 1, dead: 0 }),
    fc.constant({ finished_at: 1, dead: 1 }),
  );
  const status = fc.constantFrom('received' as const, 'processed' as const, 'dropped' as const);
  fc.assert(
    fc.property(status, fc.array(delivery), fc.boolean(), (of, deliveries, isTwice) => {
      const isUnfinished = deliveries.some(({ finished_at }) => finished_at === null);
      const isKept = of === 'received' || isUnfinished || deliveries.some(({ dead }) => dead === 1);
      expect(mayGo({ status: of }, deliveries, isTwice)).toBe(isTwice || !isKept);
    }),
  );
});
