/** The statements of events. Each reads a bounded number of rows, in the order of an index. */
import { type ListedRow, upTo } from '../db/index.js';

/**
 * Pairs of columns are compared, and sorted by, so that no plan reads the primary key and with it the events of all projects.
 */
const IN_RANGE = '(project_id, id) >= ($1, $2) and (project_id, id) < ($1, $3)';
const NEWEST_FIRST = 'order by project_id desc, id desc';

/** Events of a project, whatever their status. */
export const SELECT_IDS = `select id from events where ${IN_RANGE} ${NEWEST_FIRST} limit $4`;

/** The `$4`th undecided event, counted from 0: where a page stops looking. */
export const SELECT_UNDECIDED_BOUND = `select id from events where status = 'received' and ${IN_RANGE}
  ${NEWEST_FIRST} limit 1 offset $4`;

/** Undecided events, by conditions on their rows. */
export const selectUndecided = (conditions: readonly ('type' | 'channel_id')[]): string =>
  `select id from events where status = 'received' and ${IN_RANGE}
    ${conditions.map((column, i) => `and ${column} = $${5 + i}`).join(' ')}
  ${NEWEST_FIRST} limit $4`;

const OF_FACT =
  'from event_facts as f where f.project_id = $1 and f.fact = rows.fact and f.event_id >= $2 and f.event_id < $3';

/** Where the events of a fact lie in a range. */
export interface FactPlace {
  readonly fact: string;
  /** Null where there is none. */
  readonly newest: string | null;
  readonly oldest: string | null;
  /** The `$5`th event, counted from 0; null where there are no more than that. */
  readonly bound: string | null;
}
export const SELECT_PLACES = `select rows.fact,
    (select f.event_id ${OF_FACT} order by f.event_id desc limit 1) as newest,
    (select f.event_id ${OF_FACT} order by f.event_id limit 1) as oldest,
    (select f.event_id ${OF_FACT} order by f.event_id desc limit 1 offset $5) as bound
  from {rows $4: fact text}`;

/**
 * Events from `$3` to `$4` that have the fact `$2` and as many others, from `$6` on. A scalar sub-select is one look-up a row
 * in every plan, where `exists` may become a join that reads all of a fact.
 */
export const selectDecided = (others: number): string =>
  `select d.event_id as id from event_facts as d
  where d.project_id = $1 and d.fact = $2 and d.event_id >= $3 and d.event_id <= $4
    ${Array.from({ length: others }, (_, i) => probe(i + 6)).join('\n    ')}
  order by d.event_id desc limit $5`;

const probe = (value: number): string =>
  `and (select 1 from event_facts as f
      where f.project_id = $1 and f.fact = $${value} and f.event_id = d.event_id) = 1`;

/** An event as items show it. */
export interface ItemRow extends ListedRow {
  readonly id: string;
  readonly type: string;
  readonly channel_id: string | null;
  readonly channel_name: string | null;
  readonly received_at: number;
  readonly status: 'received' | 'processed' | 'dropped';
  readonly dropped_by: string | null;
  /** JSON array. */
  readonly tags: string | null;
  /** JSON: see `events.decision`. */
  readonly decision: string | null;
  /** `<endpoint> <state>` of the newest deliveries, with commas between. */
  readonly deliveries: string | null;
}
const SIZED_ITEMS = `select id, coalesce(octet_length(tags), 0) + coalesce(octet_length(decision), 0) as bytes
  from events where id in {list $2} and project_id = $1`;
/** Newest first: at most `$3` bytes, or one. */
export const SELECT_ITEMS = `select e.id, e.type, e.channel_id, p.channel_name, e.received_at, e.status, e.dropped_by, e.tags,
    e.decision, s.listed,
    (select string_agg(d.endpoint_id || ' ' || d.state, ',') from (
      select endpoint_id, state from {deliveries} where id >= e.id || ':' and id < e.id || ';'
      order by created_at desc, number desc limit 100) as d) as deliveries
  from ${upTo(SIZED_ITEMS, 'id desc', '$3')} as s join events as e on e.id = s.id
    left join event_payloads as p on p.event_id = e.id
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

/** An event as persisted. */
export interface PersistedRow {
  readonly id: string;
  readonly type: string;
  readonly channel_id: string | null;
  readonly channel_name: string | null;
  readonly received_at: number;
  readonly data: string;
  readonly raw_payload: string | null;
}
/** The raw payloads are read where `$3` is 1. */
export const SELECT_PERSISTED = `select e.id, e.type, e.channel_id, p.channel_name, e.received_at, p.data,
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
export const SELECT_EVENT = `select e.id, e.type, e.channel_id, p.channel_name, e.received_at, e.status, e.dropped_by, e.tags,
    e.decision, e.decided_at, e.rules_version, p.data, p.raw_payload, p.projected
  from events as e join event_payloads as p on p.event_id = e.id
  where e.id = $1 and e.project_id = $2`;
/** The bytes of its large columns, which are not read for it. */
export const SELECT_EVENT_BYTES = `select octet_length(p.data) + coalesce(octet_length(p.raw_payload), 0)
    + coalesce(octet_length(p.projected), 0) as bytes
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
  ofProject(`select id, project_id, endpoint_id, origin, case state when 'leased' then 'pending' else state end as state,
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
/** Those with lower ids than `$4`: at most `$3`, and at most `$5` bytes or one. */
export const SELECT_REPLIES =
  ofProject(`select r.id, r.project_id, r.client, r.reply_id, r.payload, r.received_at, s.listed
  from ${upTo(SIZED_REPLIES, 'id desc', '$5')} as s join replies as r on r.id = s.id order by r.id desc`);

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

/** A fact, and its place among those that were asked for. */
export interface FactRow {
  readonly fact: string;
  readonly place: number;
}
/** The facts of a project from $2 to below $3: one row of the index is read for each. */
export const SELECT_FACTS = `with recursive found (fact, place) as (
    select min(fact), 1 from event_facts where project_id = $1 and fact >= $2 and fact < $3
    union all
    select (select min(f.fact) from event_facts as f
      where f.project_id = $1 and f.fact > found.fact and f.fact < $3), place + 1
    from found where found.fact is not null and place < $4)
  select fact, place from found where fact is not null`;

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
