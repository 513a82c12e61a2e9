/** The statements of events. Each reads a bounded number of rows, in the order of an index. */
import { type ListedRow, upTo } from '../db/index.js';
import { SHOWN_STATE } from '../stored/delivery-states.js';
import { HEAD_COLUMNS, type HeadRow, PERSISTED_COLUMNS } from '../stored/event-json.js';
import { BUCKET_LENGTH, selectHasFact } from '../stored/postings.js';
import { newestDeliveries, type Trouble, TROUBLES } from './outcome.js';

const IN_RANGE = 'project_id = $1 and id >= $2 and id < $3';
const NEWEST_FIRST = 'order by id desc';

/** Events of a project, whatever their status. */
export const SELECT_IDS = `select id from events where ${IN_RANGE} ${NEWEST_FIRST} limit $4`;
export const SELECT_OLDEST_IDS = `select id from events where ${IN_RANGE} order by id limit $4`;

/** The `$4`th undecided event, counted from 0: where a page stops looking. */
export const SELECT_UNDECIDED_BOUND = `select id from events where status = 'received' and ${IN_RANGE}
  ${NEWEST_FIRST} limit 1 offset $4`;

/** Undecided events, by conditions on their rows. */
export const selectUndecided = (
  conditions: readonly ('type' | 'coalesce(topic, type)' | 'channel_id')[],
): string =>
  `select id from events where status = 'received' and ${IN_RANGE}
    ${conditions.map((column, i) => `and ${column} = $${5 + i}`).join(' ')}
  ${NEWEST_FIRST} limit $4`;

/** Rows of a project's fact with keys from `$2` to below `$3`. */
const postingsOf = (fact: string): string =>
  `from event_postings as p where p.project_id = $1 and p.fact = ${fact} and p.newest_id >= $2 and p.newest_id < $3`;
const NEWEST_ROWS = 'order by p.project_id desc, p.fact desc, p.newest_id desc';
const OLDEST_ROWS = 'order by p.project_id, p.fact, p.newest_id';

/** The keys of the first and the last row of a fact in a range; null if the range is empty. */
export interface FactEnds {
  readonly newest: string | null;
  readonly oldest: string | null;
}
const OF_EACH = postingsOf('rows.fact');
export const SELECT_ENDS = `select
    (select p.newest_id ${OF_EACH} ${NEWEST_ROWS} limit 1) as newest,
    (select p.newest_id ${OF_EACH} ${OLDEST_ROWS} limit 1) as oldest
  from {rows $4: fact text}`;

/** The newest `$5` rows of a fact in a range. */
export interface FactSample {
  readonly fact: string;
  /** Characters of their ids; null if there are no rows. */
  readonly units: number | null;
  /** The key of the next one; null if this is the last. */
  readonly next: string | null;
}
export const SELECT_SAMPLES = `select rows.fact,
    (select sum(length(s.event_ids)) from (select p.event_ids ${OF_EACH} ${NEWEST_ROWS} limit $5) as s) as units,
    (select p.newest_id ${OF_EACH} ${NEWEST_ROWS} limit 1 offset $5) as next
  from {rows $4: fact text}`;

const KEY_OF_LAST = `select substr(p.newest_id, 1, ${BUCKET_LENGTH}) ${postingsOf('$4')} ${NEWEST_ROWS} limit 1 offset $5`;
/** The newest rows of a fact, down to the `$5`th, counted from 0, and the others of its bucket. */
export const SELECT_POSTINGS = `select p.newest_id, p.event_ids from event_postings as p
  where p.project_id = $1 and p.fact = $4 and p.newest_id >= coalesce((${KEY_OF_LAST}), $2) and p.newest_id < $3
  ${NEWEST_ROWS}`;
const END_OF_LAST = `select substr(p.newest_id, 1, ${BUCKET_LENGTH}) || '~' ${postingsOf('$4')} ${OLDEST_ROWS} limit 1 offset $5`;
/** The oldest rows of a fact, up to the `$5`th, counted from 0, and the others of its bucket. */
export const SELECT_OLDEST_POSTINGS = `select p.newest_id, p.event_ids from event_postings as p
  where p.project_id = $1 and p.fact = $4 and p.newest_id >= $2 and p.newest_id < coalesce((${END_OF_LAST}), $3)
  ${OLDEST_ROWS}`;

/**
 * Keeps the events in `$2` that have all facts from `$3` on. A scalar sub-select is one look-up per event in every
 * plan; `exists` may become a join that reads all of a fact.
 */
export const selectWithFacts = (facts: number): string =>
  `select rows.id from {rows $2: id text}
  where ${Array.from({ length: facts }, (_, i) => `(${selectHasFact(`$${i + 3}`, 'rows.id')} limit 1) = 1`).join('\n    and ')}`;

/** Deliveries of a project in trouble, with ids from `$2` to below `$3`, which begin with the ids of their events. */
export const selectTroubled = (trouble: Trouble, order: 'asc' | 'desc'): string =>
  `select id from {deliveries} where project_id = $1 and id >= $2 and id < $3 and ${TROUBLES[trouble]}
  order by id ${order} limit $4`;

/** The deliveries of an event: see {@link newestDeliveries}. */
export interface SentRow {
  readonly id: string;
  readonly deliveries: string | null;
}
export const SELECT_SENT = `select rows.id, ${newestDeliveries('rows.id')} as deliveries from {rows $1: id text}`;

/** An event as items show it. */
export interface ItemRow extends ListedRow, HeadRow {
  readonly status: 'received' | 'processed' | 'dropped';
  readonly dropped_by: string | null;
  /** JSON array. */
  readonly tags: string | null;
  /** JSON: see `events.decision`. */
  readonly decision: string | null;
  /** See {@link newestDeliveries}. */
  readonly deliveries: string | null;
}
const SIZED_ITEMS = `select id, coalesce(octet_length(tags), 0) + coalesce(octet_length(decision), 0) as bytes
  from events where id in {list $2} and project_id = $1`;
/**
 * Newest first: at most `$3` bytes, or one. The cross join tells SQLite to begin with the page; it would begin with all
 * events of the project.
 */
export const SELECT_ITEMS = `select e.id, ${HEAD_COLUMNS}, e.status, e.dropped_by, e.tags,
    e.decision, s.listed,
    ${newestDeliveries('e.id')} as deliveries
  from ${upTo(SIZED_ITEMS, 'id desc', '$3')} as s cross join events as e
    left join event_payloads as p on p.event_id = e.id
  where e.project_id = $1 and e.id = s.id
  order by e.id desc`;

/** Bytes of the JSON texts of an event. */
export interface SizeRow {
  readonly id: string;
  readonly data: number;
  readonly raw: number;
}
export const SELECT_SIZES = `select e.id, octet_length(p.data) as data, coalesce(octet_length(p.raw_payload), 0) as raw
  from events as e join event_payloads as p on p.event_id = e.id
  where e.id in {list $2} and e.project_id = $1`;

/** The raw payloads are read where `$3` is 1. */
export const SELECT_PERSISTED = `select e.id, ${PERSISTED_COLUMNS},
    case when $3 = 1 then p.raw_payload end as raw_payload
  from events as e join event_payloads as p on p.event_id = e.id
  where e.id in {list $2} and e.project_id = $1`;

/** An event with everything of its own. */
export interface EventRow extends Omit<ItemRow, 'deliveries' | 'listed'> {
  readonly decided_at: number | null;
  readonly rules_version: number | null;
  /** JSON texts. */
  readonly data: string;
  readonly raw_payload: string | null;
  readonly projected: string | null;
}
export const SELECT_EVENT = `select e.id, ${HEAD_COLUMNS}, e.status, e.dropped_by, e.tags,
    e.decision, e.decided_at, e.rules_version, p.data, p.raw_payload, p.projected
  from events as e join event_payloads as p on p.event_id = e.id
  where e.id = $1 and e.project_id = $2`;
/** The bytes of its large columns, which are not read for it. */
export const SELECT_EVENT_BYTES = `select octet_length(p.data) + coalesce(octet_length(p.raw_payload), 0)
    + coalesce(octet_length(p.projected), 0) as bytes, e.status
  from events as e join event_payloads as p on p.event_id = e.id
  where e.id = $1 and e.project_id = $2`;
export const SELECT_HEAD = 'select id from events where id = $1 and project_id = $2';

export interface DeliveryRow {
  readonly id: string;
  readonly endpoint_id: string;
  readonly origin: string;
  readonly state: string;
  readonly attempts: number;
  readonly due_at: number | null;
  readonly failure: string | null;
  readonly status_code: number | null;
  readonly redelivery_id: string | null;
  readonly created_at: number;
  readonly finished_at: number | null;
}
const ofProject = (statement: string): string =>
  `select * from (${statement}) as found where project_id = $2`;

export const SELECT_DELIVERIES =
  ofProject(`select id, project_id, endpoint_id, origin, ${SHOWN_STATE} as state,
    attempts, case when state = 'pending' then due_at end as due_at, failure, status as status_code, redelivery_id,
    created_at, finished_at
  from {deliveries} where id >= $1 || ':' and id < $1 || ';' order by created_at desc, number desc limit $3`);

export interface ReplayRow {
  readonly id: string;
  readonly rules: string;
  readonly rules_version: number | null;
  readonly created_at: number;
  readonly created_by: string;
}
export const SELECT_REPLAYS =
  ofProject(`select id, project_id, rules, rules_version, created_at, created_by from replays
  where event_id = $1 order by event_id desc, id desc limit $3`);

export interface ReplyRow extends ListedRow {
  readonly id: string;
  readonly client: string;
  readonly reply_id: string;
  /** JSON text. */
  readonly payload: string;
  readonly received_at: number;
}
const SIZED_REPLIES = `select id, octet_length(payload) as bytes from replies
  where (event_id, id) >= ($1, '') and (event_id, id) < ($1, $4) order by event_id desc, id desc limit $3`;
/** Events with lower ids than `$4`: at most `$3`, and at most `$5` bytes or one. */
export const SELECT_REPLIES =
  ofProject(`select r.id, r.project_id, r.client, r.reply_id, r.payload, r.received_at, s.listed
  from ${upTo(SIZED_REPLIES, 'id desc', '$5')} as s cross join replies as r
  where r.id = s.id order by r.id desc`);

/** Decided events of a span of time. */
export interface CountedRow {
  /** Number of the span, counted from 1970. */
  readonly bucket: number;
  readonly status: 'processed' | 'dropped';
  readonly events: number;
}
/** $2 and $3: the first minute, and the minutes of a span. */
export const SELECT_SERIES = `select minute / $3 as bucket, status, sum(events) as events from event_minutes
  where project_id = $1 and minute >= $2 group by minute / $3, status`;

/** A fact, and its index among those that were asked for. */
export interface FactRow {
  readonly fact: string;
  readonly nth: number;
}
/** The facts of a project from $2 to below $3: one row of the index is read for each. */
export const SELECT_FACTS = `with recursive found (fact, nth) as (
    select min(fact), 1 from event_postings where project_id = $1 and fact >= $2 and fact < $3
    union all
    select (select min(p.fact) from event_postings as p
      where p.project_id = $1 and p.fact > found.fact and p.fact < $3), nth + 1
    from found where found.fact is not null and nth < $4)
  select fact, nth from found where fact is not null`;

/** The positions of projects in `decided_batches`. */
export interface BatchHeadRow {
  readonly id: string;
  readonly batch_position: number;
}
export const SELECT_BATCH_HEADS = 'select id, batch_position from projects where id in {list $1}';

export interface BatchRow {
  readonly position: number;
  /** JSON array. */
  readonly event_ids: string;
}
export const SELECT_BATCHES = `select b.position, b.event_ids
  from {rows $2: slot int} join decided_batches as b on b.project_id = $1 and b.slot = rows.slot`;
