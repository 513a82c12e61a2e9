/** The recorder: what one transaction writes is bounded, however many endpoints a project has. */
import type { FanOutEndpoint } from 'headgate/delivery';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { Recorder, type RecorderParts } from '../../src/deciding/recorder.js';
import { endpointFact } from '../../src/stored/facts.js';
import { newId } from '../../src/ids.js';
import { postingRows } from '../../src/stored/postings.js';
import { databases } from '../db/databases.js';
import { holdOpen } from '../db/held.js';
import { AT, decisionOf, noScheduler, seedEvents, seedProject } from './seed.js';

const partsOf = (db: Database, endpoints: readonly FanOutEndpoint[]): RecorderParts => ({
  ...noScheduler,
  ...{ db, now: () => AT, endpoints: { subscribers: () => Promise.resolve(endpoints) } },
  metrics: {
    decided: () => undefined,
    decideFailed: () => undefined,
    storeFailed: () => expect.fail('the database is there'),
  },
  report: (error) => expect.fail(String(error)),
  done: () => undefined,
});

describe.each(databases())('$name', ({ open }) => {
  test('fifty events of a project with four hundred endpoints are not one transaction of twenty thousand deliveries', async () => {
    const db = await open();
    const project = await seedProject(db);
    const events = await seedEvents(
      db,
      project,
      Array.from({ length: 12 }, (_, n) => n),
    );
    const endpoints = Array.from({ length: 400 }, (): FanOutEndpoint => ({
      id: newId(AT),
      status: 'active',
    }));
    const written: number[] = [];
    const counting: Database = {
      ...db,
      async transaction(work) {
        const before = (await db.get<{ n: number }>('select count(*) as n from {deliveries}'))!.n;
        const result = await db.transaction(work);
        written.push((await db.get<{ n: number }>('select count(*) as n from {deliveries}'))!.n - before);
        return result;
      },
    };
    const errors: unknown[] = [];
    const recorder = new Recorder({
      ...partsOf(counting, endpoints),
      report: (error) => errors.push(error),
    });
    const routed = decisionOf({ endpointIds: endpoints.slice(0, 2).map(({ id }) => id) });
    recorder.add(
      events.map((event, i) => ({
        event,
        decision: i < 6 ? decisionOf() : i < 11 ? routed : decisionOf({ outcome: 'drop' }),
      })),
    );
    await recorder.drain(new AbortController().signal);
    expect(errors).toEqual([]);
    expect(written.reduce((sum, n) => sum + n, 0)).toBe(6 * 400 + 5 * 2);
    expect(Math.max(...written)).toBeLessThanOrEqual(1_000);
    expect(written.length).toBeLessThanOrEqual(4);
    const left = await db.all("select id from events where status = 'received'");
    expect(left).toEqual([]);
  });

  test('an event whose decision cannot be recorded fails alone, and those beside it are recorded', async () => {
    const db = await open();
    const project = await seedProject(db);
    const events = await seedEvents(db, project, [1, 2, 3]);
    const endpoint: FanOutEndpoint = { id: newId(AT), status: 'active' };
    const bad = events[2]!.id;
    // One of its facts has a row already, so the insert fails.
    await db.insert(
      'event_postings',
      postingRows([{ project, id: bad, facts: [endpointFact(endpoint.id)] }]),
    );
    const reports: string[] = [];
    const done: string[] = [];
    const recorder = new Recorder({
      ...partsOf(db, [endpoint]),
      report: (_, about) => void reports.push(about),
      done: (all) => void done.push(...all.map(({ id }) => id)),
    });
    recorder.add(events.map((event) => ({ event, decision: decisionOf() })));
    await recorder.drain(new AbortController().signal);
    expect(reports).toEqual([`deciding ${bad}`]);
    await expect.poll(() => done.toSorted()).toEqual(events.map(({ id }) => id).toSorted());
    const left = await db.all<{ id: string }>("select id from events where status = 'received'");
    expect(left.map(({ id }) => id)).toEqual([bad]);
  });
});

describe.each(databases().slice(1))('$name', ({ create }) => {
  test('a project that is locked for long holds no other back, and loses nothing', async () => {
    const connect = create();
    const [db, other] = [await connect(), await connect()];
    const [held, ...free] = await Promise.all([1, 2, 3, 4].map(() => seedProject(db)));
    const projects = [held!, ...free];
    const seeded = await Promise.all(projects.map((project) => seedEvents(db, project, [1, 2, 3])));
    const mixed = [0, 1, 2].flatMap((i) => seeded.map((events) => events[i]!));
    const release = await holdOpen(other, 'update projects set name = name where id = $1', [held!]);
    const errors: unknown[] = [];
    const recorder = new Recorder({
      ...partsOf(db, []),
      report: (error) => errors.push(error),
    });
    const undecided = async (): Promise<readonly string[]> =>
      (await db.all<{ project_id: string }>("select project_id from events where status = 'received'")).map(
        ({ project_id }) => project_id,
      );
    for (const event of mixed) recorder.add([{ event, decision: decisionOf() }]);
    await expect.poll(undecided).toEqual([held, held, held]);
    // Nor does it keep the others from what comes later.
    const later = await seedEvents(db, free[0]!, [4]);
    const more = await seedEvents(db, held!, [4]);
    for (const event of [...more, ...later]) recorder.add([{ event, decision: decisionOf() }]);
    await expect.poll(undecided).toEqual([held, held, held, held]);
    expect(recorder.size).toBe(0);
    await release();
    await recorder.drain(new AbortController().signal);
    expect(await undecided()).toEqual([]);
    const heads = await db.all('select log_position from projects where id = $1', [held!]);
    expect(heads).toEqual([{ log_position: 4 }]);
    expect(errors).toEqual([]);
  });
});
