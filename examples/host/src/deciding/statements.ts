/** The statements of deciding. */
import { hasProject, type Sql } from '../db/index.js';
import { PERSISTED_COLUMNS, type PersistedRow } from '../stored/event-json.js';

/** Whether an event is the one of a row. */
const IS_ROW = 'events.project_id = rows.project and events.id = rows.id';

/**
 * Locks the heads of projects, in an order that all processes share: decisions of a project are recorded one after the
 * other.
 */
export const LOCK_PROJECTS: Sql = {
  sqlite: 'select id, log_position, batch_position from projects where id in {list $1}',
  postgres: `select id, log_position, batch_position from projects where id in {list $1}
    order by id for update`,
};

/**
 * Lets the statements of a transaction wait a short time for a lock; then they fail with {@link LOCK_NOT_AVAILABLE}.
 */
export const WAIT_SHORTLY: Sql = { sqlite: 'select 1', postgres: `set local lock_timeout = '250ms'` };
export const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Records decisions of events that have none; returns the ids of those. `n` numbers the events of a project that get an
 * entry in its log: if all of the batch are recorded, the nth has the nth position from here.
 */
export const DECIDE = `update events set status = rows.status, decide_at = null, decided_at = $2,
  rules_version = rows.rules_version, dropped_by = rows.dropped_by, tags = rows.tags, decision = rows.decision,
  log_position = (select projects.log_position from projects where projects.id = rows.project) + rows.n
  from {rows $1: project text, id text, status text, rules_version int, dropped_by text, tags text, decision text, n int}
  where ${IS_ROW} and events.status = 'received' returning events.id`;
/** Corrects the positions of events if some of their batch had been decided before. */
export const SET_POSITIONS = `update events set log_position = rows.position
  from {rows $1: project text, id text, position int} where ${IS_ROW}`;

export const PROJECT_DATA = `update event_payloads set projected = rows.projected
  from {rows $1: event_id text, projected text} where event_payloads.event_id = rows.event_id`;

export const MOVE_HEADS = `update projects set log_position = rows.log_position, batch_position = rows.batch_position
  from {rows $1: id text, log_position int, batch_position int} where projects.id = rows.id`;

/** Conflict clause of the counts of events. */
export const ADD_TO_EVENTS = `(project_id, minute, status) do update set events = event_minutes.events + excluded.events`;

/** A second after the first failure, twice as long after each further one, up to nine minutes. */
export const POSTPONE = `update events set decide_failures = decide_failures + 1,
  decide_at = cast($2 as bigint) + 1000 * (1 << cast(case when decide_failures > 9 then 9 else decide_failures end as integer))
  from {rows $1: project text, id text} where ${IS_ROW} and status = 'received'`;
/** Gives events back. */
export const RELEASE = `update events set decide_at = $2
  from {rows $1: project text, id text} where ${IS_ROW} and status = 'received'`;

/** Projects that have undecided events, by id after $1. It reads one row of the index for each. */
export const UNDECIDED_PROJECTS = `with recursive waiting (project_id) as (
    select min(project_id) from events where status = 'received' and project_id > $1
    union all
    select (select min(project_id) from events
      where status = 'received' and events.project_id > waiting.project_id)
    from waiting where waiting.project_id is not null)
  select project_id from waiting where project_id is not null and ${hasProject('waiting.project_id')} limit $2`;

/** Leases undecided events of a project, oldest first, until $3. */
export const LEASE: Sql = {
  sqlite: `update events set decide_at = $3 where project_id = $1 and id in (select id from events
    where project_id = $1 and status = 'received' and decide_at <= $2 order by id limit $4) returning id`,
  postgres: `update events set decide_at = $3 where project_id = $1 and id in (select id from events
    where project_id = $1 and status = 'received' and decide_at <= $2 order by id limit $4 for update skip locked)
    returning id`,
};

const EVENT = `events.id, project_id, ${PERSISTED_COLUMNS}`;

/** An event as persisted. */
export interface EventRow extends PersistedRow {
  readonly project_id: string;
}

/** The raw payloads are read where $3 is 1. */
export const SELECT_EVENTS = `select ${EVENT}, case when $3 = 1 then raw_payload end as raw_payload
  from events join event_payloads on event_id = events.id
  where project_id = $1 and events.id in {list $2} order by events.id`;
export const SELECT_EVENT = `select ${EVENT}, raw_payload
  from events join event_payloads on event_id = events.id where events.id = $1 and project_id = $2`;
