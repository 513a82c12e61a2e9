/** A whole host: what is POSTed to it as an event goes through rules to every endpoint. */
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
    on: { attempted: ({ id }, { outcome }) => console.log(id, outcome) },
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

// Run by hand, here to examples/receivers/node.ts, which ALLOW lets through the address guard:
// RECEIVER_URL=http://127.0.0.1:8080/hooks ALLOW=127.0.0.1 SIGNING_SECRET=whsec_test npx tsx
// examples/minimal-host/index.ts curl -d '{"id":"evt_1","type":"webhook.received","data":{}}' http://127.0.0.1:8090
const { RECEIVER_URL, ALLOW, SIGNING_SECRET = '', PORT = '8090' } = process.env;
if (RECEIVER_URL !== undefined) {
  const host = createHost([], [RECEIVER_URL], SIGNING_SECRET, ALLOW === undefined ? [] : [ALLOW]);
  host.listen(Number(PORT), () => console.log(`listening on port ${PORT}`));
}
