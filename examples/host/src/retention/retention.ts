/**
 * Retention: what is older than a project's days goes away, in small transactions with pauses between them. One process at a
 * time does it, by a lease. An interruption undoes nothing, and the next sweep goes on.
 */
import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from 'headgate/delivery';
import { type Database, type Sql, type Value } from '../db/index.js';
import { firstEventIdAt } from '../ground/ids.js';
import { deleteEvents } from './old-events.js';
import * as sql from './statements.js';

/** Dependencies of this room. */
export interface RetentionParts {
  readonly db: Database;
  /** @defaultValue the system's clock */
  readonly clock?: Clock;
  /** Called with errors that nobody else hears of, for the log. */
  readonly report: (error: unknown, about: string) => void;
}

/** Counts of the rows that a sweep has deleted. */
export interface Swept {
  readonly events: number;
  readonly deliveries: number;
  /** Rows of everything else that has a time of its own. */
  readonly others: number;
}

/** The room. */
export interface Retention {
  start(): void;
  /** Ends after the transaction under way. */
  stop(): Promise<void>;
  /** Sweeps once; null where another process does, or has within the hour. */
  sweep(): Promise<Swept | null>;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const EVERY_MS = 3_600_000;
/** How often a process asks whether it is time. */
const TICK_MS = 300_000;
const LEASE_MS = 60_000;
const AUDIT_DAYS = 400;
/** The most that a project may choose. */
const MOST_DAYS = 400;
const BATCH = 100;
/** Pauses are as long as the transaction before, and at least this. */
const MIN_PAUSE_MS = 10;

export function createRetention({ db, clock = systemClock, report }: RetentionParts): Retention {
  const holder = randomUUID();
  let isRunning = false;
  let isStopping = false;
  let sweeping: Promise<Swept | null> | null = null;
  let cancelTick = (): void => undefined;
  let endPause = (): void => undefined;

  const takes = async (): Promise<boolean> => {
    const at = clock.now();
    return !isStopping && (await db.run(sql.TAKE_LEASE, ['retention', holder, at + LEASE_MS, at])) > 0;
  };
  const holds = async (until: number): Promise<boolean> =>
    !isStopping && (await db.run(sql.KEEP_LEASE, ['retention', holder, until])) > 0;
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.at(clock.now() + ms, resolve);
      endPause = () => {
        cancel();
        resolve();
      };
    });
  /** Runs one batch after another, until one finds nothing or the lease is gone. */
  const inBatches = async (batch: () => Promise<number | null>): Promise<number> => {
    for (let sum = 0; ;) {
      if (!(await holds(clock.now() + LEASE_MS))) return sum;
      const began = clock.now();
      const count = await batch();
      if (count === null) return sum;
      sum += count;
      await pause(Math.max(clock.now() - began, MIN_PAUSE_MS));
    }
  };
  const inStatements = (statement: Sql, values: readonly Value[]): Promise<number> =>
    inBatches(async () => {
      const count = await db.run(statement, values);
      return count === 0 ? null : count;
    });

  const sweepEvents = async (
    project: string,
    days: number,
  ): Promise<{ events: number; deliveries: number }> => {
    const before = firstEventIdAt(clock.now() - days * DAY_MS);
    const twiceBefore = firstEventIdAt(clock.now() - 2 * days * DAY_MS);
    let [after, deliveries] = ['', 0];
    const events = await inBatches(async () => {
      const rows = await db.all<{ id: string }>(sql.SELECT_OLD_EVENTS, [project, after, before, BATCH]);
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return null;
      after = ids.at(-1) ?? after;
      const gone = await db.transaction((tx) => deleteEvents(tx, project, ids, twiceBefore));
      deliveries += gone.deliveries;
      return gone.events;
    });
    return { events, deliveries };
  };
  /** Their secrets sign what is left to deliver; then they go, too. */
  const sweepChannels = (project: string, days: number): Promise<number> => {
    const before = clock.now() - 2 * days * DAY_MS;
    return inBatches(async () => {
      const values = [project, before - EVERY_MS, firstEventIdAt(before)];
      const rows = await db.all<{ id: string }>(sql.SELECT_GONE_CHANNELS, values);
      if (rows.length === 0) return null;
      const ids = JSON.stringify(rows.map(({ id }) => id));
      await db.transaction(async (tx) => {
        for (const statement of sql.DELETE_CHANNELS) await tx.run(statement, [ids]);
      });
      return rows.length;
    });
  };
  const sweepRules = (): Promise<number> =>
    inBatches(async () => {
      const rows = await db.all<{ id: string }>(sql.SELECT_GONE_RULES);
      if (rows.length === 0) return null;
      const ids = JSON.stringify(rows.map(({ id }) => id));
      const minutes = await inStatements(sql.DELETE_RULE_MINUTES, [ids]);
      // Where the lease is gone, minutes may be left: whoever goes on finds them by the counts.
      if (!(await holds(clock.now() + LEASE_MS))) return null;
      return minutes + (await db.run(sql.DELETE_RULE_COUNTS, [ids]));
    });
  const sweepProject = async (id: string, days: number): Promise<Swept> => {
    const before = clock.now() - days * DAY_MS;
    const gone = await sweepEvents(id, days);
    let others = await sweepChannels(id, days);
    others += await inStatements(sql.DELETE_CLIENTS, [id, before]);
    others += await inStatements(sql.DELETE_REDELIVERIES, [id, before]);
    others += await inStatements(sql.DELETE_RECEIVED, [id, before]);
    for (const statement of Object.values(sql.DELETE_OF_PROJECT)) {
      others += await inStatements(statement, [id, Math.floor(before / MINUTE_MS)]);
    }
    return { ...gone, others };
  };
  const sweepAll = async (): Promise<Swept> => {
    const sum = { events: 0, deliveries: 0, others: 0 };
    for (let after = ''; ;) {
      const projects = await db.all<{ id: string; retention_days: number }>(sql.SELECT_PROJECTS, [after]);
      for (const { id, retention_days } of projects) {
        const gone = await sweepProject(id, retention_days);
        sum.events += gone.events;
        sum.deliveries += gone.deliveries;
        sum.others += gone.others;
        after = id;
      }
      if (projects.length === 0) break;
    }
    sum.others += await sweepRules();
    const at = clock.now();
    for (const statement of Object.values(sql.DELETE_EXPIRED)) {
      sum.others += await inStatements(statement, [at]);
    }
    sum.others += await inStatements(sql.DELETE_AUDIT, [at - AUDIT_DAYS * DAY_MS]);
    const oldest = Math.floor((at - MOST_DAYS * DAY_MS) / MINUTE_MS);
    for (const statement of Object.values(sql.DELETE_OLD_MINUTES)) {
      sum.others += await inStatements(statement, [oldest]);
    }
    return sum;
  };
  const sweep = async (): Promise<Swept | null> => {
    if (!(await takes())) return null;
    const swept = await sweepAll();
    // Until then no process begins again.
    await holds(clock.now() + EVERY_MS);
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
      [isRunning, isStopping] = [true, false];
      cancelTick = clock.at(clock.now() + TICK_MS, tick);
    },
    async stop() {
      [isRunning, isStopping] = [false, true];
      cancelTick();
      endPause();
      await sweeping;
    },
    sweep,
  };
}
