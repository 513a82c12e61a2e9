/** The statements of bulk actions: what redeliveries and replays of many events have in common. */
import { upTo } from '../../db/index.js';

/** A row of `bulk_actions`. */
export interface BulkRow {
  readonly id: string;
  readonly project_id: string;
  readonly kind: 'redelivery' | 'replay';
  /** JSON of what was asked for, with instants in Unix ms. */
  readonly filter: string;
  readonly state: 'running' | 'stopped' | 'done';
  /** Letters or events that met the filter when it began. */
  readonly total: number;
  /** Letters that were redelivered, or events that were replayed. */
  readonly sent: number;
  /** Events that were looked at, and those of them that could not be replayed. */
  readonly scanned: number;
  readonly skipped: number;
  /** Deliveries that were made. */
  readonly deliveries: number;
  /** JSON of the cursor at which the last batch ended. */
  readonly cursor: string;
  readonly lease_until: number;
  readonly created_at: number;
  readonly created_by: string;
  readonly ended_at: number | null;
}

/** The same with the deliveries that have not ended, and those that failed. */
export interface BulkProgressRow extends BulkRow {
  readonly pending: number;
  readonly failed: number;
}

export const SELECT_ACTION = 'select * from bulk_actions where id = $1 and project_id = $2';
/** Redeliveries and replays never wait behind others of their ordering key. */
const UNFINISHED = ['pending', 'leased'] as const;
/** More than there are. */
const MOST = '9000000000000';
/** Deliveries of an action in a state. The order makes every plan read them, and no others, by one index. */
const inState = (action: string, state: string, most: string): string =>
  `select * from (select attempts from {deliveries} where redelivery_id = ${action} and state = '${state}'
    order by created_at desc, number desc limit ${most}) as ${state}`;
const countOf = (state: string): string =>
  `(select count(*) from (${inState('a.id', state, MOST)}) as counted)`;
/** Everything of one moment, so that the numbers add up. */
export const SELECT_PROGRESS = `select a.*, ${UNFINISHED.map(countOf).join(' + ')} as pending, ${countOf('failed')} as failed
  from bulk_actions as a where a.id = $1 and a.project_id = $2 and a.kind = $3`;
const SIZED_ACTIONS = `select id, octet_length(filter) as bytes from bulk_actions
  where project_id = $1 and kind = $2 and id < $3 order by project_id desc, kind desc, id desc limit $4`;
/** A page, newest first: at most `$5` bytes, or one. */
export const SELECT_ACTIONS = `select a.*, s.listed
  from ${upTo(SIZED_ACTIONS, 'id desc', '$5')} as s join bulk_actions as a on a.id = s.id order by a.id desc`;
/** Counts the actions of a project that run, up to `$3`. */
export const COUNT_RUNNING = `select count(*) as n from (
    select 1 from bulk_actions where ended_at is null and project_id = $1 and kind = $2 limit $3) as running`;
export const STOP_ACTION = `update bulk_actions set state = 'stopped', ended_at = $2 where id = $1 and ended_at is null`;

/** Actions that no process is working on. */
export const SELECT_RUNNABLE = `select id, project_id from bulk_actions where ended_at is null and lease_until <= $1
  order by lease_until limit 20`;
export const SELECT_RUNNING = 'select * from bulk_actions where id = $1 and ended_at is null';
const TAKEN = 'select id from bulk_actions where id = $1 and ended_at is null and lease_until <= $2';
/** One whose batch is under way in another process is left to that, however long it takes. */
export const TAKE_ACTION = {
  sqlite: `update bulk_actions set lease_until = $3 where id in (${TAKEN})`,
  postgres: `update bulk_actions set lease_until = $3 where id in (${TAKEN} for update skip locked)`,
};
/** Keeps the lease; with the row locked until the batch is committed. */
export const KEEP_ACTION =
  'update bulk_actions set lease_until = $2 where id = $1 and ended_at is null returning *';
/**
 * Letters that failed before it began may be recorded after they were counted: then there are more than the total said.
 */
export const END_BATCH = `update bulk_actions set sent = sent + $2, scanned = scanned + $3, skipped = skipped + $4,
    deliveries = deliveries + $5, cursor = $6, state = case when $7 = 1 then 'done' else state end,
    ended_at = case when $7 = 1 then cast($8 as bigint) end, total = case when sent + $2 > total then sent + $2 else total end
  where id = $1`;
export const GIVE_ACTIONS_BACK =
  'update bulk_actions set lease_until = 0 where id in {list $1} and ended_at is null';

/** Deliveries of an action that have not ended, `$2` of them at most, and those of them that had no attempt yet. */
export interface UnfinishedRow {
  readonly n: number;
  readonly untried: number;
}
export const COUNT_UNFINISHED = `select count(*) as n, coalesce(sum(case when attempts = 0 then 1 else 0 end), 0) as untried
  from (${UNFINISHED.map((state) => inState('$1', state, '$2')).join(' union all ')}) as unfinished`;
