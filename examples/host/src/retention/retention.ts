/**
 * Retention: deletes what is older than the project keeps it, in small transactions with pauses between them. A lease
 * lets one process at a time sweep. An interruption undoes nothing, and the next sweep continues.
 */
import { type Clock, systemClock } from 'headgate/delivery';
import type { Database } from '../db/index.js';
import { Batches } from './batches.js';
import { sweepAll, SWEEP_EVERY_MS, type Swept } from './sweep.js';

/** Dependencies of retention. */
export interface RetentionParts {
  readonly db: Database;
  /** @defaultValue the system's clock */
  readonly clock?: Clock;
  /** Called with errors that nobody else hears of, for the log. */
  readonly report: (error: unknown, about: string) => void;
}

/** The schedule of sweeps. */
export interface Retention {
  start(): void;
  /** Ends after the transaction under way. */
  stop(): Promise<void>;
  /** Sweeps once; returns null if another process is sweeping, or has swept within the hour. */
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
    // No process sweeps again before that.
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
