/** The tail and the search of the whole host, over sockets. */
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { type HostWorld, hostOn } from '../world.js';
import { readTail } from './tail-reader.js';

const openTail = async (host: HostWorld, key: string = host.key, query = '') =>
  fetch(`${host.url}/projects/${host.project}/tail${query}`, { headers: { authorization: `Bearer ${key}` } });

describe.each(databases())('$name', ({ open }) => {
  test('what comes in is shown by the tail once it is decided, dropped or not, and found by a search', async () => {
    const host = await hostOn(await open());
    const channel = await host.channel();
    const match = { path: 'data.body.test', op: 'eq', value: true };
    const rule = { name: 'No tests', stage: 'deliver', match, action: { type: 'drop' }, priority: 1 };
    expect((await host.call('POST', `/projects/${host.project}/rules`, rule)).status).toBe(201);
    const response = await openTail(host);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    });
    const [all, drops] = [readTail(response), readTail(await openTail(host, host.key, '?status=dropped'))];
    const bodies = [{ test: true }, { test: false }, { test: true }];
    const sent: string[] = [];
    for (const body of bodies) sent.push(((await host.send(channel.url, body)).json as { id: string }).id);
    await expect.poll(() => all.ids().sort()).toEqual([...sent].sort());
    await expect.poll(() => drops.ids().sort()).toEqual([sent[0], sent[2]].sort());
    expect(await searched(host, match)).toMatchObject({
      items: [{ id: sent[2], dropped_by: { name: 'No tests' } }, { id: sent[0] }],
      scanned: 3,
    });
    await Promise.all([all.leave(), drops.leave()]);
  });

  test('a reader that goes away, or whose key is revoked, gives its slot back; the rest end with the service', async () => {
    const host = await hostOn(await open());
    const keys = `/projects/${host.project}/keys`;
    const made = await host.call('POST', keys, { name: 'tail', scopes: ['read'] });
    const { id, key } = made.json as { readonly id: string; readonly key: string };
    const revoked = readTail(await openTail(host, key));
    const readers = await Promise.all(Array.from({ length: 49 }, async () => readTail(await openTail(host))));
    expect((await openTail(host)).status).toBe(429);
    expect((await host.call('DELETE', `${keys}/${id}`, undefined)).status).toBe(204);
    await revoked.ended;
    readers.push(readTail(await openTail(host)));
    expect((await openTail(host)).status).toBe(429);
    await readers[0]!.leave();
    await expect.poll(async () => keepOpen(await openTail(host), readers)).toBe(200);
    await host.stop();
    await Promise.all(readers.slice(1).map(({ ended }) => ended));
  });
});

/** Keeps a stream that was opened; returns its status. */
function keepOpen(response: Response, readers: ReturnType<typeof readTail>[]): number {
  if (response.status === 200) readers.push(readTail(response));
  return response.status;
}

/** Searches all pages. A page ends early on a busy machine. */
async function searched(host: HostWorld, match: object) {
  const found: { items: unknown[]; scanned: number } = { items: [], scanned: 0 };
  for (let cursor: string | null | undefined; cursor !== null;) {
    const body = { match, ...(cursor !== undefined && { cursor }) };
    const { json } = await host.call('POST', `/projects/${host.project}/events/search`, body);
    const page = json as { items: unknown[]; scanned: number; next: string | null };
    found.items.push(...page.items);
    found.scanned += page.scanned;
    cursor = page.next;
  }
  return found;
}
