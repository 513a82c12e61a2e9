/** Every kind of alert by its real cause: through the API of a whole host, on both databases, in virtual time. */
import { createVerifier } from 'headgate/signing';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { databases } from '../db/databases.js';
import { ADMIN_KEY, hostOn, type HostWorld, receiver, type Receiver } from '../world.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
const FAILS = { retry_delays: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1] };

/** A host whose clock is set forward by a test, with an endpoint for alerts. */
async function world(db: Database, environment: Readonly<Record<string, string>> = {}) {
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const host = await hostOn(db, environment, undefined, 0, { now });
  const inbox = await receiver();
  const alerts = await host.endpoint(inbox, { purpose: 'alerts' });
  return { ...host, inbox, alerts, now, pass: (ms: number) => void (ahead += ms) };
}

/** Waits for the events of a type. */
const arrived = (inbox: Receiver, type: string, count = 1) =>
  expect
    .poll(() => inbox.got.filter(({ event }) => event.type === type))
    .toHaveLength(count)
    .then(() => inbox.got.filter(({ event }) => event.type === type)[count - 1]!);

const publish = ({ call, project }: HostWorld, data: object = {}) =>
  call('POST', `/projects/${project}/events`, { type: 'order.paid', data });

describe.each(databases())('$name', ({ open }) => {
  test('an endpoint fails, is paused, is resumed, fails again and recovers; alerts are signed', async () => {
    const host = await world(await open());
    const { project, call, inbox, pass, alerts } = host;
    await call('PATCH', `/projects/${project}`, { auto_pause_days: 1 });
    const target = await receiver(500);
    const { id } = await host.endpoint(target, { name: 'Shop', ...FAILS });
    const state = async () => (await call('GET', `/projects/${project}/endpoints/${id}`)).json;
    await publish(host);
    await expect.poll(async () => (await state()).failing_since).not.toBeNull();
    expect(inbox.got).toEqual([]);
    pass(6 * MINUTE);
    const failing = await arrived(inbox, 'headgate.endpoint.failing');
    expect(failing.event).toMatchObject({
      data: { subject: `endpoint:${id}`, name: 'Shop', project_id: project },
      ...{ topic: 'headgate.endpoint.failing', status: 'processed', tags: [] },
    });
    expect(failing.event.data.detail).toMatchObject({ failure: 'http_status', status: 500 });
    const own = await call('GET', `/projects/${project}/endpoints/${alerts.id}/secrets`);
    const secrets = (own.json.items as { readonly secret: string }[]).map(({ secret }) => secret);
    expect(() =>
      createVerifier({ secrets, now: () => Math.floor(host.now() / 1_000) })(
        Buffer.from(failing.body),
        failing.headers,
      ),
    ).not.toThrow();
    pass(DAY);
    await publish(host);
    const paused = await arrived(inbox, 'headgate.endpoint.paused');
    expect(paused.event.data).toMatchObject({ subject: `endpoint:${id}`, count: 1 });
    expect(await state()).toMatchObject({ status: 'paused', paused_by: 'failures' });
    await call('POST', `/projects/${project}/endpoints/${id}/resume`);
    const resumed = await arrived(inbox, 'headgate.endpoint.recovered');
    expect(resumed.event.data.detail).toMatchObject({ by: 'resuming' });
    await publish(host);
    await expect.poll(async () => (await state()).failing_since).not.toBeNull();
    pass(60 * MINUTE);
    await arrived(inbox, 'headgate.endpoint.failing', 3);
    target.answer = 204;
    pass(60 * MINUTE);
    const recovered = await arrived(inbox, 'headgate.endpoint.recovered', 2);
    expect(recovered.event.data.detail).toMatchObject({ by: 'delivery' });
    expect(await state()).toMatchObject({ failing_since: null });
  });

  test('dead letters grow; an endpoint for alerts that fails raises nothing, and its letters can be redelivered', async () => {
    const host = await world(await open());
    const { project, call, inbox, alerts } = host;
    const dead = async () => (await call('GET', `/projects/${project}/dead-letters`)).json.items;
    await call('PATCH', `/projects/${project}/endpoints/${alerts.id}`, {
      retry_max_attempts: 1,
      retry_delays: null,
    });
    inbox.answer = 500;
    await host.endpoint(await receiver(500), { retry_max_attempts: 1 });
    await publish(host);
    await expect.poll(dead).toHaveLength(2);
    const listed = (await call('GET', `/projects/${project}/alerts`)).json.items;
    expect(listed).toMatchObject([
      { kind: 'headgate.dead_letters.growing', subject: `project:${project}`, count: 1 },
    ]);
    inbox.answer = 204;
    const filter = { endpoint: alerts.id };
    await call('POST', `/projects/${project}/dead-letters/redeliver`, { filter });
    await expect.poll(() => inbox.got.length).toBe(2);
    expect(inbox.got[1]?.event).toEqual(inbox.got[0]?.event);
    expect((await call('GET', `/projects/${project}/alerts`)).json.items).toEqual(listed);
  });

  test('requests whose source cannot be verified', async () => {
    const host = await world(await open());
    const source = { name: 'github', secrets: ['a secret of the sender'] };
    const channel = await host.channel({ source });
    for (let n = 0; n < 3; n++) expect((await host.send(channel.url, {})).status).toBe(401);
    const { event } = await arrived(host.inbox, 'headgate.source.rejected');
    expect(event.data).toMatchObject({
      ...{ subject: `channel:${channel.id}`, name: 'in', detail: { source: 'github' } },
    });
  });

  test('a project that sends more bytes than it may, and one whose plan has no room for a rule', async () => {
    const host = await world(await open(), { HEADGATE_PROJECT_BYTES_PER_SECOND: '1024' });
    const { project, call, inbox, key } = host;
    const large = { text: 'x'.repeat(1_500) };
    for (let n = 0; n < 3; n++) await publish(host, large);
    const { event } = await arrived(inbox, 'headgate.quota.reached');
    expect(event.data).toMatchObject({ subject: 'quota:bytes_per_second', detail: { limit: 1_024 } });
    await call('PUT', `/projects/${project}/plan`, { plan: 'hobby' }, { key: ADMIN_KEY });
    const rule = {
      ...{
        name: 'Drop all',
        stage: 'deliver',
        priority: 1,
        match: { path: 'type', op: 'eq', value: 'order.paid' },
      },
      action: { type: 'drop' },
    };
    const statuses = [];
    for (let n = 0; n < 2; n++) {
      statuses.push((await call('POST', `/projects/${project}/rules`, rule)).status);
    }
    expect(statuses).toEqual([201, 402]);
    await expect
      .poll(async () => (await call('GET', `/projects/${project}/alerts`)).json.items)
      .toMatchObject([{ subject: 'quota:rules' }, { subject: 'quota:bytes_per_second' }]);
    expect(key).not.toBe('');
  });

  test('rules that stay undecided on an event', async () => {
    const host = await world(await open());
    const { project, call, inbox } = host;
    const rule = {
      ...{
        name: 'Slow',
        stage: 'deliver',
        priority: 1,
        match: { path: 'data.text', op: 'matches', value: 'a[ab]*c[a-z]{300}' },
      },
      action: { type: 'drop' },
    };
    const made = await call('POST', `/projects/${project}/rules`, rule);
    expect(made.json).toMatchObject({ name: 'Slow' });
    await publish(host, { text: `${'ab'.repeat(120_000)}c-` });
    const { event } = await arrived(inbox, 'headgate.rules.undecided');
    expect(event.data).toMatchObject({
      ...{ subject: `project:${project}`, count: 1 },
      detail: { reason: 'budget', rule_id: made.json.id },
    });
  });

  test('an endpoint for alerts gets no events, and no rule leads to it', async () => {
    const host = await world(await open());
    const { project, call, inbox, alerts } = host;
    const other = await receiver();
    const { id } = await host.endpoint(other);
    await call('POST', `/projects/${project}/rules`, {
      ...{
        name: 'Route',
        stage: 'deliver',
        priority: 1,
        match: { path: 'type', op: 'eq', value: 'order.paid' },
      },
      action: { type: 'route', endpoint_ids: [alerts.id, id] },
    });
    const { json } = await publish(host);
    await expect.poll(() => other.got.length).toBe(1);
    const replay = { rules: 'recorded', endpoint_ids: [alerts.id] };
    const replayed = await call(
      'POST',
      `/projects/${project}/events/${json.event_id ?? json.id}/replay`,
      replay,
    );
    expect(replayed.status).toBe(400);
    const deliveries = await call('GET', `/projects/${project}/deliveries`);
    expect(deliveries.json.items).toHaveLength(1);
    expect(inbox.got).toEqual([]);
  });

  test('settings that an endpoint for alerts cannot have are refused', async () => {
    const { project, call, alerts } = await world(await open());
    const path = `/projects/${project}/endpoints`;
    expect((await call('GET', `${path}/${alerts.id}`)).json).toMatchObject({
      ...{ purpose: 'alerts', secret: 'endpoint', topics: null, ordering: 'none' },
    });
    for (const wrong of [
      { topics: ['a'] },
      { ordering: 'key' },
      { on_exhausted: 'hold' },
      { secret: 'channel' },
    ]) {
      const body = { url: 'https://example.com', purpose: 'alerts', ...wrong };
      for (const refused of [
        await call('POST', path, body),
        await call('PATCH', `${path}/${alerts.id}`, wrong),
      ]) {
        expect(refused.status).toBe(422);
        expect(refused.json.issues).toMatchObject([
          { code: 'not_for_alerts', pointer: `/${Object.keys(wrong)[0]}` },
        ]);
      }
    }
    const made = await call('POST', path, { url: 'https://example.com', topics: ['a'] });
    const changed = await call('PATCH', `${path}/${made.json.id}`, { purpose: 'alerts' });
    expect(changed.json).toMatchObject({ purpose: 'alerts', topics: null, secret: 'endpoint' });
    const back = await call('PATCH', `${path}/${made.json.id}`, { purpose: 'events', topics: ['b'] });
    expect(back.json).toMatchObject({ purpose: 'events', topics: ['b'] });
    for (let n = 0; n < 19; n++) await call('POST', path, { url: 'https://example.com', purpose: 'alerts' });
    expect((await call('POST', path, { url: 'https://example.com', purpose: 'alerts' })).status).toBe(409);
  });

  test('alerts are listed, counted and dismissed, one and all, with entries in the audit log', async () => {
    const { project, call, channel, send } = await world(await open());
    const source = { name: 'github', secrets: ['a secret of the sender'] };
    const channels = [await channel({ source }), await channel({ source }), await channel({ source })];
    for (const { url } of channels) await send(url, {});
    const list = async (query = '') => (await call('GET', `/projects/${project}/alerts${query}`)).json;
    await expect.poll(async () => (await list()).items).toHaveLength(3);
    expect((await call('GET', `/projects/${project}/attention`)).json.alerts).toBe(3);
    const page = await list('?limit=2');
    const rest = await list(`?limit=2&cursor=${page.next}`);
    expect([page.items.length, rest.items.length, rest.next]).toEqual([2, 1, null]);
    const one = `/projects/${project}/alerts/${page.items[0].id}/dismiss`;
    const dismissed = await call('POST', one);
    expect(dismissed.json.dismissed_by).toMatch(/^key:/);
    expect((await call('POST', one)).json).toEqual(dismissed.json);
    expect((await list('?dismissed=false')).items).toHaveLength(2);
    expect((await call('POST', `/projects/${project}/alerts/dismiss`)).json).toEqual({ dismissed: 2 });
    expect((await list('?dismissed=true')).items).toHaveLength(3);
    expect((await call('GET', `/projects/${project}/attention`)).json.alerts).toBe(0);
    expect((await call('GET', `/projects/${project}/audit?limit=2`)).json.items).toMatchObject([
      { action: 'alerts.dismissed', after: { dismissed: 2 } },
      { action: 'alert.dismissed', resource: `alert:${page.items[0].id}` },
    ]);
    const none = await call('POST', `/projects/${project}/alerts/${project}/dismiss`);
    expect(none.status).toBe(404);
  });
});
