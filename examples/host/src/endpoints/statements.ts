/** The statements of endpoints. */
import { forUpdate, hasProject, type Sql } from '../db/index.js';
import { type Latencies, LATENCY_COLUMNS } from '../statistics/latency.js';

/** A row of `endpoints`. */
export interface EndpointRow {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly url: string;
  readonly status: string;
  /** Null while active. */
  readonly paused_by: string | null;
  readonly retry_max_attempts: number;
  readonly retry_backoff_base_seconds: number;
  /** `honor` or `ignore`. */
  readonly retry_after: string;
  /** JSON of an array of seconds; null for delays that double. */
  readonly retry_delays: string | null;
  /** A number as text; null for no limit. */
  readonly rate_limit_per_second: string | null;
  /** JSON of an array of topics, and of prefixes with `.*`; null for every topic. */
  readonly topics: string | null;
  /** `events` or `alerts`: what it gets. */
  readonly purpose: string;
  /** `none`, `endpoint` or `key`. */
  readonly ordering: string;
  /** `continue` or `hold`. */
  readonly on_exhausted: string;
  /** `svc`, `standard_webhooks` or `both`. */
  readonly signature: string;
  /** `channel` or `endpoint`: whose secrets sign. */
  readonly secret: string;
  /** 1: what attempts send and receive is kept. */
  readonly exchange: number;
  /** Sealed JSON of values by name; null without any. */
  readonly headers: string | null;
  readonly failing_since: number | null;
  readonly version: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Attempts of a time, by how they ended. */
export interface HealthRow extends Latencies {
  /** Number of the span of time, counted from 1970. */
  readonly bucket: number;
  /** `ok`, the failure's code, or `given_up` for deliveries that never arrived. */
  readonly code: string;
  readonly attempts: number;
  readonly duration_ms: number;
  readonly slowest_ms: number;
}
/** The same with the endpoint. */
export interface HealthOfRow extends HealthRow {
  readonly endpoint_id: string;
}

export const SELECT = 'select * from endpoints where project_id = $1 and id = $2';
export const SELECT_FOR_UPDATE = forUpdate(SELECT);
/** Newest first, after a cursor. */
export const SELECT_PAGE =
  'select * from endpoints where project_id = $1 and id < $2 order by id desc limit $3';
export const COUNT = 'select count(*) as count from endpoints where project_id = $1';
export const COUNT_EVERY_TOPIC = `${COUNT} and topics is null and purpose = 'events'`;
export const COUNT_FOR_ALERTS = `${COUNT} and purpose = 'alerts'`;
/** How many endpoints of a project have each of some entries, where any has. */
export const COUNT_ENTRIES = `select entry, count(*) as count from endpoint_topics
  where project_id = $1 and entry in {list $2} group by entry`;
export const DELETE_ENTRIES = `delete from endpoint_topics
  where project_id = $1 and entry in {list $2} and endpoint_id = $3`;
/** The columns that edits write. `failing_since` is changed by attempts alone, and by resuming. */
export const EDITED = [
  ...(['name', 'url', 'status', 'paused_by', 'version', 'updated_at'] as const),
  ...(['retry_max_attempts', 'retry_backoff_base_seconds', 'retry_after', 'retry_delays'] as const),
  ...([
    'rate_limit_per_second',
    'topics',
    'purpose',
    'signature',
    'secret',
    'headers',
    'ordering',
    'on_exhausted',
    'exchange',
  ] as const),
] as const;
/** The values of {@link EDITED} follow the id. */
export const UPDATE = `update endpoints set ${EDITED.map((column, i) => `${column} = $${i + 2}`).join(', ')}
  where id = $1`;
/** Secrets of endpoints with a URL that sign by their own, with the id of their endpoint. `$3` Unix ms. */
export const SELECT_SECRETS_AT = `select s.* from endpoints e join signing_secrets s on s.owner_id = e.id
  where e.project_id = $1 and e.url = $2 and e.secret = 'endpoint' and (s.expires_at is null or s.expires_at > $3)
  order by s.created_at, s.id`;
export const DELETE = 'delete from endpoints where id = $1';

/** Deliveries of a batch, as many as the library makes due at once. */
export const DUE_BATCH = 1_000;
/** The endpoints that get every topic. None of those for alerts has topics. */
export const EVERY_TOPIC = `select id, project_id, status, ordering from endpoints
  where project_id in {list $1} and topics is null and purpose = 'events' order by id`;
/** The projects with endpoints that get some topics. */
export const WITH_TOPICS = `select rows.id from {rows $1: id text}
  where exists (select 1 from endpoint_topics t where t.project_id = rows.id)`;
/** The endpoints that have an entry; an endpoint with several comes several times. Nothing makes a table scan of it. */
const subscribers = (join: string): string =>
  `select rows.key, e.id, e.status, e.ordering from {rows $1: key text, project_id text, entry text}
  ${join} join endpoints e on e.id = t.endpoint_id order by e.id`;
const HAS_ENTRY = 't.project_id = rows.project_id and t.entry = rows.entry';
export const SUBSCRIBERS: Sql = {
  sqlite: subscribers(`cross join endpoint_topics t on ${HAS_ENTRY}`),
  postgres: subscribers(
    `cross join lateral (select endpoint_id from endpoint_topics t where ${HAS_ENTRY} offset 0) t`,
  ),
};
/** Endpoints for events: no rule and no replay leads to one for alerts. */
export const NAMED = `select id, status, topics from endpoints
  where project_id = $1 and id in {list $2} and purpose = 'events' order by id`;
export const TARGETS = `select * from endpoints where id in {list $1} and ${hasProject('endpoints.project_id')}`;

/** The first failure counts, no matter which process reports it. */
export const FAILING = 'update endpoints set failing_since = $2 where id = $1 and failing_since is null';
/** Failures that began after the attempt are left alone. */
export const RECOVERED = `update endpoints set failing_since = null where id = $1 and failing_since = $2
  returning project_id`;
export const FORGET_FAILURES = 'update endpoints set failing_since = null where id = $1';
/** An active endpoint that still is failing since then, with its project's option. */
export const EXHAUSTED = `select e.project_id, p.auto_pause_days from endpoints e join projects p on p.id = e.project_id
  where e.id = $1 and e.status = 'active' and e.failing_since = $2 and p.auto_pause_days is not null`;

const SUMS = `sum(attempts) as attempts, sum(duration_ms) as duration_ms, max(slowest_ms) as slowest_ms,
  ${LATENCY_COLUMNS.map((column) => `sum(${column}) as ${column}`).join(', ')}`;
export const HEALTH = `select minute / $3 as bucket, code, ${SUMS} from endpoint_minutes
  where endpoint_id = $1 and minute >= $2 group by bucket, code`;
/** The same of some endpoints. */
export const HEALTH_OF_SOME = `select endpoint_id, minute / $3 as bucket, code, ${SUMS} from endpoint_minutes
  where endpoint_id in {list $1} and minute >= $2 group by endpoint_id, bucket, code`;

/** Deliveries that wait for an attempt, counted to a thousand. */
export interface PendingRow {
  readonly id: string;
  readonly pending: number;
}
const WAITING = (['pending', 'waiting'] as const).flatMap((state) =>
  ['live', 'replay'].map(
    (origin) => `(select count(*) from (select 1 from {deliveries}
    where endpoint_id = rows.id and state = '${state}' and origin = '${origin}' limit 1000) as one)`,
  ),
);
export const SELECT_PENDING = `select rows.id, ${WAITING.join(' + ')} + coalesce(leased.n, 0) as pending
  from {rows $1: id text} left join (select endpoint_id, count(*) as n from {deliveries}
    where project_id = $2 and {leased} group by endpoint_id) as leased on leased.endpoint_id = rows.id`;
