/** Answers that nobody reads: counted while they wait, sent piece by piece, and cut off. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { jsonText } from '../../src/api/answers.js';
import { createApp } from '../../src/api/app.js';
import { bind, route, Streamed } from '../../src/api/route.js';
import { createMemory } from '../../src/limits/memory.js';
import { testClock } from './served.js';

const BUFFER = 268_435_456;
const LARGE = 16_777_216;
const MEDIUM = 60_000;
const STALL_MS = 20_000;
const LOOK_MS = 1_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const plain = { access: 'anybody', summary: 'Answers', params: z.object({}) } as const;
const get = (path: string) =>
  route({ ...plain, name: path, method: 'GET', path, produces: 'application/json' });
const TEXT = `"${'x'.repeat(LARGE - 2)}"`;

function mounted(most = BUFFER) {
  const clock = testClock();
  // Strangers have an eighth.
  const memory = createMemory(most);
  const ends: (() => void)[] = [];
  const later = new Promise<void>((resolve) => ends.push(resolve));
  let made = 0;
  let cancelled = 0;
  const app = createApp({
    routes: [
      bind(get('/large'), () => Promise.resolve(jsonText(TEXT))),
      bind(get('/small'), () => Promise.resolve(jsonText('{}'))),
      bind(get('/medium'), () => Promise.resolve(jsonText(`"${'x'.repeat(MEDIUM - 2)}"`))),
      bind(get('/slow'), () => later.then(() => jsonText('{}'))),
      bind(route({ ...plain, name: 'change', method: 'POST', path: '/change', answer: z.string() }), () =>
        Promise.resolve(jsonText(TEXT)),
      ),
      bind(get('/endless'), () => {
        const source: UnderlyingDefaultSource<Uint8Array> = {
          pull: (controller) => {
            made++;
            controller.enqueue(new Uint8Array(50_000));
          },
          cancel: () => void cancelled++,
        };
        return Promise.resolve(new Streamed(new ReadableStream(source, { highWaterMark: 0 }), {}));
      }),
    ],
    authenticate: () => Promise.resolve(null),
    projectExists: () => Promise.resolve(true),
    served: () => undefined,
    isStopping: () => false,
    ...{ now: clock.now, memory },
  });
  const end = (): void => ends[0]?.();
  /** Lets time pass, in which the service looks at its answers. */
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += LOOK_MS) {
      clock.advance(LOOK_MS);
      vi.advanceTimersByTime(LOOK_MS);
    }
  };
  return { app, memory, pass, end, made: () => made, cancelled: () => cancelled };
}

async function listening(world: ReturnType<typeof mounted>) {
  const listener = getRequestListener((request, env) => world.app.fetch(request, env), {
    overrideGlobalObjects: false,
  });
  const server = createServer((request, response) => void listener(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  /** Sends requests on one connection, and reads nothing. */
  const unread = async (...paths: readonly string[]): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.pause();
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    return socket;
  };
  const connections = (): Promise<number> =>
    new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  return { url: `http://127.0.0.1:${port}`, unread, connections };
}

describe('an answer', () => {
  test('is charged until its reader has it, and comes whole', async () => {
    const world = mounted();
    const { url } = await listening(world);
    for (const path of ['/large', '/small', '/nothing']) {
      const response = await fetch(url + path);
      if (path === '/large') expect(world.memory.taken).toBeGreaterThan(65_536);
      const text = await response.text();
      if (path === '/large') {
        expect([response.headers.get('content-length'), text === TEXT]).toEqual([`${LARGE}`, true]);
      }
      await expect.poll(() => world.memory.taken).toBe(0);
    }
  });

  test.for(['/large', '/endless'])('%s, which nobody reads, is cut off after a while', async (path) => {
    const world = mounted();
    const { unread, connections } = await listening(world);
    await unread(path);
    await expect.poll(() => world.memory.taken).toBeGreaterThan(65_536);
    // Nothing more is made for a reader that takes nothing.
    let before = -1;
    const isStill = (): boolean => before === (before = world.made());
    await expect.poll(isStill).toBe(true);
    world.pass(STALL_MS - LOOK_MS);
    expect(await connections()).toBe(1);
    await expect
      .poll(() => {
        world.pass(LOOK_MS);
        return connections();
      })
      .toBe(0);
    await expect.poll(() => world.memory.taken).toBe(0);
    if (path === '/endless') await expect.poll(world.cancelled).toBe(1);
  });

  test('whose maker is slow is not cut off, nor are those behind it', async () => {
    const world = mounted();
    const { unread } = await listening(world);
    const socket = await unread('/slow', '/small', '/large');
    await expect.poll(() => world.memory.taken).toBeGreaterThan(0);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.resume();
    world.pass(3 * STALL_MS);
    world.end();
    await expect.poll(() => text.match(/HTTP\/1\.1 200/g)?.length).toBe(3);
    await expect.poll(() => world.memory.taken).toBe(0);
  });

  test('counts while it waits behind another one, however small it is', async () => {
    const world = mounted();
    const { unread } = await listening(world);
    const socket = await unread('/slow', '/medium', '/medium');
    await expect.poll(() => world.memory.taken).toBe(2 * MEDIUM);
    socket.resume();
    world.end();
    await expect.poll(() => world.memory.taken).toBe(0);
  });

  test('of which pieces are taken now and then is not cut off', async () => {
    const world = mounted();
    const answer = await world.app.request('http://host/large');
    const reader = answer.body!.getReader();
    for (let piece = 0; piece < 4; piece++) {
      expect((await reader.read()).done).toBe(false);
      world.pass(STALL_MS - LOOK_MS);
    }
    expect(world.memory.taken).toBeGreaterThan(0);
    await reader.cancel();
    expect(world.memory.taken).toBe(0);
  });

  test('that would not fit is refused, unless it is that to a change', async () => {
    const world = mounted(4 * LARGE);
    const { url } = await listening(world);
    const refused = await fetch(`${url}/large`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ code: 'overloaded' });
    const change = await fetch(`${url}/change`, { method: 'POST' });
    expect([change.status, (await change.text()).length]).toEqual([200, LARGE]);
    await expect.poll(() => world.memory.taken).toBe(0);
  });

  test('of a reader that goes away is given back, whole or not', async () => {
    const world = mounted();
    const { unread } = await listening(world);
    const all = await Promise.all(['/large', '/endless', '/slow'].map((path) => unread(path)));
    await expect.poll(() => world.memory.taken).toBeGreaterThan(LARGE / 2);
    for (const socket of all) socket.destroy();
    world.end();
    await expect.poll(() => world.memory.taken).toBe(0);
  });

  test('comes whole without the bindings of Node too, and is charged while it is read', async () => {
    const world = mounted();
    const answer = await world.app.request('http://host/large');
    expect(world.memory.taken).toBeGreaterThan(65_536);
    expect((await answer.text()).length).toBe(LARGE);
    expect(world.memory.taken).toBe(0);
    expect(await (await world.app.request('http://host/small')).text()).toBe('{}');
    expect(world.memory.taken).toBe(0);
    await world.app.request('http://host/large');
    world.pass(STALL_MS);
    expect(world.memory.taken).toBe(0);
  });
});
