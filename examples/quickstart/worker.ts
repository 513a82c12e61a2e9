/** A scheduler on a store. It runs as a process of its own where the store outlives it. */
import { createScheduler, type DeliveryStore } from 'headgate/delivery';
import { createHttpTransport } from 'headgate/http';
import { createSigner } from 'headgate/signing';
import { type Endpoint, SECRET } from './project.js';
import { open, type Storage } from './storage.js';

/** A message of a worker to the process that started it. */
export type Said =
  | { readonly said: 'claimed'; readonly ids: readonly string[] }
  | { readonly said: 'attempted'; readonly id: string; readonly state: string }
  | { readonly said: 'idle' };

/** The shortest there is. What a dead worker held is not touched before. */
export const LEASE_MS = 15_000;

/** Sends until nothing is left to send. */
export async function work(
  store: DeliveryStore,
  endpoints: readonly Endpoint[],
  say: (said: Said) => void,
): Promise<void> {
  // Receivers listen on loopback, which customers' URLs may not name unless the operator allows it.
  const transport = createHttpTransport({ allow: ['127.0.0.0/8'] });
  const scheduler = createScheduler({
    store,
    transport,
    signer: createSigner({ secrets: SECRET }),
    endpoints: (id) => endpoints.find((endpoint) => endpoint.id === id),
    leaseMs: LEASE_MS,
    on: {
      claimed: (deliveries) => say({ said: 'claimed', ids: deliveries.map(({ id }) => id) }),
      attempted: ({ id, state }) => say({ said: 'attempted', id, state }),
      storeFailed: ({ error, retryAt }) => console.error(error, 'again at', new Date(retryAt)),
    },
  });
  scheduler.start();
  await scheduler.idle();
  await scheduler.stop();
  await transport.close();
  say({ said: 'idle' });
}

/** The argument of a worker process, as JSON. */
export interface WorkerSetup {
  readonly storage: Storage;
  readonly endpoints: readonly Endpoint[];
}

const [, , setup] = process.argv;
if (process.send !== undefined && setup !== undefined) {
  const { storage, endpoints } = JSON.parse(setup) as WorkerSetup;
  const { store, close } = await open(storage);
  await work(store, endpoints, (said) => process.send?.(said));
  await close();
  process.disconnect();
}
