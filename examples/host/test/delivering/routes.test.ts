/** The routes of deliveries, dead letters, redeliveries and replays. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DeliveryView } from '../../src/delivering/routes.js';
import { newId } from '../../src/ids.js';
import { databases } from '../db/databases.js';
import { insertDeliveries } from '../db/library-rows.js';
import { type Answered, answering, mountDelivering, setStage, type Stage } from './stage.js';
import { expectCounted } from './counts.js';

const P = '/projects/{project}';

/** Without a bound, also what has no status. */
const isIn = (status: number | null, from: string | undefined, to: string | undefined): boolean =>
  (from === undefined || (status !== null && status >= Number(from))) &&
  (to === undefined || (status !== null && status <= Number(to)));

/** A stage with `count` dead letters to each of the endpoints. */
async function withLetters(stage: Stage, count: number, ...types: readonly string[]) {
  const endpoint = await stage.addEndpoint({ retry_max_attempts: 1 });
  const events = [];
  for (let i = 0; i < count; i++) {
    const type = types[i % types.length] ?? 'webhook.received';
    const tags = i % 2 === 0 ? ['even', 'so "quoted"'] : [];
    events.push(await stage.addEvent([endpoint.id], { type, tags }));
    await stage.clock.advance(1);
  }
  return { endpoint, events };
}

const shownState = (state: string): string => (['leased', 'waiting'].includes(state) ? 'pending' : state);

describe.each(databases())('$name', ({ open }) => {
  test('a delivery shows its attempts and when the next one is due, and not when it is over', async () => {
    const stage = await setStage(await open());
    const endpoint = await stage.addEndpoint({ retry_max_attempts: 2 });
    const { id: event } = await stage.addEvent([endpoint.id]);
    const served = mountDelivering(stage, { transport: answering(() => 500) });
    served.start();
    await stage.pass(1_000);
    const path = `${P}/deliveries/${event}:${endpoint.id}`;
    const waiting = await served.call('GET', path);
    expect(waiting).toMatchObject({
      status: 200,
      body: {
        ...{
          event_id: event,
          endpoint_id: endpoint.id,
          state: 'pending',
          attempts: 1,
          failure: 'http_status',
        },
        ...{ status_code: 500, is_dead_letter: false, finished_at: null },
        history: [
          { number: 1, ok: false, failure: 'http_status', url: endpoint.url.split('?')[0], detail: '500' },
        ],
      },
    });
    expect(Date.parse(waiting.body.next_attempt_at)).toBeGreaterThan(stage.clock.now());
    const hastened = await served.call('POST', `${path}/retry`);
    expect(hastened).toMatchObject({ status: 202, body: { attempts: 1, id: waiting.body.id } });
    expect(Date.parse(hastened.body.next_attempt_at)).toBe(stage.clock.now());
    await stage.pass(100);
    const over = await served.call('GET', path);
    expect(over.body).toMatchObject({ state: 'failed', is_dead_letter: true, next_attempt_at: null });
    expect(over.body.history).toHaveLength(2);
    await served.stop(AbortSignal.abort());
  });

  test('lists name the topics of events, or their types once the events are gone', async () => {
    const stage = await setStage(await open());
    const { endpoint, events } = await withLetters(stage, 3);
    const [first, second, third] = events.map(({ id }) => id);
    await stage.db.run("update events set topic = 'order.paid' where id = $1", [first!]);
    await stage.db.run('delete from events where id = $1', [second!]);
    const served = mountDelivering(stage, { transport: answering(() => 500) });
    served.start();
    await stage.pass(1_000);
    const expected = {
      [first!]: 'order.paid',
      [second!]: 'webhook.received',
      [third!]: 'webhook.received',
    };
    for (const path of ['deliveries', 'dead-letters']) {
      const { items } = (await served.call('GET', `${P}/${path}`)).body;
      const topics = (items as readonly Partial<DeliveryView>[]).map((one) => [one.event_id, one.topic]);
      expect(Object.fromEntries(topics), path).toEqual(expected);
    }
    const one = await served.call('GET', `${P}/deliveries/${first}:${endpoint.id}`);
    expect(one.body).toMatchObject({ event_type: 'webhook.received', topic: 'order.paid' });
    await served.stop(AbortSignal.abort());
  });

  test('conditions on attempts look at a bounded number of deliveries, and say how far they got', async () => {
    const stage = await setStage(await open());
    const { id: endpoint_id } = await stage.addEndpoint();
    const common = { project_id: stage.project, event_id: 'e', event_type: 't', endpoint_id, origin: 'live' };
    const rows = Array.from({ length: 7_000 }, (_, i) => ({
      ...common,
      ...{
        id: `d${String(i).padStart(5, '0')}`,
        state: 'failed' as const,
        attempts: 1,
        dead: 0,
        created_at: 1_000 + i,
      },
      status_code: i < 3 ? 404 : 500,
    }));
    for (let at = 0; at < rows.length; at += 1_000) {
      await insertDeliveries(stage.db, stage.db, rows.slice(at, at + 1_000));
    }
    const served = mountDelivering(stage);
    const path = `${P}/deliveries?status_to=499`;
    const first = await served.call('GET', path);
    expect(first.body).toMatchObject({ items: [], scanned_to: new Date(1_000 + 2_000).toISOString() });
    const second = await served.call('GET', `${path}&cursor=${first.body.next}`);
    expect(second.body.items.map(({ id }) => id)).toEqual(['d00002', 'd00001', 'd00000']);
    expect(second.body).toMatchObject({ next: null, scanned_to: null });
    const one = await served.call('GET', `${path}&limit=1&cursor=${first.body.next}`);
    expect(one.body.items).toHaveLength(1);
    expect(one.body.next).not.toBeNull();
  });

  test('the attempts of an event are those of all its deliveries, on any pages', async () => {
    const stage = await setStage(await open());
    const endpoints = [await stage.addEndpoint({ retry_max_attempts: 2 }), await stage.addEndpoint()];
    const { id: event } = await stage.addEvent(endpoints.map(({ id }) => id));
    await stage.addEvent(endpoints.map(({ id }) => id));
    const served = mountDelivering(stage, { transport: answering(() => 500) });
    served.start();
    await stage.pass(200_000);
    await served.stop(AbortSignal.abort());
    const path = `${P}/events/${event}/attempts`;
    const { body } = await served.call('GET', path);
    const known = [];
    for (const { id } of [...endpoints].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      const { history } = (await served.call('GET', `${P}/deliveries/${event}:${id}`)).body;
      known.push(...history.map((attempt: object) => ({ delivery_id: `${event}:${id}`, ...attempt })));
    }
    expect(known.length).toBeGreaterThan(2);
    expect(body).toEqual({ items: known, next: null });
    const paged: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Answered = await served.call(
        'GET',
        `${path}?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      paged.push(...page.body.items);
      cursor = page.body.next;
    }
    expect(paged).toEqual(known);
    expect((await served.call('GET', `${P}/events/evt_${'0'.repeat(26)}/attempts`)).status).toBe(404);
  });

  test('lists are the deliveries that meet every filter, newest first, on any pages', async () => {
    const stage = await setStage(await open());
    const { db, clock } = stage;
    const endpoints = [randomUUID(), randomUUID()];
    const redeliveries = [newId(clock.now()), newId(clock.now())];
    await db.insert(
      'bulk_actions',
      redeliveries.map((id) => ({
        ...{ id, project_id: stage.project, filter: '{}', state: 'done', total: 0, sent: 0 },
        ...{ cursor: '{}', lease_until: 0, created_at: 0, created_by: 'x', ended_at: 1 },
      })),
    );
    const event = `evt_${'0'.repeat(26)}`;
    const other = `evt_${'1'.repeat(26)}`;
    const rows = fc.sample(
      fc.record({
        event_id: fc.constantFrom(event, other),
        endpoint_id: fc.constantFrom(...endpoints),
        state: fc.constantFrom('pending', 'leased', 'waiting', 'delivered', 'failed'),
        redelivery_id: fc.constantFrom(null, null, ...redeliveries),
        created_at: fc.integer({ min: 1_000, max: 1_040 }),
        live: fc.boolean(),
        status_code: fc.constantFrom(null, 404, 500, 503),
      }),
      { numRuns: 120, seed: 7 },
    );
    const stored = rows.map(({ live, ...row }, i) => ({
      ...{
        id: `${row.event_id}:${String(i).padStart(3, '0')}`,
        project_id: stage.project,
        event_type: 't',
        ...row,
      },
      origin: live && row.redelivery_id === null ? 'live' : 'replay',
      failure: row.status_code === null ? 'timeout' : 'http_status',
      ...{ attempts: 1, due_at: row.state === 'leased' ? i + 1 : null, dead: 0, finished_at: null },
    }));
    await insertDeliveries(db, db, stored);
    await insertDeliveries(db, db, [
      { ...stored[0]!, id: `${event}:foreign`, project_id: newId(0), endpoint_id: randomUUID() },
    ]);
    const served = mountDelivering(stage);
    // Most filters have a few of the conditions, so that they select some.
    const option = <T>(...values: readonly T[]) =>
      fc.oneof(
        { weight: 4, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constantFrom(...values) },
      );
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          event: option(event),
          endpoint: option(...endpoints, randomUUID()),
          state: option('pending', 'delivered', 'failed'),
          origin: option('live', 'replay'),
          redelivery: option(...redeliveries),
          from: option(1_010, 1_020),
          to: option(1_021, 1_030),
          failure: option('timeout', 'http_status', 'dns_failure'),
          status_from: option('500'),
          status_to: option('500', '599'),
        }),
        fc.integer({ min: 1, max: 60 }),
        async (filter, limit) => {
          const query = new URLSearchParams({ limit: `${limit}` });
          for (const [name, value] of Object.entries(filter)) {
            if (value === undefined) continue;
            query.set(name, typeof value === 'number' ? new Date(value).toISOString() : value);
          }
          const found: string[] = [];
          for (let cursor: string | null = ''; cursor !== null;) {
            if (cursor !== '') query.set('cursor', cursor);
            const { status, body }: Answered = await served.call('GET', `${P}/deliveries?${query}`);
            expect(status).toBe(200);
            expect(body.items.length).toBeLessThanOrEqual(limit);
            found.push(...body.items.map(({ id }) => id));
            cursor = body.next;
          }
          const expected = stored
            .filter((row) => filter.event === undefined || row.event_id === filter.event)
            .filter((row) => filter.endpoint === undefined || row.endpoint_id === filter.endpoint)
            .filter((row) => filter.state === undefined || shownState(row.state) === filter.state)
            .filter((row) => filter.origin === undefined || row.origin === filter.origin)
            .filter((row) => filter.redelivery === undefined || row.redelivery_id === filter.redelivery)
            .filter((row) => row.created_at >= (filter.from ?? 0) && row.created_at < (filter.to ?? Infinity))
            .filter((row) => filter.failure === undefined || row.failure === filter.failure)
            .filter((row) => isIn(row.status_code, filter.status_from, filter.status_to))
            .sort((a, b) => b.created_at - a.created_at || stored.indexOf(b) - stored.indexOf(a));
          expect(found).toEqual(expected.map(({ id }) => id));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('the deliveries of a deleted endpoint are listed, also if all of them are under way', async () => {
    const stage = await setStage(await open());
    const [endpoint, event_id] = [randomUUID(), `evt_${'0'.repeat(26)}`];
    const common = { event_id, project_id: stage.project, endpoint_id: endpoint, state: 'leased', due_at: 1 };
    await insertDeliveries(stage.db, stage.db, [{ ...common, id: `${event_id}:e`, created_at: 1 }]);
    const served = mountDelivering(stage);
    const { body } = await served.call('GET', `${P}/deliveries?endpoint=${endpoint}&state=pending`);
    expect(body.items.map(({ id }) => id)).toEqual([`${event_id}:e`]);
  });

  test('dead letters are found, counted and redelivered by every condition', async () => {
    const stage = await setStage(await open());
    const { db } = stage;
    let isUp = false;
    const served = mountDelivering(stage, { transport: answering(() => (isUp ? 200 : 503)) });
    const { endpoint, events } = await withLetters(stage, 12, 'a.b', 'c.d', 'e.f');
    served.start();
    await stage.pass(1_000);
    const count = async (query: string): Promise<number> =>
      (await served.call('GET', `${P}/dead-letters/count?${query}`)).body.count;
    expect(await count('')).toBe(12);
    expect(await count('type=a.b')).toBe(4);
    expect(await count('tag=even')).toBe(6);
    expect(await count('tag=so+%22quoted%22&type=a.b')).toBe(2);
    expect(await count(`endpoint=${endpoint.id}&failure=http_status&status_from=500&status_to=599`)).toBe(12);
    expect(await count('status_from=400&status_to=499')).toBe(0);
    expect(await count('failure=timeout')).toBe(0);
    expect(await count(`endpoint=${randomUUID()}`)).toBe(0);
    const page = await served.call('GET', `${P}/dead-letters?tag=even&limit=4`);
    expect(page.body.items).toHaveLength(4);
    const rest = await served.call('GET', `${P}/dead-letters?tag=even&limit=4&cursor=${page.body.next}`);
    expect([rest.body.items.length, rest.body.next]).toEqual([2, null]);

    isUp = true;
    const dry = await served.call('POST', `${P}/dead-letters/redeliver`, {
      filter: { tag: 'even' },
      dry: true,
    });
    expect(dry).toEqual({ status: 200, body: { total: 6, redelivery: null } });
    const begun = await served.call('POST', `${P}/dead-letters/redeliver`, { filter: { tag: 'even' } });
    expect(begun).toMatchObject({
      status: 202,
      body: { total: 6, redelivery: { state: 'running', total: 6 } },
    });
    await stage.pass(20_000);
    const { id } = begun.body.redelivery;
    expect((await served.call('GET', `${P}/redeliveries/${id}`)).body).toMatchObject({
      ...{
        state: 'done',
        total: 6,
        redelivered: 6,
        delivered: 6,
        failed: 0,
        pending: 0,
        filter: { tag: 'even' },
      },
    });
    expect(await count('')).toBe(6);
    expect((await served.call('GET', `${P}/deliveries?redelivery=${id}`)).body.items).toHaveLength(6);
    expect((await served.call('GET', `${P}/redeliveries`)).body.items).toMatchObject([{ id, state: 'done' }]);

    const letter = `${events[1]!.id}:${endpoint.id}`;
    const retried = await served.call('POST', `${P}/deliveries/${letter}/retry`, undefined, {
      'idempotency-key': 'k',
    });
    expect(retried).toMatchObject({
      status: 202,
      body: { origin: 'replay', state: 'pending', event_id: events[1]!.id },
    });
    const repeated = await served.call('POST', `${P}/deliveries/${letter}/retry`, undefined, {
      'idempotency-key': 'k',
    });
    expect(repeated.body.id).toBe(retried.body.id);
    expect((await served.call('POST', `${P}/deliveries/${letter}/retry`)).status).toBe(409);

    expect((await served.call('DELETE', `${P}/dead-letters`)).status).toBe(400);
    expect((await served.call('DELETE', `${P}/dead-letters?type=e.f`)).body).toEqual({
      discarded: 2,
      more: false,
    });
    expect((await served.call('DELETE', `${P}/dead-letters?all=true`)).body).toEqual({
      discarded: 3,
      more: false,
    });
    expect(await count('')).toBe(0);
    await served.stop(AbortSignal.abort());
    await expectCounted(db);
    expect(served.reports).toEqual([]);
    const audit = await db.all<{ action: string }>('select action from audit_log order by id');
    expect(new Set(audit.map(({ action }) => action))).toEqual(
      new Set(['dead_letters.redelivered', 'delivery.retried', 'dead_letters.discarded']),
    );
  });

  test('what fails again is a dead letter again, and no redelivery sends its own letters', async () => {
    const stage = await setStage(await open());
    const served = mountDelivering(stage, { transport: answering(() => 503) });
    await withLetters(stage, 5);
    served.start();
    await stage.pass(1_000);
    for (let i = 0; i < 3; i++) {
      const { body } = await served.call('POST', `${P}/dead-letters/redeliver`, { filter: {} });
      await stage.pass(15_000);
      const { id } = body.redelivery;
      expect((await served.call('GET', `${P}/redeliveries/${id}`)).body).toMatchObject({
        ...{ state: 'done', total: 5, redelivered: 5, failed: 5 },
      });
      expect((await served.call('GET', `${P}/dead-letters/count`)).body.count).toBe(5);
    }
    await served.stop(AbortSignal.abort());
    await expectCounted(stage.db);
  });

  test('of two letters of one event for one endpoint one is sent, and both leave the queue', async () => {
    const stage = await setStage(await open());
    let isUp = false;
    const served = mountDelivering(stage, { transport: answering(() => (isUp ? 200 : 503)) });
    const { events } = await withLetters(stage, 2);
    served.start();
    await stage.pass(1_000);
    for (const { id } of events) await served.call('POST', `${P}/events/${id}/replay`);
    await stage.pass(1_000);
    expect((await served.call('GET', `${P}/dead-letters/count`)).body.count).toBe(4);
    isUp = true;
    const { body } = await served.call('POST', `${P}/dead-letters/redeliver`, { filter: {} });
    await stage.pass(15_000);
    expect((await served.call('GET', `${P}/redeliveries/${body.redelivery.id}`)).body).toMatchObject({
      ...{ state: 'done', total: 4, redelivered: 2, delivered: 2 },
    });
    expect((await served.call('GET', `${P}/dead-letters/count`)).body.count).toBe(0);
    await served.stop(AbortSignal.abort());
    await expectCounted(stage.db);
  });

  test('a stopped redelivery sends nothing more', async () => {
    const stage = await setStage(await open());
    const served = mountDelivering(stage, { transport: answering(() => 503) });
    await withLetters(stage, 3);
    served.start();
    await stage.pass(1_000);
    await served.stop(AbortSignal.abort());
    const { body } = await served.call('POST', `${P}/dead-letters/redeliver`, { filter: {} });
    const path = `${P}/redeliveries/${body.redelivery.id}`;
    expect((await served.call('POST', `${path}/stop`)).body).toMatchObject({
      state: 'stopped',
      redelivered: 0,
    });
    expect((await served.call('POST', `${path}/stop`)).body).toMatchObject({ state: 'stopped' });
    served.start();
    await stage.pass(20_000);
    await served.stop(AbortSignal.abort());
    expect((await served.call('GET', path)).body).toMatchObject({
      state: 'stopped',
      redelivered: 0,
      pending: 0,
    });
    expect((await served.call('GET', `${P}/dead-letters/count`)).body.count).toBe(3);
  });

  test('one idempotency key makes one redelivery; for another filter it is a conflict', async () => {
    const stage = await setStage(await open());
    const served = mountDelivering(stage);
    const key = { 'idempotency-key': 'once' };
    const begin = (filter: object) => served.call('POST', `${P}/dead-letters/redeliver`, { filter }, key);
    const both = await Promise.all([begin({}), begin({})]);
    expect(both.map(({ status }) => status)).toEqual([202, 202]);
    expect(both[0].body.redelivery.id).toBe(both[1].body.redelivery.id);
    expect((await begin({ type: 'x' })).body).toMatchObject({ status: 409, code: 'idempotency_conflict' });
    await stage.clock.advance(86_400_001);
    expect((await begin({ type: 'x' })).status).toBe(202);
  });

  test('another project sees nothing, and changes nothing', async () => {
    const stage = await setStage(await open());
    const served = mountDelivering(stage, { transport: answering(() => 503) });
    const { endpoint, events } = await withLetters(stage, 2);
    served.start();
    await stage.pass(1_000);
    await served.stop(AbortSignal.abort());
    const { body } = await served.call('POST', `${P}/dead-letters/redeliver`, { filter: { type: 'none' } });
    const other = await setStage(stage.db, stage.clock);
    const foreign = mountDelivering(other);
    const id = `${events[0]!.id}:${endpoint.id}`;
    expect((await foreign.call('GET', `${P}/deliveries/${id}`)).status).toBe(404);
    expect((await foreign.call('POST', `${P}/deliveries/${id}/retry`)).status).toBe(404);
    expect((await foreign.call('POST', `${P}/events/${events[0]!.id}/replay`)).status).toBe(404);
    expect((await foreign.call('GET', `${P}/redeliveries/${body.redelivery.id}`)).status).toBe(404);
    expect((await foreign.call('POST', `${P}/redeliveries/${body.redelivery.id}/stop`)).status).toBe(404);
    for (const query of [
      '',
      `endpoint=${endpoint.id}`,
      `event=${events[0]!.id}`,
      `redelivery=${body.redelivery.id}`,
    ]) {
      expect((await foreign.call('GET', `${P}/deliveries?${query}`)).body).toMatchObject({
        items: [],
        next: null,
      });
    }
    for (const query of ['', `endpoint=${endpoint.id}`]) {
      expect((await foreign.call('GET', `${P}/dead-letters?${query}`)).body.items).toEqual([]);
      expect((await foreign.call('DELETE', `${P}/dead-letters?all=true&${query}`)).body.discarded).toBe(0);
    }
    expect((await served.call('GET', `${P}/dead-letters/count`)).body.count).toBe(2);
  });
});
