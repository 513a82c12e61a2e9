/** The statements of retention. */
import { forUpdate, type Sql } from '../db/index.js';

/** Takes the lease of a task that nobody has: `$4` is now. */
export const TAKE_LEASE = `insert into leases (name, holder, until) values ($1, $2, $3)
  on conflict (name) do update set holder = excluded.holder, until = excluded.until where leases.until <= $4`;
/** Keeps a lease; it changes nothing where another process has taken it. */
export const KEEP_LEASE = 'update leases set until = $3 where name = $1 and holder = $2';

export const SELECT_PROJECTS = `select id, retention_days from projects where id > $1 order by id limit 100`;

/** Ids of a project's events after one and before another, oldest first. */
export const SELECT_OLD_EVENTS = `select id from events where project_id = $1 and id > $2 and id < $3 order by id limit $4`;

/** An event that may go. */
export interface OldEventRow {
  readonly id: string;
  readonly type: string;
  readonly topic: string | null;
  readonly status: 'received' | 'processed' | 'dropped';
  readonly channel_id: string | null;
  readonly tags: string | null;
  readonly decision: string | null;
  /** Null unless it has an entry in the log. */
  readonly log_position: number | null;
}
const OLD_EVENTS = `select id, type, topic, status, channel_id, tags, decision, log_position from events
  where project_id = $1 and id in {list $2} order by id`;
/** Locks events, but for those that a replay has locked: nothing new refers to one of them until the commit. */
export const LOCK_OLD_EVENTS = { sqlite: OLD_EVENTS, postgres: `${OLD_EVENTS} for update skip locked` };

/** A delivery of such an event. */
export interface OldDeliveryRow {
  readonly id: string;
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly finished_at: number | null;
  readonly dead: number;
}
/** The ids of an event's deliveries begin with its own. */
export const SELECT_OLD_DELIVERIES = `select d.id, d.event_id, d.endpoint_id, d.finished_at,
    case when {dead} then 1 else 0 end as dead
  from {rows $1: id text} join {deliveries} as d on d.id >= rows.id || ':' and d.id < rows.id || ';'`;

/** Rows of facts, by the ranges of their keys. */
export const LOCK_POSTINGS = forUpdate(`select p.project_id, p.fact, p.newest_id, p.event_ids
  from {rows $2: fact text, low text, high text} join event_postings as p
    on p.project_id = $1 and p.fact = rows.fact and p.newest_id >= rows.low and p.newest_id < rows.high`);
export const DELETE_POSTINGS = `delete from event_postings where project_id = $1
  and (fact, newest_id) in (select fact, newest_id from {rows $2: fact text, newest_id text})`;
export const UPDATE_POSTINGS = `update event_postings set event_ids = rows.event_ids
  from {rows $2: fact text, newest_id text, event_ids text}
  where project_id = $1 and event_postings.fact = rows.fact and event_postings.newest_id = rows.newest_id`;
/** The positions of the replays of events, with blanks between; null for none. */
export const SELECT_REPLAYED = `select (select string_agg(cast(l.position as text), ' ') from event_log as l
    where l.project_id = $1 and l.event_id = rows.id and l.replay_id is not null) as positions
  from {rows $2: id text}`;
const OF_POSITIONS = 'select position from {rows $2: position int}';
/** Postgres might read all of the log for a list, and looks up what is in an array. */
export const DELETE_LOG: Sql = {
  sqlite: `delete from event_log where project_id = $1 and position in (${OF_POSITIONS})`,
  postgres: `delete from event_log where project_id = $1 and position = any (array(${OF_POSITIONS}))`,
};
/** By the ids of events. */
export const DELETE_PARTS = [
  'delete from event_payloads where event_id in {list $1}',
  'delete from replies where event_id in {list $1}',
  'delete from replays where event_id in {list $1}',
] as const;
export const DELETE_EVENTS = 'delete from events where project_id = $1 and id in {list $2}';

const batchOf = (table: string, key: string, condition: string): string =>
  `delete from ${table} where (${key}) in (select ${key} from ${table} where ${condition} limit 500)`;

/** Deletes minutes of a project: `$1` the project, `$2` Unix minutes. */
export const DELETE_OF_PROJECT = {
  endpointMinutes: batchOf(
    'endpoint_minutes',
    'endpoint_id, minute, code',
    'endpoint_id in (select id from endpoints where project_id = $1) and minute < $2',
  ),
  eventMinutes: batchOf('event_minutes', 'project_id, minute, status', 'project_id = $1 and minute < $2'),
  ruleMinutes: batchOf(
    'rule_minutes',
    'rule_id, minute',
    'rule_id in (select id from rules where project_id = $1) and minute < $2',
  ),
  attemptSpans: batchOf(
    'attempt_spans',
    'project_id, span, code',
    'project_id = $1 and span < cast($2 as bigint) / 30',
  ),
  ruleSpans: batchOf(
    'rule_spans',
    'rule_id, span',
    'rule_id in (select id from rules where project_id = $1) and span < cast($2 as bigint) / 30',
  ),
} as const;
/** Names of SDK clients that were away for this long; those of connected clients are seen all the time. */
export const DELETE_CLIENTS = batchOf('clients', 'project_id, name', 'project_id = $1 and seen_at < $2');
export const DELETE_BULK_ACTIONS = batchOf(
  'bulk_actions',
  'id',
  'ended_at is not null and ended_at < $2 and project_id = $1',
);
export const DELETE_ALERTS = batchOf(
  'alerts',
  'project_id, kind, subject',
  'project_id = $1 and last_at < $2',
);
/** Events of alerts with ids below `$2`. */
const ALERT_EVENTS = 'select id from alert_events where project_id = $1 and id < $2 order by id limit $3';
export const LOCK_ALERT_EVENTS: Sql = {
  sqlite: ALERT_EVENTS,
  postgres: `${ALERT_EVENTS} for update skip locked`,
};
export const DELETE_ALERT_EVENTS = 'delete from alert_events where project_id = $1 and id in {list $2}';
/** Deletes requests that receivers have kept: `$1` the project, `$2` Unix ms. */
export const DELETE_RECEIVED = batchOf('received_requests', 'id', 'project_id = $1 and at < $2');

/** Deletes expired rows of all projects: `$1` Unix ms. */
export const DELETE_EXPIRED = {
  idempotency: batchOf('idempotency_keys', 'scope, key', 'expires_at < $1'),
  sessions: batchOf('sessions', 'hash', 'expires_at < $1'),
  signInLinks: batchOf('sign_in_links', 'hash', 'expires_at < $1'),
} as const;
export const SELECT_EXPIRED_COMPARISONS = 'select id from comparisons where expires_at < $1 limit 20';
export const DELETE_COMPARED_EVENTS = batchOf(
  'comparison_events',
  'comparison_id, newest_id',
  'comparison_id in {list $1}',
);
export const DELETE_COMPARISONS = 'delete from comparisons where id in {list $1}';
/** Channels that were deleted before `$2`, Unix ms, and whose events, with ids below `$3`, are gone. */
export const SELECT_GONE_CHANNELS = `select id from channels where project_id = $1 and deleted_at < $2
  and not exists (select 1 from events
    where events.project_id = $1 and events.id < $3 and events.channel_id = channels.id)
  limit 100`;
export const DELETE_CHANNELS = [
  'delete from signing_secrets where owner_id in {list $1}',
  'delete from channels where id in {list $1}',
] as const;

/** Rules that are gone, and were counted by decisions that were under way. */
export const SELECT_GONE_RULES = `select rule_id as id from rule_counts
  where not exists (select 1 from rules where rules.id = rule_counts.rule_id) limit 100`;
export const DELETE_RULE_MINUTES = batchOf('rule_minutes', 'rule_id, minute', 'rule_id in {list $1}');
export const DELETE_RULE_COUNTS = 'delete from rule_counts where rule_id in {list $1}';

export const DELETE_AUDIT = batchOf('audit_log', 'id', 'at < $1');
/** Versions of rules whose entries, with ids below `$1`, are gone. */
export const DELETE_VERSIONS = batchOf('large_rule_versions', 'rule_id, id', 'id < $1');
/** Deletions of projects that ended, with ids below `$1`. */
export const DELETE_DELETIONS = batchOf('project_deletions', 'id', 'id < $1 and ended_at is not null');
/** Minutes of endpoints and rules that were deleted: `$1` Unix minutes. */
export const DELETE_OLD_MINUTES = {
  endpoints: batchOf('endpoint_minutes', 'endpoint_id, minute, code', 'minute < $1'),
  rules: batchOf('rule_minutes', 'rule_id, minute', 'minute < $1'),
  ruleSpans: batchOf('rule_spans', 'rule_id, span', 'span < cast($1 as bigint) / 30'),
} as const;
