/** The statements that choose the events of a replay of many. Each reads a bounded number of rows, by ids. */

/** An event that may be replayed. */
export interface CandidateRow {
  readonly id: string;
  readonly type: string;
  readonly topic: string | null;
  readonly status: 'received' | 'processed' | 'dropped';
  readonly decided_at: number | null;
}
export const SELECT_CANDIDATES = `select id, type, topic, status, decided_at from events
  where id in {list $2} and project_id = $1`;

/** An event beside an endpoint. */
export interface MissedRow {
  readonly id: string;
  /** 1: all its deliveries to the endpoint have failed; 2: one was delivered or is pending; null: it has none. */
  readonly best: number | null;
  /** Bytes of its decision. */
  readonly bytes: number;
}
/** The ids of deliveries of an event to an endpoint begin with both. */
export const SELECT_MISSED = `select rows.id, (select max(case when d.state = 'failed' then 1 else 2 end) from {deliveries} as d
      where d.id >= rows.id || ':' || $2 and d.id < rows.id || ':' || $2 || ';') as best,
    (select coalesce(octet_length(e.decision), 0) from events as e
      where e.project_id = $3 and e.id = rows.id) as bytes
  from {rows $1: id text}`;
const DECIDED_EVENTS = 'from events where project_id = $1 and id in {list $2}';
/** JSON of the endpoints that rules named. */
export const SELECT_DECIDED_ENDPOINTS = {
  sqlite: `select id, json_extract(decision, '$.endpoint_ids') as endpoint_ids ${DECIDED_EVENTS}`,
  postgres: `select id, (decision::json -> 'endpoint_ids')::text as endpoint_ids ${DECIDED_EVENTS}`,
};
/** The bytes that replaying an event reads. */
export const SELECT_REPLAYED_BYTES = `select event_id as id, octet_length(data) + coalesce(octet_length(projected), 0) as bytes
  from event_payloads where event_id in {list $1}`;
