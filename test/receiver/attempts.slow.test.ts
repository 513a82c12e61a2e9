/** A receiver whose handler outlives the sender's patience, against the scheduler. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpTransport } from '../../src/adapters/http/index.js';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import { createScheduler, newDelivery } from '../../src/delivery/index.js';
import { createMemorySeenStore, createReceiver } from '../../src/receiver/index.js';
import { createSigner } from '../../src/signing/index.js';
import { SECRET } from './deliveries.js';

test('an event whose handling outlives its attempt, and then fails, is handled by a later attempt', async () => {
  let fail = (_: Error): void => undefined;
  const work = new Promise<void>((_, reject) => (fail = reject));
  const calls: string[] = [];
  const receiver = createReceiver({
    secrets: SECRET,
    seen: createMemorySeenStore({ maxKeys: 10 }),
    handle: ({ id }) => (calls.push(id) === 1 ? work : undefined),
    onError: () => undefined,
  });
  const server = createServer((request, response) => void receiver.node(request, response)).listen(
    0,
    '127.0.0.1',
  );
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const outcomes: (number | string)[] = [];
  const store = createMemoryStore();
  const transport = createHttpTransport({ allow: ['127.0.0.0/8'], timeoutMs: 500 });
  onTestFinished(() => transport.close());
  const scheduler = createScheduler({
    store,
    transport,
    endpoints: () => ({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
      retry_max_attempts: 4,
      retry_backoff_base_seconds: 1,
    }),
    signer: createSigner({ secrets: SECRET }),
    on: {
      attempted: (_, { outcome }) => {
        outcomes.push(outcome.ok ? outcome.status : (outcome.status ?? outcome.failure));
        if (outcomes.length === 2) fail(new Error('database is away'));
      },
    },
  });
  const event = { id: 'evt_1', type: 'webhook.received' };
  const deliveries = [newDelivery(event, 'endpoint', { at: Date.now() })];
  await store.enqueue([{ body: Buffer.from(JSON.stringify(event)), deliveries }]);
  scheduler.start();
  await scheduler.idle();
  await scheduler.stop();
  expect(outcomes).toEqual(['timeout', 503, 204]);
  expect(calls).toEqual(['evt_1', 'evt_1']);
});
