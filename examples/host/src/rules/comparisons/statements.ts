/** The statements of comparisons. */

/** A decision that was recorded, and the data that it left. */
export interface DecidedRow {
  readonly id: string;
  readonly status: 'received' | 'processed' | 'dropped';
  readonly dropped_by: string | null;
  readonly tags: string | null;
  /** JSON of the endpoints that rules named. */
  readonly endpoint_ids: string | null;
  readonly projected: string | null;
}
const decided = (
  endpointIds: string,
): string => `select e.id, e.status, e.dropped_by, e.tags, ${endpointIds} as endpoint_ids, p.projected
  from events e join event_payloads p on p.event_id = e.id where e.project_id = $1 and e.id in {list $2}`;
export const SELECT_DECIDED = {
  sqlite: decided(`json_extract(e.decision, '$.endpoint_ids')`),
  postgres: decided(`(e.decision::json -> 'endpoint_ids')::text`),
};

/** A row of `comparisons`. */
export interface ComparisonRow {
  readonly id: string;
  readonly project_id: string;
  readonly window_hours: number;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly is_complete: number;
  readonly rules_version: number;
  readonly scanned: number;
  readonly undecided: number;
  readonly limits: number;
  /** JSON; null while the events are being stored. */
  readonly groups: string | null;
  readonly created_at: number;
  readonly created_by: string;
  readonly expires_at: number;
}
const COLUMNS = `id, window_hours, from_ms, to_ms, is_complete, rules_version, scanned, undecided, limits, created_at, created_by,
  expires_at`;
export const SELECT_COMPARISON = `select * from comparisons
  where id = $2 and project_id = $1 and groups is not null and expires_at > $3`;
export const SELECT_COMPARISONS = `select ${COLUMNS} from comparisons
  where project_id = $1 and id < $2 and groups is not null and expires_at > $3 order by id desc limit $4`;
export const SET_GROUPS = 'update comparisons set groups = $2 where id = $1';
/** The usual lifetime of a comparison. */
export const LIFETIME_MS = 86_400_000;
/** For a replay that reads its events: $3 and $4 are the end and the present, Unix ms. */
export const KEEP_COMPARISON = `update comparisons set expires_at = case when expires_at > $3 then expires_at else $3 end
  where id = $2 and project_id = $1 and groups is not null and expires_at > $4`;
/** Counts comparisons of a project that are kept longer than usual, besides one: at most $3. */
export const COUNT_KEPT = `select count(*) as n from (select id from comparisons
  where project_id = $1 and id <> $2 and expires_at > created_at + ${LIFETIME_MS} limit $3) as kept`;
/** Comparisons of a project that are too many, except those that are kept for a replay: $2 how many stay. */
export const SELECT_SURPLUS = `select id from comparisons where project_id = $1 and expires_at <= created_at + ${LIFETIME_MS}
  order by id desc limit 100 offset $2`;
/** So that nobody reads them while their events are deleted. */
export const HIDE_COMPARISONS = `update comparisons set groups = null
  where id in {list $1} and expires_at <= created_at + ${LIFETIME_MS}`;
export const DELETE_COMPARISONS = 'delete from comparisons where id in {list $1} and groups is null';

/** The first rows of a comparison after a cursor. */
export const SELECT_COMPARED_EVENTS = `select newest_id, events from comparison_events
  where comparison_id = $1 and newest_id > $2 order by newest_id limit $3`;
/** Deletes the first rows of comparisons that are hidden. */
export const DELETE_COMPARED_EVENTS = `delete from comparison_events where (comparison_id, newest_id) in
  (select comparison_id, newest_id from comparison_events where comparison_id in
    (select id from comparisons where id in {list $1} and groups is null) limit 100)`;
