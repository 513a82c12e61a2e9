/** The memory that SDK clients make a host hold: events that they do not read, and replies that wait to be stored. */
import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Database } from '../../src/db/index.js';
import { createMemory } from '../../src/limits/memory.js';
import { SILENCE_MS } from '../../src/sdk-clients/protocol.js';
import { databases } from '../db/databases.js';
import { ADMIN_KEY, type HostWorld, hostOn } from '../world.js';
import { RawClient, streamOn } from './world.js';

const [sqlite] = databases();
const MEBIBYTE = 1_048_576;
const BUFFER = 32 * MEBIBYTE;
/** The answer to a scrape is charged while it is made, and so are the heads of frames. */
const NOTHING = 40_000;

const started = (db: Database): Promise<HostWorld> => hostOn(db, { HEADGATE_BUFFER_BYTES: `${BUFFER}` });

async function connected({ url, project, key }: HostWorld, name: string): Promise<RawClient> {
  const address = `${url.replace('http', 'ws')}/projects/${project}/stream`;
  const client = new RawClient(new WebSocket(address, ['headgate.v1']));
  await once(client.socket, 'open');
  client.send({ type: 'hello', key, client: name });
  await expect.poll(() => client.of('welcome')).toHaveLength(1);
  return client;
}

/** Bytes that the ledger counts, as the operator sees them. */
async function buffered({ call }: HostWorld): Promise<number> {
  const { text } = await call('GET', '/metrics', undefined, { key: ADMIN_KEY });
  return Number(/^headgate_buffer_bytes (\d+)$/m.exec(text)?.[1]);
}

const named = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `client-${i}`);
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 1);

/** A database whose transactions wait, from one call until the next. */
function slow(db: Database) {
  let gate = Promise.resolve();
  let open = (): void => undefined;
  const transaction: Database['transaction'] = (work) => gate.then(() => db.transaction(work));
  return {
    db: new Proxy(db, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (name === 'transaction') return transaction;
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    }),
    close: () => void (gate = new Promise((resolve) => (open = resolve))),
    open: () => open(),
  };
}

test('clients that do not read hold a quarter of the memory, keep no events out, delay no other project, and lose nothing', async () => {
  const host = await started(await sqlite!.open());
  const clients = await Promise.all(named(16).map((name) => connected(host, name)));
  for (const { socket } of clients) socket.pause();
  const channel = await host.channel();
  const events = 12;
  for (let n = 0; n < events; n++) {
    if (n === events / 2) await expect.poll(() => buffered(host)).toBeGreaterThan(BUFFER / 8);
    const { status } = await host.send(channel.url, { n, text: 'x'.repeat(900_000) });
    expect(status).toBe(202);
  }
  const isAtRest = async (): Promise<boolean> => {
    const before = await buffered(host);
    expect(before).toBeLessThan(BUFFER / 4 + NOTHING);
    return before > BUFFER / 8 && before === (await buffered(host));
  };
  await expect.poll(isAtRest).toBe(true);
  const made = await host.call('POST', '/projects', { name: 'Other', plan: 'pro' }, { key: ADMIN_KEY });
  const { project, key } = made.json as { project: { id: string }; key: string };
  const other = { ...host, project: project.id, key };
  const reader = await connected(other, 'reader');
  const { json } = await host.call('POST', `/projects/${other.project}/channels`, { name: 'a' }, { key });
  await host.send(json.url as string, { text: 'x'.repeat(200_000) });
  await expect.poll(() => reader.positions).toEqual([1]);
  for (const { socket } of clients) socket.resume();
  for (const [i, client] of clients.entries()) {
    await expect.poll(() => client.closed !== null || client.positions.length === events).toBe(true);
    // On a busy machine, clients may not read for long enough that the host closes them.
    const reading = client.closed === null ? client : await connected(host, `client-${i}`);
    await expect.poll(() => reading.positions).toEqual(upTo(events));
  }
  await expect.poll(() => buffered(host)).toBeLessThan(NOTHING);
});

describe('replies that wait to be stored', () => {
  const REPLIES = 6;
  const payload = 'x'.repeat(250_000);
  const reply = (client: RawClient, event_id: string): void => {
    for (let i = 0; i < REPLIES; i++) client.send({ type: 'reply', id: `r${i}`, event_id, payload });
  };

  test('hold half of the memory, and those beyond it are stored after a reconnect', async () => {
    const { db, close, open } = slow(await sqlite!.open());
    const host = await started(db);
    const names = named(14);
    const clients = await Promise.all(names.map((name) => connected(host, name)));
    const { json } = await host.send((await host.channel()).url, { a: 1 });
    const event = json.id as string;
    await expect.poll(() => clients.every(({ positions }) => positions.length === 1)).toBe(true);
    close();
    for (const client of clients) reply(client, event);
    await expect.poll(() => buffered(host)).toBeGreaterThan((BUFFER * 3) / 8);
    await expect.poll(() => clients.some((client) => client.closed?.code === 4429)).toBe(true);
    expect(await buffered(host)).toBeLessThan(BUFFER / 2 + NOTHING);
    open();
    await expect.poll(() => buffered(host)).toBeLessThan(NOTHING);
    for (const [i, client] of clients.entries()) {
      if (client.closed === null) {
        await expect.poll(() => client.of('replied')).toHaveLength(REPLIES);
        continue;
      }
      const again = await connected(host, names[i]!);
      reply(again, event);
      await expect.poll(() => again.of('replied')).toHaveLength(REPLIES);
    }
    const stored = await db.all('select 1 as one from replies where event_id = $1', [event]);
    expect(stored).toHaveLength(names.length * REPLIES);
    await expect.poll(() => buffered(host)).toBeLessThan(NOTHING);
  });

  test('are held while their client is away', async () => {
    const { db, close, open } = slow(await sqlite!.open());
    const memory = createMemory();
    const { append, connect, counts } = await streamOn(db, undefined, memory);
    const client = await connect({ client: 'a' });
    await expect.poll(() => client.of('welcome')).toHaveLength(1);
    const [event] = await append(1);
    await expect.poll(() => client.positions).toEqual([1]);
    close();
    reply(client, event!);
    await expect.poll(() => memory.taken).toBeGreaterThanOrEqual(REPLIES * payload.length);
    client.socket.terminate();
    await expect.poll(() => counts.connected).toBe(0);
    const held = REPLIES * payload.length;
    // The bytes of the socket are given back, and those of the replies are not.
    await expect.poll(() => memory.taken - held).toBeLessThan(REPLIES * 200);
    expect(memory.taken).toBeGreaterThanOrEqual(held);
    open();
    await expect.poll(() => memory.taken).toBe(0);
  });
});

test('a client that speaks and never reads is closed after a while, and goes on where it was', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  try {
    const memory = createMemory();
    const { append, connect, counts } = await streamOn(await sqlite!.open(), undefined, memory);
    const client = await connect({ client: 'slow' });
    await expect.poll(() => client.of('welcome')).toHaveLength(1);
    client.socket.pause();
    const events = 20;
    await append(events, { body: 'x'.repeat(MEBIBYTE) });
    await expect.poll(() => memory.taken).toBeGreaterThan(MEBIBYTE);
    let last = -1;
    await expect.poll(() => last === (last = memory.taken)).toBe(true);
    /** The client speaks, and is heard: its pong is charged. */
    const speaks = async (): Promise<void> => {
      const before = memory.taken;
      client.send({ type: 'ping' });
      await expect.poll(() => memory.taken).toBeGreaterThan(before);
    };
    for (let i = 0; i < 4; i++) {
      await speaks();
      vi.advanceTimersByTime(SILENCE_MS / 5);
      expect(counts.connected).toBe(1);
    }
    await speaks();
    vi.advanceTimersByTime(SILENCE_MS / 2);
    await expect.poll(() => counts.connected).toBe(0);
    await expect.poll(() => memory.taken).toBe(0);
    client.socket.terminate();
    const again = await connect({ client: 'slow' });
    await expect.poll(() => again.positions).toEqual(upTo(events));
  } finally {
    vi.useRealTimers();
  }
});
