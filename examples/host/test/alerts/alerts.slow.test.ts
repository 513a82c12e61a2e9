/** When alerts are raised and sent: storms, the hour, recovery, restarts, several processes. In virtual time. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createManualClock } from 'headgate/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Signs } from '../../src/alerts/signs.js';
import { createRetention } from '../../src/retention/retention.js';
import { databases } from '../db/databases.js';
import { HOUR, MINUTE, setStage } from './stage.js';

const REJECTED = 'headgate.source.rejected';
const FAILING = 'headgate.endpoint.failing';
const RECOVERED = 'headgate.endpoint.recovered';

afterEach(() => vi.restoreAllMocks());

describe.each(databases())('$name', ({ open }) => {
  test('a storm is sent once an hour for each kind and subject, with its count', async () => {
    const stage = await setStage(await open());
    const to = await stage.endpoint('alerts');
    const [one, other] = [await stage.channel(), await stage.channel()];
    const { alerts, count, list } = stage.process();
    for (let minute = 0; minute < 150; minute++) {
      for (let n = 0; n < 100; n++) count(REJECTED, `channel:${one}`);
      if (minute % 2 === 0) count(REJECTED, `channel:${other}`);
      await alerts.look();
      stage.pass(MINUTE);
    }
    const sent = await stage.sent();
    const of = (channel: string) =>
      sent.filter(({ data }) => data.subject === `channel:${channel}`).map(({ data }) => data.count);
    expect(of(one)).toEqual([100, 6_000, 6_000]);
    expect(of(other)).toEqual([1, 30, 30]);
    expect(new Set(sent.map(({ endpoint, type }) => `${endpoint} ${type}`))).toEqual(
      new Set([`${to} ${REJECTED}`]),
    );
    expect((await list()).map((alert) => alert.count).sort()).toEqual([15_000, 75]);
    // The rest is sent when the hour is over, although nothing more happens.
    stage.pass(31 * MINUTE);
    await alerts.look();
    expect((await stage.sent()).map(({ data }) => data.count).sort()).toEqual([14, 2_900]);
    stage.pass(10 * HOUR);
    await alerts.look();
    expect(await stage.sent()).toEqual([]);
  });

  test('a million signs between two looks are one statement, and no look without signs writes', async () => {
    const stage = await setStage(await open());
    const channel = await stage.channel();
    const { alerts, count, list } = stage.process();
    const run = vi.spyOn(stage.db, 'run');
    for (let n = 0; n < 1_000_000; n++) count(REJECTED, `channel:${channel}`);
    await alerts.look();
    expect(run).toHaveBeenCalledTimes(1);
    await alerts.look();
    expect(run).toHaveBeenCalledTimes(1);
    expect(await list()).toMatchObject([{ kind: REJECTED, subject: `channel:${channel}`, count: 1_000_000 }]);
  });

  test('two processes that see the same send one event', async () => {
    const stage = await setStage(await open());
    await stage.endpoint('alerts');
    const channel = await stage.channel();
    const processes = Array.from({ length: 4 }, () => stage.process());
    for (const { count } of processes) count(REJECTED, `channel:${channel}`);
    await Promise.all(processes.map(({ alerts }) => alerts.look()));
    stage.pass(HOUR);
    await Promise.all(processes.map(({ alerts }) => alerts.look()));
    const counts = (await stage.sent()).map(({ data }) => data.count);
    expect(counts.length).toBeLessThanOrEqual(2);
    expect(counts.reduce((sum, n) => sum + n)).toBe(4);
  });

  test('an endpoint is reported once its attempts have failed for five minutes, and once when it recovers', async () => {
    const stage = await setStage(await open());
    await stage.endpoint('alerts');
    const endpoint = await stage.endpoint();
    const { alerts, fail, recover } = stage.process();
    const types = async () => {
      await alerts.look();
      return (await stage.sent()).map(({ type }) => type);
    };
    await fail(endpoint);
    expect(await types()).toEqual([]);
    // A failure that is over soon is nobody's concern.
    stage.pass(MINUTE);
    await recover(endpoint);
    expect(await types()).toEqual([]);
    await fail(endpoint);
    stage.pass(5 * MINUTE);
    await fail(endpoint);
    expect(await types()).toEqual([FAILING]);
    stage.pass(MINUTE);
    await Promise.all([recover(endpoint), recover(endpoint)]);
    expect(await types()).toEqual([RECOVERED]);
    await recover(endpoint);
    stage.pass(2 * HOUR);
    expect(await types()).toEqual([]);
  });

  test('a failure that was counted and is over is not reported', async () => {
    const stage = await setStage(await open());
    await stage.endpoint('alerts');
    const endpoint = await stage.endpoint();
    const [one, other] = [stage.process(), stage.process()];
    await one.fail(endpoint);
    stage.pass(6 * MINUTE);
    await one.fail(endpoint);
    await other.recover(endpoint);
    await Promise.all([one.alerts.look(), other.alerts.look()]);
    expect(await one.list()).toEqual([]);
  });

  test('of failing and recovered, only the later one waits for its hour', async () => {
    const stage = await setStage(await open());
    await stage.endpoint('alerts');
    const endpoint = await stage.endpoint();
    const { alerts, fail, recover } = stage.process();
    const failForLong = async () => {
      await fail(endpoint);
      stage.pass(6 * MINUTE);
      await fail(endpoint);
      await alerts.look();
    };
    await failForLong();
    await recover(endpoint);
    await alerts.look();
    expect((await stage.sent()).map(({ type }) => type)).toEqual([FAILING, RECOVERED]);
    await failForLong();
    stage.pass(MINUTE);
    await recover(endpoint);
    stage.pass(HOUR);
    await alerts.look();
    expect((await stage.sent()).map(({ type }) => type)).toEqual([RECOVERED]);
    await failForLong();
    expect((await stage.sent()).map(({ type, data }) => [type, data.count])).toEqual([[FAILING, 4]]);
  });

  test('endpoints for alerts and their dead letters raise none', async () => {
    const stage = await setStage(await open());
    const to = await stage.endpoint('alerts');
    const { alerts, fail, list, recover } = stage.process();
    await fail(to);
    stage.pass(6 * MINUTE);
    await fail(to);
    await alerts.look();
    await recover(to);
    const delivery = { endpoint_id: to, state: 'failed', columns: { project_id: stage.project } };
    const outcome = { ok: false, failure: 'http_status', status: 500, transient: true, detail: '' };
    const attempted = { number: 1, started_at: 0, ended_at: 0, outcome } as never;
    alerts.on.attempted?.({ ...delivery, event_type: REJECTED } as never, attempted, 0);
    await alerts.look();
    expect(await list()).toEqual([]);
    alerts.on.attempted?.({ ...delivery, event_type: 'order.paid' } as never, attempted, 0);
    await alerts.look();
    expect((await list()).map(({ kind }) => kind)).toEqual(['headgate.dead_letters.growing']);
  });

  test('a dismissed alert is back when it happens again, and its hour goes on', async () => {
    const stage = await setStage(await open());
    await stage.endpoint('alerts');
    const channel = await stage.channel();
    const { alerts, count, list, dismiss } = stage.process();
    count(REJECTED, `channel:${channel}`, { source: 'github' });
    await alerts.look();
    const [first] = await list();
    await dismiss(first?.id ?? '');
    expect(await list(false)).toEqual([]);
    expect(await list(true)).toMatchObject([{ id: first?.id, dismissed_by: 'key:test' }]);
    stage.pass(MINUTE);
    count(REJECTED, `channel:${channel}`, { source: 'slack' });
    count(REJECTED, `channel:${channel}`, { source: 'slack' });
    await alerts.look();
    const [second] = await list(false);
    expect(second).toMatchObject({ count: 2, detail: { source: 'slack' }, dismissed_at: null });
    expect(second?.id).not.toBe(first?.id);
    expect(await stage.sent()).toHaveLength(1);
    stage.pass(HOUR);
    await alerts.look();
    expect((await stage.sent()).map(({ data }) => data.count)).toEqual([2]);
  });

  test('without an endpoint for alerts the hour does not begin, and nothing is lost', async () => {
    const stage = await setStage(await open());
    const channel = await stage.channel();
    const { alerts, count } = stage.process();
    count(REJECTED, `channel:${channel}`);
    await alerts.look();
    await stage.endpoint('alerts');
    stage.pass(MINUTE);
    count(REJECTED, `channel:${channel}`);
    await alerts.look();
    expect((await stage.sent()).map(({ data }) => data.count)).toEqual([2]);
  });

  test('signs that could not be written are written later', async () => {
    const stage = await setStage(await open());
    const channel = await stage.channel();
    const { alerts, count, errors, list } = stage.process();
    vi.spyOn(stage.db, 'run').mockRejectedValueOnce(new Error('away'));
    count(REJECTED, `channel:${channel}`);
    await alerts.look();
    expect(errors).toEqual([new Error('away')]);
    count(REJECTED, `channel:${channel}`);
    await alerts.look();
    expect(await list()).toMatchObject([{ count: 2 }]);
  });

  test('retention deletes alerts, their events and deliveries when their time has passed', async () => {
    const stage = await setStage(await open());
    await stage.endpoint('alerts');
    const [old, fresh] = [await stage.channel(), await stage.channel()];
    const { alerts, count, list } = stage.process();
    count(REJECTED, `channel:${old}`);
    await alerts.look();
    stage.pass(20 * 24 * HOUR);
    count(REJECTED, `channel:${fresh}`);
    await alerts.look();
    stage.pass(11 * 24 * HOUR);
    const clock = createManualClock(stage.now());
    const retention = createRetention({ db: stage.db, clock, report: () => undefined });
    let isSwept = false;
    void retention.sweep().finally(() => (isSwept = true));
    while (!isSwept) {
      await clock.advance(1_000);
      await nextTurn();
    }
    expect((await list()).map(({ subject }) => subject)).toEqual([`channel:${fresh}`]);
    const left = async (sql: string) => (await stage.db.all(sql)).length;
    expect(await left('select id from alert_events')).toBe(1);
    expect(await left('select id from {deliveries}')).toBe(1);
  });
});

test('signs of more subjects than are kept are left out, and those that are kept go on counting', () => {
  const signs = new Signs();
  const add = (subject: string) =>
    signs.add({ project: 'p', kind: REJECTED, subject, detail: {}, count: 1, since: 1, lastAt: 1 });
  for (let n = 0; n < 20_000; n++) add(`channel:${n}`);
  expect(signs.size).toBe(10_000);
  add('channel:0');
  expect(signs.take()[0]).toMatchObject({ subject: 'channel:0', count: 2 });
  expect(signs.size).toBe(0);
});
