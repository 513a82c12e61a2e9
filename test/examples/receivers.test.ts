/** The example receivers, against a signer. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createScheduler, newDelivery } from 'headgate/delivery';
import { createHttpTransport } from 'headgate/http';
import { createMemoryStore } from 'headgate/memory';
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

  test('handles an event once, a replay of it once more, and a failed one again', async () => {
    const calls: string[] = [];
    const receive = await start((event, origin) => {
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

  test.for([
    { ends: 'well', statuses: [204, 204], handled: 1 },
    { ends: 'badly', statuses: [500, 204], handled: 2 },
  ])(
    'a repeat of what is still being handled is put off, and safe when that ends $ends',
    async ({ ends, statuses, handled }) => {
      const work = workInProgress();
      let calls = 0;
      const receive = await start(() => (++calls === 1 ? work.done : Promise.resolve()));
      const send = (): Promise<Response> => receive(post(body, headers(body)));
      const first = send();
      await vi.waitUntil(() => calls === 1);
      for (const repeat of await Promise.all([send(), send()])) {
        expect(repeat.status).toBe(503);
        expect(repeat.headers.get('retry-after')).toBe('10');
      }
      if (ends === 'well') work.succeed();
      else work.fail(new Error('database is away'));
      expect([(await first).status, (await send()).status]).toEqual(statuses);
      expect((await send()).status).toBe(204);
      expect(calls).toBe(handled);
    },
  );
});

/** Work that ends when it is told to. */
function workInProgress(): { done: Promise<void>; succeed: () => void; fail: (error: Error) => void } {
  let succeed = (): void => undefined;
  let fail = (_: Error): void => undefined;
  const done = new Promise<void>((resolve, reject) => {
    succeed = resolve;
    fail = reject;
  });
  return { done, succeed, fail };
}

test(
  'an event whose handling outlives its attempt, and then fails, is handled by a later attempt',
  { timeout: 30_000 },
  async () => {
    const work = workInProgress();
    const calls: string[] = [];
    const server = createNodeReceiver(secrets, (event) => {
      calls.push(event.id);
      return calls.length === 1 ? work.done : Promise.resolve();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    const outcomes: (number | string)[] = [];
    const store = createMemoryStore();
    const transport = createHttpTransport({ allow: ['127.0.0.0/8'], timeoutMs: 500 });
    const scheduler = createScheduler({
      store,
      transport,
      endpoints: () => ({ url, retry_max_attempts: 4, retry_backoff_base_seconds: 1 }),
      signer: createSigner({ secrets }),
      on: {
        attempted: (_, { outcome }) => {
          outcomes.push(outcome.ok ? outcome.status : (outcome.status ?? outcome.failure));
          if (outcomes.length === 2) work.fail(new Error('database is away'));
        },
      },
    });
    const event = { id: 'evt_1', type: 'webhook.received' };
    await store.enqueue([
      { body: Buffer.from(body), deliveries: [newDelivery(event, 'endpoint', { at: Date.now() })] },
    ]);
    scheduler.start();
    await scheduler.idle();
    await scheduler.stop();
    await transport.close();
    expect(outcomes).toEqual(['timeout', 503, 204]);
    expect(calls).toEqual(['evt_1', 'evt_1']);
  },
);

describe('receiver-node', () => {
  test('refuses more than a mebibyte', async () => {
    const receive = await listening(() => Promise.resolve());
    const large = JSON.stringify({ id: 'evt_1', type: 'x'.repeat(1024 * 1024) });
    expect((await receive(post(large, headers(large)))).status).toBe(413);
  });
});
