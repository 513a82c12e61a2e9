/** The transaction that records decisions. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Database, Transaction } from '../../src/db/index.js';
import { type DecidedEvent, recordDecisions } from '../../src/deciding/record.js';
import { wholeEventText } from '../../src/events/whole-event.js';
import { databases } from '../db/databases.js';
import { AT, claimAll, decisionOf, wrongPositions, recordedRows, seedEvents, seedProject } from './seed.js';

const ENDPOINTS = [
  { id: '00000000-0000-7000-8000-00000000000a', status: 'active' },
  { id: '00000000-0000-7000-8000-00000000000b', status: 'active' },
] as const;

const record = (db: Database, all: readonly DecidedEvent[], at = AT) =>
  db.transaction((tx) => recordDecisions(tx, all, () => ENDPOINTS, at));

const ruleRow = (project: string) => (id: string) => ({
  ...{ id, project_id: project, document: '{}', bytes: 2, priority: 1, enabled: 1, version: 1 },
  ...{ changed_in: 1, created_at: AT, updated_at: AT },
});

describe.each(databases())('$name', ({ open, create }) => {
  test('nothing follows from an event whose project was deleted, and others are recorded as ever', async () => {
    const db = await open();
    const [gone, there] = [await seedProject(db), await seedProject(db)];
    const [late] = await seedEvents(db, gone, [{ n: 1 }]);
    const [other] = await seedEvents(db, there, [{ n: 2 }]);
    await db.run('delete from projects where id = $1', [gone]);
    const both = [late!, other!].map((event) => ({ event, decision: decisionOf() }));
    const { decided } = await record(db, both);
    expect(decided.map(({ event }) => event.id)).toEqual([other!.id]);
    const { log, events_by_minute, facts, deliveries } = await recordedRows(db);
    expect(log).toMatchObject([{ project_id: there, position: 1 }]);
    expect(events_by_minute).toMatchObject([{ project_id: there, events: 1 }]);
    expect(JSON.stringify([facts, deliveries])).not.toContain(late!.id);
  });

  test('everything that follows from decisions is written', async () => {
    const db = await open();
    const project = await seedProject(db);
    const [plain, changed, dropped] = await seedEvents(db, project, [{ n: 1 }, { n: 2 }, { n: 3 }]);
    const rule = { id: 'r1', name: 'one', action: 'tag' } as const;
    await db.insert('rules', ['r1', 'r2'].map(ruleRow(project)));
    const recorded = await record(db, [
      { event: plain!, decision: decisionOf() },
      {
        event: changed!,
        decision: decisionOf({
          ...{ matched: [rule], tags: ['ü"\0'], endpointIds: [ENDPOINTS[1].id], projected: '{"body":{}}' },
        }),
      },
      {
        event: dropped!,
        decision: decisionOf({
          ...{ outcome: 'drop', droppedBy: 'r2', matched: [rule, { id: 'r2', name: 'two', action: 'drop' }] },
        }),
      },
    ]);
    expect(recorded.decided).toHaveLength(3);
    const rows = await recordedRows(db);
    expect(rows).toMatchObject({
      events: [
        { status: 'processed', tags: '[]', rules_version: 1, dropped_by: null, log_position: 1 },
        { status: 'processed', tags: '["ü\\"\\u0000"]', log_position: 2 },
        { status: 'dropped', dropped_by: 'r2', log_position: null },
      ],
      payloads: [{ projected: null }, { projected: '{"body":{}}' }, { projected: null }],
      log: [
        { position: 1, event_id: plain!.id, origin: 'live' },
        { position: 2, event_id: changed!.id },
      ],
      heads: [{ log_position: 2 }],
      counts: [
        { rule_id: 'r1', matched: 2, last_matched_at: AT },
        { rule_id: 'r2', matched: 1 },
      ],
      events_by_minute: [
        { project_id: project, status: 'dropped', events: 1 },
        { project_id: project, status: 'processed', events: 2 },
      ],
      minutes: [
        { rule_id: 'r1', minute: AT / 60_000, matched: 2 },
        { rule_id: 'r2', minute: AT / 60_000, matched: 1 },
      ],
    });
    const ofEvent = (id: string): unknown[] =>
      (rows.facts as { fact: string; id: string }[]).filter((one) => one.id === id).map(({ fact }) => fact);
    const common = ['channel:c1', 'type:"webhook.received"'];
    expect(ofEvent(plain!.id).sort()).toEqual(
      [...common, 'status:processed', ...ENDPOINTS.map(({ id }) => `endpoint:${id}`)].sort(),
    );
    expect(ofEvent(changed!.id).sort()).toEqual(
      [...common, 'status:processed', `endpoint:${ENDPOINTS[1].id}`, 'rule:r1', 'tag:"ü\\"\\u0000"'].sort(),
    );
    expect(ofEvent(dropped!.id).sort()).toEqual([...common, 'status:dropped', 'rule:r1', 'rule:r2'].sort());
    const claims = await claimAll(db);
    const bodies = new Map(
      claims.map(({ delivery, body }) => [delivery.id, JSON.parse(Buffer.from(body).toString()) as unknown]),
    );
    expect([...bodies.keys()].sort()).toEqual(
      [
        `${plain!.id}:${ENDPOINTS[0].id}`,
        `${plain!.id}:${ENDPOINTS[1].id}`,
        `${changed!.id}:${ENDPOINTS[1].id}`,
      ].sort(),
    );
    expect(bodies.get(`${changed!.id}:${ENDPOINTS[1].id}`)).toEqual({
      id: changed!.id,
      type: 'webhook.received',
      topic: 'webhook.received',
      channel: { id: 'c1', type: 'webhook', name: 'orders' },
      received_at: new Date(AT).toISOString(),
      data: { body: {} },
      status: 'processed',
      tags: ['ü"\0'],
    });
  });

  test('an event that is decided while it is read is shown with its deliveries', async () => {
    const db = await open();
    const project = await seedProject(db);
    const [event] = await seedEvents(db, project, [{ n: 1 }]);
    let isDecided = false;
    const queries = {
      ...db,
      all: async <Row>(...args: Parameters<Database['all']>): Promise<readonly Row[]> => {
        const rows = await db.all<Row>(...args);
        if (!isDecided) await record(db, [{ event: event!, decision: decisionOf() }]);
        isDecided = true;
        return rows;
      },
    };
    const principal = { project, scopes: new Set(['read'] as const), actor: 'key:1', isSession: false };
    const text = await wholeEventText(queries, { project, id: event!.id, principal }, () => undefined);
    const { status, deliveries } = JSON.parse(text) as { status: string; deliveries: unknown[] };
    expect([status, deliveries.length]).toEqual(['processed', 2]);
  });

  test('an event is decided once, no matter which process decides it again', async () => {
    const db = await open();
    const project = await seedProject(db);
    const events = await seedEvents(db, project, [1, 2, 3]);
    await record(db, [{ event: events[1]!, decision: decisionOf({ tags: ['first'] }) }]);
    const again = await record(
      db,
      events.map((event) => ({ event, decision: decisionOf({ tags: ['second'] }) })),
    );
    expect(again.decided.map(({ event }) => event.id)).toEqual([events[0]!.id, events[2]!.id]);
    const before = await recordedRows(db);
    expect(before.events!.map((row) => (row as { tags: string }).tags)).toEqual([
      '["second"]',
      '["first"]',
      '["second"]',
    ]);
    expect(await wrongPositions(db)).toEqual([]);
    expect(
      (
        await record(
          db,
          events.map((event) => ({ event, decision: decisionOf() })),
        )
      ).decided,
    ).toEqual([]);
    expect(await recordedRows(db)).toEqual(before);
  });

  test('a failure at any statement leaves nothing behind', async () => {
    const db = await open();
    const project = await seedProject(db);
    const events = await seedEvents(db, project, [1, 2]);
    const all = events.map((event) => ({
      event,
      decision: decisionOf({ matched: [{ id: 'r1', name: 'r', action: 'transform' }], projected: '{}' }),
    }));
    const before = await recordedRows(db);
    let statements = Infinity;
    for (let failAt = 1; failAt <= statements; failAt++) {
      let count = 0;
      const attempt = db.transaction((tx) =>
        recordDecisions(
          failing(tx, () => ++count === failAt),
          all,
          () => ENDPOINTS,
          AT,
        ),
      );
      const error = await attempt.then(
        () => null,
        (reason: unknown) => reason as Error,
      );
      if (error === null) {
        statements = count;
        break;
      }
      expect(error.message).toBe('killed');
      expect(await recordedRows(db)).toEqual(before);
      expect(await claimAll(db)).toEqual([]);
    }
    expect(statements).toBeGreaterThanOrEqual(10);
    expect((await recordedRows(db)).log).toHaveLength(2);
  });

  test('two processes that decide the same events decide each once, without gaps in the log', async () => {
    const connect = create();
    const [a, b] = await Promise.all([connect(), connect()]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat({ max: 11 }), { minLength: 1, maxLength: 12 }), {
          minLength: 2,
          maxLength: 8,
        }),
        async (batches) => {
          const projects = [await seedProject(a), await seedProject(a)];
          const events = [
            ...(await seedEvents(a, projects[0]!, [1, 2, 3, 4, 5, 6])),
            ...(await seedEvents(a, projects[1]!, [1, 2, 3, 4, 5, 6])),
          ];
          // Dropped events have no position.
          const isDropped = (n: number): boolean => n % 3 === 0;
          const decisionFor = (n: number) =>
            decisionOf(isDropped(n) ? { outcome: 'drop', droppedBy: 'r1' } : {});
          const results = await Promise.all(
            batches.map((batch, i) =>
              record(
                i % 2 === 0 ? a : b,
                [...new Set(batch)].map((n) => ({ event: events[n]!, decision: decisionFor(n) })),
              ),
            ),
          );
          const decided = results.flatMap((result) => result.decided.map(({ event }) => event.id));
          const wanted = [...new Set(batches.flat())].map((n) => events[n]!.id);
          expect(decided.sort()).toEqual(wanted.sort());
          const logged = [...new Set(batches.flat())].filter((n) => !isDropped(n)).map((n) => events[n]!);
          for (const project of projects) {
            const own = logged.filter((event) => event.project === project).map(({ id }) => id);
            const log = await a.all<{ position: number; event_id: string }>(
              'select position, event_id from event_log where project_id = $1 order by position',
              [project],
            );
            expect(log.map(({ position }) => position)).toEqual(log.map((_, i) => i + 1));
            expect(log.map((entry) => entry.event_id).sort()).toEqual(own.sort());
            const ring = await a.all<{ position: number; event_ids: string }>(
              'select position, event_ids from decided_batches where project_id = $1 order by position',
              [project],
            );
            expect(ring.map(({ position }) => position)).toEqual(ring.map((_, i) => i + 1));
            const inRing = ring.flatMap(({ event_ids: ids }) => JSON.parse(ids) as string[]);
            const all = events.filter(({ id, project: of }) => of === project && wanted.includes(id));
            expect(inRing.sort()).toEqual(all.map(({ id }) => id).sort());
          }
          expect(await wrongPositions(a)).toEqual([]);
        },
      ),
      { numRuns: 15 },
    );
  });

  test('no reader of the log by position skips an entry, even if a transaction commits late', async () => {
    const connect = create();
    const [a, b, reader] = await Promise.all([connect(), connect(), connect()]);
    const project = await seedProject(a);
    const events = await seedEvents(
      a,
      project,
      Array.from({ length: 20 }, (_, i) => i),
    );
    let release: () => void = () => undefined;
    const isHeld = new Promise<void>((resolve) => (release = resolve));
    let holds: () => void = () => undefined;
    const hasPosition = new Promise<void>((resolve) => (holds = resolve));
    const late = a.transaction(async (tx) => {
      const recorded = await recordDecisions(
        tx,
        [{ event: events[0]!, decision: decisionOf() }],
        () => [],
        AT,
      );
      holds();
      await isHeld;
      return recorded;
    });
    await hasPosition;
    const others = events.slice(1).map((event) => record(b, [{ event, decision: decisionOf() }]));
    const seen: number[] = [];
    const read = async (): Promise<void> => {
      const rows = await reader.all<{ position: number }>(
        'select position from event_log where project_id = $1 and position > $2 order by position limit 3',
        [project, seen.at(-1) ?? 0],
      );
      seen.push(...rows.map(({ position }) => position));
      await sleep(1);
    };
    for (let i = 0; i < 20; i++) await read();
    // The head is locked, so none of the others has an entry before the late one.
    expect(seen).toEqual([]);
    release();
    while (seen.length < events.length) await read();
    await Promise.all([late, ...others]);
    expect(seen).toEqual(events.map((_, i) => i + 1));
  });
});

/** A transaction that throws before the statements for which `fails` says so. */
function failing(tx: Transaction, fails: () => boolean): Transaction {
  const check =
    <Args extends readonly unknown[], T>(work: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      if (fails()) throw new Error('killed');
      return work(...args);
    };
  return {
    ...tx,
    all: <Of>(...args: Parameters<Transaction['all']>) => check(() => tx.all<Of>(...args))(),
    get: <Of>(...args: Parameters<Transaction['get']>) => check(() => tx.get<Of>(...args))(),
    run: check(tx.run),
    insert: check(tx.insert),
    deliveries: { ...tx.deliveries, enqueue: check(tx.deliveries.enqueue) },
  };
}
