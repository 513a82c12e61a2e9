/** Copies of an event, very many in no time: written straight into the database. */
import type { Database } from '../../src/db/index.js';

const COLUMNS = `project_id, channel_id, type, status, received_at, decide_at, decide_failures, decided_at, rules_version,
  dropped_by, tags, decision`;

/** Ids that sort by their number, and are older than that of the event that is copied. */
const COPY = `with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < $2)
  insert into events (id, ${COLUMNS})
  select 'evt_' || substr(events.id, 5, 9) || '0' || printf('%016d', numbers.i), ${COLUMNS}
  from numbers, events where events.id = $1`;

/** @param db - SQLite. The number of copies is what is returned. */
export const copyEvent = (db: Database, id: string, count: number): Promise<number> =>
  db.run(COPY, [id, count]);
