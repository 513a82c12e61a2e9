/** The client against a host on real sockets, which is killed and started again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  type Client,
  type ClientError,
  type ClientEvent,
  type ClientOptions,
  createClient,
} from '../../src/client/index.js';
import { until } from '../until.js';
import { StreamHost } from './stream-host.js';

let host: StreamHost;
beforeEach(async () => (host = await new StreamHost().start()));
afterEach(() => host.stop());

/** A client of the host, closed when the test ends; its errors are kept. */
function connect(options: Partial<ClientOptions> = {}): {
  readonly client: Client;
  readonly errors: ClientError[];
} {
  const client = createClient({ url: host.url, project: 'p1', key: 'hg_test', ...options });
  const errors: ClientError[] = [];
  client.on('error', (error) => errors.push(error));
  onTestFinished(() => client.close({ waitMs: 0 }));
  return { client, errors };
}

/** A handler that keeps what it gets. */
function keep(client: Client): ClientEvent[] {
  const got: ClientEvent[] = [];
  client.on('event', (received) => void got.push(received));
  return got;
}

const positions = (got: readonly ClientEvent[]): number[] => got.map(({ position }) => position);
const upTo = (last: number): number[] => Array.from({ length: last }, (_, n) => n + 1);

describe('events', () => {
  test('come in order, and are acknowledged together', async () => {
    host.append(200);
    const got = keep(connect({ name: 'billing' }).client);
    await until(() => host.cursors.get('billing') === 200);
    expect(positions(got)).toEqual(upTo(200));
    expect(got[0]).toEqual({
      event: { id: 'evt_1', type: 'webhook.received', data: {} },
      origin: 'live',
      position: 1,
      attempt: 1,
    });
    expect(host.received.filter(({ type }) => type === 'ack').length).toBeLessThan(20);
  });

  test('go on where they were after the host was killed and started again, and none is handled twice', async () => {
    const { client, errors } = connect({ name: 'billing' });
    const got = keep(client);
    for (let round = 1; round <= 5; round++) {
      host.append(40);
      await until(() => got.length > 40 * round - 20);
      await host.stop();
      host.append(1);
      await host.start();
    }
    await until(() => host.cursors.get('billing') === 205);
    expect(positions(got)).toEqual(upTo(205));
    expect(errors.length).toBeGreaterThan(0);
    expect(new Set(errors.map(({ code }) => code)).size).toBeLessThanOrEqual(2);
  });

  test('wait for a handler, and for the handler that runs', async () => {
    host.append(3);
    const { client } = connect({ name: 'billing' });
    await until(() => client.state === 'open');
    let running = 0;
    const most: number[] = [];
    client.on('event', async () => {
      most.push(++running);
      await sleep(5);
      running--;
    });
    await until(() => host.cursors.get('billing') === 3);
    expect(most).toEqual([1, 1, 1]);
  });

  test('come again when their handler rejects, and nothing comes before', async () => {
    host.append(2);
    const { client, errors } = connect({ name: 'billing' });
    const tries: (readonly [number, number])[] = [];
    client.on('event', ({ position, attempt }) => {
      tries.push([position, attempt]);
      if (attempt === 1 && position === 1) throw new Error('on purpose');
    });
    await until(() => host.cursors.get('billing') === 2);
    expect(tries).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
    ]);
    expect(errors).toMatchObject([{ code: 'handler_failed', cause: { message: 'on purpose' } }]);
  });
});

describe('replies', () => {
  test('resolve once they are stored, also over a reconnect, and are stored once', async () => {
    host.append(1);
    const { client } = connect({ name: 'billing' });
    const seen: string[] = [];
    // The host stores the first, and dies before it has answered.
    host.intercept = (frame) => {
      if (frame.type !== 'reply') return false;
      seen.push(String(frame.id));
      if (seen.length > 1) return false;
      host.replies.set(`${String(frame.event_id)} ${String(frame.id)}`, frame.payload);
      host.kill();
      return true;
    };
    await client.reply('evt_1', { answer: 42 });
    expect(seen).toEqual([seen[0], seen[0]]);
    expect([...host.replies.values()]).toEqual([{ answer: 42 }]);
  });

  test.for<[payload: unknown, code: string]>([
    [undefined, 'invalid_reply'],
    [10n, 'invalid_reply'],
    ['x'.repeat(262_143), 'reply_too_large'],
  ])('%s', async ([payload, code]) => {
    await expect(connect().client.reply('evt_1', payload)).rejects.toMatchObject({
      name: 'ClientError',
      code,
    });
  });

  test('are refused where the host has no such event, and where the client is closed', async () => {
    const { client } = connect();
    await expect(client.reply('evt_9', 1)).rejects.toMatchObject({ code: 'unknown_event' });
    const waiting = client.reply('evt_9', 1);
    host.intercept = () => true;
    await client.close({ waitMs: 0 });
    await expect(waiting).rejects.toMatchObject({ code: 'closed' });
    await expect(client.reply('evt_9', 1)).rejects.toMatchObject({ code: 'closed' });
  });

  test('are bounded, and a rejection that nobody handles disturbs nobody', async () => {
    host.intercept = () => true;
    const { client } = connect();
    const unhandled: unknown[] = [];
    const listen = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', listen);
    for (let n = 0; n < 256; n++) void client.reply('evt_1', n);
    await expect(client.reply('evt_1', 1)).rejects.toMatchObject({ code: 'too_many_replies' });
    await client.close({ waitMs: 0 });
    await sleep(20);
    process.off('unhandledRejection', listen);
    expect(unhandled).toEqual([]);
  });
});

describe('the end', () => {
  test.for<[what: string, options: Partial<ClientOptions>, code: string]>([
    ['a revoked key', { key: 'hg_revoked' }, 'unauthorized'],
    ['a key without the scope', { key: 'hg_read' }, 'forbidden'],
  ])('%s ends the client', async ([, options, code]) => {
    const { client, errors } = connect(options);
    await expect(client.closed).resolves.toMatchObject({ code });
    expect(client.state).toBe('closed');
    expect(errors.map((error) => error.code)).toEqual([code]);
    expect(JSON.stringify(errors.map(String))).not.toContain('hg_');
  });

  test('of two clients with one name, the older ends', async () => {
    const { client: older } = connect({ name: 'billing' });
    await until(() => older.state === 'open');
    const { client: newer } = connect({ name: 'billing' });
    await expect(older.closed).resolves.toMatchObject({ code: 'replaced' });
    expect(newer.state).toBe('open');
  });

  test('close() acknowledges the handler that runs, and takes no more', async () => {
    host.append(3);
    const { client } = connect({ name: 'billing' });
    let began = 0;
    client.on('event', async () => {
      began++;
      await sleep(30);
    });
    await until(() => began === 1);
    await client.close();
    await sleep(50);
    expect([began, host.cursors.get('billing'), client.state]).toEqual([1, 1, 'closed']);
  });

  test('close() of a client that never connects resolves', async () => {
    await host.stop();
    const { client } = connect();
    await until(() => client.state === 'waiting');
    await client.close();
    await expect(client.closed).resolves.toBeNull();
  });

  test.for(['undici', 'ws'])(
    'close() resolves though the host is frozen, and the socket is gone: %s',
    async (kind) => {
      const frozen = createServer({ allowHalfOpen: true });
      const sockets: Socket[] = [];
      frozen.on('connection', (socket) => void sockets.push(socket.on('error', () => undefined)));
      frozen.listen(0, '127.0.0.1');
      await once(frozen, 'listening');
      const url = `http://127.0.0.1:${(frozen.address() as AddressInfo).port}`;
      const { client } = connect({ url, ...(kind === 'ws' && { WebSocket }) });
      await until(() => sockets.length === 1);
      await client.close();
      await expect(client.closed).resolves.toBeNull();
      sockets.forEach((socket) => socket.destroy());
      frozen.close();
    },
  );

  test('heartbeats find out that the host is silent', async () => {
    host.heartbeatMs = 20;
    host.intercept = ({ type }) => type === 'ping';
    const { errors } = connect();
    await until(() => errors.length > 0);
    expect(errors[0]?.code).toBe('timeout');
  });
});

/** Exit code and output of a program of its own, which imports the sources. */
async function run(code: string): Promise<string> {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code]);
  let printed = '';
  child.stdout.on('data', (text) => (printed += String(text)));
  child.stderr.on('data', (text) => (printed += String(text)));
  const [exitCode] = (await once(child, 'exit')) as [number];
  return `${printed.trim()} ${exitCode}`;
}

describe('a process', () => {
  const program = (then: string): string => `
    const { createClient } = await import('./src/client/index.ts');
    const client = createClient({ url: '${host.url}', project: 'p1', key: 'hg_test', name: 'billing' });
    client.on('error', (error) => console.log(error.code));
    client.on('event', async () => { ${then} });`;

  test('ends by itself once its client is closed', async () => {
    host.append(1);
    expect(await run(program('void client.close(); console.log("closing");'))).toBe('closing 0');
    expect(host.cursors.get('billing')).toBe(1);
  });

  test('ends by itself though its host reads and says nothing more', async () => {
    host.append(1);
    host.intercept = (_, socket) => {
      setTimeout(() => socket.pause(), 20);
      return false;
    };
    const wait = 'await new Promise((resolve) => setTimeout(resolve, 200));';
    expect(await run(program(`${wait} void client.close();`))).toBe(' 0');
    expect(host.cursors.get('billing')).toBe(0);
  });
});

test('a runtime that gives 0 as the code of a failed connection is tried again', async () => {
  /** Fails as a WebSocket of Deno does. */
  class Failing {
    onopen = null;
    onmessage = null;
    onerror = null;
    onclose: ((event: { code: number }) => unknown) | null = null;

    constructor() {
      setTimeout(() => this.onclose?.({ code: 0 }), 1);
    }

    send(): void {
      throw new Error('not connected');
    }

    close(): void {
      this.onclose = null;
    }
  }
  const client = createClient({
    url: 'http://127.0.0.1:9',
    project: 'p1',
    key: 'hg_test',
    WebSocket: Failing,
  });
  const codes: string[] = [];
  client.on('error', ({ code }) => codes.push(code));
  await expect.poll(() => codes.slice(0, 2)).toEqual(['connection_failed', 'connection_failed']);
  await client.close();
});

test('a socket that fails and never closes, as on Node 22, is tried again at once', async () => {
  class Failing {
    onopen = null;
    onmessage = null;
    onclose = null;
    onerror: ((event: { message: string }) => unknown) | null = null;

    constructor() {
      setTimeout(() => this.onerror?.({ message: 'nobody listens' }), 1);
    }

    send(): void {
      throw new Error('not connected');
    }

    close(): void {
      this.onerror = null;
    }
  }
  const { errors } = connect({ WebSocket: Failing });
  await expect
    .poll(() => errors.slice(0, 2).map(({ code }) => code))
    .toEqual(['connection_failed', 'connection_failed']);
  expect(errors[0]?.message).toContain('nobody listens');
});
