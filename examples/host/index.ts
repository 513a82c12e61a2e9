/** A host of thirty lines: what is POSTed to it as an event goes through rules to every endpoint. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { compileRules, type Event, type Rule } from 'headgate';
import { createDispatch, createScheduler, defaultRetryPolicy } from 'headgate/delivery';
import { createHttpTransport } from 'headgate/http';
import { createMemoryStore } from 'headgate/memory';
import { createSigner } from 'headgate/signing';

export function createHost(rules: Rule[], urls: string[], secret: string, allow: string[] = []): Server {
  const ruleSet = compileRules(rules);
  const endpoints = urls.map((url) => ({
    id: randomUUID(),
    url,
    status: 'active' as const,
    ...defaultRetryPolicy,
  }));
  const store = createMemoryStore();
  const transport = createHttpTransport({ allow });
  const signer = createSigner({ secrets: secret });
  const scheduler = createScheduler({
    store,
    transport,
    signer,
    endpoints: (id) => endpoints.find((e) => e.id === id),
  });
  scheduler.start();

  const accept = async (event: Event) => {
    const decision = ruleSet.evaluate(event);
    await store.enqueue([createDispatch(decision, endpoints, { at: Date.now() })]);
    scheduler.wake();
    return { outcome: decision.outcome, tags: decision.tags };
  };
  return createServer((request, response) => {
    json(request)
      .then((event) => accept(event as Event))
      .then((answer) =>
        response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
      )
      .catch(() => response.writeHead(400).end('not an event\n'));
  }).on('close', () => void scheduler.stop().then(() => transport.close()));
}

// Run by hand: RECEIVER_URL=https://example.com/hooks WEBHOOK_SECRET=… npx tsx examples/host/index.ts
if (process.env.RECEIVER_URL !== undefined) {
  createHost([], [process.env.RECEIVER_URL], process.env.WEBHOOK_SECRET ?? 'whsec_test').listen(8080);
}
