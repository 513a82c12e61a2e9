/** Retention: each project keeps its own days, and one process sweeps at a time. */
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/ids.js';
import { createRetention } from '../../src/retention/retention.js';
import { databases } from '../db/databases.js';
import { setStage, type Stage } from '../delivering/stage.js';

const DAY = 86_400_000;
const report = (error: unknown): never => {
  throw error instanceof Error ? error : new Error(String(error));
};

/** Adds one row of each kind that has a time of its own, as old as the project. */
async function fill({ db, clock, project, ...stage }: Stage): Promise<void> {
  const at = clock.now();
  await stage.addEvent([]);
  const endpoint = await stage.addEndpoint();
  const minute = Math.floor(at / 60_000);
  await db.insert('event_minutes', [{ project_id: project, minute, status: 'dropped', events: 1 }]);
  const counted = { minute, code: 'ok', attempts: 1, duration_ms: 1, slowest_ms: 1 };
  await db.insert('endpoint_minutes', [{ endpoint_id: endpoint.id, ...counted }]);
  const cursor = { position: 0, connection: null, connected_at: null, seen_at: at, created_at: at };
  await db.insert('clients', [{ project_id: project, name: 'away', ...cursor }]);
  const request = { receiver_id: newId(at), request: '{}', at };
  await db.insert('received_requests', [{ id: newId(at), project_id: project, ...request }]);
  await db.insert('bulk_actions', [
    {
      ...{
        id: newId(at),
        project_id: project,
        kind: 'redelivery',
        filter: '{}',
        state: 'done',
        total: 0,
        sent: 0,
      },
      ...{ cursor: '{}', lease_until: 0, created_at: at, created_by: 'a', ended_at: at },
    },
  ]);
}

const OF_PROJECT = ['events', 'event_minutes', 'clients', 'received_requests', 'bulk_actions'];

/** Counts the rows of a project that have a time of their own. */
async function countOf({ db, project, endpoints }: Stage): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of OF_PROJECT) {
    const row = await db.get<{ n: number }>(`select count(*) as n from ${table} where project_id = $1`, [
      project,
    ]);
    counts[table] = row!.n;
  }
  const minutes = await db.all('select 1 as one from endpoint_minutes where endpoint_id in {list $1}', [
    JSON.stringify([...endpoints.keys()]),
  ]);
  return { ...counts, endpoint_minutes: minutes.length };
}

const eachIs = (n: number) => Object.fromEntries([...OF_PROJECT, 'endpoint_minutes'].map((one) => [one, n]));

describe.each(databases())('$name', ({ open }) => {
  test('each project keeps its own days, also while another with fewer is swept', async () => {
    const short = await setStage(await open());
    const long = await setStage(short.db, short.clock);
    const { db, clock } = short;
    await db.run('update projects set retention_days = 100 where id = $1', [long.project]);
    for (const stage of [short, long]) await fill(stage);
    for (const [days, left] of [
      [31, [0, 1]],
      [70, [0, 0]],
    ] as const) {
      clock.set(clock.now() + days * DAY);
      const swept = createRetention({ db, clock, report }).sweep();
      await short.pass(60_000);
      await swept;
      expect([await countOf(short), await countOf(long)]).toEqual(left.map(eachIs));
    }
  });

  test('a batch of events that all have to stay does not keep those after it', async () => {
    const stage = await setStage(await open());
    const { db, clock } = stage;
    for (let i = 0; i < 100; i++) await stage.addEvent([], { status: 'received' });
    await stage.addEvent([]);
    clock.set(clock.now() + 31 * DAY);
    const swept = createRetention({ db, clock, report }).sweep();
    await stage.pass(60_000);
    expect(await swept).toMatchObject({ events: 1 });
    expect(await db.all(`select id from events where status = 'processed'`)).toEqual([]);
  });

  test('a process that has lost its lease deletes no further batch', async () => {
    const stage = await setStage(await open());
    const { db, clock } = stage;
    for (let i = 0; i < 150; i++) await stage.addEvent([]);
    clock.set(clock.now() + 31 * DAY);
    const swept = createRetention({ db, clock, report }).sweep();
    const left = async (): Promise<number> => (await db.all('select id from events')).length;
    // The clock stands still, so the process pauses after its first batch.
    await expect.poll(left).toBe(50);
    await db.run('update leases set holder = $1, until = $2', ['another process', clock.now() + DAY]);
    await stage.pass(60_000);
    await swept;
    expect(await left()).toBe(50);
  });
});
