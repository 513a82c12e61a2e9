/** The package's SDK client on the host: the two halves of the protocol meet. */
import { createClient } from 'headgate/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { databases } from '../db/databases.js';
import { hostOn, receiver } from '../world.js';

describe.each(databases())('$name', ({ open }) => {
  test('a client gets what endpoints get, in the order of the log, replies, and goes on after a stop', async () => {
    const host = await hostOn(await open());
    const { project, url, key } = host;
    const channel = await host.channel();
    const endpoint = await receiver();
    await host.endpoint(endpoint);
    const rules = `/projects/${project}/rules`;
    const transform = { type: 'transform', ops: [{ op: 'uppercase', path: 'data.body.word' }] };
    const match = { path: 'data.body.word', op: 'exists' };
    await host.call('POST', rules, { name: 'Loud', stage: 'deliver', match, action: transform, priority: 1 });
    const drop = {
      name: 'Not 3',
      stage: 'deliver',
      match: { path: 'data.body.n', op: 'eq', value: 3 },
      priority: 2,
    };
    await host.call('POST', rules, { ...drop, action: { type: 'drop' } });

    const seen: { n: number; word: string; position: number }[] = [];
    // Events that are decided at the same time may be in the log in another order than they came in.
    const numbers = (): number[] => seen.map(({ n }) => n).toSorted((a, b) => a - b);
    const start = async (): Promise<ReturnType<typeof createClient>> => {
      const client = createClient({ url, project, key, name: 'billing' });
      onTestFinished(() => client.close());
      client.on('event', async ({ event, position }) => {
        const { id, data } = event as unknown as { id: string; data: { body: { n: number; word: string } } };
        seen.push({ ...data.body, position });
        await client.reply(id, { seen: data.body.n }, `reply-${data.body.n}`);
      });
      await expect
        .poll(async () => (await host.call('GET', `/projects/${project}/clients`)).json.items)
        .toMatchObject([{ name: 'billing', connected: true }]);
      return client;
    };
    const first = await start();
    for (let n = 1; n <= 5; n++) await host.send(channel.url, { n, word: 'a' });
    await expect.poll(numbers).toEqual([1, 2, 4, 5]);
    expect(seen.every(({ word }) => word === 'A')).toBe(true);
    await expect.poll(() => endpoint.got.length).toBe(4);
    await first.close();

    for (let n = 6; n <= 8; n++) await host.send(channel.url, { n, word: 'a' });
    await start();
    await expect.poll(numbers).toEqual([1, 2, 4, 5, 6, 7, 8]);
    const events = (await host.call('GET', `/projects/${project}/events?status=processed`)).json.items as {
      id: string;
    }[];
    const replies = await Promise.all(
      events.map(
        async ({ id }) => (await host.call('GET', `/projects/${project}/events/${id}/replies`)).json.items,
      ),
    );
    expect(
      replies.map((of) => (of as { payload: { seen: number } }[]).map(({ payload }) => payload.seen)),
    ).toEqual([[8], [7], [6], [5], [4], [2], [1]]);

    const replayed = await host.call('POST', `/projects/${project}/events/${events[0]!.id}/replay`, {});
    expect(replayed.status).toBeLessThan(300);
    await expect.poll(() => seen.length).toBe(8);
    const positions = seen.map(({ position }) => position);
    expect(positions).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    await expect.poll(() => endpoint.got.at(-1)?.headers['svc-origin']).toBe('replay');
  });

  test('a key that is revoked ends the client with a code that says so', async () => {
    const host = await hostOn(await open());
    const { project, url } = host;
    const made = await host.call('POST', `/projects/${project}/keys`, { name: 'sdk', scopes: ['receive'] });
    const { id, key } = made.json as { id: string; key: string };
    const client = createClient({ url, project, key, name: 'a' });
    const errors: unknown[] = [];
    client.on('error', (error) => errors.push(error));
    await expect
      .poll(async () => (await host.call('GET', `/projects/${project}/clients`)).json.items)
      .toMatchObject([{ connected: true }]);
    expect((await host.call('DELETE', `/projects/${project}/keys/${id}`)).status).toBe(204);
    await expect.poll(() => errors).toMatchObject([{ code: 'unauthorized' }]);
    await client.close();
  });
});
