/** One sweep: what is deleted, in which order. */
import type { Clock } from 'headgate/delivery';
import type { Database } from '../db/index.js';
import { firstEventIdAt, firstIdAt } from '../ids.js';
import type { Batches } from './batches.js';
import { deleteEvents } from './old-events.js';
import * as sql from './statements.js';

/** Dependencies of a sweep. */
export interface SweepParts {
  readonly db: Database;
  readonly clock: Clock;
  /** Batches under the lease, which this process holds. */
  readonly batches: Batches;
}

/** Counts of the rows that a sweep has deleted. */
export interface Swept {
  readonly events: number;
  readonly deliveries: number;
  /** Rows of everything else that expires. */
  readonly others: number;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Time between two sweeps. */
export const SWEEP_EVERY_MS = 3_600_000;
const AUDIT_DAYS = 400;
/** The most that a project may choose. */
const MOST_DAYS = 400;
const BATCH = 100;

/** Sweeps all projects, and everything that belongs to none. */
export async function sweepAll(parts: SweepParts): Promise<Swept> {
  const { db, clock, batches } = parts;
  const sum = { events: 0, deliveries: 0, others: 0 };
  for (let after = ''; ;) {
    const projects = await db.all<{ id: string; retention_days: number }>(sql.SELECT_PROJECTS, [after]);
    for (const { id, retention_days } of projects) {
      const gone = await sweepProject(parts, id, retention_days);
      sum.events += gone.events;
      sum.deliveries += gone.deliveries;
      sum.others += gone.others;
      after = id;
    }
    if (projects.length === 0) break;
  }
  sum.others += await sweepRules(parts);
  sum.others += await sweepComparisons(parts);
  const at = clock.now();
  for (const statement of Object.values(sql.DELETE_EXPIRED)) {
    sum.others += await batches.runStatement(statement, [at]);
  }
  const logged = at - AUDIT_DAYS * DAY_MS;
  sum.others += await batches.runStatement(sql.DELETE_AUDIT, [logged]);
  for (const statement of [sql.DELETE_VERSIONS, sql.DELETE_DELETIONS]) {
    sum.others += await batches.runStatement(statement, [firstIdAt(logged)]);
  }
  const oldest = Math.floor((at - MOST_DAYS * DAY_MS) / MINUTE_MS);
  for (const statement of Object.values(sql.DELETE_OLD_MINUTES)) {
    sum.others += await batches.runStatement(statement, [oldest]);
  }
  return sum;
}

async function sweepProject(parts: SweepParts, id: string, days: number): Promise<Swept> {
  const { clock, batches } = parts;
  const before = clock.now() - days * DAY_MS;
  const gone = await sweepEvents(parts, id, days);
  let others = await sweepChannels(parts, id, days);
  others += await batches.runStatement(sql.DELETE_CLIENTS, [id, before]);
  others += await batches.runStatement(sql.DELETE_BULK_ACTIONS, [id, before]);
  others += await batches.runStatement(sql.DELETE_RECEIVED, [id, before]);
  others += await batches.runStatement(sql.DELETE_ALERTS, [id, before]);
  others += await sweepAlertEvents(parts, id, before);
  for (const statement of Object.values(sql.DELETE_OF_PROJECT)) {
    others += await batches.runStatement(statement, [id, Math.floor(before / MINUTE_MS)]);
  }
  return { ...gone, others };
}

async function sweepEvents(
  { db, clock, batches }: SweepParts,
  project: string,
  days: number,
): Promise<Omit<Swept, 'others'>> {
  const before = firstEventIdAt(clock.now() - days * DAY_MS);
  const twiceBefore = firstEventIdAt(clock.now() - 2 * days * DAY_MS);
  let [after, deliveries] = ['', 0];
  const events = await batches.run(async () => {
    const rows = await db.all<{ id: string }>(sql.SELECT_OLD_EVENTS, [project, after, before, BATCH]);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return null;
    after = ids.at(-1) ?? after;
    const gone = await db.transaction((tx) => deleteEvents(tx, project, ids, twiceBefore));
    deliveries += gone.deliveries;
    return gone.events;
  });
  return { events, deliveries };
}

/** Deletes the events of alerts with all their deliveries, finished or not: nobody needs an alert of that age. */
const sweepAlertEvents = ({ db, batches }: SweepParts, project: string, before: number): Promise<number> =>
  batches.run(() =>
    db.transaction(async (tx) => {
      const values = [project, firstEventIdAt(before), BATCH];
      const events = await tx.all<{ id: string }>(sql.LOCK_ALERT_EVENTS, values);
      if (events.length === 0) return null;
      const deliveries = await tx.all<{ id: string }>(sql.SELECT_OLD_DELIVERIES, [JSON.stringify(events)]);
      const ids = deliveries.map(({ id }) => id);
      if (ids.length > 0) await tx.deliveries.remove(ids, { unfinished: true });
      return tx.run(sql.DELETE_ALERT_EVENTS, [project, JSON.stringify(events.map(({ id }) => id))]);
    }),
  );

/** Deleted channels stay twice as long as events: their secrets sign what is left to deliver. */
function sweepChannels({ db, clock, batches }: SweepParts, project: string, days: number): Promise<number> {
  const before = clock.now() - 2 * days * DAY_MS;
  return batches.run(async () => {
    const values = [project, before - SWEEP_EVERY_MS, firstEventIdAt(before)];
    const rows = await db.all<{ id: string }>(sql.SELECT_GONE_CHANNELS, values);
    if (rows.length === 0) return null;
    const ids = JSON.stringify(rows.map(({ id }) => id));
    await db.transaction(async (tx) => {
      for (const statement of sql.DELETE_CHANNELS) await tx.run(statement, [ids]);
    });
    return rows.length;
  });
}

const sweepRules = ({ db, batches }: SweepParts): Promise<number> =>
  batches.run(async () => {
    const rows = await db.all<{ id: string }>(sql.SELECT_GONE_RULES);
    if (rows.length === 0) return null;
    const ids = JSON.stringify(rows.map(({ id }) => id));
    const minutes = await batches.runStatement(sql.DELETE_RULE_MINUTES, [ids]);
    // If the lease is gone, minutes may be left: the next sweep finds them by the counts.
    if (!(await batches.keepLease())) return null;
    return minutes + (await db.run(sql.DELETE_RULE_COUNTS, [ids]));
  });

const sweepComparisons = ({ db, clock, batches }: SweepParts): Promise<number> =>
  batches.run(async () => {
    const rows = await db.all<{ id: string }>(sql.SELECT_EXPIRED_COMPARISONS, [clock.now()]);
    if (rows.length === 0) return null;
    const ids = JSON.stringify(rows.map(({ id }) => id));
    const events = await batches.runStatement(sql.DELETE_COMPARED_EVENTS, [ids]);
    // A comparison stays as long as some of its events are left.
    if (!(await batches.keepLease())) return null;
    return events + (await db.run(sql.DELETE_COMPARISONS, [ids]));
  });
