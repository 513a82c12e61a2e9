/** The portal shows events as endpoints get them. Its links and sessions begin once, and end. */
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { type Answered, type HostWorld, hostOn, receiver } from '../world.js';
import { linkToken, MEANT, openLink, portalHeaders } from './sessions.js';

/** Requests by a session of the portal, under its project. */
type Call = (method: string, path: string, body?: unknown) => Promise<Answered>;

const sendOf =
  ({ call }: HostWorld): Parameters<typeof linkToken>[0] =>
  (method, path, { headers, body }) =>
    call(method, path, body, { key: null, headers });

async function portalOf(world: HostWorld, role: 'viewer' | 'owner'): Promise<Call> {
  const headers = await portalHeaders(sendOf(world), world.project, world.key, role);
  return (method, path, body) =>
    world.call(method, `/projects/${world.project}${path}`, body, { key: null, headers });
}

const ruleOf = (name: string, kind: string, action: object, priority: number): object => ({
  ...{ name, stage: 'deliver', priority, action },
  match: { path: 'data.body.kind', op: 'eq', value: kind },
});

/** A project with an event that was processed and redacted, and one that was dropped. */
async function withEvents(world: HostWorld) {
  const under = `/projects/${world.project}`;
  const { url } = await world.channel({ name: 'Shop' });
  const to = await receiver();
  const endpoint = await world.endpoint(to, { name: 'Customer' });
  const redact = {
    type: 'transform',
    ops: [{ op: 'redact', path: 'data.body.card', regex: '[0-9]', replace: '*' }],
  };
  for (const rule of [
    ruleOf('Secret drop', 'ping', { type: 'drop' }, 10),
    ruleOf('Secret redaction', 'order', redact, 20),
  ]) {
    expect((await world.call('POST', `${under}/rules`, rule)).status).toBe(201);
  }
  const event = async (body: object): Promise<string> =>
    (await world.send(url, body, { 'x-internal': 'header of the provider' })).json.id as string;
  const dropped = await event({ kind: 'ping', card: '4242' });
  const processed = await event({ kind: 'order', card: '4242' });
  await expect.poll(() => to.got.length).toBe(1);
  const status = async () => (await world.call('GET', `${under}/events/${dropped}`)).json.status;
  await expect.poll(status).toBe('dropped');
  return { dropped, processed, endpoint, to };
}

describe.each(databases())('on $name', ({ open }) => {
  test("endpoints for alerts are the operator's, and none can be made in the portal", async () => {
    const world = await hostOn(await open());
    const alerts = await world.endpoint(await receiver(), { name: 'Pager', purpose: 'alerts' });
    const own = await world.endpoint(await receiver(), { name: 'Customer' });
    const portal = await portalOf(world, 'owner');
    const list = await portal('GET', '/endpoints');
    expect((list.json.items as { id: string }[]).map(({ id }) => id)).toEqual([own.id]);
    expect((await portal('GET', '/endpoint-health?period=day')).text).not.toContain(alerts.id);
    for (const [method, end, body] of [
      ['GET', ''],
      ['GET', '/health?period=day'],
      ['GET', '/secrets'],
      ['PATCH', '', { url: 'https://elsewhere.example/' }],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/test', {}],
      ['POST', '/secrets', {}],
      ['DELETE', `/secrets/${alerts.id}`],
      ['DELETE', ''],
    ] as const) {
      const answer = await portal(method, `/endpoints/${alerts.id}${end}`, body);
      expect([method, end, answer.status]).toEqual([method, end, 404]);
    }
    const made = await portal('POST', '/endpoints', { url: 'https://e.example/', purpose: 'alerts' });
    const changed = await portal('PATCH', `/endpoints/${own.id}`, { purpose: 'alerts' });
    expect([made.status, changed.status]).toEqual([403, 403]);
    expect((await portal('PATCH', `/endpoints/${own.id}`, { purpose: 'events', name: 'Mine' })).status).toBe(
      200,
    );
    const { json } = await world.call('GET', `/projects/${world.project}/endpoints/${alerts.id}`);
    expect(json).toMatchObject({ status: 'active', name: 'Pager' });
  });

  test('deliveries and dead letters of alerts are hidden, and are not redelivered with the others', async () => {
    const world = await hostOn(await open());
    const under = `/projects/${world.project}`;
    const pager = await receiver(500);
    await world.endpoint(pager, { purpose: 'alerts', retry_max_attempts: 1 });
    const source = { name: 'github', secrets: ['a secret of the sender'] };
    const { url } = await world.channel({ source });
    await world.send(url, {});
    const letters = async () =>
      (await world.call('GET', `${under}/dead-letters`)).json.items as { id: string }[];
    await expect.poll(async () => (await letters()).length).toBe(1);
    const [letter] = await letters();
    const portal = await portalOf(world, 'owner');
    expect((await portal('GET', '/dead-letters')).json.items).toEqual([]);
    expect((await portal('GET', '/dead-letters/count')).json).toEqual({ count: 0 });
    expect((await portal('GET', '/deliveries')).json.items).toEqual([]);
    const one = `/deliveries/${encodeURIComponent(letter!.id)}`;
    expect([(await portal('GET', one)).status, (await portal('POST', `${one}/retry`)).status]).toEqual([
      404, 404,
    ]);
    const begun = await portal('POST', '/dead-letters/redeliver', { filter: {} });
    expect(begun.json.redelivery.filter).toEqual({});
    const state = async () =>
      (await portal('GET', `/redeliveries/${begun.json.redelivery.id as string}`)).json;
    await expect.poll(state).toMatchObject({ state: 'done', total: 0, redelivered: 0 });
    expect([pager.got.length, (await letters()).length]).toEqual([1, 1]);
  });

  test('an event is shown as its endpoints get it, and one that was dropped is not there', async () => {
    const world = await hostOn(await open());
    const { dropped, processed, endpoint, to } = await withEvents(world);
    const portal = await portalOf(world, 'owner');

    const list = await portal('GET', '/events');
    expect(list.json.items).toHaveLength(1);
    expect(list.json.items[0]).toMatchObject({
      id: processed,
      matched: [],
      matched_count: 0,
      dropped_by: null,
    });
    const whole = await portal('GET', `/events/${processed}`);
    expect(whole.json).toMatchObject({
      data: to.got[0]?.event.data,
      ...{ projected: null, raw_payload: null, decision: null, replies: [] },
      deliveries: [expect.objectContaining({ endpoint_id: endpoint.id })],
    });
    for (const { text } of [list, whole]) expect(text).not.toMatch(/4242|Secret|provider|"rule/);

    for (const [method, path] of [
      ['GET', `/events/${dropped}`],
      ['POST', `/events/${dropped}/replay`],
    ] as const) {
      const body = method === 'POST' ? { endpoint_ids: [endpoint.id] } : undefined;
      expect([path, (await portal(method, path, body)).status]).toEqual([path, 404]);
    }
    expect(to.got).toHaveLength(1);
  });

  test('no condition and no replay finds out what rules do, or what they removed', async () => {
    const world = await hostOn(await open());
    const { processed } = await withEvents(world);
    const portal = await portalOf(world, 'owner');
    const { json: rules } = await world.call('GET', `/projects/${world.project}/rules`);
    const match = { path: 'data.body.card', op: 'eq', value: '4242' };
    const asked: readonly (readonly [string, string, object?])[] = [
      ['GET', `/events?rule=${rules.items[0].id}`],
      ['GET', '/events?status=dropped'],
      ['GET', '/events?status=received'],
      ['GET', '/tail?status=dropped'],
      ['POST', '/events/search', { match }],
      ['GET', '/events/values?of=tag'],
      ['GET', `/events/${processed}/explanation`],
      ['POST', `/events/${processed}/replay`, { rules: 'again' }],
      ['POST', '/replays', { filter: {}, rules: 'again' }],
      ['POST', '/replays', { filter: { match }, dry: true }],
      ['POST', '/replays', { filter: { rule: rules.items[0].id }, dry: true }],
      ['POST', '/replays', { filter: { status: 'dropped' }, dry: true }],
    ];
    for (const [method, path, body] of asked) {
      const { status, json } = await portal(method, path, body);
      expect([path, body, status, json.code]).toEqual([path, body, 403, 'forbidden']);
    }
    expect((await portal('POST', '/replays', { filter: {}, dry: true })).json.events).toBe(1);
  });

  test('a replay of the operator shows its progress, but neither its rules nor its author', async () => {
    const world = await hostOn(await open());
    await withEvents(world);
    const match = { path: 'data.body.card', op: 'eq', value: '4242' };
    const made = await world.call('POST', `/projects/${world.project}/replays`, {
      filter: { match, topic: 'x' },
    });
    expect(made.status).toBe(202);
    const portal = await portalOf(world, 'viewer');
    const { json, text } = await portal('GET', '/replays');
    expect(json.items[0]).toMatchObject({ filter: { topic: 'x' }, created_by: 'operator', comparison: null });
    expect(text).not.toContain('4242');
  });

  test('what an owner does is in the audit log under its link, and repeats of the portal are its own', async () => {
    const world = await hostOn(await open());
    const { processed, to } = await withEvents(world);
    const send = sendOf(world);
    const headers = await portalHeaders(send, world.project, world.key, 'owner');
    const path = `/projects/${world.project}/events/${processed}/replay`;
    const replay = (more: { key?: string | null; headers?: Record<string, string> }) =>
      world.call('POST', path, {}, { ...more, headers: { 'idempotency-key': 'same', ...more.headers } });
    const [mine, again] = [await replay({ key: null, headers }), await replay({ key: null, headers })];
    expect([mine.status, again.json.id]).toEqual([202, mine.json.id]);
    const theirs = await replay({});
    expect([theirs.status, theirs.json.id === mine.json.id]).toEqual([202, false]);
    await expect.poll(() => to.got.length).toBe(3);

    const { json: audit } = await world.call('GET', `/projects/${world.project}/audit`);
    const entries = audit.items as { action: string; actor: string; resource: string; after: object }[];
    const of = (action: string) => entries.filter((entry) => entry.action === action);
    const [link] = of('portal_link.created');
    const actor = `portal:${link?.resource.replace('portal_link:', '')}`;
    expect(link?.actor).toMatch(/^key:/);
    expect(of('session.created').map((entry) => entry.actor)).toEqual([actor]);
    expect(of('event.replayed').map((entry) => entry.actor)).toContain(actor);
  });

  test('a link begins one session, of its role, in the portal alone, and until it expires', async () => {
    const world = await hostOn(await open());
    const send = sendOf(world);
    const link = () =>
      linkToken(send, world.project, world.key, { role: 'viewer', name: 'Ada', expires_in: 1 });
    const token = await link();
    // The dashboard does not take it, and it is not used up.
    expect((await world.call('POST', '/session', { token }, { key: null })).status).toBe(401);
    const begun = await openLink(send, token);
    expect(JSON.parse(begun.text)).toMatchObject({ project: world.project, scopes: [], portal: 'viewer' });
    expect(begun.headers.get('set-cookie')).toMatch(
      /^__Host-headgate-portal=hg_ses_\w{49}; Path=\/; Max-Age=86400; HttpOnly; SameSite=None; Partitioned; Secure$/,
    );
    expect((await openLink(send, token)).status).toBe(401);
    // Nor does the portal take a link of the dashboard.
    expect((await openLink(send, await world.host.signInLink(world.project))).status).toBe(401);
    const refused = [
      { role: 'admin' },
      { role: 'viewer', expires_in: 86_401 },
      { role: 'owner', expires_in: 0 },
      {},
    ];
    for (const body of refused) {
      const { status } = await world.call('POST', `/projects/${world.project}/portal-links`, body);
      expect([body, status]).toEqual([body, 400]);
    }
  });

  test('links and sessions are over when the key that made the link is revoked, and with all sessions', async () => {
    const world = await hostOn(await open());
    const send = sendOf(world);
    const under = `/projects/${world.project}`;
    const made = await world.call('POST', `${under}/keys`, { name: 'Of the app', scopes: ['manage'] });
    const { id, key } = made.json as { id: string; key: string };
    const statusOf = async (headers: Readonly<Record<string, string>>) =>
      (await world.call('GET', `${under}/endpoints`, undefined, { key: null, headers })).status;
    const [headers, unused] = [
      await portalHeaders(send, world.project, key, 'viewer'),
      await linkToken(send, world.project, key, { role: 'viewer' }),
    ];
    expect(await statusOf(headers)).toBe(200);
    await world.call('DELETE', `${under}/keys/${id}`);
    expect(await statusOf(headers)).toBe(401);
    expect((await openLink(send, unused)).status).toBe(401);

    const other = await portalHeaders(send, world.project, world.key, 'viewer');
    expect(await statusOf(other)).toBe(200);
    expect((await world.call('DELETE', `${under}/sessions`)).json).toEqual({ ended: 1 });
    expect(await statusOf(other)).toBe(401);
  });

  test('signing out of the portal leaves the session of the dashboard in the same browser', async () => {
    const world = await hostOn(await open());
    const portal = await portalHeaders(sendOf(world), world.project, world.key, 'viewer');
    const begun = await world.call('POST', '/session', { key: world.key }, { key: null });
    const [dashboard = ''] = (begun.headers.get('set-cookie') ?? '').split(';');
    const cookie = `${portal.cookie}; ${dashboard}`;
    const who = (more: object) =>
      world.call('GET', '/session', undefined, { key: null, headers: { cookie, ...more } });
    expect([(await who(MEANT)).json.portal, (await who({})).json.portal]).toEqual(['viewer', null]);
    const headers = { ...portal, cookie };
    const out = await world.call('DELETE', '/session', undefined, { key: null, headers });
    expect(out.headers.get('set-cookie')).toMatch(/^__Host-headgate-portal=; .*Max-Age=0; .*Partitioned/);
    expect([(await who(MEANT)).status, (await who({})).status]).toEqual([401, 200]);
  });

  test('the logo is an image that runs nothing, for everybody who knows its address', async () => {
    const world = await hostOn(await open());
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const logo_url = `data:image/svg+xml;base64,${btoa(svg)}`;
    const { json } = await world.call('PATCH', `/projects/${world.project}`, { portal: { logo_url } });
    const path = json.portal.logo_url as string;
    const { status, text, headers } = await world.call('GET', path, undefined, { key: null });
    expect([status, text, headers.get('content-type')]).toEqual([200, svg, 'image/svg+xml']);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.* sandbox$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect((await world.call('GET', `${path.slice(0, -1)}${path.endsWith('0') ? '1' : '0'}`)).status).toBe(
      404,
    );
  });
});
