/** The statements of rule trials. */
import { PERSISTED_COLUMNS, type PersistedRow } from '../stored/event-json.js';

/** An event with its recorded decision. */
export interface DecidedRow {
  readonly dropped_by: string | null;
  /** JSON: see `events.decision`. */
  readonly decision: string | null;
  readonly rules_version: number | null;
  readonly decided_at: number | null;
}
export const SELECT_DECISION =
  'select dropped_by, decision, rules_version, decided_at from events where project_id = $1 and id = $2';

interface IdRow {
  readonly id: string;
}
export type { IdRow };

export const SELECT_NEWEST =
  'select id from events where project_id = $1 order by project_id desc, id desc limit $2';
/** Rows that have as many events of a fact, or more. */
export const SELECT_NEWEST_OF_FACT = `select newest_id, event_ids from event_postings where project_id = $1 and fact = $3
  order by project_id desc, fact desc, newest_id desc limit $2`;
/** Which of some events the project has. */
export const SELECT_KNOWN = 'select id from events where project_id = $1 and id in {list $2}';

/** An event as it was persisted. */
export interface EventRow extends PersistedRow {
  /** JSON array; null until the event is decided. */
  readonly tags: string | null;
}
const SIZED = `select e.id, e.received_at, e.type, e.topic, e.channel_id, e.tags,
    sum(octet_length(p.data) + $4 * coalesce(octet_length(p.raw_payload), 0)) over (order by e.id desc) as upto,
    row_number() over (order by e.id desc) as nth
  from events e join event_payloads p on p.event_id = e.id
  where e.project_id = $1 and e.id in {list $2}`;
/**
 * Events, newest first: $3 most bytes after the first row, $4 is 1 with `raw_payload` and 0 without. Sizes are read
 * from the heads of the rows, so what is left out is not read.
 */
export const SELECT_EVENTS = `select s.id, ${PERSISTED_COLUMNS}, s.tags,
    case when $4 = 1 then p.raw_payload end as raw_payload
  from (${SIZED}) s join event_payloads p on p.event_id = s.id
  where s.upto <= $3 or s.nth = 1 order by s.id desc`;

/** The version of the rule set in which rules were last changed. */
export interface ChangedRow {
  readonly id: string;
  readonly changed_in: number;
}
export const SELECT_CHANGED = 'select id, changed_in from rules where project_id = $1 and id in {list $2}';
