/** The options of a scheduler: their checks and defaults. */
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
import type { RetryDelayOptions } from './retry-delay.js';
import type { DeliverySigner, DeliveryTarget } from './preparation.js';
import { MAX_DELAY_SECONDS } from './retry.js';
import type { DeliveryStore } from './store.js';
import { ATTEMPT_TIMEOUT_MS, type Transport } from './transport.js';

/**
 * Options of {@link createScheduler}.
 *
 * @typeParam Target - The endpoint, as `endpoints` returns it. Members that the scheduler does not know reach the
 *   `signer`.
 */
export interface SchedulerOptions<Target extends DeliveryTarget = DeliveryTarget> {
  /** Stores the deliveries. */
  readonly store: DeliveryStore;
  /** Sends the attempts; the host closes it after `stop`. */
  readonly transport: Transport;
  /**
   * Looks up an endpoint. It is called for every attempt, so that an edited URL or policy holds from the next attempt
   * on. `null` or `undefined`: the endpoint is gone, and its deliveries fail at once. When it throws, no attempt is
   * counted and the delivery is due again a minute later; but an {@link OptionError} counts as a failed attempt, since
   * waiting does not help.
   */
  readonly endpoints: (endpointId: string) => Target | null | undefined | Promise<Target | null | undefined>;
  /**
   * Signs every attempt; or a function that returns the signer of a delivery. The function also gets what `endpoints`
   * returned for this attempt. Its errors are treated like those of `endpoints`. A call that never settles is given up
   * before the lease ends; the delivery is due again then.
   */
  readonly signer:
    DeliverySigner | ((delivery: Delivery, target: Target) => DeliverySigner | Promise<DeliverySigner>);
  /** @defaultValue the system's clock */
  readonly clock?: Clock;
  /**
   * Most attempts in flight.
   * @defaultValue `256`
   */
  readonly concurrency?: number;
  /**
   * Most attempts in flight to one endpoint, so that one that hangs does not use up all slots.
   * @defaultValue `8`
   */
  readonly concurrencyPerEndpoint?: number;
  /**
   * Most bytes of bodies in flight, of which an eighth is for one endpoint. A larger body is sent alone.
   * @defaultValue `33_554_432` (32 MiB)
   */
  readonly maxBytesInFlight?: number;
  /**
   * How long a lease lasts, in milliseconds. After a crash, other schedulers take over when it ends. At least 15,000:
   * the 10 s of an attempt, and time to sign and record it.
   * @defaultValue `30_000`
   */
  readonly leaseMs?: number;
  /**
   * Longest time between two claims, in milliseconds, for stores that other processes fill too. `Infinity`: claims only
   * when a delivery is due and on `wake`.
   * @defaultValue `5_000`
   */
  readonly pollMs?: number;
  /**
   * While attempts end faster than they are recorded one by one, the store is asked to record them no more often than
   * this, in milliseconds: 0..1,000. More of them then share a transaction, which saves processor time; a slot stays
   * taken for longer.
   * @defaultValue `0`
   */
  readonly settleGapMs?: number;
  /**
   * Lengthens every retry delay by a random share of itself, up to this one: 0..1. So deliveries that failed together
   * are not retried together.
   * @defaultValue `0`
   */
  readonly jitter?: number;
  /**
   * The source of jitter: returns a number from 0 up to 1.
   * @defaultValue the platform's generator
   */
  readonly random?: () => number;
  /**
   * Counts a Retry-After of more than this many seconds, 1..2,592,000, as this many. The Retry-After of a 429 or 503
   * lengthens the policy's delay to what the receiver asked for, by no more than an hour. It never shortens a delay and
   * does not change the number of attempts. An endpoint whose policy has `retry_after: 'ignore'` is not concerned.
   * @defaultValue no limit besides the hour
   */
  readonly retryAfterCapSeconds?: number;
  /**
   * Reports the health of endpoints after each recorded attempt: `endpointFailing`, `endpointRecovered`, and
   * `endpointExhausted` after this many days of failures, 1..365. The host stores `failing_since` and pauses endpoints.
   * @defaultValue not reported
   */
  readonly pauseAfterDays?: number;
  /** The host's callbacks, or a list of them. */
  readonly on?: SchedulerCallbacks | readonly SchedulerCallbacks[];
}

interface Limits {
  readonly concurrency: number;
  readonly concurrencyPerEndpoint: number;
  readonly maxBytesInFlight: number;
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly settleGapMs: number;
}

/** How retries are delayed, and when endpoints are reported. */
interface Policies extends RetryDelayOptions {
  /** Null: the health of endpoints is not reported. */
  readonly pauseAfterDays: number | null;
}

/** Options with every default filled in. */
export interface SchedulerSettings extends AttemptParts, Limits, Policies {
  readonly store: DeliveryStore;
  readonly on: readonly SchedulerCallbacks[];
}

const MIN_LEASE_MS = ATTEMPT_TIMEOUT_MS + 5_000;
const MAX_LEASE_MS = 86_400_000;
const MAX_CONCURRENCY = 100_000;
const MAX_SETTLE_GAP_MS = 1_000;
const MAX_PAUSE_AFTER_DAYS = 365;

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
  endpoints: callable('a function from an id to the endpoint, or null if it is gone'),
  signer: aSigner,
  clock: optional(aClock),
  concurrency: optional(integer(1, MAX_CONCURRENCY)),
  concurrencyPerEndpoint: optional(integer(1, MAX_CONCURRENCY)),
  maxBytesInFlight: optional(integer(1, Number.MAX_SAFE_INTEGER)),
  leaseMs: optional(integer(MIN_LEASE_MS, MAX_LEASE_MS)),
  pollMs: optional(either(Infinity, integer(1, Number.MAX_SAFE_INTEGER))),
  settleGapMs: optional(integer(0, MAX_SETTLE_GAP_MS)),
  jitter: optional(aShare),
  random: optional(callable('a function that draws from 0 up to 1, or leave it out')),
  retryAfterCapSeconds: optional(integer(1, MAX_DELAY_SECONDS)),
  pauseAfterDays: optional(integer(1, MAX_PAUSE_AFTER_DAYS)),
  on: (name, value) => [value ?? []].flat().forEach((one) => callbacks(name, one)),
};

/** @throws {@link OptionError} `invalid_option`, naming the option and what to give. */
export function schedulerSettings<Target extends DeliveryTarget>(
  options: SchedulerOptions<Target>,
): SchedulerSettings {
  assertMembers<SchedulerOptions<Target>>('createScheduler', options, OPTIONS);
  const { store, transport, endpoints, signer, clock = systemClock, on } = options;
  return {
    store,
    transport,
    endpoints,
    // The target is what `endpoints` has returned.
    signer:
      typeof signer === 'function' ? (delivery, target) => signer(delivery, target as Target) : () => signer,
    clock,
    on: [on ?? []].flat(),
    ...limits(options),
    ...policies(options),
  };
}

function limits(options: Pick<SchedulerOptions, keyof Limits>): Limits {
  const { concurrency = 256, concurrencyPerEndpoint = 8, leaseMs = 30_000, pollMs = 5_000 } = options;
  const { maxBytesInFlight = MAX_BODY_BYTES, settleGapMs = 0 } = options;
  return { concurrency, concurrencyPerEndpoint, maxBytesInFlight, leaseMs, pollMs, settleGapMs };
}

function policies(options: Pick<SchedulerOptions, keyof Policies>): Policies {
  const {
    jitter = 0,
    random = randomFraction,
    retryAfterCapSeconds = Infinity,
    pauseAfterDays = null,
  } = options;
  return { jitter, random, retryAfterCapSeconds, pauseAfterDays };
}

/** A random number from 0 up to 1. */
const randomFraction = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
