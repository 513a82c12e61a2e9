/** Reads the events that rules are tried on, within a bounded number of bytes. */
import type { Queries } from '../db/index.js';
import { persistedOf } from '../stored/event-json.js';
import { typeFact } from '../stored/facts.js';
import { eventIdsOf, type Posting } from '../stored/postings.js';
import { notFound } from '../errors/problem.js';
import {
  type EventRow,
  type IdRow,
  SELECT_EVENTS,
  SELECT_KNOWN,
  SELECT_NEWEST,
  SELECT_NEWEST_OF_FACT,
} from './statements.js';
import type { GivenEvent } from './given.js';

/** Events of a project. */
export interface EventReads {
  /** Ids of the newest events; with a type, of those that were decided. */
  newest(project: string, limit: number, type: string | undefined): Promise<readonly string[]>;
  /** @throws Problem (as a rejection) `not_found` where one of them is not the project's. */
  assertKnown(project: string, ids: readonly string[]): Promise<void>;
  /** The events as persisted, newest first, as many as fit. */
  read(project: string, ids: readonly string[], hasRawPayload: boolean): Promise<readonly GivenEvent[]>;
}

/** Most bytes of all texts together, but for the first event's. */
const MOST_BYTES = 2 * 1_024 * 1_024;

export const createEventReads = (db: Queries): EventReads => ({
  async newest(project, limit, type) {
    if (type === undefined) {
      const rows = await db.all<IdRow>(SELECT_NEWEST, [project, limit]);
      return rows.map(({ id }) => id);
    }
    const rows = await db.all<Posting>(SELECT_NEWEST_OF_FACT, [project, limit, typeFact(type)]);
    return rows.flatMap(eventIdsOf).sort().reverse().slice(0, limit);
  },
  async assertKnown(project, ids) {
    const known = await db.all<IdRow>(SELECT_KNOWN, [project, JSON.stringify(ids)]);
    if (known.length < ids.length) throw notFound('event');
  },
  async read(project, ids, hasRawPayload) {
    const values = [project, JSON.stringify(ids), MOST_BYTES, hasRawPayload ? 1 : 0];
    const rows = await db.all<EventRow>(SELECT_EVENTS, values);
    return rows.map((row) => ({
      ...persistedOf(row),
      tags: row.tags === null ? [] : (JSON.parse(row.tags) as string[]),
    }));
  },
});
