/**
 * Which events may be deleted, with everything that belongs to them. Pure, except for the transaction that is passed
 * in.
 */
import type { Transaction } from '../db/index.js';
import { factsOf } from '../stored/facts.js';
import {
  endOfBucket,
  type EventFacts,
  type PostingRow,
  postingRows,
  startOfBucket,
  withoutIds,
} from '../stored/postings.js';
import * as sql from './statements.js';

/**
 * Whether an event may go.
 *
 * With a delivery that is unfinished or a dead letter, or undecided, it stays until its time has passed twice.
 *
 * @param isTwice - Whether its project's days have passed twice.
 */
export function mayGo(
  { status }: Pick<sql.OldEventRow, 'status'>,
  deliveries: readonly Pick<sql.OldDeliveryRow, 'finished_at' | 'dead'>[],
  isTwice: boolean,
): boolean {
  const isOver = deliveries.every(({ finished_at, dead }) => finished_at !== null && dead === 0);
  return isTwice || (status !== 'received' && isOver);
}

/** Counts of rows that are gone. */
export interface GoneEvents {
  readonly events: number;
  readonly deliveries: number;
}

/**
 * Deletes those of the events that may go, with their payloads, facts, log entries, replies, replays and deliveries.
 *
 * @param twiceBefore - Events with a lower id have passed their project's days twice.
 */
export async function deleteEvents(
  tx: Transaction,
  project: string,
  ids: readonly string[],
  twiceBefore: string,
): Promise<GoneEvents> {
  const events = await tx.all<sql.OldEventRow>(sql.LOCK_OLD_EVENTS, [project, JSON.stringify(ids)]);
  const locked = JSON.stringify(events.map(({ id }) => ({ id })));
  const deliveries = await tx.all<sql.OldDeliveryRow>(sql.SELECT_OLD_DELIVERIES, [locked]);
  const byEvent = new Map<string, sql.OldDeliveryRow[]>(events.map(({ id }) => [id, []]));
  for (const delivery of deliveries) byEvent.get(delivery.event_id)?.push(delivery);
  const going = events.filter((event) => mayGo(event, byEvent.get(event.id) ?? [], event.id < twiceBefore));
  if (going.length === 0) return { events: 0, deliveries: 0 };
  const gone = going.flatMap(({ id }) => byEvent.get(id) ?? []).map(({ id }) => id);
  await deleteDeliveries(tx, gone);
  await deleteFacts(
    tx,
    project,
    going.map((event) => factsOfOld(project, event, byEvent.get(event.id) ?? [])),
  );
  const eventIds = JSON.stringify(going.map(({ id }) => id));
  await deleteEntries(tx, project, going);
  for (const statement of sql.DELETE_PARTS) await tx.run(statement, [eventIds]);
  await tx.run(sql.DELETE_EVENTS, [project, eventIds]);
  return { events: going.length, deliveries: gone.length };
}

/** Deletes the entries of events in the log, and those of their replays. */
async function deleteEntries(
  tx: Transaction,
  project: string,
  events: readonly sql.OldEventRow[],
): Promise<void> {
  const ids = JSON.stringify(events.map(({ id }) => ({ id })));
  const replayed = await tx.all<{ positions: string | null }>(sql.SELECT_REPLAYED, [project, ids]);
  const positions = [
    ...events.flatMap(({ log_position }) => log_position ?? []),
    ...replayed.flatMap(({ positions }) => positions?.split(' ').map(Number) ?? []),
  ];
  await tx.run(sql.DELETE_LOG, [project, JSON.stringify(positions.map((position) => ({ position })))]);
}

async function deleteDeliveries(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.deliveries.remove(ids, { unfinished: true });
}

/** Takes events out of the rows of their facts. */
async function deleteFacts(tx: Transaction, project: string, events: readonly EventFacts[]): Promise<void> {
  const gone = new Set(events.map(({ id }) => id));
  const ranges = postingRows(events).map(({ fact, newest_id }) => ({
    ...{ fact, low: startOfBucket(newest_id), high: endOfBucket(newest_id) },
  }));
  const rows = await tx.all<PostingRow>(sql.LOCK_POSTINGS, [project, JSON.stringify(ranges)]);
  const left = rows.map((row) => ({ ...row, event_ids: withoutIds(row, gone) }));
  const [empty, others] = [left.filter(isEmpty), left.filter((row) => !isEmpty(row))];
  await tx.together([
    () => tx.run(sql.DELETE_POSTINGS, [project, JSON.stringify(empty)]),
    () => tx.run(sql.UPDATE_POSTINGS, [project, JSON.stringify(others)]),
  ]);
}

const isEmpty = ({ event_ids }: PostingRow): boolean => event_ids === '';

/** The facts that were written with the decision and with replays. */
function factsOfOld(
  project: string,
  event: sql.OldEventRow,
  deliveries: readonly sql.OldDeliveryRow[],
): EventFacts {
  const { matched = [] } = JSON.parse(event.decision ?? '{}') as { matched?: readonly { id: string }[] };
  const facts = factsOf({
    status: event.status === 'dropped' ? 'dropped' : 'processed',
    type: event.type,
    topic: event.topic ?? event.type,
    channel: event.channel_id,
    tags: JSON.parse(event.tags ?? '[]') as readonly string[],
    rules: matched.map(({ id }) => id),
    endpoints: deliveries.map(({ endpoint_id }) => endpoint_id),
  });
  return { project, id: event.id, facts };
}
