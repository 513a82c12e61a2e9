import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSigner } from 'headgate/signing';
import { createReceiver as createFetchReceiver } from '../../examples/receiver-fetch/index.js';
import { createReceiver as createNodeReceiver, type Handle } from '../../examples/receiver-node/index.js';

const secrets = 'whsec_test';
const body = JSON.stringify({ id: 'evt_1', type: 'webhook.received', data: { text: 'é' } });
type Receive = (request: Request) => Promise<Response>;

function headers(of: string, origin: 'live' | 'replay' = 'live'): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000);
  return createSigner({ secrets }).headers(of, {
    eventId: 'evt_1',
    eventType: 'webhook.received',
    origin,
    timestamp,
  });
}

/** The server behind the face of a fetch handler. */
async function listening(handle: Handle): Promise<Receive> {
  const server = createNodeReceiver(secrets, handle).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return (request) => fetch(new Request(`http://127.0.0.1:${port}/hooks`, request));
}

const post = (sent: string, headers: Record<string, string>) =>
  new Request('http://receiver.example/hooks', { method: 'POST', headers, body: sent });

describe.each([
  { name: 'receiver-node', start: listening },
  {
    name: 'receiver-fetch',
    start: (handle: Handle) => Promise.resolve(createFetchReceiver(secrets, handle)),
  },
])('$name', ({ start }) => {
  const recorded = async (): Promise<{ calls: string[]; receive: Receive }> => {
    const calls: string[] = [];
    const receive = await start((event, origin) => Promise.resolve(void calls.push(`${origin} ${event.id}`)));
    return { calls, receive };
  };

  test('handles a genuine delivery', async () => {
    const { calls, receive } = await recorded();
    expect((await receive(post(body, headers(body)))).status).toBe(204);
    expect(calls).toEqual(['live evt_1']);
  });

  test('refuses a forged one without handling it', async () => {
    const { calls, receive } = await recorded();
    expect((await receive(post(body.replace('evt_1', 'evt_2'), headers(body)))).status).toBe(400);
    expect(calls).toEqual([]);
  });

  test('answers 500 when handling fails, so that it is sent again', async () => {
    const receive = await start(() => Promise.reject(new Error('database is away')));
    expect((await receive(post(body, headers(body)))).status).toBe(500);
  });
});

describe('receiver-node', () => {
  test('handles an event once, a replay of it once more, and a failed one again', async () => {
    const calls: string[] = [];
    const receive = await listening((event, origin) => {
      calls.push(`${origin} ${event.id}`);
      return calls.length === 1 ? Promise.reject(new Error('database is away')) : Promise.resolve();
    });
    const statuses: number[] = [];
    for (const origin of ['live', 'live', 'live', 'replay', 'replay'] as const) {
      statuses.push((await receive(post(body, headers(body, origin)))).status);
    }
    expect(statuses).toEqual([500, 204, 204, 204, 204]);
    expect(calls).toEqual(['live evt_1', 'live evt_1', 'replay evt_1']);
  });

  test('refuses more than a mebibyte', async () => {
    const receive = await listening(() => Promise.resolve());
    const large = JSON.stringify({ id: 'evt_1', type: 'x'.repeat(1024 * 1024) });
    expect((await receive(post(large, headers(large)))).status).toBe(413);
  });
});
