/** The host on real sockets: thousands of them open, slow or half closed, and others are answered meanwhile. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { type HostWorld, hostOn } from '../world.js';

const [sqlite] = databases();
/** Open files that this process may have; each connection takes two, since both of its ends are here. */
const FILES = Number(execFileSync('sh', ['-c', 'ulimit -n']).toString().replace('unlimited', '1e9'));
const CONNECTIONS = Math.min(10_000, Math.floor((FILES * 0.45) / 500) * 500);
/** A hundred times what an answer takes. */
const BOUND_MS = 20_000;

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function opened({ url }: HostWorld): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** All that comes until the other side ends, or nothing has for a while. */
async function told(socket: Socket, until: (text: string) => boolean): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  await expect
    .poll(() => until(text) || socket.destroyed || socket.readableEnded, { timeout: BOUND_MS })
    .toBe(true);
  return text;
}

const answers = async ({ call, project }: HostWorld): Promise<void> => {
  const began = performance.now();
  expect((await call('GET', `/projects/${project}`)).status).toBe(200);
  expect(performance.now() - began).toBeLessThan(BOUND_MS);
};

const raw = async (host: HostWorld, bytes: string): Promise<string> => {
  const socket = await opened(host);
  socket.write(Buffer.from(bytes, 'latin1'));
  return told(socket, (text) => text.includes('\r\n\r\n'));
};

const STATUS = /^HTTP\/1\.1 (\d{3})/;
const statusOf = (text: string): number => Number(STATUS.exec(text)?.[1] ?? 0);

describe('a host on sockets', () => {
  test(`answers while ${CONNECTIONS} connections are open`, async () => {
    const host = await hostOn(await sqlite!.open());
    const all: Socket[] = [];
    for (let i = 0; i < CONNECTIONS / 500; i++) {
      all.push(...(await Promise.all(Array.from({ length: 500 }, () => opened(host)))));
    }
    expect(all.filter((socket) => !socket.destroyed)).toHaveLength(CONNECTIONS);
    await answers(host);
    // Each of them is served, too.
    const some = all.filter((_, i) => i % 100 === 0);
    const texts = some.map(async (socket) => {
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      return statusOf(await told(socket, (text) => STATUS.test(text)));
    });
    expect(new Set(await Promise.all(texts))).toEqual(new Set([200]));
  });

  test('answers others while bodies come a byte at a time, and holds none of them', async () => {
    const host = await hostOn(await sqlite!.open());
    const channel = await host.channel();
    const { pathname } = new URL(channel.url);
    const slow = await Promise.all(Array.from({ length: 300 }, () => opened(host)));
    for (const socket of slow) {
      socket.write(
        `POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
      );
    }
    const timer = setInterval(() => {
      for (const socket of slow) socket.write(' ');
    }, 20);
    try {
      await answers(host);
      expect((await host.send(channel.url, { a: 1 })).status).toBe(202);
    } finally {
      clearInterval(timer);
    }
    // They go away in the middle of their bodies.
    for (const socket of slow) socket.destroy();
    await answers(host);
    const events = await host.call('GET', `/projects/${host.project}/events`);
    expect((events.json as { items: unknown[] }).items).toHaveLength(1);
  });

  test('answers a caller that has closed its side, and one that goes away meanwhile harms nobody', async () => {
    const host = await hostOn(await sqlite!.open());
    const half = await opened(host);
    half.end('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(statusOf(await told(half, (text) => text.includes('ok')))).toBe(200);
    for (let i = 0; i < 200; i++) {
      const socket = await opened(host);
      socket.write(
        `GET /projects/${host.project} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${host.key}\r\n\r\n`,
      );
      socket.destroy();
    }
    await answers(host);
  });

  test.for([
    ['no HTTP', 'hello\r\n\r\n', [400]],
    [
      'two lengths',
      'POST /session HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      [400],
    ],
    [
      'a length and chunks',
      'POST /session HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      [400],
    ],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', [200, 400]],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', [200, 400]],
    ['an invalid host', 'GET /healthz HTTP/1.1\r\nHost: a b/../@\r\n\r\n', [200, 400]],
    ['broken UTF-8 in the path', 'GET /projects/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n', [400, 401, 404]],
    ['broken percent signs', 'GET /projects/%ff%/rules HTTP/1.1\r\nHost: x\r\n\r\n', [400, 401, 404]],
    ['a path upwards', 'GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n', [400, 404]],
    ['a whole URL', 'GET http://evil.example/healthz HTTP/1.1\r\nHost: x\r\n\r\n', [200, 400, 404]],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', [400, 404, 405]],
    ['a path of two slashes', 'GET //evil.example/healthz HTTP/1.1\r\nHost: x\r\n\r\n', [200, 400, 404]],
    [
      'a line break in a header',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\nb: c\r\n\r\n',
      [200, 400],
    ],
    ['headers without end', `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`, [431]],
    [
      'two keys',
      'GET /projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n',
      [401],
    ],
    ['a method of its own', 'BREW /healthz HTTP/1.1\r\nHost: x\r\n\r\n', [400, 405]],
  ] as const)('%s is answered as a mistake of the caller', async ([, bytes, expected]) => {
    const host = await hostOn(await sqlite!.open());
    const text = await raw(host, bytes);
    expect(expected).toContain(statusOf(text));
    expect(text).not.toMatch(/\bat \S+ \(|node_modules|\.ts:/);
    await answers(host);
  });
});
