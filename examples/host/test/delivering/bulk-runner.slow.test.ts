/** Bulk actions side by side: one that does not get on holds no other back. */
import { systemClock } from 'headgate/delivery';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { BulkRunner } from '../../src/delivering/bulk/runner.js';
import { planRedelivery } from '../../src/delivering/redeliveries.js';
import { newId } from '../../src/ids.js';
import { databases } from '../db/databases.js';
import { holdOpen } from '../db/held.js';

/** Begins a redelivery that finds nothing to send. */
async function begin(db: Database, project: string, kind = 'redelivery'): Promise<string> {
  const id = newId(Date.now());
  const cursor = JSON.stringify({ failedAt: Date.now(), id: 'g' });
  await db.insert('bulk_actions', [
    {
      ...{
        id,
        project_id: project,
        kind,
        filter: '{}',
        state: 'running',
        total: 0,
        sent: 0,
        cursor,
      },
      ...{ lease_until: 0, created_at: Date.now(), created_by: 'key:k', ended_at: null },
    },
  ]);
  return id;
}

const running = async (db: Database): Promise<readonly string[]> =>
  (await db.all<{ id: string }>(`select id from bulk_actions where state = 'running' order by id`)).map(
    ({ id }) => id,
  );

function runner(db: Database) {
  const errors: unknown[] = [];
  const one = new BulkRunner({
    ...{ db, clock: systemClock, wake: () => undefined },
    plans: { redelivery: planRedelivery, replay: () => Promise.reject(new Error('none replays')) },
    failed: (error) => errors.push(error),
  });
  onTestFinished(() => one.stop());
  one.start();
  return { one, errors };
}

describe.each(databases())('$name', ({ open }) => {
  test('many redeliveries of many projects all come to their end', async () => {
    const db = await open();
    const projects = Array.from({ length: 5 }, () => newId(Date.now()));
    for (let n = 0; n < 30; n++) await begin(db, projects[n % 5]!);
    const { errors } = runner(db);
    await expect.poll(() => running(db)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('a batch that another process has written meanwhile is not written again', async () => {
    const db = await open();
    await begin(db, newId(Date.now()), 'replay');
    const written: string[] = [];
    const one = new BulkRunner({
      ...{ db, clock: systemClock, wake: () => undefined },
      plans: {
        redelivery: planRedelivery,
        async replay({ cursor }) {
          if (cursor !== '"moved"') await db.run(`update bulk_actions set cursor = '"moved"'`);
          const write = () => {
            written.push(cursor);
            return Promise.resolve({ sent: 0, deliveries: 0, next: null });
          };
          return { pauseMs: 1, write };
        },
      },
      failed: (error) => written.push(String(error)),
    });
    onTestFinished(() => one.stop());
    one.start();
    await expect.poll(() => running(db)).toEqual([]);
    expect(written).toEqual(['"moved"']);
  });

  test('a runner that stops gives back what it has not ended', async () => {
    const db = await open();
    await begin(db, newId(Date.now()));
    const lease = async (): Promise<number> =>
      (await db.get<{ n: number }>('select lease_until as n from bulk_actions'))!.n;
    const { one, errors } = runner({ ...db, transaction: () => Promise.reject(new Error('no batch')) });
    await expect.poll(lease).toBeGreaterThan(0);
    await expect.poll(() => errors).not.toEqual([]);
    await one.stop();
    expect(await lease()).toBe(0);
    expect(await running(db)).toHaveLength(1);
  });
});

describe.each(databases().slice(1))('$name', ({ create }) => {
  test('a batch that waits for a lock holds no other project back', async () => {
    const connect = create();
    const [db, other] = [await connect(), await connect()];
    const held = await begin(db, newId(Date.now()));
    const release = await holdOpen(other, 'update bulk_actions set total = 7 where id = $1', [held]);
    const project = newId(Date.now());
    for (let n = 0; n < 3; n++) await begin(db, project);
    runner(db);
    await expect.poll(() => running(db)).toEqual([held]);
    await release();
    await expect.poll(() => running(db)).toEqual([]);
  });
});
