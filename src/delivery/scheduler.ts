/** The scheduler that hosts use. `loop.ts` does its work. */
import { assertMembers, callable, type Checks, integer, optional, part } from './arguments.js';
import { assertDispatches } from './dispatches.js';
import { Loop } from './loop.js';
import type { DeliveryTarget } from './preparation.js';
import type { Reservation, ReserveOptions } from './reservation.js';
import { type SchedulerOptions, schedulerSettings } from './scheduler-options.js';
import type { Dispatch } from './store.js';

/** Options of {@link Scheduler.stop}. */
export interface StopOptions {
  /**
   * When it fires, attempts in flight are told to end instead of waited for, and their deliveries are due at once. An
   * attempt that has not ended a second later is given up: its delivery is due when its lease ends.
   */
  readonly signal?: AbortSignal;
}

/** Sends the deliveries of a store when they are due. */
export interface Scheduler {
  /** Begins to claim and send; does nothing while it runs. */
  start(): void;
  /** Looks into the store now: call it after enqueueing. Does nothing unless it runs. */
  wake(): void;
  /**
   * Leases new deliveries to this scheduler before they are enqueued, as far as it has free slots: they need no claim,
   * which saves a write and a look for each. The limits hold as for claims, and endpoints with older deliveries are
   * left out.
   *
   * Enqueue the `dispatches` of the reservation instead of your own, commit, and call `begin`; or `release` if that
   * failed. If the process ends between, the deliveries are sent when their leases end.
   *
   * @example
   * ```ts no-run: it needs a scheduler and its store
   * import type { DeliveryStore, Dispatch, Scheduler } from 'headgate/delivery';
   *
   * async function send(scheduler: Scheduler, store: DeliveryStore, dispatch: Dispatch): Promise<void> {
   *   const { dispatches, begin, release } = scheduler.reserve([dispatch]);
   *   await store.enqueue(dispatches).then(begin, release);
   * }
   * ```
   * @param dispatches - New deliveries, as for `enqueue`.
   * @param options - How many of them, and which.
   * @throws {@link OptionError} `invalid_option` for an invalid dispatch or option.
   */
  reserve(dispatches: readonly Dispatch[], options?: ReserveOptions): Reservation;
  /**
   * Stops claiming, waits for the attempts in flight and records them. While the store answers, that takes less than a
   * lease, whatever the host's other parts do. The scheduler may be started again. The store and the transport stay
   * open.
   *
   * @param options - How to stop.
   * @throws {@link OptionError} `invalid_option` (as a rejection) for another option; nothing stops then.
   */
  stop(options?: StopOptions): Promise<void>;
  /** Resolves when nothing is in flight and the store has nothing pending; or when the scheduler stops. */
  idle(): Promise<void>;
  /**
   * Starts, sends what is due, and stops: for a cron job, or a function that may not run on. Retries that are not due
   * yet, and deliveries that a limit of the rate holds back, are left for the next call.
   *
   * @param options - How to stop; its signal also ends the wait, as a deadline does.
   * @throws {@link OptionError} `invalid_option` (as a rejection) for another option; nothing is sent then.
   */
  drain(options?: StopOptions): Promise<void>;
}

const RESERVE: Checks<ReserveOptions> = {
  most: optional(integer(0, 1_000_000)),
  may: optional(callable('a function, or leave it out')),
};
const STOP: Checks<StopOptions> = {
  signal: optional(part(['addEventListener', 'removeEventListener'], 'an AbortSignal')),
};

/**
 * A scheduler; nothing happens before `start`. Any number of them, in any number of processes, may share a store: a
 * lease keeps each delivery with one of them.
 *
 * @example
 * ```ts
 * import { createDispatch, createScheduler, defaultRetryPolicy, systemClock } from 'headgate/delivery';
 * import { createMemoryStore } from 'headgate/memory';
 * import { createSigner } from 'headgate/signing';
 * import { createScriptedTransport } from 'headgate/testing';
 *
 * const endpoint = { id: 'a', url: 'https://example.com/', status: 'active' as const, ...defaultRetryPolicy };
 * const store = createMemoryStore();
 * const scheduler = createScheduler({
 *   store,
 *   transport: createScriptedTransport(systemClock, () => ({ outcome: 204 })), // in service: createHttpTransport()
 *   signer: createSigner({ secrets: 'whsec_test' }),
 *   endpoints: () => endpoint,
 *   on: { attempted: ({ event_id }) => console.log('sent', event_id) }, // sent evt_1
 * });
 * const decision = { outcome: 'deliver', event: { id: 'evt_1', type: 'ping' }, endpointIds: null } as const;
 * await store.enqueue([createDispatch(decision, [endpoint], { at: Date.now() })]);
 * scheduler.start();
 * await scheduler.idle();
 * await scheduler.stop();
 * ```
 * @typeParam Target - The endpoint, as `endpoints` returns it and the `signer` gets it.
 * @param options - Store, transport, endpoints and signer are required.
 * @throws {@link OptionError} `invalid_option`, naming the option and what to give.
 */
export function createScheduler<Target extends DeliveryTarget = DeliveryTarget>(
  options: SchedulerOptions<Target>,
): Scheduler {
  const loop = new Loop(schedulerSettings(options));
  return {
    start: () => loop.start(),
    wake: () => loop.wake(),
    reserve: (dispatches, reserveOptions = {}) => {
      assertDispatches(dispatches);
      assertMembers<ReserveOptions>('reserve', reserveOptions, RESERVE);
      return loop.reserve(dispatches, reserveOptions);
    },
    idle: () => loop.idle('all'),
    stop: async (stopOptions = {}) => {
      assertMembers<StopOptions>('stop', stopOptions, STOP);
      await loop.stop(stopOptions.signal);
    },
    drain: async (stopOptions = {}) => {
      assertMembers<StopOptions>('drain', stopOptions, STOP);
      await drain(loop, stopOptions.signal);
    },
  };
}

async function drain(loop: Loop, signal: AbortSignal | undefined): Promise<void> {
  loop.start();
  const isOver = loop.idle('due');
  const abort = (): void => void loop.stop(signal);
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort, { once: true });
  await isOver;
  signal?.removeEventListener('abort', abort);
  await loop.stop(signal);
}
