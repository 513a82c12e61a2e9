/** Deliveries end to end, by whoever is asked. */
import { Agent, request } from 'undici';
import { createScheduler, type DeliveryStore, newDelivery } from '../../src/delivery/index.js';
import { createHttpTransport } from '../../src/adapters/http/index.js';
import { createSigner } from '../../src/signing/index.js';

/** The work of one contender in one round. */
export interface Contender {
  readonly name: string;
  /** Makes ready, untimed. */
  readonly prepare: (count: number) => Promise<void>;
  /** Delivers all that was made ready; resolves when the last one is settled. */
  readonly deliver: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Attempts in flight, for everybody. */
export const CONCURRENCY = Number(process.env.CONCURRENCY ?? 256);
const ENDPOINTS = 50;
/** Deliveries of one event. */
const FAN_OUT = 5;
const SECRET = 'whsec_bench';

export const eventBody = (n: number): Uint8Array =>
  Buffer.from(JSON.stringify({ id: `evt_${n}`, type: 'webhook.received', data: { text: 'x'.repeat(960) } }));

export const signer = createSigner({ secrets: SECRET });

/** A loop around undici: the least that there is. */
export function bareUndici(url: string): Contender {
  const agent = new Agent();
  const about = { eventType: 'webhook.received', origin: 'live', timestamp: 1_700_000_000 } as const;
  const body = eventBody(1);
  const headers = signer.headers(body, { ...about, eventId: 'evt_1' });
  let left = 0;
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const response = await request(url, { dispatcher: agent, method: 'POST', headers, body });
      await response.body.dump();
      if (response.statusCode !== 204) throw new Error(`answered ${response.statusCode}`);
    }
  };
  return {
    name: 'undici alone',
    prepare: (count) => Promise.resolve(void (left = count)),
    deliver: async () => void (await Promise.all(Array.from({ length: CONCURRENCY }, lane))),
    close: () => agent.close(),
  };
}

let events = 0;

/** New deliveries, due at once. */
export async function fill(store: DeliveryStore, count: number): Promise<void> {
  const at = Date.now();
  for (let made = 0; made < count;) {
    const dispatches = Array.from({ length: 100 }, () => {
      const n = events++;
      const event = { id: `evt_${String(n).padStart(26, '0')}`, type: 'webhook.received' };
      const size = Math.min(FAN_OUT, count - made);
      made += size;
      const deliveries = Array.from({ length: size }, (_, i) =>
        newDelivery(event, `endpoint-${(n * FAN_OUT + i) % ENDPOINTS}`, { at }),
      );
      return { body: eventBody(n), deliveries };
    });
    await store.enqueue(dispatches);
  }
}

/** The scheduler on a store. */
export function headgate(
  name: string,
  store: DeliveryStore,
  url: string,
  end: () => Promise<void>,
): Contender {
  const transport = createHttpTransport({ allow: ['127.0.0.0/8'] });
  const target = { url, retry_max_attempts: 5, retry_backoff_base_seconds: 60 };
  let failed = 0;
  const scheduler = createScheduler({
    store,
    transport,
    signer,
    endpoints: () => target,
    concurrency: CONCURRENCY,
    on: { retrying: () => void failed++, storeFailed: ({ error }) => console.error(error) },
  });
  return {
    name,
    prepare: (count) => fill(store, count),
    deliver: async () => {
      scheduler.start();
      await scheduler.idle();
      await scheduler.stop();
      if (failed > 0) throw new Error(`${failed} attempts failed`);
    },
    close: async () => {
      await transport.close();
      await end();
    },
  };
}
