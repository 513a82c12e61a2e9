/** Reads of the stream are bounded for every client, whatever its events, its cursor and its frames are. */
import { once } from 'node:events';
import { connect as connectTo, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { createMemory } from '../../src/limits/memory.js';
import { Feed } from '../../src/sdk-clients/feed.js';
import { MAX_HELLO_BYTES } from '../../src/sdk-clients/protocol.js';
import { databases } from '../db/databases.js';
import { append, RawClient, streamOn } from './world.js';

const MEBIBYTE = 1_048_576;

describe.each(databases())('$name', ({ open }) => {
  test('a page of the log has a mebibyte of events at most, or one event, and nothing is left out', async () => {
    const db = await open();
    const { project } = await streamOn(db);
    for (const length of [400_000, 400_000, 400_000, 3_000_000, 10, 10, 900_000]) {
      await append(db, project, 1, { body: 'x'.repeat(length) });
    }
    const feed = new Feed(db, project);
    const pages: number[][] = [];
    for (let at = 0; at < 7;) {
      const { entries } = await feed.after(at);
      const size = entries.reduce((sum, { text }) => sum + text.length, 0);
      expect(entries.length === 1 || size < MEBIBYTE + 10_000).toBe(true);
      pages.push(entries.map(({ position }) => position));
      at = pages.at(-1)!.at(-1)!;
    }
    expect(pages).toEqual([[1, 2], [3], [4], [5, 6, 7]]);
  });

  test('a key that was revoked while notifications were lost holds no connection', async () => {
    const { connect, keys } = await streamOn(await open());
    const client = await connect({ client: 'c' });
    await expect.poll(() => client.of('welcome')).toHaveLength(1);
    keys.delete('receives');
    await expect.poll(() => client.closed).toEqual({ code: 4001 });
  });

  test('a caller without a key cannot make the service parse large frames', async () => {
    const { url } = await streamOn(await open());
    const client = new RawClient(new WebSocket(url, ['headgate.v1']));
    await once(client.socket, 'open');
    client.send({ type: 'ping', text: 'x'.repeat(100_000) });
    await expect.poll(() => client.closed).toEqual({ code: 4400 });
    expect(client.of('pong')).toEqual([]);
  });

  test('a caller without a key sends 4 KB at most, in whatever frames', async () => {
    const memory = createMemory();
    const { url } = await streamOn(await open(), undefined, memory);
    const sockets = await Promise.all(Array.from({ length: 100 }, () => upgraded(url)));
    expect(memory.taken).toBe(100 * MAX_HELLO_BYTES);
    const lives = sockets.map(({ socket }) => once(socket, 'close'));
    for (const [i, { socket }] of sockets.entries()) {
      // The beginning of a frame of a mebibyte, or pings, each of them complete.
      const ping = Buffer.from([0x89, 0x80, 0, 0, 0, 0]);
      const bytes =
        i % 2 === 0 ? frameOf(MEBIBYTE, MAX_HELLO_BYTES) : Buffer.concat(Array<Buffer>(800).fill(ping));
      socket.write(bytes);
    }
    await Promise.all(lives);
    expect(sockets.every(({ text }) => text().includes('protocol_error'))).toBe(true);
    await expect.poll(() => memory.taken).toBe(0);
  });

  test('a frame that does not end is charged to the project, which has half of the memory', async () => {
    const memory = createMemory(8 * MEBIBYTE);
    const { url, connect } = await streamOn(await open(), undefined, memory);
    const all = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const client = await upgraded(url);
        const hello = Buffer.from(JSON.stringify({ type: 'hello', key: 'receives' }));
        client.socket.write(Buffer.concat([frameOf(hello.byteLength), hello]));
        await expect.poll(client.text).toContain('welcome');
        client.socket.write(frameOf(MEBIBYTE, MEBIBYTE - 10));
        return client;
      }),
    );
    // A client that still sends when the host closes may be reset, and then lose the reason.
    const isTold = (client: (typeof all)[number]): boolean => client.text().includes('too_fast');
    const refused = (): number => all.filter((client) => isTold(client) || client.socket.closed).length;
    await expect.poll(refused).toBeGreaterThanOrEqual(16);
    expect(all.filter(isTold).length).toBeGreaterThan(8);
    await expect.poll(() => memory.taken).toBeGreaterThan(2 * MEBIBYTE);
    expect(memory.taken).toBeLessThanOrEqual(4 * MEBIBYTE);
    // A client that sends little is let in all the same.
    const small = await connect();
    await expect.poll(() => small.of('welcome')).toHaveLength(1);
    small.send({ type: 'ping' });
    await expect.poll(() => small.of('pong')).toHaveLength(1);
    small.socket.terminate();
    for (const { socket } of all) socket.destroy();
    await expect.poll(() => memory.taken).toBe(0);
  });
});

/** The head of a frame of a client, and some of its bytes. */
function frameOf(length: number, sent = 0): Buffer {
  const head = Buffer.alloc(14);
  head.set([0x81, 0xff]);
  head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, Buffer.alloc(sent, 0x20)]);
}

/** A connection that was upgraded, and speaks no protocol by itself. */
async function upgraded(url: string): Promise<{ readonly socket: Socket; readonly text: () => string }> {
  const { port, hostname, pathname } = new URL(url);
  const socket = connectTo({ port: Number(port), host: hostname });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  const key = Buffer.alloc(16).toString('base64');
  const headers = `Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}`;
  socket.write(`GET ${pathname} HTTP/1.1\r\n${headers}\r\n\r\n`);
  await expect.poll(() => text).toContain('101 Switching Protocols');
  return { socket, text: () => text };
}
