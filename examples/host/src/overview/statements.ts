/** The statements of the overview. None reads a row for each event, attempt or delivery. */
import type { Sql } from '../db/index.js';
import { type Latencies, LATENCY_COLUMNS } from '../statistics/latency.js';
import { MOST_COUNTED, MOST_NAMED } from './routes.js';

/** The minutes of one sum: the shortest span of an overview that is read from sums. */
const SPAN_MINUTES = 30;

/** Events of a span of time, counted from 1970. */
export interface EventsRow {
  readonly bucket: number;
  readonly status: 'processed' | 'dropped';
  readonly events: number;
}
/** $2 and $3: the first minute, and the minutes of a span. */
export const SELECT_EVENTS = `select minute / $3 as bucket, status, sum(events) as events from event_minutes
  where project_id = $1 and minute >= $2 group by minute / $3, status`;

/** Attempts of a span of time, by how they ended; see `endpoint_minutes`. */
export interface AttemptsRow extends Latencies {
  readonly bucket: number;
  readonly code: string;
  readonly attempts: number;
  readonly slowest_ms: number;
}

/** The first minute that is not in the sums, or `$2` if that is later. */
const UNSUMMED = `(select case when before_minute > $2 then before_minute else cast($2 as bigint) end from summed_minutes)`;
/** Minutes since then. With two bounds, Postgres expects few of them, and reads these by their key. */
const SINCE = `minute between ${UNSUMMED} and 1000000000`;
/** The first sum whose minutes are all from `$2` on. */
const FIRST_SPAN = `(cast($2 as bigint) + ${SPAN_MINUTES - 1}) / ${SPAN_MINUTES}`;

const COLUMNS = ['attempts', ...LATENCY_COLUMNS].join(', ');
const SUMS = `max(slowest_ms) as slowest_ms, ${['attempts', ...LATENCY_COLUMNS].map((column) => `sum(${column}) as ${column}`).join(', ')}`;
const attempts = (minutes: string): string => `select bucket, code, ${SUMS} from (
    select span * ${SPAN_MINUTES} / $3 as bucket, code, slowest_ms, ${COLUMNS} from attempt_spans
      where project_id = $1 and span >= ${FIRST_SPAN}
    union all ${minutes}) as attempts
  group by bucket, code`;
const MINUTES = `select minute / $3 as bucket, code, slowest_ms, ${COLUMNS} from endpoints`;
const OF_ENDPOINT = `endpoint_id = endpoints.id and ${SINCE}`;
/** Reads the sums, and the minutes since then: one statement, so that no minute is missing or in both. */
export const SELECT_ATTEMPTS: Sql = {
  sqlite: attempts(`${MINUTES} cross join endpoint_minutes where project_id = $1 and ${OF_ENDPOINT}`),
  postgres: attempts(
    `${MINUTES} cross join lateral (select * from endpoint_minutes where ${OF_ENDPOINT} offset 0) as own where project_id = $1`,
  ),
};

/** Matches of some rules. */
export interface MatchedRow {
  readonly rule_id: string;
  readonly matched: number;
}
/** Rules among which those that matched most are looked for. */
const MOST_OFTEN = 50;
const matches = (table: string, from: string): string =>
  `coalesce((select sum(matched) from ${table} where rule_id = rows.id and ${from}), 0)`;
/** Selects the rules with the most matches since `$2`, Unix minutes. The limit makes Postgres count each once. */
export const SELECT_MATCHED = `select rule_id, matched from (select rows.id as rule_id,
    ${matches('rule_spans', `span >= ${FIRST_SPAN}`)} + ${matches('rule_minutes', SINCE)} as matched
    from {rows $1: id text} limit ${MOST_OFTEN}) as counted
  where matched > 0 order by matched desc, rule_id limit ${MOST_NAMED}`;

/** Rules that an overview looks at, so that its work is bounded whatever the plan allows. */
const RULES =
  'select id, priority, enabled from rules where project_id = $1 order by priority, id limit 10000';
/** Rules that have matched since `$2`, Unix ms: those with the most matches in all. */
export const SELECT_OFTEN = `select r.id from (${RULES}) as r join rule_counts as c on c.rule_id = r.id
  where c.last_matched_at >= $2 order by c.matched desc, r.id limit ${MOST_OFTEN}`;

/** An enabled rule that has not matched, with how many there are. */
export interface UnmatchedRow {
  readonly id: string;
  readonly last_matched_at: number | null;
  readonly count: number;
}
export const SELECT_UNMATCHED = `select r.id, c.last_matched_at, count(*) over () as count
  from (${RULES}) as r left join rule_counts as c on c.rule_id = r.id
  where r.enabled = 1 and (c.last_matched_at is null or c.last_matched_at < $2)
  order by r.priority, r.id limit ${MOST_NAMED}`;
export const SELECT_NAMES = 'select id, document from rules where project_id = $1 and id in {list $2}';

/** The plan of a project, and how many rules it has. */
export interface RoomRow {
  readonly plan: string;
  readonly used: number;
}
export const SELECT_ROOM =
  'select plan, (select count(*) from rules where project_id = $1) as used from projects where id = $1';

/** Deliveries that wait, and since when the oldest of them does. */
export interface WaitingRow {
  readonly count: number;
  readonly oldest: number | null;
}
const waiting = (ranges: readonly string[], at: string): string =>
  `select count(*) as count, min(${at}) as oldest from (select * from (${ranges.join('\n union all ')}) as ranges
    order by ${at} limit ${MOST_COUNTED}) as waiting`;
/** The oldest first, so that the first of each range is among those that are counted. */
const inState = (name: string, condition: string): string =>
  `select * from (select created_at from {deliveries} where project_id = $1 and ${condition}
    order by created_at, number limit ${MOST_COUNTED}) as ${name}`;
export const SELECT_PENDING = waiting(
  [
    ...(['pending', 'waiting'] as const).flatMap((state) =>
      (['live', 'replay'] as const).map((origin) =>
        inState(`${state}_${origin}`, `state = '${state}' and origin = '${origin}'`),
      ),
    ),
    inState('under_way', '{leased}'),
  ],
  'created_at',
);
export const SELECT_UNDECIDED = `select count(*) as count from (select 1 from events
  where project_id = $1 and status = 'received' order by id limit ${MOST_COUNTED}) as undecided`;

const counted = (from: string, order: string): string =>
  `(select count(*) from (select 1 from ${from} order by ${order} limit ${MOST_COUNTED}) as counted)`;
/** Counts all that needs attention. */
export const SELECT_ATTENTION = `select
  ${counted('alerts where project_id = $1 and dismissed_at is null', 'id')} as alerts,
  ${counted('endpoints where project_id = $1 and failing_since is not null', 'failing_since')} as failing_endpoints,
  ${counted('{deliveries} where project_id = $1 and {dead}', 'finished_at')} as dead_letters`;

/** An endpoint that is failing. */
export interface FailingRow {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'paused';
  readonly failing_since: number;
}
export const SELECT_FAILING = `select id, name, status, failing_since from endpoints
  where project_id = $1 and failing_since is not null order by failing_since, id limit ${MOST_NAMED}`;

/** Attempts that failed for a reason. */
export interface CauseRow {
  readonly code: string;
  readonly attempts: number;
}
/** Selects causes of the last minutes of an endpoint since `$2`, Unix minutes. */
export const SELECT_CAUSES = `select code, sum(attempts) as attempts from (select code, attempts from endpoint_minutes
    where endpoint_id = $1 and minute >= $2 and code <> 'ok' and code <> 'given_up' order by minute desc, code desc limit 100) as newest
  group by code order by attempts desc, code limit 3`;

/** The first minute that is to be summed, with the one before which all are. */
export interface NextRow {
  readonly before_minute: number;
  /** Null if there is none. */
  readonly endpoints: number | null;
  readonly rules: number | null;
}
export const SELECT_NEXT = `select before_minute,
    (select minute from endpoint_minutes where minute >= before_minute order by minute limit 1) as endpoints,
    (select minute from rule_minutes where minute >= before_minute order by minute limit 1) as rules
  from summed_minutes`;
/** Takes minutes before `$2`, unless another process has taken some since they were looked for. */
export const TAKE_MINUTES = 'update summed_minutes set before_minute = $2 where before_minute = $1';

const plus = (table: string, columns: readonly string[]): string =>
  columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');
/** Adds minutes from `$1` to before `$2`. Rows of what was deleted are left out. */
export const SUM_ATTEMPTS = `insert into attempt_spans (project_id, span, code, slowest_ms, ${COLUMNS})
  select e.project_id, m.minute / ${SPAN_MINUTES} as span, m.code, ${SUMS}
  from endpoint_minutes as m join endpoints as e on e.id = m.endpoint_id
  where m.minute >= $1 and m.minute < $2 group by e.project_id, m.minute / ${SPAN_MINUTES}, m.code
  on conflict (project_id, span, code) do update set ${plus('attempt_spans', ['attempts', ...LATENCY_COLUMNS])},
    slowest_ms = case when excluded.slowest_ms > attempt_spans.slowest_ms
      then excluded.slowest_ms else attempt_spans.slowest_ms end`;
export const SUM_MATCHES = `insert into rule_spans (rule_id, span, matched)
  select m.rule_id, m.minute / ${SPAN_MINUTES} as span, sum(m.matched)
  from rule_minutes as m join rules as r on r.id = m.rule_id
  where m.minute >= $1 and m.minute < $2 group by m.rule_id, m.minute / ${SPAN_MINUTES}
  on conflict (rule_id, span) do update set ${plus('rule_spans', ['matched'])}`;
