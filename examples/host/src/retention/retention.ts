/**
 * Retention: deletes what is older than the project keeps it, in small transactions with pauses between them. A lease
 * lets one process at a time sweep. An interruption undoes nothing, and the next sweep continues.
 */
import { type Clock, systemClock } from 'headgate/delivery';
import type { Database } from '../db/index.js';
import { Batches } from './batches.js';
import { sweepAll, SWEEP_EVERY_MS, type Swept } from './sweep.js';
import { createTicker, type Ticker } from './ticker.js';

/** Dependencies of retention. */
export interface RetentionParts {
  readonly db: Database;
  /** @defaultValue the system's clock */
  readonly clock?: Clock;
  /** Called with errors that nobody else hears of, for the log. */
  readonly report: (error: unknown, about: string) => void;
}

/** The schedule of sweeps. */
export interface Retention extends Pick<Ticker, 'start' | 'stop'> {
  /** Sweeps once; returns null if another process is sweeping, or has swept within the hour. */
  sweep(): Promise<Swept | null>;
}

/** How often a process asks whether it is time. */
const TICK_MS = 300_000;

export function createRetention({ db, clock = systemClock, report }: RetentionParts): Retention {
  const batches = new Batches(db, clock, 'retention');
  const sweep = async (): Promise<Swept | null> => {
    if (!(await batches.takeLease())) return null;
    const swept = await sweepAll({ db, clock, batches });
    // No process sweeps again before that.
    await batches.keepLease(SWEEP_EVERY_MS);
    return swept;
  };
  const { start, stop } = createTicker({
    ...{ clock, report, batches, everyMs: TICK_MS },
    ...{ about: 'retention', work: sweep },
  });
  return { start, stop, sweep };
}
