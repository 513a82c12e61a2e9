/** Delivering: the scheduler, and all that operators do with deliveries. */
import { type Clock, type Dispatch, type Reservation, systemClock } from 'headgate/delivery';
import type { BoundRoute } from '../api/route.js';
import type { Database } from '../db/index.js';
import { deadLetterRoutes } from './dead-letters.js';
import { deliveryRoutes } from './deliveries.js';
import { redeliveryRoutes } from './redeliveries.js';
import { RedeliveryRunner } from './redelivery-runner.js';
import { type ReplayParts, replayRoutes } from './replays.js';
import { createScheduling, type SchedulingParts, type Targets } from './scheduling.js';

/** Dependencies of this module. */
export interface DeliveringParts
  extends Omit<SchedulingParts, 'clock' | 'endpoints'>, Pick<ReplayParts, 'again'> {
  /**
   * The database that routes use; attempts and their records use `db`.
   * @defaultValue `db`
   */
  readonly reads?: Database;
  readonly endpoints: Targets & ReplayParts['endpoints'];
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
   * Claims no more, waits for the attempts in flight, and records them. Once the signal fires, they are told to end, and
   * their deliveries are due at once for other processes; a second later this resolves in any case.
   */
  stop(signal: AbortSignal): Promise<void>;
  readonly routes: readonly BoundRoute[];
}

export function createDelivering(parts: DeliveringParts): Delivering {
  const { db, reads = db, endpoints, again, report, clock = systemClock } = parts;
  const now = (): number => clock.now();
  const scheduler = createScheduling({ ...parts, clock });
  const wake = (): void => scheduler.wake();
  const runner = new RedeliveryRunner({
    db,
    clock,
    wake,
    failed: (error) => report(error, 'redelivering'),
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
      ...deadLetterRoutes({ db: reads, now, wake }),
      ...redeliveryRoutes({ db: reads, now }),
      ...replayRoutes({ db: reads, now, wake, endpoints, again }),
    ],
  };
}
