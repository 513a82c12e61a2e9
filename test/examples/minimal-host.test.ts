/** The example host, over real sockets. */
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { ruleTemplates } from 'headgate';
import { createVerifier, type VerifiedDelivery } from 'headgate/signing';
import { afterEach, expect, test } from 'vitest';
import { createHost } from '../../examples/minimal-host/index.js';
import { slackPayload, stripePayload, webhookEvent } from '../../examples/quickstart/payloads.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('an event goes through rules to a receiver that verifies it', async () => {
  const verify = createVerifier({ secrets: 'whsec_host' });
  const delivered = new EventEmitter<{ delivery: [{ about: VerifiedDelivery; body: string }] }>();
  const first = once(delivered, 'delivery') as Promise<[{ about: VerifiedDelivery; body: string }]>;
  const receiver = await listen(
    createServer((request, response) => {
      void buffer(request).then((body) => {
        delivered.emit('delivery', { about: verify(body, request.headers), body: body.toString() });
        response.writeHead(204).end();
      });
    }),
  );
  const rules = ruleTemplates.map(({ key, rule }) => ({ id: key, ...rule }));
  const host = await listen(createHost(rules, [receiver], 'whsec_host', ['127.0.0.0/8']));
  const post = (body: string) => fetch(host, { method: 'POST', body });

  const dropped = await post(JSON.stringify(webhookEvent(1, 'stripe', stripePayload(1, false, 5), 0)));
  expect([dropped.status, await dropped.json()]).toEqual([202, { outcome: 'drop', tags: [] }]);
  const accepted = await post(JSON.stringify(webhookEvent(2, 'slack', slackPayload(2, '<!here> hi'), 0)));
  expect([accepted.status, await accepted.json()]).toEqual([202, { outcome: 'deliver', tags: ['urgent'] }]);
  expect((await post('{')).status).toBe(400);

  const [{ about, body }] = await first;
  expect(about).toMatchObject({ eventId: 'evt_000002', eventType: 'webhook.received', origin: 'live' });
  expect(JSON.parse(body)).toMatchObject({ tags: ['urgent'], data: { source: 'slack' } });
  expect(body).not.toContain('raw_payload');
});
