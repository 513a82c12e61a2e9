/** The whole host: an event from its request to its receivers, on both databases. */
import { describe, expect, test } from 'vitest';
import { databases } from './db/databases.js';
import { ADMIN_KEY, hostOn, receiver } from './world.js';

describe.each(databases())('$name', ({ open }) => {
  test('a webhook that comes in is decided, delivered, signed, and shown', async () => {
    const host = await hostOn(await open());
    const { project } = host;
    const [all, routed] = [await receiver(), await receiver()];
    const channel = await host.channel({ name: 'shop' });
    const first = await host.endpoint(all);
    const second = await host.endpoint(routed);
    const rule = (name: string, match: object, action: object, priority: number) =>
      host.call('POST', `/projects/${project}/rules`, { name, stage: 'deliver', match, action, priority });
    await rule('No tests', { path: 'data.body.test', op: 'eq', value: true }, { type: 'drop' }, 1);
    await rule(
      'Large',
      { path: 'data.body.amount', op: 'gte', value: 100 },
      { type: 'tag', tags: ['large'] },
      2,
    );
    const raw = { path: 'raw_payload.body', op: 'contains', value: '{"amount":250}' };
    await rule('Raw', raw, { type: 'tag', tags: ['raw'] }, 4);
    const route = { type: 'route_only', endpoint_ids: [second.id] };
    const routing = await rule('Only one', { path: 'data.body.only', op: 'exists' }, route, 3);
    expect(routing.status).toBe(201);

    const sent = [{ amount: 250 }, { test: true }, { only: 1 }, { amount: 1, text: '\u0000\ud83d' }];
    const answers = await Promise.all(sent.map((body) => host.send(channel.url, body)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    const ids = answers.map(({ json }) => (json as { id: string }).id);

    await expect.poll(() => all.got.length).toBe(2);
    await expect.poll(() => routed.got.length).toBe(3);
    const secrets = await host.call('GET', `/projects/${project}/channels/${channel.id}/secrets`);
    const [secret] = secrets.json.items as { secret: string }[];
    for (const { verify } of [...all.got, ...routed.got]) verify(secret!.secret);
    const large = all.got.find(({ event }) => event.id === ids[0]);
    expect(large?.event).toMatchObject({
      tags: ['large', 'raw'],
      data: { body: { amount: 250 } },
      status: 'processed',
    });
    expect(large?.event).not.toHaveProperty('raw_payload');
    expect(routed.got.map(({ event }) => event.id as string).sort()).toEqual([ids[0], ids[2], ids[3]].sort());

    const dropped = await host.call('GET', `/projects/${project}/events?status=dropped`);
    expect(dropped.json.items).toMatchObject([{ id: ids[1], status: 'dropped' }]);
    const tagged = await host.call('GET', `/projects/${project}/events?tag=large`);
    expect(tagged.json.items).toMatchObject([{ id: ids[0] }]);
    const event = await host.call('GET', `/projects/${project}/events/${ids[0]}`);
    expect(event.json).toMatchObject({
      id: ids[0],
      data: { body: { amount: 250 } },
      raw_payload: { method: 'POST', path: `/in/${channel.id}`, body: '{"amount":250}' },
    });
    await expect
      .poll(
        async () =>
          (await host.call('GET', `/projects/${project}/deliveries?endpoint=${first.id}`)).json.items,
      )
      .toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
    const metrics = await host.call('GET', '/metrics', undefined, {
      key: 'an-admin-key-that-only-tests-have-0123456789',
    });
    expect(metrics.text).toMatch(/headgate_decisions_total\{outcome="drop"\} 1/);
  });

  test('credentials and the address that reach ingest are nowhere in what a reader of the project sees', async () => {
    const host = await hostOn(await open());
    const { project } = host;
    const channel = await host.channel();
    const address = channel.url.slice(channel.url.lastIndexOf('/') + 1);
    const { status, json } = await host.send(
      `${channel.url}?key=${ADMIN_KEY}&n=1`,
      { amount: 1 },
      {
        authorization: 'Bearer of-the-sender',
        'x-api-key': ADMIN_KEY,
        'x-forwarded-authorization': `Basic ${Buffer.from(`operator:${ADMIN_KEY}`).toString('base64')}`,
        'x-original-uri': `/in/${address}`,
        'x-mine': 'kept',
      },
    );
    expect(status).toBe(202);
    const made = await host.call('POST', `/projects/${project}/receivers`, { name: 'kept' });
    await host.send(made.json.url as string, {}, { 'x-api-key': ADMIN_KEY });
    const event = await host.call('GET', `/projects/${project}/events/${json.id}`);
    const kept = await host.call('GET', `/projects/${project}/receivers/${made.json.id}/requests`);
    expect(kept.json.items).toHaveLength(1);
    expect(event.json.raw_payload).toMatchObject({ path: `/in/${channel.id}`, query: 'key=withheld&n=1' });
    expect(event.json.raw_payload.headers).toContainEqual(['x-mine', 'kept']);
    expect(event.json.raw_payload.headers).toContainEqual(['x-original-uri', `/in/${channel.id}`]);
    for (const { text } of [event, kept]) {
      expect(text).not.toContain(ADMIN_KEY);
      expect(text).not.toContain('of-the-sender');
      expect(text).not.toContain(address);
      expect(text).not.toMatch(/basic/i);
    }
  });

  test('deliveries and test sends have headers of the brand that the configuration names', async () => {
    const host = await hostOn(await open(), { HEADGATE_BRAND: 'Acme' });
    const all = await receiver();
    const channel = await host.channel();
    const endpoint = await host.endpoint(all);
    await host.send(channel.url, { amount: 1 });
    await expect.poll(() => all.got.length).toBe(1);
    await host.call('POST', `/projects/${host.project}/endpoints/${endpoint.id}/test`);
    expect(all.got).toHaveLength(2);
    for (const { headers } of all.got) {
      expect(headers['user-agent']).toBe('acme-dispatcher/1');
      expect(Object.keys(headers).filter((name) => name.startsWith('svc-'))).toEqual([]);
      expect(headers).toHaveProperty('acme-signature');
    }
  });
});
