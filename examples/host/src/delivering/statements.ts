/** The statements of deliveries and their attempts. */

/** A row of `deliveries`. */
export interface DeliveryRow {
  readonly id: string;
  readonly project_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly endpoint_id: string;
  readonly origin: 'live' | 'replay';
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly due_at: number | null;
  readonly failure: string | null;
  readonly status_code: number | null;
  readonly dead: number;
  readonly redelivery_id: string | null;
  readonly created_at: number;
  readonly finished_at: number | null;
}

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

/** Adds the attempts that have no row yet, and returns their keys. */
export const ADD_ATTEMPTS = `
  insert into attempts (delivery_id, number, url, started_at, ended_at, ok, failure, status_code, detail)
  select delivery_id, number, url, started_at, ended_at, ok, failure, status_code, detail
  from {rows $1: delivery_id text, number int, url text, started_at int, ended_at int, ok int, failure text, status_code int, detail text}
  where true on conflict (delivery_id, number) do nothing returning delivery_id, number`;

/** Moves deliveries on: never back from a later attempt, and never from their end. */
export const MOVE = `update deliveries set state = rows.state, attempts = rows.attempts, due_at = rows.due_at,
    failure = rows.failure, status_code = rows.status_code, dead = rows.dead, finished_at = rows.finished_at
  from {rows $1: id text, state text, attempts int, due_at int, failure text, status_code int, dead int, finished_at int}
  where deliveries.id = rows.id and deliveries.attempts <= rows.attempts and deliveries.finished_at is null`;

/** Rows are locked in the order of their key. */
export const ADD_MINUTES = `
  insert into endpoint_minutes (endpoint_id, minute, code, attempts, duration_ms, slowest_ms)
  select endpoint_id, minute, code, attempts, duration_ms, slowest_ms
  from {rows $1: endpoint_id text, minute int, code text, attempts int, duration_ms int, slowest_ms int}
  where true order by endpoint_id, minute, code
  on conflict (endpoint_id, minute, code) do update set
    attempts = endpoint_minutes.attempts + excluded.attempts,
    duration_ms = endpoint_minutes.duration_ms + excluded.duration_ms,
    slowest_ms = case when excluded.slowest_ms > endpoint_minutes.slowest_ms
      then excluded.slowest_ms else endpoint_minutes.slowest_ms end`;

export const CHANNELS_OF_EVENTS = 'select id, channel_id from events where id in {list $1}';

export const SELECT_DELIVERY = 'select * from deliveries where id = $1 and project_id = $2';
export const SELECT_ATTEMPTS = `select number, url, started_at, ended_at, ok, failure, status_code, detail
  from attempts where delivery_id = $1 order by number`;

export const PROJECTS_OF_ENDPOINTS = 'select id, project_id from endpoints where id in {list $1}';
export const ENDPOINTS_OF_PROJECT = 'select id from endpoints where project_id = $1';
