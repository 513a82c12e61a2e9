/** How a scheduler is set up. */
import {
  assertMembers,
  callable,
  type Check,
  type Checks,
  either,
  instant,
  integer,
  invalid,
  kindOf,
  optional,
  part,
} from './arguments.js';
import type { AttemptParts } from './attempt.js';
import { MAX_BODY_BYTES } from './byte-budget.js';
import { callbacks, type SchedulerCallbacks } from './callbacks.js';
import { type Clock, systemClock } from './clock.js';
import type { Delivery } from './delivery.js';
import type { Lengthening } from './lengthening.js';
import type { DeliverySigner, DeliveryTarget } from './preparation.js';
import { MAX_DELAY_SECONDS } from './retry.js';
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
   * @defaultValue `256`
   */
  readonly concurrency?: number;
  /**
   * Most attempts in flight to one endpoint, so that one that hangs does not fill the scheduler.
   * @defaultValue `8`
   */
  readonly concurrencyPerEndpoint?: number;
  /**
   * Most bytes of bodies in flight; of these, an eighth for one endpoint. A body that is larger goes alone.
   * @defaultValue `33_554_432` (32 MiB)
   */
  readonly maxBytesInFlight?: number;
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
   * @defaultValue the platform's generator
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

interface Limits {
  readonly concurrency: number;
  readonly concurrencyPerEndpoint: number;
  readonly maxBytesInFlight: number;
  readonly leaseMs: number;
  readonly pollMs: number;
}

/** What is off by default. */
interface Policies extends Lengthening {
  /** Null: nothing is told of endpoints. */
  readonly pauseAfterDays: number | null;
}

/** Options with every default filled in. */
export interface SchedulerSettings extends AttemptParts, Limits, Policies {
  readonly store: DeliveryStore;
  readonly on: readonly SchedulerCallbacks[];
}

const SHORTEST_LEASE_MS = ATTEMPT_TIMEOUT_MS + 5_000;
const LONGEST_LEASE_MS = 86_400_000;
const MOST_CONCURRENCY = 100_000;
const MOST_DAYS = 365;

const aSigner: Check = (name, value) => {
  if (typeof value !== 'function') signerPart(name, value);
};
const signerPart = part(['headers'], 'createSigner({ secrets }), or a function from a delivery to a signer');

const aClock: Check = (name, value) => {
  clockPart(name, value);
  instant(`${name}.now()`, (value as Clock).now());
};
const clockPart = part(['now', 'at'], 'a clock, or leave it out');

const aShare: Check = (name, value) => {
  if (typeof value === 'number' && value >= 0 && value <= 1) return;
  throw invalid(`${name} is ${kindOf(value)}: give a number from 0 to 1`);
};

const OPTIONS: Checks<SchedulerOptions> = {
  store: part(['claim', 'settle'], 'a store, such as createMemoryStore()'),
  transport: part(['send'], 'a transport, such as createHttpTransport()'),
  endpoints: callable('a function from an id to the endpoint, or null where it is gone'),
  signer: aSigner,
  clock: optional(aClock),
  concurrency: optional(integer(1, MOST_CONCURRENCY)),
  concurrencyPerEndpoint: optional(integer(1, MOST_CONCURRENCY)),
  maxBytesInFlight: optional(integer(1, Number.MAX_SAFE_INTEGER)),
  leaseMs: optional(integer(SHORTEST_LEASE_MS, LONGEST_LEASE_MS)),
  pollMs: optional(either(Infinity, integer(1, Number.MAX_SAFE_INTEGER))),
  jitter: optional(aShare),
  random: optional(callable('a function that draws from 0 up to 1, or leave it out')),
  retryAfterCapSeconds: optional(integer(1, MAX_DELAY_SECONDS)),
  pauseAfterDays: optional(integer(1, MOST_DAYS)),
  on: (name, value) => [value ?? []].flat().forEach((one) => callbacks(name, one)),
};

/** @throws {@link OptionError} `invalid_option`, naming the option and what to give. */
export function schedulerSettings(options: SchedulerOptions): SchedulerSettings {
  assertMembers<SchedulerOptions>('createScheduler', options, OPTIONS);
  const { store, transport, endpoints, signer, clock = systemClock, on } = options;
  return {
    store,
    transport,
    endpoints,
    signer: typeof signer === 'function' ? signer : () => signer,
    clock,
    on: [on ?? []].flat(),
    ...limits(options),
    ...policies(options),
  };
}

function limits(options: SchedulerOptions): Limits {
  const { concurrency = 256, concurrencyPerEndpoint = 8, leaseMs = 30_000, pollMs = 5_000 } = options;
  const { maxBytesInFlight = MAX_BODY_BYTES } = options;
  return { concurrency, concurrencyPerEndpoint, maxBytesInFlight, leaseMs, pollMs };
}

function policies(options: SchedulerOptions): Policies {
  const { jitter = 0, random = draw, retryAfterCapSeconds = 0, pauseAfterDays = null } = options;
  return { jitter, random, retryAfterCapSeconds, pauseAfterDays };
}

/** A random number from 0 up to 1. */
const draw = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
