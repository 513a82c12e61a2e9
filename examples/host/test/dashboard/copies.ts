/** Copies of an event, very many in no time: written straight into the database. */
import type { Database } from '../../src/db/index.js';

const COLUMNS = `project_id, channel_id, type, status, received_at, decide_at, decide_failures, decided_at, rules_version,
  dropped_by, tags, decision`;

const NUMBERS = 'with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < $2)';
/** Ids that sort by their number, and are older than that of the event that is copied. */
const idOf = (id: string, number: string): string =>
  `'evt_' || substr(${id}, 5, 9) || '0' || printf('%016d', ${number})`;
const COPY = `${NUMBERS} insert into events (id, ${COLUMNS})
  select ${idOf('events.id', 'numbers.i')}, ${COLUMNS} from numbers, events where events.id = $1`;
const COPY_PAYLOAD = `${NUMBERS} insert into event_payloads (event_id, channel_name, data, raw_payload)
  select ${idOf('event_id', 'numbers.i')}, channel_name, data, raw_payload
  from numbers, event_payloads where event_id = $1`;
/** The oldest copy, with another text in its data. */
const CHANGE_OLDEST = `update event_payloads set data = replace(data, $2, $3)
  where event_id = (select ${idOf('events.id', '1')} from events where events.id = $1)`;

/** @param db - SQLite. The number of copies is what is returned. */
export const copyEvent = (db: Database, id: string, count: number): Promise<number> =>
  db.run(COPY, [id, count]);

/**
 * Copies of an event with their payloads, of which the oldest has another text.
 *
 * @param db - SQLite.
 */
export async function copyWithPayloads(
  db: Database,
  id: string,
  count: number,
  [from, to]: readonly [from: string, to: string],
): Promise<void> {
  await copyEvent(db, id, count);
  await db.run(COPY_PAYLOAD, [id, count]);
  await db.run(CHANGE_OLDEST, [id, from, to]);
}
