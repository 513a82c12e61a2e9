/**
 * Sums the minutes of endpoints and rules up in half hours, so that a month of a project is a few thousand rows. This
 * runs in the background, so no batch of events or attempts writes anything more, and no process waits for the row of
 * a busy project.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { type Database, DatabaseUnavailable } from '../db/index.js';
import { type NextRow, SELECT_NEXT, SUM_ATTEMPTS, SUM_MATCHES, TAKE_MINUTES } from './statements.js';

/** Dependencies of the sums. */
export interface SumParts {
  readonly db: Database;
  /** Unix ms. */
  readonly now: () => number;
  /** Called with errors that nobody else hears of, for the log. */
  readonly report: (error: unknown, about: string) => void;
}

/** Adds minutes up every minute. Any number of processes may do so at once: each minute is added once. */
export interface Sums {
  start(): void;
  /** Adds up all minutes that are old enough. */
  sum(): Promise<void>;
  stop(): Promise<void>;
}

const MINUTE_MS = 60_000;
/** Attempts that are recorded later than this, after an outage of the database, are in no sum. */
const LATE_MINUTES = 60;
/** Minutes of one transaction, while a process catches up. */
const MINUTES_AT_ONCE = 10;

export function createSums({ db, now, report }: SumParts): Sums {
  let timer: NodeJS.Timeout | null = null;
  let current: Promise<void> = Promise.resolve();
  let isStopped = false;

  const sum = async (): Promise<void> => {
    while (!isStopped && (await sumSome(db, Math.floor(now() / MINUTE_MS) - LATE_MINUTES))) await turn();
  };
  const again = (): void => {
    current = current.then(sum).catch((error: unknown) => {
      if (!(error instanceof DatabaseUnavailable)) report(error, 'summing minutes up');
    });
  };
  return {
    start() {
      timer = setInterval(again, MINUTE_MS).unref();
      again();
    },
    sum,
    async stop() {
      isStopped = true;
      if (timer !== null) clearInterval(timer);
      await current;
    },
  };
}

/**
 * Adds up the next minutes.
 *
 * @param end - Minutes from this one on may still change.
 * @returns False if there are none.
 */
async function sumSome(db: Database, end: number): Promise<boolean> {
  const next = await db.get<NextRow>(SELECT_NEXT);
  const first = Math.min(next?.endpoints ?? Infinity, next?.rules ?? Infinity);
  if (next === undefined || first >= end) return false;
  const to = Math.min(first + MINUTES_AT_ONCE, end);
  await db.transaction(async (tx) => {
    if ((await tx.run(TAKE_MINUTES, [next.before_minute, to])) === 0) return;
    await tx.run(SUM_ATTEMPTS, [first, to]);
    await tx.run(SUM_MATCHES, [first, to]);
  });
  return true;
}
