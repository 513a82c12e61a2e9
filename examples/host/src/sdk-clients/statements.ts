/** The statements of the stream: the log, the cursors of clients, their replies. */

import { type Sql, upTo } from '../db/index.js';
import { HEAD_COLUMNS, type HeadRow } from '../stored/event-json.js';
import { statusFact } from '../stored/facts.js';

/** The last position of a project's log. */
export const SELECT_HEAD = 'select log_position from projects where id = $1';
export const SELECT_HEADS = 'select id, log_position from projects where id in {list $1}';

/** An entry of the log with all that its frame needs. */
export interface EntryRow extends HeadRow {
  readonly position: number;
  readonly origin: string;
  /** JSON array. */
  readonly tags: string | null;
  /** JSON object: as transformed. */
  readonly data: string;
  /** JSON of the decision of a replay; null for a live entry. */
  readonly replayed: string | null;
}

const DATA = 'coalesce(r.projected, case when l.replay_id is null then p.projected end, p.data)';
/** Sizes are read from the heads of the rows, so what a page leaves out is not read. */
const SIZED = `select l.position, l.origin, l.event_id, l.replay_id,
    sum(octet_length(${DATA})) over (order by l.position) as upto, row_number() over (order by l.position) as nth
  from (select * from event_log where project_id = $1 and position > $2 and position <= $3 order by position limit $4) as l
    join event_payloads as p on p.event_id = l.event_id
    left join replays as r on r.id = l.replay_id`;
/** Entries in the order of the log: at most `$4`, and at most `$5` bytes of data together, or one. */
export const SELECT_ENTRIES = `select l.position, l.origin, e.id, ${HEAD_COLUMNS}, e.tags,
    ${DATA} as data, r.decision as replayed
  from (${SIZED}) as l
    join events as e on e.project_id = $1 and e.id = l.event_id
    join event_payloads as p on p.event_id = l.event_id
    left join replays as r on r.id = l.replay_id
  where l.upto <= $5 or l.nth = 1
  order by l.position`;

const PROCESSED = `select p.newest_id, p.event_ids, length(p.event_ids) as bytes from event_postings as p
  where p.project_id = $1 and p.fact = '${statusFact('processed')}' and p.newest_id >= $2
  order by p.newest_id limit $3`;
/** The first events from `$2` on that are in the log: at most `$3` rows, and at most `$4` characters or one row. */
export const SELECT_FIRST_PROCESSED = `select newest_id, event_ids from ${upTo(PROCESSED, 'newest_id', '$4')} as s`;
/** The earliest of the entries of some events, and of the first replays of events from `$3` on. */
export const SELECT_EARLIEST = `select min(position) as position from (
    select log_position as position from events where project_id = $1 and id in {list $2}
    union all
    select * from (select position from event_log
      where project_id = $1 and event_id >= $3 and replay_id is not null
      order by event_id limit $4) as replayed) as first`;
export const SELECT_EVENT = 'select received_at from events where id = $1 and project_id = $2';
export const SELECT_OLDEST = 'select min(position) as position from event_log where project_id = $1';

/** A row of `clients`. */
export interface ClientRow {
  readonly project_id: string;
  readonly name: string;
  readonly position: number;
  readonly connection: string | null;
  readonly connected_at: number | null;
  readonly seen_at: number;
  readonly created_at: number;
}
export const SELECT_CLIENT = 'select * from clients where project_id = $1 and name = $2';
export const SELECT_CLIENTS =
  'select * from clients where project_id = $1 and name > $2 order by name limit $3';
/** The oldest entry that a client has not acknowledged. */
export interface BehindRow {
  readonly name: string;
  /** When it came to the log, Unix ms; null if nothing waits. */
  readonly since: number | null;
}
/** An event comes when it is received, a replay when it is asked for. Entries whose events are gone are passed over. */
export const SELECT_BEHIND = `select rows.name, (select coalesce(r.created_at, e.received_at) from event_log as l
      join events as e on e.project_id = $1 and e.id = l.event_id left join replays as r on r.id = l.replay_id
    where l.project_id = $1 and l.position > rows.position order by l.position limit 1) as since
  from {rows $2: name text, position int}`;
/** The newer connection takes the cursor; the position stays. */
export const TAKE_CURSOR = `insert into clients (project_id, name, position, connection, connected_at, seen_at, created_at)
  values ($1, $2, $3, $4, $5, $5, $5)
  on conflict (project_id, name) do update set connection = excluded.connection, connected_at = excluded.connected_at,
    seen_at = excluded.seen_at
  returning position, created_at`;
/** Acknowledgements of many connections; a connection that was replaced moves nothing. */
export const ACKNOWLEDGE = `update clients set position = rows.position, seen_at = $2
  from {rows $1: project text, name text, connection text, position int}
  where clients.project_id = rows.project and clients.name = rows.name and clients.connection = rows.connection
    and clients.position <= rows.position`;
/** Which connections hold their cursors still. */
export const SELECT_HOLDERS = `select clients.connection from clients
  join {rows $1: project text, name text} on clients.project_id = rows.project and clients.name = rows.name`;
export const LEAVE = `update clients set connection = null, connected_at = null, seen_at = $4
  where project_id = $1 and name = $2 and connection = $3`;
/** Counts a project's names up to $2. */
export const COUNT_NAMES =
  'select count(*) as n from (select 1 as one from clients where project_id = $1 limit $2) as names';
export const DELETE_CLIENT = 'delete from clients where project_id = $1 and name = $2';

const REPLIED_EVENT = 'select 1 as one from events where id = $1 and project_id = $2';
/** Keeps retention from deleting the event before its reply is stored. */
export const LOCK_REPLIED_EVENT: Sql = { sqlite: REPLIED_EVENT, postgres: `${REPLIED_EVENT} for share` };
