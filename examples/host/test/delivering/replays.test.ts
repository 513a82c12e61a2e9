/** Replays: who gets an event again, and what. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport } from 'headgate/delivery';
import { describe, expect, test } from 'vitest';
import { namedRecipients, recipientsOf } from '../../src/delivering/replays/plan.js';
import { databases } from '../db/databases.js';
import { AGAIN, mountDelivering, setStage, type Stage } from './stage.js';

const P = '/projects/{project}';

/** A transport that keeps what it was given. */
function recording() {
  const sent: { url: string; body: string; origin: string | undefined }[] = [];
  const transport: Transport = {
    send: ({ url, body, headers }) => {
      sent.push({ url, body: new TextDecoder().decode(body), origin: headers['Svc-Origin'] });
      return Promise.resolve({ ok: true, status: 200 });
    },
    close: () => Promise.resolve(),
  };
  return { sent, transport };
}

const logOf = (stage: Stage) =>
  stage.db.all<{ position: number; origin: string; event_id: string }>(
    'select position, origin, event_id from event_log where project_id = $1 order by position',
    [stage.project],
  );

describe.each(databases())('$name', ({ open }) => {
  test('recorded: the endpoints that got it then, the data as it was sent, the next position of the log', async () => {
    const stage = await setStage(await open());
    const [then, later, paused] = [
      await stage.addEndpoint(),
      await stage.addEndpoint(),
      await stage.addEndpoint(),
    ];
    const gone = randomUUID();
    const event = await stage.addEvent([then.id, paused.id, gone], {
      projected: { body: 'as sent' },
      tags: ['t'],
    });
    paused.status = 'paused';
    const { sent, transport } = recording();
    const served = mountDelivering(stage, { transport });
    const key = { 'idempotency-key': 'replay-1' };
    const first = await served.call('POST', `${P}/events/${event.id}/replay`, undefined, key);
    expect(first).toMatchObject({
      status: 202,
      body: {
        ...{ event_id: event.id, rules: 'recorded', outcome: 'deliver', position: 2 },
        deliveries: [{ endpoint_id: then.id }],
      },
    });
    expect(first.body.skipped).toHaveLength(2);
    expect(first.body.skipped).toEqual(
      expect.arrayContaining([
        { endpoint_id: paused.id, reason: 'paused' },
        { endpoint_id: gone, reason: 'deleted' },
      ]),
    );
    const second = await served.call('POST', `${P}/events/${event.id}/replay`, undefined, key);
    expect(second).toEqual(first);
    const other = await served.call('POST', `${P}/events/${event.id}/replay`, { rules: 'again' }, key);
    expect(other.body.code).toBe('idempotency_conflict');
    expect((await logOf(stage)).map((row) => ({ ...row }))).toEqual([
      { position: 1, origin: 'live', event_id: event.id },
      { position: 2, origin: 'replay', event_id: event.id },
    ]);
    served.start();
    await stage.pass(2_000);
    await served.stop(AbortSignal.abort());
    const replayed = sent.filter(({ origin }) => origin === 'replay');
    expect(replayed).toEqual([
      {
        url: then.url,
        body: expect.stringContaining(
          '"data":{"body":"as sent"},"status":"processed","tags":["t"]',
        ) as string,
        origin: 'replay',
      },
    ]);
    expect(sent.some(({ url }) => url === later.url)).toBe(false);
  });

  test('again: the rules of today decide whom and what, and what they drop reaches nobody', async () => {
    const stage = await setStage(await open());
    const [then, later] = [await stage.addEndpoint(), await stage.addEndpoint()];
    const event = await stage.addEvent([then.id]);
    const served = mountDelivering(stage, { again: { ...AGAIN, endpointIds: [later.id.toUpperCase()] } });
    const routed = await served.call('POST', `${P}/events/${event.id}/replay`, { rules: 'again' });
    expect(routed.body).toMatchObject({
      ...{ rules: 'again', rules_version: 7, position: 2, deliveries: [{ endpoint_id: later.id }] },
    });
    const row = await stage.db.get<{ decision: string; projected: string }>(
      'select decision, projected from replays where id = $1',
      [routed.body.id],
    );
    expect(JSON.parse(row!.decision)).toMatchObject({ outcome: 'deliver', tags: ['anew'], matched: [] });
    expect(row!.projected).toBe('{"body":"anew"}');

    const dropping = mountDelivering(stage, { again: { ...AGAIN, outcome: 'drop' } });
    const named = { rules: 'again', endpoint_ids: [then.id] };
    const dropped = await dropping.call('POST', `${P}/events/${event.id}/replay`, named);
    expect(dropped).toMatchObject({ status: 202, body: { outcome: 'drop', position: null, deliveries: [] } });
    expect(await logOf(stage)).toHaveLength(2);
  });

  test('a dropped event goes to named endpoints alone, or is decided again', async () => {
    const stage = await setStage(await open());
    const endpoint = await stage.addEndpoint({ status: 'paused' });
    const event = await stage.addEvent([], { status: 'dropped' });
    const served = mountDelivering(stage);
    const path = `${P}/events/${event.id}/replay`;
    expect((await served.call('POST', path)).body).toMatchObject({ status: 409, code: 'conflict' });
    const named = await served.call('POST', path, { endpoint_ids: [endpoint.id] });
    expect(named.body).toMatchObject({
      outcome: 'drop',
      position: null,
      deliveries: [{ endpoint_id: endpoint.id }],
    });
    expect(await logOf(stage)).toEqual([]);
    const again = await served.call('POST', path, { rules: 'again' });
    expect(again.body).toMatchObject({ outcome: 'deliver', position: 1, deliveries: [] });
  });

  test('an event that is not decided, an unknown event, and a foreign endpoint are refused', async () => {
    const stage = await setStage(await open());
    const served = mountDelivering(stage);
    const waiting = await stage.addEvent([], { status: 'received' });
    expect((await served.call('POST', `${P}/events/${waiting.id}/replay`)).status).toBe(409);
    expect((await served.call('POST', `${P}/events/evt_${'0'.repeat(26)}/replay`)).status).toBe(404);
    const event = await stage.addEvent([]);
    const foreign = await served.call('POST', `${P}/events/${event.id}/replay`, {
      endpoint_ids: [randomUUID()],
    });
    expect(foreign.body).toMatchObject({ status: 400, issues: [{ pointer: '/endpoint_ids/0' }] });
    expect(await stage.db.all('select id from replays')).toEqual([]);
  });

  test('a caller that replays in a loop has a few decisions under way, and learns when to come again', async () => {
    const stage = await setStage(await open());
    const event = await stage.addEvent([]);
    const waiting: (() => void)[] = [];
    const served = mountDelivering(stage, {
      decide: () => new Promise((resolve) => waiting.push(() => resolve(AGAIN))),
    });
    let ended = 0;
    const replays = Array.from({ length: 130 }, () =>
      served.call('POST', `${P}/events/${event.id}/replay`, { rules: 'again' }).finally(() => ended++),
    );
    await expect.poll(() => ended).toBe(130 - 104);
    await expect.poll(() => waiting.length).toBe(4);
    while (ended < 130) {
      await sleep(1);
      expect(waiting.length).toBeLessThanOrEqual(4);
      waiting.shift()?.();
    }
    const answers = await Promise.all(replays);
    const refused = answers.filter(({ status }) => status !== 202);
    expect(refused).toHaveLength(130 - 104);
    expect(refused[0]).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect(await logOf(stage)).toHaveLength(1 + 104);
  });

  test('replays at once get positions without gaps', async () => {
    const stage = await setStage(await open());
    const event = await stage.addEvent([]);
    const served = mountDelivering(stage);
    const all = await Promise.all(
      Array.from({ length: 12 }, () => served.call('POST', `${P}/events/${event.id}/replay`)),
    );
    const positions = all.map(({ body }) => body.position).sort((a, b) => a - b);
    expect(positions).toEqual(Array.from({ length: 12 }, (_, i) => i + 2));
  });
});

test('a decision is for its endpoints that are there, active and subscribed, each once', () => {
  const endpoints = [
    { id: '0', status: 'active' },
    { id: '1', status: 'paused' },
    { id: '3', status: 'active', topics: ['invoice.*'] },
    { id: '4', status: 'active', topics: ['user.*'] },
  ] as const;
  expect(recipientsOf(['0', '1', '2', '3', '4', '0'], endpoints, 'invoice.paid')).toEqual({
    endpoints: ['0', '3'],
    skipped: [
      { endpoint_id: '1', reason: 'paused' },
      { endpoint_id: '2', reason: 'deleted' },
      { endpoint_id: '4', reason: 'not_subscribed' },
    ],
  });
  expect(recipientsOf([], endpoints, 'invoice.paid')).toEqual({ endpoints: [], skipped: [] });
});

test('a named endpoint gets it once, paused or not', () => {
  const endpoints = [{ id: 'a', status: 'paused' as const }];
  expect(namedRecipients(['a', 'a'], endpoints)).toEqual({ endpoints: ['a'], skipped: [] });
});
