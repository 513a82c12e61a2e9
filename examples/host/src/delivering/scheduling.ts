/** The library's scheduler with the settings of a service that many customers share. */
import {
  type Clock,
  createScheduler,
  type DeliveryStore,
  type Scheduler,
  type SchedulerCallbacks,
  type Transport,
} from 'headgate/delivery';
import type { Database } from '../db/index.js';
import type { Exchanges } from './exchange.js';
import { createFairClaims } from './fair-claims.js';
import { type EndpointHealth, healthCallbacks } from './health.js';
import { createPace } from '../limits/pace.js';
import { createRecordingStore } from './recording.js';
import { createSigners, type SecretsOf, type SignedTarget } from './signers.js';

/** The endpoints, as attempts use them. */
export interface Targets extends EndpointHealth {
  /** Null for an endpoint that is gone: its deliveries fail. */
  target(endpointId: string): Promise<SignedTarget | null>;
}

/** Dependencies and settings of the scheduler. */
export interface SchedulingParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly transport: Transport;
  readonly endpoints: Targets;
  readonly secretsOf: SecretsOf;
  /** Seals what attempts send and receive; without it, nothing of that is kept. */
  readonly exchanges?: Exchanges;
  /** The brand of the headers of deliveries; that of the library unless given. */
  readonly brand?: string;
  /** True while more events come in than can be stored at once: claims are fewer then. */
  readonly isPressed?: () => boolean;
  /** Callbacks for metrics and the log. */
  readonly on?: readonly SchedulerCallbacks[];
  /**
   * Most attempts in flight.
   * @defaultValue `1_024`
   */
  readonly concurrency?: number;
  /**
   * Most attempts in flight to one endpoint.
   * @defaultValue `32`
   */
  readonly concurrencyPerEndpoint?: number;
}

/** An attempt that waits for its answer costs little more than a socket. */
const CONCURRENCY = 1_024;
/** A slot is taken from the claim to the record, which together take longer than most answers. */
export const PER_ENDPOINT = 32;
/** Deliveries of a process that was killed wait this long. */
const LEASE_MS = 15_000;
/** Deliveries that another process has enqueued wait at most this long. */
const POLL_MS = 1_000;
const MAX_BYTES_IN_FLIGHT = 64 * 1_048_576;
/** Attempts that end within this time are recorded in one transaction, which costs as much as several of them. */
const SETTLE_GAP_MS = 25;
/** Deliveries that failed together are not retried together. */
const JITTER = 0.1;
/** The least that a project may choose; `exhausted` of the endpoints knows what it has chosen. */
const PAUSE_AFTER_DAYS = 1;

/**
 * A store that claims less often while more events come in than can be stored at once. What is in flight is recorded as
 * ever.
 */
function pacedClaims(store: DeliveryStore, isPressed: () => boolean): DeliveryStore {
  const pace = createPace(() => 0, isPressed);
  return {
    ...store,
    async claim(request) {
      await pace();
      return store.claim(request);
    },
  };
}

export function createScheduling(parts: SchedulingParts): Scheduler {
  const {
    db,
    clock,
    transport,
    endpoints,
    secretsOf,
    exchanges,
    brand,
    isPressed = () => false,
    on = [],
  } = parts;
  const { concurrency = CONCURRENCY, concurrencyPerEndpoint = PER_ENDPOINT } = parts;
  const failed = (error: unknown): void => on.forEach((one) => one.callbackFailed?.(error));
  const health = healthCallbacks(endpoints, () => clock.now(), failed);
  const store = pacedClaims(createRecordingStore(db, exchanges), isPressed);
  const fair = createFairClaims(store, db, concurrency);
  const scheduler = createScheduler({
    store: fair.store,
    transport,
    clock,
    endpoints: (id) => endpoints.target(id),
    signer: createSigners(secretsOf, brand),
    concurrency,
    concurrencyPerEndpoint,
    maxBytesInFlight: MAX_BYTES_IN_FLIGHT,
    leaseMs: LEASE_MS,
    pollMs: POLL_MS,
    settleGapMs: SETTLE_GAP_MS,
    jitter: JITTER,
    pauseAfterDays: PAUSE_AFTER_DAYS,
    on: [fair.on, health, ...on],
  });
  return {
    ...scheduler,
    // Under pressure all deliveries wait for claims, which are fewer then.
    reserve: (dispatches) => scheduler.reserve(dispatches, isPressed() ? { most: 0 } : fair.reserving()),
  };
}
