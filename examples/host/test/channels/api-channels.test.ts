/** Channels of type `api`, by which the owner of a project publishes events. */
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { hostOn, type HostWorld } from '../world.js';

const channelsOf = async ({ call, project }: HostWorld) =>
  (await call('GET', `/projects/${project}/channels`)).json.items as readonly {
    readonly id: string;
    readonly name: string;
    readonly type: string;
  }[];

describe.each(databases())('$name', ({ open }) => {
  test('every project has one, with a secret of its own and no address', async () => {
    const host = await hostOn(await open());
    const [api, ...more] = await channelsOf(host);
    expect(more).toEqual([]);
    const base = `/projects/${host.project}`;
    expect(api).toMatchObject({
      ...{ name: 'API', type: 'api', address: null, requires_key: true, topic_path: null },
      url: `${host.url}${base}/events`,
    });
    const { json } = await host.call('GET', `${base}/channels/${api!.id}/secrets`);
    expect(json.items).toHaveLength(1);
  });

  test('it can have siblings, and the last one stays', async () => {
    const host = await hostOn(await open());
    const base = `/projects/${host.project}/channels`;
    const [first] = await channelsOf(host);
    expect((await host.call('DELETE', `${base}/${first!.id}`)).json).toMatchObject({
      ...{ code: 'conflict', detail: 'a project always has a channel of type api: make another one first' },
    });
    const { json: second } = await host.call('POST', base, { name: 'Shop', type: 'api' });
    expect(second).toMatchObject({ type: 'api', requires_key: true });
    expect((await host.call('DELETE', `${base}/${first!.id}`)).status).toBe(204);
    expect((await host.call('DELETE', `${base}/${second.id as string}`)).status).toBe(409);
    const published = await host.call('POST', `/projects/${host.project}/events`, { type: 'a', data: {} });
    expect(published.status).toBe(202);
    const { json: event } = await host.call(
      'GET',
      `/projects/${host.project}/events/${published.json.id as string}`,
    );
    expect(event.channel).toEqual({ id: second.id, type: 'api', name: 'Shop' });
  });

  test('a project from before there were such channels gets one when a process starts', async () => {
    const db = await open();
    const before = await hostOn(db);
    await before.stop();
    await db.run("delete from channels where type = 'api'");
    const [one, two] = await Promise.all([hostOn(db), hostOn(db)]);
    for (const { project } of [before, one, two]) {
      const rows = async () =>
        db.all(`select id from channels where project_id = $1 and type = 'api'`, [project]);
      await expect.poll(rows, { timeout: 5_000 }).toHaveLength(1);
    }
  });

  test('what a channel of its type has no use for is refused', async () => {
    const host = await hostOn(await open());
    const base = `/projects/${host.project}/channels`;
    const [api] = await channelsOf(host);
    const webhook = await host.channel({ topic_path: 'data.body.event' });
    const source = { name: 'github', secrets: ['s3cret'], header: null };
    const refusals = [
      ['POST', base, { name: 'A', type: 'api', source }, '/source'],
      ['POST', base, { name: 'A', type: 'api', requires_key: false }, '/requires_key'],
      ['POST', base, { name: 'A', type: 'api', topic_path: 'data.body.x' }, '/topic_path'],
      ['PATCH', `${base}/${api!.id}`, { source }, '/source'],
      ['PATCH', `${base}/${api!.id}`, { topic_path: 'data.body.x' }, '/topic_path'],
      ['PATCH', `${base}/${webhook.id}`, { topic_path: 'type' }, '/topic_path'],
      ['POST', base, { name: 'A', topic_path: 'data..x' }, '/topic_path'],
    ] as const;
    for (const [method, path, body, pointer] of refusals) {
      const answer = await host.call(method, path, body);
      expect(answer, pointer).toMatchObject({
        status: 422,
        json: { code: 'invalid_document', issues: [{ pointer }] },
      });
    }
    expect((await host.call('POST', `${base}/${api!.id}/address`)).status).toBe(409);
    expect((await host.call('PATCH', `${base}/${webhook.id}`, { type: 'api' })).status).toBe(400);
    const changed = await host.call('PATCH', `${base}/${webhook.id}`, { topic_path: null });
    expect(changed.json).toMatchObject({ type: 'webhook', topic_path: null });
  });

  test('a test is signed by the oldest channel of webhooks, as before there were others', async () => {
    const host = await hostOn(await open());
    const base = `/projects/${host.project}`;
    const [api] = await channelsOf(host);
    const { json: endpoint } = await host.call('POST', `${base}/endpoints`, {
      url: 'https://example.invalid',
    });
    const test = async () =>
      (await host.call('POST', `${base}/endpoints/${endpoint.id as string}/test`, {})).json;
    expect((await test()).channel_id).toBe(api!.id);
    const webhook = await host.channel();
    expect((await test()).channel_id).toBe(webhook.id);
  });
});
