/** A store and a transport that write down what they are asked and what comes of it. */
import { type DeliveryStore, deliveryId, type SchedulerCallbacks, type Transport } from 'headgate/delivery';
import type { Write } from './journal.js';

/** The header that tells the receiver which attempt of which process a request is. */
export const KEY_HEADER = 'chaos-attempt';

/** The store and the transport of one scheduler. */
export interface Observed {
  readonly store: DeliveryStore;
  readonly transport: Transport;
  /** Calls of the store so far. */
  readonly calls: () => number;
}

/**
 * @param process - Name of this process; its keys begin with it.
 */
export function observe(process: string, store: DeliveryStore, transport: Transport, write: Write): Observed {
  let calls = 0;
  let attempts = 0;
  /** Key of the last attempt by delivery. */
  const keys = new Map<string, string>();
  const call = async <T>(name: 'claim' | 'settle', asked: Promise<T>): Promise<T> => {
    calls++;
    try {
      return await asked;
    } catch (error) {
      write({ is: 'failed', call: name });
      throw error;
    }
  };
  return {
    calls: () => calls,
    store: {
      enqueue: (dispatches) => store.enqueue(dispatches),
      get: (id) => store.get(id),
      claim: async (request) => {
        const { lease, until } = request;
        write({ is: 'claiming', lease, until });
        const found = await call('claim', store.claim(request));
        write({ is: 'claimed', lease, count: found.claims.length });
        return found;
      },
      settle: async (settlements) => {
        write({ is: 'settling', count: settlements.length });
        const held = await call('settle', store.settle(settlements));
        settlements.forEach(({ delivery: { id }, lease, attempt }, i) => {
          const key = attempt === null ? null : (keys.get(id) ?? 'none');
          write({ is: 'settled', key, delivery: id, lease, held: held[i] === true });
        });
        return held;
      },
    },
    transport: {
      send: async (request, signal) => {
        const key = `${process}.${++attempts}`;
        const endpointId = new URL(request.url).pathname.split('/').at(-1) ?? '';
        const delivery = deliveryId(request.headers['Svc-Event-Id'] ?? '', endpointId);
        keys.set(delivery, key);
        write({ is: 'sending', key, delivery });
        const headers = { ...request.headers, [KEY_HEADER]: key };
        const outcome = await transport.send({ ...request, headers }, signal);
        write({ is: 'sent', key, ok: outcome.ok });
        return outcome;
      },
      close: () => transport.close(),
    },
  };
}

/** Writes down what an operator is told of faults. */
export const tellFaults = (write: Write): SchedulerCallbacks => ({
  leaseLost: ({ id }) => write({ is: 'told', what: 'leaseLost', detail: id }),
  deadLettered: ({ id }) => write({ is: 'told', what: 'deadLettered', detail: id }),
  released: ({ id }) => write({ is: 'told', what: 'released', detail: id }),
  clockJumped: ({ byMs }) => write({ is: 'told', what: 'clockJumped', detail: String(byMs) }),
  storeFailed: ({ error }) => write({ is: 'told', what: 'storeFailed', detail: codeOf(error) }),
  callbackFailed: (error) => write({ is: 'told', what: 'callbackFailed', detail: String(error) }),
});

/** The code of an error, or what it says where it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
