/** Delivering: the scheduler, and all that operators do with deliveries. */
import { type Clock, type Dispatch, type Reservation, systemClock } from 'headgate/delivery';
import type { BoundRoute } from '../api/route.js';
import type { Database } from '../db/index.js';
import { deadLetterRoutes } from './dead-letters.js';
import { attemptRoutes } from './attempts.js';
import { deliveryRoutes } from './deliveries.js';
import type { Exchanges } from './exchange.js';
import { BulkRunner } from './bulk/runner.js';
import { replayEventsRoutes } from './replays/many-events.js';
import { planRedelivery, redeliveryRoutes } from './redeliveries.js';
import { createReplayBatches } from './replays/batches.js';
import type { ReplayedComparisons, SelectEvents } from './replays/selection.js';
import { type ReplayParts, replayEventRoutes } from './replays/one-event.js';
import { createScheduling, PER_ENDPOINT, type SchedulingParts, type Targets } from './scheduling.js';

/** Dependencies of this module. */
export interface DeliveringParts
  extends Omit<SchedulingParts, 'clock' | 'endpoints'>, Pick<ReplayParts, 'again'> {
  /**
   * The database that routes use; attempts and their records use `db`.
   * @defaultValue `db`
   */
  readonly reads?: Database;
  readonly endpoints: Targets & ReplayParts['endpoints'];
  readonly exchanges: Exchanges;
  /** Selects the events of a replay of many. */
  readonly select: SelectEvents;
  readonly comparisons: ReplayedComparisons;
  /**
   * Deliveries that replays of many events make a second.
   * @defaultValue `50`
   */
  readonly replaysPerSecond?: number;
  /** Called with errors that nobody else hears of, for the log. */
  readonly report: (error: unknown, about: string) => void;
  /** @defaultValue the system's clock */
  readonly clock?: Clock;
}

/** The module. */
export interface Delivering {
  /** Leases deliveries that are about to be stored; see `Scheduler.reserve`. */
  reserve(dispatches: readonly Dispatch[]): Reservation;
  /** There are new deliveries. */
  wake(): void;
  start(): void;
  /**
   * Stops claiming, waits for the attempts in flight, and records them. Once the signal fires, they are told to end,
   * and their deliveries are due at once for other processes; a second later this resolves in any case.
   */
  stop(signal: AbortSignal): Promise<void>;
  readonly routes: readonly BoundRoute[];
}

const PER_SECOND = 50;

export function createDelivering(parts: DeliveringParts): Delivering {
  const { db, reads = db, endpoints, again, select, comparisons, report, clock = systemClock } = parts;
  const {
    isPressed,
    replaysPerSecond: perSecond = PER_SECOND,
    concurrencyPerEndpoint = PER_ENDPOINT,
  } = parts;
  const now = (): number => clock.now();
  const scheduler = createScheduling({ ...parts, clock });
  const wake = (): void => scheduler.wake();
  // Half of the slots of an endpoint are left to fresh deliveries.
  const window = Math.max(1, Math.floor(concurrencyPerEndpoint / 2));
  const runner = new BulkRunner({
    db,
    clock,
    wake,
    plans: {
      redelivery: planRedelivery,
      replay: createReplayBatches({
        ...{ db: reads, now, endpoints, again, select, comparisons, perSecond, window },
        ...(isPressed !== undefined && { isPressed }),
      }),
    },
    failed: (error) => report(error, 'bulk actions'),
  });
  return {
    reserve: (dispatches) => scheduler.reserve(dispatches),
    wake,
    start() {
      scheduler.start();
      runner.start();
    },
    stop: async (signal) => void (await Promise.all([scheduler.stop({ signal }), runner.stop()])),
    routes: [
      ...deliveryRoutes({ db: reads, now, wake }),
      ...attemptRoutes({ db: reads, exchanges: parts.exchanges, brand: parts.brand }),
      ...deadLetterRoutes({ db: reads, now, wake }),
      ...redeliveryRoutes({ db: reads, now }),
      ...replayEventRoutes({ db: reads, now, wake, endpoints, again }),
      ...replayEventsRoutes({ db: reads, now, endpoints, select, comparisons }),
    ],
  };
}
