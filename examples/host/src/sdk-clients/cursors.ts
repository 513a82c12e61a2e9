/** The cursors of clients in the log: taken, moved by acknowledgements, left. */
import type { Database } from '../db/index.js';
import { timeOfEventId, isEventId, firstEventIdAt } from '../ids.js';
import { eventIdsOf, ID_LENGTH, type Posting } from '../stored/postings.js';
import * as sql from './statements.js';

/** How often a connection's cursor is recorded as seen, whether or not it moves. */
export const CURSOR_BEAT_MS = 20_000;
/** A cursor that was not seen for this long is not in use: its process has died. */
export const CURSOR_LEASE_MS = 3 * CURSOR_BEAT_MS;
/** Names of one project; each is a row that stays until it is deleted, or was away for the project's retention. */
export const MAX_NAMES = 1_000;

/** A named connection and how far it has acknowledged. */
export interface Held {
  readonly project: string;
  readonly name: string;
  readonly connection: string;
  readonly position: number;
}

/** The cursor of a name, taken by a connection. */
export interface Cursor {
  readonly position: number;
  /** False for a name that is new. */
  readonly resumed: boolean;
}

/** The cursor before an event or a time. Null if it is not known, or is no longer kept. */
export async function cursorFrom(db: Database, project: string, from: string): Promise<number | null> {
  const at = isEventId(from) ? timeOfEventId(from) : Date.parse(from);
  if (!Number.isFinite(at) || at < 0) return null;
  if (isEventId(from) && (await db.get(sql.SELECT_EVENT, [from, project])) === undefined) return null;
  const first = isEventId(from) ? from : firstEventIdAt(at);
  const position = await earliestFrom(db, project, first);
  const oldest = await db.get<{ position: number | null }>(sql.SELECT_OLDEST, [project]);
  if (position !== null && position === oldest?.position && position > 1 && !isEventId(from)) {
    // Entries before the oldest are gone: they may have come after that time.
    return null;
  }
  if (position !== null) return position - 1;
  const head = await db.get<{ log_position: number }>(sql.SELECT_HEAD, [project]);
  return head?.log_position ?? 0;
}

/** Entries that are looked at for the earliest: they come nearly in the order of events. */
const NEAR = 1_000;

/** The position of the earliest of the first entries from an event on; null if there are none. */
async function earliestFrom(db: Database, project: string, first: string): Promise<number | null> {
  const rows = await db.all<Posting>(sql.SELECT_FIRST_PROCESSED, [project, first, NEAR, NEAR * ID_LENGTH]);
  const ids = rows.flatMap(eventIdsOf).filter((id) => id >= first);
  const near = JSON.stringify(ids.sort().slice(0, NEAR));
  const found = await db.get<{ position: number | null }>(sql.SELECT_EARLIEST, [project, near, first, NEAR]);
  return found?.position ?? null;
}

/** Whether a project may have another name. Names that come at the same instant may be a few more. */
export async function hasRoomForName(db: Database, project: string): Promise<boolean> {
  const row = await db.get<{ n: number }>(sql.COUNT_NAMES, [project, MAX_NAMES]);
  return (row?.n ?? 0) < MAX_NAMES;
}

/** Takes the cursor of a name; the connection that had it finds out when it can no longer acknowledge. */
export async function takeCursor(
  db: Database,
  { project, name, connection, position }: Held,
  at: number,
): Promise<Cursor> {
  const row = await db.transaction(async (tx) => {
    const taken = await tx.get<{ position: number; created_at: number }>(sql.TAKE_CURSOR, [
      ...[project, name, position, connection, at],
    ]);
    await tx.notify('clients', `${project} ${name} ${connection}`);
    return taken;
  });
  return { position: row?.position ?? position, resumed: row !== undefined && row.created_at !== at };
}

/**
 * Moves cursors. Repeating it is harmless.
 *
 * @returns The connections that no longer hold theirs, because a newer one has the name.
 */
export async function acknowledge(
  db: Database,
  held: readonly Held[],
  at: number,
): Promise<readonly string[]> {
  const rows = JSON.stringify(held);
  const moved = await db.run(sql.ACKNOWLEDGE, [rows, at]);
  if (moved === held.length) return [];
  const holders = await db.all<{ connection: string | null }>(sql.SELECT_HOLDERS, [rows]);
  const holding = new Set(holders.map(({ connection }) => connection));
  return held.map(({ connection }) => connection).filter((connection) => !holding.has(connection));
}

/** Leaves a cursor, so that the list of clients shows nobody there. */
export async function leaveCursor(
  db: Database,
  { project, name, connection }: Held,
  at: number,
): Promise<void> {
  await db.run(sql.LEAVE, [project, name, connection, at]);
}
