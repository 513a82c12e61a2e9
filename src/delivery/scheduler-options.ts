/** How a scheduler is set up. */
import { OptionError } from '../errors.js';
import type { AttemptParts, DeliverySigner, DeliveryTarget } from './attempt.js';
import type { SchedulerCallbacks } from './callbacks.js';
import { type Clock, systemClock } from './clock.js';
import type { Delivery } from './delivery.js';
import type { DeliveryStore } from './store.js';
import { ATTEMPT_TIMEOUT_MS, type Transport } from './transport.js';

/** Options of {@link createScheduler}. */
export interface SchedulerOptions {
  /** Where deliveries live. */
  readonly store: DeliveryStore;
  /** What carries attempts; the host closes it after `stop`. */
  readonly transport: Transport;
  /**
   * The endpoint as it is now, asked at every attempt: an edited URL or policy holds from the next one on. Nothing:
   * the endpoint is gone, and its deliveries fail at once. What it throws costs no attempt, the delivery rests for a
   * minute; but an {@link OptionError} does, since waiting does not mend it.
   */
  readonly endpoints: (
    endpointId: string,
  ) => DeliveryTarget | null | undefined | Promise<DeliveryTarget | null | undefined>;
  /**
   * Signs every attempt anew; or finds who signs a delivery. What it throws is taken as what `endpoints` throws. What
   * never settles is given up before the lease ends, and the delivery is due again then.
   */
  readonly signer: DeliverySigner | ((delivery: Delivery) => DeliverySigner | Promise<DeliverySigner>);
  /** @defaultValue the system's clock */
  readonly clock?: Clock;
  /**
   * Most attempts in flight.
   * @defaultValue `64`
   */
  readonly concurrency?: number;
  /**
   * Most attempts in flight to one endpoint, so that one that hangs does not fill the scheduler.
   * @defaultValue `8`
   */
  readonly concurrencyPerEndpoint?: number;
  /**
   * How long a claim lasts, in milliseconds; after a crash, when others take over. At least 15,000: the 10 s of an
   * attempt, and time to sign and to record.
   * @defaultValue `30_000`
   */
  readonly leaseMs?: number;
  /**
   * Longest time between two looks into the store, in milliseconds, for stores that others fill too. `Infinity`: looks
   * only when something is due and on `wake`.
   * @defaultValue `5_000`
   */
  readonly pollMs?: number;
  /**
   * Lengthens every delay before a retry by a random share of itself, up to this one: 0..1. Never shortens. Whatever
   * failed together does not come back together.
   * @defaultValue `0`
   */
  readonly jitter?: number;
  /**
   * Where jitter comes from: 0 or more, below 1.
   * @defaultValue `Math.random`
   */
  readonly random?: () => number;
  /**
   * Honors the Retry-After of an answer up to this many seconds, 1..2,592,000: the next attempt is due no earlier. Never
   * shortens a delay, and changes no number of attempts.
   * @defaultValue not honored
   */
  readonly retryAfterCapSeconds?: number;
  /**
   * Tells, at every recorded attempt, what it says about its endpoint: `endpointFailing`, `endpointRecovered`, and
   * `endpointExhausted` after this many days of failures, 1..365. The host keeps `failing_since` and pauses.
   * @defaultValue not told
   */
  readonly pauseAfterDays?: number;
  /** Told what happens; of several, each. */
  readonly on?: SchedulerCallbacks | readonly SchedulerCallbacks[];
}

/** Options with every default filled in. */
export interface SchedulerSettings extends AttemptParts {
  readonly store: DeliveryStore;
  readonly concurrency: number;
  readonly concurrencyPerEndpoint: number;
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly on: readonly SchedulerCallbacks[];
}

const SHORTEST_LEASE_MS = ATTEMPT_TIMEOUT_MS + 5_000;
const LONGEST_LEASE_MS = 86_400_000;
const MOST_CONCURRENCY = 100_000;

/** @throws {@link OptionError} `invalid_option`, naming the option and its bounds. */
export function schedulerSettings(options: SchedulerOptions): SchedulerSettings {
  const { signer, pollMs = 5_000 } = options;
  for (const part of ['store', 'transport', 'endpoints', 'signer'] as const) {
    if (typeof options[part] !== 'object' && typeof options[part] !== 'function') {
      throw new OptionError('invalid_option', `${part} is missing: a scheduler needs one`);
    }
  }
  return {
    store: options.store,
    transport: options.transport,
    endpoints: options.endpoints,
    signer: typeof signer === 'function' ? signer : () => signer,
    clock: options.clock ?? systemClock,
    concurrency: within('concurrency', options.concurrency ?? 64, 1, MOST_CONCURRENCY),
    concurrencyPerEndpoint: within(
      'concurrencyPerEndpoint',
      options.concurrencyPerEndpoint ?? 8,
      1,
      MOST_CONCURRENCY,
    ),
    leaseMs: within('leaseMs', options.leaseMs ?? 30_000, SHORTEST_LEASE_MS, LONGEST_LEASE_MS),
    pollMs: pollMs === Infinity ? pollMs : within('pollMs', pollMs, 1, Number.MAX_SAFE_INTEGER),
    on: [options.on ?? []].flat(),
  };
}

function within(option: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new OptionError(
    'invalid_option',
    `${option} is ${String(value)}: give an integer from ${min} to ${max}`,
  );
}
