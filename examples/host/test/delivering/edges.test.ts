/** The edges of projects and of time, where deliveries are redelivered. */
import { describe, expect, test } from 'vitest';
import { createScheduling } from '../../src/delivering/scheduling.js';
import { databases } from '../db/databases.js';
import { answering, mountDelivering, secretsOf, setStage, type Stage, targetsOf } from './stage.js';

const P = '/projects/{project}';
const failing = answering(() => 503);

/** Makes dead letters, and nothing else: no redelivery runs. */
async function fail(stage: Stage, count: number): Promise<readonly string[]> {
  const endpoint = await stage.addEndpoint({ retry_max_attempts: 1 });
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(`${(await stage.addEvent([endpoint.id])).id}:${endpoint.id}`);
  const { db, clock } = stage;
  const parts = { db, clock, endpoints: targetsOf(stage), secretsOf, transport: failing };
  const scheduler = createScheduling(parts);
  scheduler.start();
  await stage.pass(1_000);
  await scheduler.stop();
  return ids;
}

describe.each(databases())('$name', ({ open }) => {
  test('two projects may use one idempotency key: each sends its own', async () => {
    const first = await setStage(await open());
    const stages = [first, await setStage(first.db, first.clock)];
    const key = { 'idempotency-key': 'nightly' };
    const made = new Set<string>();
    for (const stage of stages) {
      const served = mountDelivering(stage);
      const [letter = ''] = await fail(stage, 1);
      const [event = ''] = letter.split(':');
      const replayed = await served.call('POST', `${P}/events/${event}/replay`, undefined, key);
      const body = { filter: {} };
      const begun = await served.call('POST', `${P}/dead-letters/redeliver`, body, key);
      const retried = await served.call('POST', `${P}/deliveries/${letter}/retry`, undefined, key);
      expect([replayed.status, begun.status, retried.status]).toEqual([202, 202, 202]);
      for (const id of [replayed.body.id, begun.body.redelivery.id, retried.body.id]) made.add(id);
    }
    expect(made.size).toBe(6);
  });

  test('a redelivery leaves alone what fails after it was begun', async () => {
    const stage = await setStage(await open());
    const served = mountDelivering(stage);
    const before = await fail(stage, 2);
    const { body } = await served.call('POST', `${P}/dead-letters/redeliver`, { filter: {} });
    expect(body).toMatchObject({ total: 2 });
    await stage.clock.advance(10);
    const [after] = await fail(stage, 1);
    served.start();
    await stage.pass(20_000);
    await served.stop(AbortSignal.abort());
    const { id } = body.redelivery;
    expect((await served.call('GET', `${P}/redeliveries/${id}`)).body).toMatchObject({
      ...{ state: 'done', redelivered: before.length, delivered: before.length },
    });
    const { items } = (await served.call('GET', `${P}/dead-letters`)).body;
    expect(items.map((one) => one.id)).toEqual([after]);
  });

  test('a range of time has its beginning and not its end, to the millisecond', async () => {
    const stage = await setStage(await open());
    const served = mountDelivering(stage);
    await fail(stage, 1);
    const [letter] = (await served.call('GET', `${P}/dead-letters`)).body.items;
    const failedAt = Date.parse((letter as unknown as { finished_at: string }).finished_at);
    const count = async (name: 'from' | 'to', at: number): Promise<number> =>
      (await served.call('GET', `${P}/dead-letters/count?${name}=${new Date(at).toISOString()}`)).body.count;
    expect([await count('from', failedAt), await count('from', failedAt + 1)]).toEqual([1, 0]);
    expect([await count('to', failedAt), await count('to', failedAt + 1)]).toEqual([0, 1]);
  });

  test('an attempt counts in the minute in which it has ended', async () => {
    const stage = await setStage(await open());
    const { db, clock } = stage;
    clock.set(Math.ceil(clock.now() / 60_000) * 60_000 + 58_000);
    const endpoint = await stage.addEndpoint();
    await stage.addEvent([endpoint.id]);
    const served = mountDelivering(stage, {
      transport: {
        // Five seconds, over the turn of the minute.
        send: () =>
          new Promise((resolve) => clock.at(clock.now() + 5_000, () => resolve({ ok: true, status: 200 }))),
        close: () => Promise.resolve(),
      },
    });
    served.start();
    await stage.pass(10_000);
    await served.stop(AbortSignal.abort());
    const [attempt] = await db.all<{ ended_at: number }>('select ended_at from {attempts}');
    const minutes = await db.all<{ minute: number }>('select minute from endpoint_minutes');
    expect(minutes.map(({ minute }) => minute)).toEqual([Math.floor(attempt!.ended_at / 60_000)]);
  });
});
