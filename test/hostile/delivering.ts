/** The whole way of a delivery, on real sockets: store, scheduler, signer, transport. */
import { createHttpTransport } from '../../src/adapters/http/index.js';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import {
  createScheduler,
  type Delivery,
  type DeliveryHistory,
  type DeliveryStore,
  newDelivery,
  type Scheduler,
  type SchedulerCallbacks,
  type Transport,
} from '../../src/delivery/index.js';
import { createSigner } from '../../src/signing/index.js';
import type { World } from './world.js';

/** Signs all deliveries, and must not occur in a record. */
export const SECRET = 'whsec_of_the_sender';

const body = Buffer.from(
  JSON.stringify({ id: 'evt_1', type: 'webhook.received', data: { text: 'x'.repeat(950) } }),
);

/** A running scheduler that sends to the endpoints of a world. */
export interface Sender {
  /** Enqueues an event for every endpoint. */
  send(eventId: string): Promise<readonly Delivery[]>;
  readonly scheduler: Scheduler;
  readonly transport: Transport;
  stop(): Promise<void>;
}

/** How a {@link Sender} sends. */
export interface SenderOptions {
  readonly store: DeliveryStore;
  /** The time that the transport grants to an attempt, in milliseconds. */
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly on?: SchedulerCallbacks;
}

/** Starts a sender. Each endpoint gets as many attempts as the table has outcomes for it. */
export function startSender(world: World, { store, timeoutMs, concurrency, on = {} }: SenderOptions): Sender {
  const transport = createHttpTransport({ ...world.transport, timeoutMs });
  const targets = new Map(
    world.endpoints.map(({ id, url, row }) => [
      id,
      { url, retry_max_attempts: row.recorded.length, retry_backoff_base_seconds: 1 },
    ]),
  );
  const scheduler = createScheduler({
    store,
    transport,
    endpoints: (id) => targets.get(id),
    signer: createSigner({ secrets: SECRET }),
    concurrency,
    concurrencyPerEndpoint: concurrency,
    on,
  });
  scheduler.start();
  return {
    async send(eventId) {
      const event = { id: eventId, type: 'webhook.received' };
      const deliveries = world.endpoints.map(({ id }) => newDelivery(event, id, { at: Date.now() }));
      await store.enqueue([{ body, deliveries }]);
      scheduler.wake();
      return deliveries;
    },
    scheduler,
    transport,
    async stop() {
      await scheduler.stop();
      await transport.close();
    },
  };
}

/**
 * Sends one event to every endpoint until nothing is left to do; gives what is recorded, in their order.
 *
 * @param concurrency - Attempts at one time.
 */
export async function deliverToAll(
  world: World,
  timeoutMs: number,
  concurrency = world.endpoints.length,
): Promise<readonly DeliveryHistory[]> {
  const store = createMemoryStore();
  const sender = startSender(world, { store, timeoutMs, concurrency });
  const deliveries = await sender.send('evt_1');
  await sender.scheduler.idle();
  await sender.stop();
  const histories = await Promise.all(deliveries.map(({ id }) => store.get(id)));
  return histories.filter((history) => history !== null);
}
