/** Bulk redeliveries and replays by processes that are killed: nothing twice, nothing lost. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settlement } from 'headgate/delivery';
import { describe, expect, test } from 'vitest';
import type { Database, DatabaseOptions } from '../../src/db/index.js';
import { createRecordingStore } from '../../src/delivering/recording.js';
import { type Connect, databases } from '../db/databases.js';
import { expectCounted } from './counts.js';
import { mountDelivering, setStage, type Stage } from './stage.js';

const LETTERS = 1_500;
const EVENTS = 300;
const KILLS = 4;
/** More than the lease of a redelivery and of a delivery, so that nobody waits for them to end. */
const AHEAD_MS = 20_000;

/** Stores deliveries, and records one failed attempt of each. */
async function makeLetters(stage: Stage, count: number): Promise<void> {
  const endpoints = [];
  for (let i = 0; i < 50; i++) endpoints.push((await stage.addEndpoint()).id);
  for (let i = 0; i < count / 50; i++) await stage.addEvent(endpoints);
  const store = createRecordingStore(stage.db);
  const at = stage.clock.now();
  for (let left = count; left > 0;) {
    const request = { at, until: at + 60_000, limit: 500, perEndpoint: 500, inFlight: new Map() };
    const { claims } = await store.claim({ lease: `l${left}`, ...request });
    await store.settle(claims.map(({ delivery }) => failed(delivery, at)));
    left -= claims.length;
  }
}

function failed(delivery: Settlement['delivery'], at: number): Settlement {
  const outcome = { ok: false as const, failure: 'timeout' as const, transient: true, detail: 'slow' };
  const attempt = { number: 1, started_at: at, ended_at: at, outcome };
  const over = { state: 'failed' as const, attempts: 1, due_at: null, lease: null, finished_at: at };
  return { lease: delivery.lease!, delivery: { ...delivery, ...over, last_attempt: attempt }, attempt };
}

async function startWorker(options: DatabaseOptions, aheadMs: number): Promise<ChildProcess> {
  const script = join(import.meta.dirname, 'worker.ts');
  const args = ['--import', 'tsx', script, JSON.stringify(options), `${aheadMs}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

interface Progress {
  readonly state: string;
  readonly redelivered: number;
}
const progressOf = async (db: Database, id: string): Promise<Progress> =>
  (await db.get<Progress>('select state, sent as redelivered from bulk_actions where id = $1', [id]))!;

/**
 * Lets processes do the work of an action one after the other, each of which is killed in the middle, but for the last.
 */
async function killedUntilDone(connect: Connect, db: Database, id: string): Promise<void> {
  let kills = 0;
  for (let life = 0; (await progressOf(db, id)).state === 'running'; life++) {
    const worker = await startWorker(connect.options, life * AHEAD_MS);
    const { redelivered: before } = await progressOf(db, id);
    const hasMoved = async (): Promise<boolean> => {
      const now = await progressOf(db, id);
      return now.redelivered > before || now.state !== 'running';
    };
    while (!(await hasMoved())) await sleep(1);
    if (kills === KILLS) {
      while ((await progressOf(db, id)).state === 'running') await sleep(10);
    } else {
      await sleep((life * 7) % 20);
      kills++;
    }
    worker.kill('SIGKILL');
    await once(worker, 'exit');
  }
  expect(kills).toBeGreaterThan(0);
}

describe.each(databases())('$name', ({ create }) => {
  test('each letter is redelivered once, whenever the process is killed', async () => {
    const connect = create();
    const db = await connect();
    const stage = await setStage(db);
    await makeLetters(stage, LETTERS);
    const served = mountDelivering(stage);
    await stage.clock.advance(1);
    const { body } = await served.call('POST', '/projects/{project}/dead-letters/redeliver', { filter: {} });
    const { id } = body.redelivery;
    expect(body).toMatchObject({ total: LETTERS });
    await killedUntilDone(connect, db, id);
    expect((await progressOf(db, id)).redelivered).toBe(LETTERS);
    const made = await db.get<{ n: number; distinct_n: number }>(
      `select count(*) as n, count(distinct event_id || endpoint_id) as distinct_n from {deliveries} where redelivery_id = $1`,
      [id],
    );
    expect({ ...made }).toEqual({ n: LETTERS, distinct_n: LETTERS });

    const last = await startWorker(connect.options, (KILLS + 2) * AHEAD_MS);
    const pending = async (): Promise<number> =>
      (await db.get<{ n: number }>(
        `select count(*) as n from {deliveries} where state in ('pending', 'leased')`,
      ))!.n;
    while ((await pending()) > 0) await sleep(20);
    last.kill('SIGKILL');
    await once(last, 'exit');
    expect((await served.call('GET', `/projects/{project}/redeliveries/${id}`)).body).toMatchObject({
      ...{ state: 'done', total: LETTERS, redelivered: LETTERS, delivered: LETTERS, failed: 0, pending: 0 },
    });
    expect((await served.call('GET', '/projects/{project}/dead-letters/count')).body.count).toBe(0);
    await expectCounted(db);
  });

  test('each event is replayed once, whenever the process is killed', async () => {
    const connect = create();
    const db = await connect();
    const stage = await setStage(db);
    const { id: endpoint } = await stage.addEndpoint();
    for (let i = 0; i < EVENTS; i++) await stage.addEvent([]);
    await stage.clock.advance(1);
    const served = mountDelivering(stage);
    const asked = { filter: { missed_by: endpoint } };
    const { body } = await served.call('POST', '/projects/{project}/replays', asked);
    expect(body).toMatchObject({ events: EVENTS, deliveries: EVENTS });
    const { id } = body.replay;
    await killedUntilDone(connect, db, id);
    const made = await db.get<{ n: number; events: number }>(
      'select count(*) as n, count(distinct event_id) as events from {deliveries} where redelivery_id = $1',
      [id],
    );
    expect({ ...made }).toEqual({ n: EVENTS, events: EVENTS });
    expect((await served.call('GET', `/projects/{project}/replays/${id}`)).body).toMatchObject({
      ...{ state: 'done', scanned: EVENTS, replayed: EVENTS, skipped: 0, deliveries: EVENTS },
    });
  });
});
