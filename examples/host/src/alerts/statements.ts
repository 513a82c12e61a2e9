/** The statements of alerts. */
import { forUpdate, type Sql } from '../db/index.js';
import type { Kind } from './routes.js';

/** A row of `alerts`, with the name of its subject. */
export interface AlertRow {
  readonly id: string;
  readonly project_id: string;
  readonly kind: Kind;
  readonly subject: string;
  /** Null if the subject has none, or is gone. */
  readonly name: string | null;
  /** The first sign since it was last dismissed. */
  readonly since: number;
  readonly last_at: number;
  /** Signs since then. */
  readonly signs: number;
  /** JSON of an object, about the last sign. */
  readonly detail: string;
  /** Signs since the last event. */
  readonly unsent: number;
  readonly unsent_since: number;
  /** Null if no event is due. */
  readonly send_at: number | null;
  readonly sent_at: number | null;
  readonly dismissed_at: number | null;
  readonly dismissed_by: string | null;
}

/** At most one event of a kind and subject is sent in this time. */
export const HOUR_MS = 3_600_000;

const KEY = 'project_id, kind, subject';
const KEY_ROWS = 'project_id text, kind text, subject text';
const OF_ROW =
  'alerts.project_id = rows.project_id and alerts.kind = rows.kind and alerts.subject = rows.subject';

/** The old value of a column, unless the alert was dismissed: then the new one. */
const kept = (column: string, grown: string): string =>
  `${column} = case when alerts.dismissed_at is null then ${grown} else excluded.${column} end`;

/** Raises alerts. The next event is due at once, unless one is due already, or was sent within the hour. */
export const RAISE = `insert into alerts (${KEY}, id, since, last_at, signs, detail, unsent, unsent_since, send_at)
  select ${KEY}, id, since, last_at, signs, detail, signs, since, last_at
  from {rows $1: ${KEY_ROWS}, id text, since int, last_at int, signs int, detail text}
  where true order by ${KEY}
  on conflict (${KEY}) do update set
    ${kept('id', 'alerts.id')},
    ${kept('since', 'alerts.since')},
    ${kept('signs', 'alerts.signs + excluded.signs')},
    last_at = case when excluded.last_at > alerts.last_at then excluded.last_at else alerts.last_at end,
    detail = excluded.detail,
    unsent = alerts.unsent + excluded.unsent,
    unsent_since = case when alerts.unsent = 0 then excluded.unsent_since else alerts.unsent_since end,
    send_at = case when alerts.send_at is not null then alerts.send_at
      when alerts.sent_at + ${HOUR_MS} > excluded.send_at then alerts.sent_at + ${HOUR_MS} else excluded.send_at end,
    dismissed_at = null, dismissed_by = null`;

/**
 * Endpoints for events that have been failing since `$2` or longer: none of them is reported as recovered before this
 * transaction ends.
 */
const FAILING = `select id, failing_since from endpoints
  where id in {list $1} and purpose = 'events' and failing_since <= $2 order by id`;
export const LOCK_FAILING: Sql = { sqlite: FAILING, postgres: `${FAILING} for share` };
/** Finds the alert of an endpoint that has been raised since `$4`. */
export const SELECT_RAISED =
  'select 1 as found from alerts where project_id = $1 and kind = $2 and subject = $3 and last_at >= $4';

const NAME = `case when subject like 'endpoint:%' then (select name from endpoints
      where endpoints.project_id = alerts.project_id and endpoints.id = substr(alerts.subject, 10))
    when subject like 'channel:%' then (select name from channels
      where channels.project_id = alerts.project_id and channels.id = substr(alerts.subject, 9)
        and channels.deleted_at is null)
    end as name`;

/** An alert whose event is due. */
export interface DueRow extends AlertRow {
  /** 1 if the endpoint has failed again since it recovered, or recovered since it failed. */
  readonly outdated: number;
}
const [FAILED, RECOVERED]: readonly Kind[] = ['headgate.endpoint.failing', 'headgate.endpoint.recovered'];
const later = (kind: Kind | undefined, other: Kind | undefined, comparison: string): string =>
  `kind = '${kind}' and exists (select 1 from alerts as others where others.project_id = alerts.project_id
      and others.kind = '${other}' and others.subject = alerts.subject and others.last_at ${comparison} alerts.last_at)`;
const DUE = `select alerts.*, ${NAME},
    case when (${later(FAILED, RECOVERED, '>=')}) or (${later(RECOVERED, FAILED, '>')}) then 1 else 0 end as outdated
  from alerts where send_at <= $1 order by send_at limit $2`;
/** Locks alerts whose events are due, unless another process is sending them. */
export const LOCK_DUE: Sql = { sqlite: DUE, postgres: `${DUE} for update of alerts skip locked` };
/** The endpoints that get the alerts of projects. */
export const RECIPIENTS = `select id, project_id, status from endpoints
  where project_id in {list $1} and purpose = 'alerts' and status = 'active' order by id`;
/** Nothing of these is due any more. */
export const SKIP = `update alerts set send_at = null from {rows $1: ${KEY_ROWS}} where ${OF_ROW}`;
/** The same once they were sent. */
export const SENT = `update alerts set send_at = null, sent_at = $2, unsent = 0
  from {rows $1: ${KEY_ROWS}} where ${OF_ROW}`;

/** Alerts of a project that are dismissed, are not, or both; newest first, with ids below a cursor. */
export const selectPage = (dismissed: boolean | null): string =>
  `select alerts.*, ${NAME} from alerts where project_id = $1 and id < $2
    ${dismissed === null ? '' : `and dismissed_at is ${dismissed ? 'not null' : 'null'}`} order by id desc limit $3`;
const ONE = `select alerts.*, ${NAME} from alerts where project_id = $1 and id = $2`;
export const SELECT_FOR_UPDATE = forUpdate(ONE);
export const DISMISS =
  'update alerts set dismissed_at = $3, dismissed_by = $4 where project_id = $1 and id = $2';
/** Most alerts that one statement dismisses. */
export const MOST_DISMISSED = 1_000;
export const DISMISS_ALL = `update alerts set dismissed_at = $2, dismissed_by = $3 where project_id = $1 and id in (
  select id from alerts where project_id = $1 and dismissed_at is null order by id desc limit ${MOST_DISMISSED})
  and dismissed_at is null`;
