/** The statements of deliveries and their attempts. */
import type { DeliveryState } from 'headgate/delivery';
import { NOT_UNDER_WAY, PENDING_STATES, SHOWN_STATE, STATES } from '../stored/delivery-states.js';
import { HEAD_COLUMNS, type HeadRow } from '../stored/event-json.js';
import { LATENCY_COLUMNS } from '../statistics/latency.js';
import { MOST_BEHIND } from './routes.js';

/** A delivery, as {@link COLUMNS_OF_DELIVERY} select it. */
export interface DeliveryRow {
  readonly id: string;
  /** The key of its attempts. */
  readonly number: number;
  readonly project_id: string;
  readonly channel_id: string | null;
  readonly event_id: string;
  readonly event_type: string;
  readonly endpoint_id: string;
  readonly origin: 'live' | 'replay';
  /** The delivery that it sends again; null for none. */
  readonly replay_of: string | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** When the next attempt is due; null while one is under way, and once it is finished. */
  readonly due_at: number | null;
  /** Code of the last attempt, if that failed. */
  readonly failure: string | null;
  readonly status_code: number | null;
  /** 1 while it is a dead letter. */
  readonly dead: number;
  readonly redelivery_id: string | null;
  /** As the library's tables have it: a backslash is doubled. */
  readonly ordering_key: string | null;
  /** 1 while later deliveries with its key wait for a person. */
  readonly holds: number;
  readonly created_at: number;
  readonly finished_at: number | null;
}

/** Columns of `{deliveries}` for a {@link DeliveryRow}. */
export const COLUMNS_OF_DELIVERY = `id, number, project_id, channel_id, event_id, event_type, endpoint_id, origin, replay_of, state,
  attempts, case when state = 'pending' then due_at end as due_at, failure, status as status_code,
  case when {dead} then 1 else 0 end as dead, redelivery_id, ordering_key,
  case when holds_key then 1 else 0 end as holds, created_at, finished_at`;

/** Deliveries of the event `$1`: their ids begin with its own. */
const OF_EVENT = "id >= $1 || ':' and id < $1 || ';'";

/** A row of `attempts`. */
export interface AttemptRow {
  readonly number: number;
  readonly url: string | null;
  readonly started_at: number;
  readonly ended_at: number;
  readonly ok: number;
  readonly failure: string | null;
  readonly status_code: number | null;
  readonly detail: string | null;
}
/** The same with its exchange: sealed, null if none was kept. */
export interface WholeAttemptRow extends AttemptRow {
  readonly exchange: string | null;
}

const LATENCIES = LATENCY_COLUMNS.join(', ');
/** Rows are locked in the order of their key. */
export const ADD_MINUTES = `
  insert into endpoint_minutes (endpoint_id, minute, code, attempts, duration_ms, slowest_ms, ${LATENCIES})
  select endpoint_id, minute, code, attempts, duration_ms, slowest_ms, ${LATENCIES}
  from {rows $1: endpoint_id text, minute int, code text, attempts int, duration_ms int, slowest_ms int, ${LATENCY_COLUMNS.map((column) => `${column} int`).join(', ')}}
  where true order by endpoint_id, minute, code
  on conflict (endpoint_id, minute, code) do update set
    attempts = endpoint_minutes.attempts + excluded.attempts,
    duration_ms = endpoint_minutes.duration_ms + excluded.duration_ms,
    ${LATENCY_COLUMNS.map((column) => `${column} = endpoint_minutes.${column} + excluded.${column}`).join(', ')},
    slowest_ms = case when excluded.slowest_ms > endpoint_minutes.slowest_ms
      then excluded.slowest_ms else endpoint_minutes.slowest_ms end`;

const KEPT_ENDPOINTS = 'select id from endpoints where id in {list $1} order by id';
/** Makes a concurrent delete of an endpoint wait for this transaction, so that it finds the new records. */
export const KEEP_ENDPOINTS = {
  sqlite: KEPT_ENDPOINTS,
  postgres: `${KEPT_ENDPOINTS} for key share`,
};

/** Topics of events that have another one than their type. */
export const SELECT_TOPICS = `select id, topic from events where project_id = $1 and id in {list $2} and topic is not null`;

/** How many deliveries wait behind each of some letters. */
export const COUNT_BEHIND = `select rows.id, (select count(*) from (select 1 as one from {deliveries} as d
    where d.endpoint_id = rows.endpoint_id and d.ordering_key = rows.ordering_key and d.state = 'waiting'
    limit ${MOST_BEHIND}) as behind) as behind
  from {rows $1: id text, endpoint_id text, ordering_key text}`;

export const SELECT_DELIVERY = `select ${COLUMNS_OF_DELIVERY} from {deliveries} where id = $1 and project_id = $2`;
/** Columns of `{attempts} as a` for an {@link AttemptRow}. */
const COLUMNS_OF_ATTEMPT = `a.number, a.url, a.started_at, a.ended_at, case when a.failure is null then 1 else 0 end as ok,
  a.failure, a.status as status_code, a.detail`;
/** By the number of a delivery. */
/** One of them, `$2`, with its exchange. */
export const SELECT_ATTEMPT = `select ${COLUMNS_OF_ATTEMPT}, a.exchange from {attempts} as a
  where a.delivery = $1 and a.number = $2`;
export const SELECT_ATTEMPTS = `select ${COLUMNS_OF_ATTEMPT} from {attempts} as a where a.delivery = $1 order by a.number`;

export const ENDPOINTS_OF_PROJECT = 'select id from endpoints where project_id = $1';

const ORIGINS = ['live', 'replay'] as const;

/** By what a page of deliveries is found, and what its rows must also meet. */
export interface DeliveryPageShape {
  readonly by: 'project' | 'endpoint' | 'redelivery' | 'redelivery_to_endpoint';
  /** `pending` selects those under way, too. */
  readonly state: 'pending' | 'delivered' | 'failed' | null;
  readonly origin: DeliveryRow['origin'] | null;
}

const DRIVERS: Readonly<Record<DeliveryPageShape['by'], string>> = {
  project: 'project_id = $1',
  endpoint: 'endpoint_id = $1 and project_id = $6',
  redelivery: 'redelivery_id = $1 and project_id = $6',
  redelivery_to_endpoint: 'redelivery_id = $1 and endpoint_id = $7 and project_id = $6',
};

/**
 * A page of deliveries, newest first: `$1` project, endpoint or redelivery, `$2` most rows, `$3` and `$4` the cursor,
 * `$5` the earliest instant. Each state and origin is a range of an index, so that whatever is combined, no more rows
 * are read than the page has for each of the eight ranges, and those under way.
 */
export function selectDeliveryPage({ by, state, origin }: DeliveryPageShape): string {
  const states = state === null ? STATES : state === 'pending' ? PENDING_STATES : [state];
  // All deliveries of a redelivery are replays, and its index has all states.
  const ranges = by.startsWith('redelivery')
    ? states.map((one) => rangeOf(by, one, `state = '${one}'`))
    : states.flatMap((one) => rangesOf(by, one, origin));
  return `${ranges.join('\n union all ')} order by created_at desc, number desc limit $2`;
}

function rangesOf(
  by: DeliveryPageShape['by'],
  state: (typeof STATES)[number],
  origin: DeliveryPageShape['origin'],
): readonly string[] {
  if (state === 'leased') {
    return [rangeOf(by, state, origin === null ? '{leased}' : `{leased} and origin = '${origin}'`)];
  }
  const origins = origin === null ? ORIGINS : [origin];
  return origins.map((one) => rangeOf(by, `${state}_${one}`, `state = '${state}' and origin = '${one}'`));
}

const rangeOf = (by: DeliveryPageShape['by'], name: string, condition: string): string =>
  `select * from (select ${COLUMNS_OF_DELIVERY} from {deliveries}
    where ${DRIVERS[by]} and ${condition} and created_at >= $5 and (created_at, number) < ($3, $4)
    order by created_at desc, number desc limit $2) as ${name}`;

/** An event has few deliveries: they are read, and the other conditions tried on each. */
export const SELECT_DELIVERIES_OF_EVENT = `select ${COLUMNS_OF_DELIVERY} from {deliveries}
  where ${OF_EVENT} and project_id = $6 and created_at >= $5 and (created_at, number) < ($3, $4)
    and ($7 = '' or ${SHOWN_STATE} = $7) and ($8 = '' or origin = $8) and ($9 = '' or endpoint_id = $9)
    and ($10 = '' or redelivery_id = $10)
  order by created_at desc, number desc limit $2`;

/**
 * The rows of a page that meet conditions on their last attempt: `$n` code, from and to HTTP status, each null for any,
 * and most rows.
 *
 * @param page - Reads at most `$2` rows.
 * @param n - Number of the first value.
 */
export const whereAttempted = (page: string, n: number): string => `select * from (${page}) as scanned
  where (cast($${n} as text) is null or failure = cast($${n} as text))
    and (cast($${n + 1} as bigint) is null or status_code >= cast($${n + 1} as bigint))
    and (cast($${n + 2} as bigint) is null or status_code <= cast($${n + 2} as bigint))
  order by created_at desc, number desc limit $${n + 3}`;
/** The last row that such a page looks at, where there are as many as `$2`. */
export const lastScanned = (page: string, n: number): string =>
  `select created_at, number from (${page}) as scanned order by created_at desc, number desc limit 1 offset $${n}`;

/** An attempt of an event. */
export interface EventAttemptRow extends AttemptRow {
  readonly delivery_id: string;
}
export const SELECT_EVENT_OF_PROJECT = 'select id from events where id = $1 and project_id = $2';
/**
 * Attempts of deliveries with ids from `$1` to below `$2`; of the delivery `$1` itself, those after the number `$3`.
 */
export const SELECT_EVENT_ATTEMPTS = `select d.id as delivery_id, ${COLUMNS_OF_ATTEMPT}
  from {deliveries} as d join {attempts} as a on a.delivery = d.number
  where d.id >= $1 and d.id < $2 and (d.id > $1 or a.number > $3) order by d.id, a.number limit $4`;

/**
 * Finds the project of an endpoint, also of a deleted one: all its deliveries are of one project. `$2` is the project
 * that asks.
 */
export const SELECT_PROJECT_OF_DELIVERIES = `select coalesce(
    (select project_id from endpoints where id = $1),
    (select project_id from {deliveries} where endpoint_id = $1 and (${NOT_UNDER_WAY})
      order by endpoint_id, state, origin, created_at, number limit 1),
    (select project_id from {deliveries} where project_id = $2 and endpoint_id = $1 and {leased} limit 1)
  ) as project_id`;

const EVENTS_OF_LETTERS = 'select id from events where project_id = $1 and id in {list $2} order by id';
/** Keeps retention from deleting the events meanwhile, as with a replay. */
export const KEEP_EVENTS = { sqlite: EVENTS_OF_LETTERS, postgres: `${EVENTS_OF_LETTERS} for share` };

/** Events of alerts, which have no row in `events`. */
const ALERT_EVENTS = 'select id from alert_events where project_id = $1 and id in {list $2} order by id';
export const KEEP_ALERT_EVENTS = { sqlite: ALERT_EVENTS, postgres: `${ALERT_EVENTS} for share` };

/** Which ids are taken. */
export const SELECT_KNOWN = 'select id from {deliveries} where id in {list $1}';
export const SELECT_SENT = `select ${COLUMNS_OF_DELIVERY} from {deliveries} where id in {list $1}`;

/** An event with what a replay sends. */
export interface ReplayedEventRow extends HeadRow {
  readonly status: 'received' | 'processed' | 'dropped';
  readonly rules_version: number | null;
  readonly dropped_by: string | null;
  readonly tags: string | null;
  readonly decision: string | null;
  readonly data: string;
  readonly projected: string | null;
  readonly traceparent: string | null;
}
const REPLAYED_EVENTS = `select events.id, ${HEAD_COLUMNS}, status, rules_version, dropped_by, tags,
    decision, data, projected, traceparent
  from events join event_payloads on event_payloads.event_id = events.id where project_id = $1 and events.id`;
export const SELECT_REPLAYED_EVENT = `${REPLAYED_EVENTS} = $2`;
const REPLAYED_IN_ORDER = `${REPLAYED_EVENTS} in {list $2} order by events.id`;
/** Keeps retention from deleting the events meanwhile, and others from sending them again. */
export const LOCK_REPLAYED_EVENTS = {
  sqlite: REPLAYED_IN_ORDER,
  postgres: `${REPLAYED_IN_ORDER} for no key update of events`,
};
/** The live deliveries of an event. */
export interface LiveEndpointsRow {
  readonly id: string;
  /** Null if there are none. */
  readonly endpoint_ids: string | null;
}
/** The endpoints that events went to when they came in, with blanks between. A join might read all deliveries. */
export const SELECT_LIVE_ENDPOINTS = `select rows.id, (select string_agg(d.endpoint_id, ' ') from {deliveries} as d
    where d.id >= rows.id || ':' and d.id < rows.id || ';' and d.origin = 'live') as endpoint_ids
  from {rows $1: id text}`;
/**
 * Takes `$2` positions, and locks the head of the log, so that positions are without gaps and in the order of commits.
 */
export const TAKE_POSITIONS = 'update projects set log_position = log_position + $2 where id = $1';
/** Gives the positions that were taken last, in the order of `n`, from 0. */
export const INSERT_LOG = `insert into event_log (project_id, position, event_id, origin, replay_id)
  select p.id, p.log_position - (select count(*) from {rows $2: n int}) + 1 + rows.n, rows.event_id, 'replay', rows.replay_id
  from projects as p cross join {rows $2: n int, event_id text, replay_id text} where p.id = $1`;
/** A row of `replays`. */
export interface ReplayRow {
  readonly id: string;
  readonly project_id: string;
  readonly event_id: string;
  readonly rules: 'recorded' | 'again';
  readonly rules_version: number | null;
  readonly decision: string;
  readonly projected: string | null;
  readonly created_at: number;
  readonly created_by: string;
}
export const SELECT_REPLAY = 'select * from replays where id = $1 and project_id = $2';
export const SELECT_REPLAY_POSITION =
  'select position from event_log where project_id = $1 and event_id = $2 and replay_id = $3';
export const SELECT_REPLAY_DELIVERIES = `select id, endpoint_id from {deliveries} where ${OF_EVENT} and origin = 'replay'
  order by endpoint_id`;
