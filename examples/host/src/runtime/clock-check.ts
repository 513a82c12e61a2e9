/**
 * Holds the clock of this process against that of the database. Processes share work by leases whose ends are instants:
 * one whose clock is ahead takes what others still have in flight, and repeats it; one whose clock is behind waits for
 * nothing.
 */
import type { Database } from '../db/index.js';
import { Problem } from '../errors/problem.js';

/** Dependencies and callbacks of the check. */
export interface ClockCheckParts {
  readonly db: Database;
  /** Unix ms. */
  readonly now: () => number;
  /** Called with each measured offset. */
  readonly measured: (offsetMs: number) => void;
  /** Called with errors that nobody else hears of, for the log. */
  readonly report: (error: unknown, about: string) => void;
}

/** Looks when it starts, and every minute. */
export interface ClockCheck {
  /**
   * Measures once.
   *
   * @throws ClockSkewed where the clocks are too far apart.
   */
  assert(): Promise<void>;
  /** @throws Problem `clock_skewed` where the clocks were too far apart when they were last compared. */
  assertFit(): void;
  start(): void;
  stop(): void;
}

/** The clocks are too far apart. */
export class ClockSkewed extends Error {
  override readonly name = 'ClockSkewed';

  constructor(offsetMs: number) {
    const seconds = (Math.abs(offsetMs) / 1_000).toFixed(1);
    const side = offsetMs > 0 ? 'ahead of' : 'behind';
    super(
      `the clock of this process is ${seconds} s ${side} that of the database, and ${MAX_OFFSET_MS / 1_000} s are allowed: synchronize both, as by NTP`,
    );
  }
}

/** A third of the leases of undecided events and of deliveries. */
export const MAX_OFFSET_MS = 5_000;
const EVERY_MS = 60_000;
const CLOCK = 'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as at';

/** On SQLite there is one clock, and nothing to compare. */
export function createClockCheck({ db, now, measured, report }: ClockCheckParts): ClockCheck {
  let timer: NodeJS.Timeout | null = null;
  let skewed: ClockSkewed | null = null;
  const measure = async (): Promise<void> => {
    if (db.dialect === 'sqlite') return;
    const sentAt = now();
    const row = await db.get<{ at: number }>(CLOCK);
    const gotAt = now();
    const offset = offsetOf(row?.at ?? sentAt, sentAt, gotAt);
    measured(offset);
    skewed = Math.abs(offset) > MAX_OFFSET_MS ? new ClockSkewed(offset) : null;
  };
  const look = (): void => {
    measure()
      .then(() => {
        if (skewed !== null) report(skewed, 'comparing clocks');
      })
      // Everything else reports a database that is unreachable.
      .catch(() => undefined);
  };
  return {
    async assert() {
      await measure();
      if (skewed !== null) throw skewed;
    },
    assertFit() {
      if (skewed !== null) throw new Problem('clock_skewed', skewed.message);
    },
    start() {
      timer ??= setInterval(look, EVERY_MS).unref();
      look();
    },
    stop() {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
  };
}

/**
 * How far a clock is ahead of another, at least; 0 if the time of the answer may explain the difference.
 *
 * @param other - The other clock, read at some time between `from` and `to`; Unix ms.
 */
export function offsetOf(other: number, from: number, to: number): number {
  if (other < from) return from - other;
  return other > to ? to - other : 0;
}
