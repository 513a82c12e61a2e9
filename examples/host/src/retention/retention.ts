/**
 * Retention: what is older than a project's days goes away, in small transactions with pauses between them. One process at a
 * time does it, by a lease. An interruption undoes nothing, and the next sweep goes on.
 */
import { type Clock, systemClock } from 'headgate/delivery';
import type { Database } from '../db/index.js';
import { Batches } from './batches.js';
import { sweepAll, SWEEP_EVERY_MS, type Swept } from './sweep.js';

/** Dependencies of this room. */
export interface RetentionParts {
  readonly db: Database;
  /** @defaultValue the system's clock */
  readonly clock?: Clock;
  /** Called with errors that nobody else hears of, for the log. */
  readonly report: (error: unknown, about: string) => void;
}

/** The room. */
export interface Retention {
  start(): void;
  /** Ends after the transaction under way. */
  stop(): Promise<void>;
  /** Sweeps once; null where another process does, or has within the hour. */
  sweep(): Promise<Swept | null>;
}

/** How often a process asks whether it is time. */
const TICK_MS = 300_000;

export function createRetention({ db, clock = systemClock, report }: RetentionParts): Retention {
  const batches = new Batches(db, clock);
  let isRunning = false;
  let sweeping: Promise<Swept | null> | null = null;
  let cancelTick = (): void => undefined;

  const sweep = async (): Promise<Swept | null> => {
    if (!(await batches.takeLease())) return null;
    const swept = await sweepAll({ db, clock, batches });
    // Until then no process begins again.
    await batches.keepLease(SWEEP_EVERY_MS);
    return swept;
  };
  const tick = (): void => {
    cancelTick = clock.at(clock.now() + TICK_MS, tick);
    sweeping ??= sweep()
      .catch((error: unknown) => {
        report(error, 'retention');
        return null;
      })
      .finally(() => (sweeping = null));
  };
  return {
    start() {
      if (isRunning) return;
      isRunning = true;
      batches.start();
      cancelTick = clock.at(clock.now() + TICK_MS, tick);
    },
    async stop() {
      isRunning = false;
      cancelTick();
      batches.stop();
      await sweeping;
    },
    sweep,
  };
}
