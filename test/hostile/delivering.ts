/** The whole way of a delivery, on real sockets: store, scheduler, signer, transport. */
import { createHttpTransport } from '../../src/adapters/http/index.js';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import { createScheduler, type DeliveryHistory, newDelivery } from '../../src/delivery/index.js';
import { createSigner } from '../../src/signing/index.js';
import type { HostileEndpoint, World } from './world.js';

/** Signs all deliveries, and may stand in no record. */
export const SECRET = 'whsec_of_the_sender';

const body = Buffer.from(
  JSON.stringify({ id: 'evt_1', type: 'webhook.received', data: { text: 'x'.repeat(950) } }),
);

/**
 * Sends one event to every endpoint of the world, all at once, until nothing is left to do.
 *
 * @param timeoutMs - What the transport grants to an attempt.
 * @returns What the store has of each, in the order of the endpoints.
 */
export async function deliverToAll(world: World, timeoutMs: number): Promise<readonly DeliveryHistory[]> {
  const transport = createHttpTransport({ ...world.transport, timeoutMs });
  const store = createMemoryStore();
  const scheduler = createScheduler({
    store,
    transport,
    endpoints: (id) => targetOf(world.endpoints.find((endpoint) => endpoint.id === id)),
    signer: createSigner({ secrets: SECRET }),
    concurrency: world.endpoints.length,
  });
  const event = { id: 'evt_1', type: 'webhook.received' };
  const deliveries = world.endpoints.map(({ id }) => newDelivery(event, id, { at: Date.now() }));
  await store.enqueue([{ body, deliveries }]);
  scheduler.start();
  await scheduler.idle();
  await scheduler.stop();
  await transport.close();
  const histories = await Promise.all(deliveries.map(({ id }) => store.get(id)));
  return histories.filter((history) => history !== null);
}

/** As many attempts as the table has outcomes. */
const targetOf = (endpoint: HostileEndpoint | undefined) =>
  endpoint === undefined
    ? null
    : {
        url: endpoint.url,
        retry_max_attempts: endpoint.row.recorded.length,
        retry_backoff_base_seconds: 1,
      };
