/** Deliveries and attempts as rows, with the columns that both databases have. */
import type { Origin } from '../../delivery-details.js';
import type { Columns } from '../../delivery/columns.js';
import type { Attempt, Delivery, DeliveryState } from '../../delivery/delivery.js';
import { wellFormed } from '../../delivery/outcome.js';
import type { AttemptOutcome, FailureCode } from '../../delivery/transport.js';
import type { Settlement } from '../../delivery/store.js';
import { isIntegerIn } from '../../integers.js';
import { type Keeps, keptOf } from '../kept.js';
import { restored, storable } from './text.js';

/** An integer from a driver: `pg` returns 64-bit ones as text. */
type Integer = number | string;

/** The columns of a delivery's record, but for those of the store's user. */
export const RECORD_COLUMNS = [
  ...['id', 'event_id', 'event_type', 'endpoint_id', 'origin', 'replay_of', 'state', 'attempts'],
  ...['due_at', 'lease', 'created_at', 'finished_at', 'ordering_key', 'holds_key'],
] as const;

/** The columns of an attempt beside the key of its delivery; rows from a driver have them as `a_number` and so on. */
export const ATTEMPT_COLUMNS = [
  ...(['number', 'started_at', 'ended_at', 'failure', 'status', 'transient', 'retry_after'] as const),
  ...(['detail', 'url'] as const),
] as const;

/** Columns of a new attempt. No list of attempts reads the last, which may hold 20 KB. */
export const NEW_ATTEMPT_COLUMNS = [...ATTEMPT_COLUMNS, 'exchange'] as const;

/** The `body` of a delivery whose body is not stored. Keys of bodies begin with 1. */
export const UNSTORED = 0;

/** The prefix of a user's columns in rows from a driver. */
export const USER_PREFIX = 'c_';

/** An attempt in a row from a driver; all `null` if there was no attempt. */
export interface AttemptRow {
  readonly a_number: Integer | null;
  readonly a_started_at: Integer;
  readonly a_ended_at: Integer;
  /** `null` for a success. */
  readonly a_failure: string | null;
  readonly a_status: Integer | null;
  readonly a_transient: boolean | number | null;
  readonly a_retry_after: Integer | null;
  readonly a_detail: string | null;
  readonly a_url: string | null;
  /** Left out where it was not read. */
  readonly a_exchange?: string | null;
}

/** A delivery in a row from a driver, with its last attempt. The columns of the store's user begin with `c_`. */
export interface DeliveryRow extends AttemptRow {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly endpoint_id: string;
  readonly origin: string;
  readonly replay_of: string | null;
  readonly state: string;
  readonly attempts: Integer;
  readonly due_at: Integer | null;
  readonly lease: string | null;
  readonly created_at: Integer;
  readonly finished_at: Integer | null;
  readonly ordering_key: string | null;
  readonly holds_key: boolean | number | null;
}

const integer = (value: Integer | null): number | null => (value === null ? null : Number(value));

/**
 * Most attempts of a policy. A damaged count of 2,147,483,647 could not be incremented, and would fail a whole batch.
 */
const MAX_ATTEMPTS = 100;

/** A record, and the columns that could not be read. */
export interface ReadRecord {
  readonly delivery: Delivery;
  /** Names of columns. */
  readonly damaged: readonly string[];
}

/**
 * Reads a row. Never throws, so that a damaged row does not fail the others. An impossible number of attempts is
 * replaced by that of the last attempt.
 */
export function readRecord(row: DeliveryRow, columns: Columns): ReadRecord {
  const last = attemptOf(row);
  const [count, known] = [Number(row.attempts), last?.number ?? 0];
  const isCount = isIntegerIn(count, 0, MAX_ATTEMPTS);
  const delivery: Delivery = {
    id: restored(row.id),
    event_id: restored(row.event_id),
    event_type: restored(row.event_type),
    endpoint_id: restored(row.endpoint_id),
    origin: row.origin as Origin,
    replay_of: row.replay_of === null ? null : restored(row.replay_of),
    state: row.state as DeliveryState,
    attempts: isCount ? Math.max(count, known) : known,
    due_at: integer(row.due_at),
    lease: row.lease === null ? null : restored(row.lease),
    last_attempt: last,
    created_at: Number(row.created_at),
    finished_at: integer(row.finished_at),
    ...columns.member(userValues(row, columns)),
    ...orderOf(row),
  };
  return { delivery, damaged: isCount && count === known ? [] : ['attempts'] };
}

/** The members of an ordered delivery; none if it has no key. */
function orderOf({ ordering_key: key, holds_key: holds }: DeliveryRow): Partial<Delivery> {
  if (key === null) return {};
  return { ordering_key: restored(key), ...((holds === true || holds === 1) && { holds_key: true }) };
}

const userValues = (row: object, { names }: Columns): Readonly<Record<string, unknown>> =>
  Object.fromEntries(names.map((name) => [name, (row as Record<string, unknown>)[USER_PREFIX + name]]));

/** The delivery of a row, whether or not it is damaged. */
export const deliveryOf = (row: DeliveryRow, columns: Columns): Delivery => readRecord(row, columns).delivery;

/** The attempt of a row; `null` if it has none. */
export function attemptOf(row: AttemptRow): Attempt | null {
  if (row.a_number === null) return null;
  return {
    number: Number(row.a_number),
    started_at: Number(row.a_started_at),
    ended_at: Number(row.a_ended_at),
    outcome: outcomeOf(row),
    ...(row.a_url !== null && { url: row.a_url }),
    ...(typeof row.a_exchange === 'string' && { exchange: row.a_exchange }),
  };
}

function outcomeOf({
  a_failure,
  a_status,
  a_transient,
  a_retry_after,
  a_detail,
}: AttemptRow): AttemptOutcome {
  if (a_failure === null) return { ok: true, status: Number(a_status) };
  return {
    ok: false,
    failure: a_failure as FailureCode,
    transient: a_transient !== false && a_transient !== 0,
    detail: a_detail ?? '',
    ...(a_status !== null && { status: Number(a_status) }),
    ...(a_retry_after !== null && { retry_after_seconds: Number(a_retry_after) }),
  };
}

/** The columns of the attempt that a settlement adds, without `delivery`; all `null` if it adds none. */
export const attemptRow = (settlement: Settlement, keeps: Keeps): NewAttemptRow =>
  settlement.attempt === null ? NO_ATTEMPT : { ...rowOf(settlement.attempt), ...keptOf(settlement, keeps) };

/** The columns of an attempt of which nothing else is kept. */
export function rowOf({ number, started_at, ended_at, outcome }: Attempt): NewAttemptRow {
  const row = { ...NO_ATTEMPT, number, started_at, ended_at, status: outcome.status ?? null };
  if (outcome.ok) return row;
  const { failure, transient, retry_after_seconds = null, detail } = outcome;
  return { ...row, failure, transient, retry_after: retry_after_seconds, detail: wellFormed(detail) };
}

/** The columns of an attempt that is about to be added, but for the key of its delivery; all `null` for none. */
export interface NewAttemptRow {
  readonly number: number | null;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  readonly failure: string | null;
  readonly status: number | null;
  readonly transient: boolean | null;
  readonly retry_after: number | null;
  readonly detail: string | null;
  readonly url: string | null;
  readonly exchange: string | null;
}

const NO_ATTEMPT: NewAttemptRow = {
  ...{ number: null, started_at: null, ended_at: null, failure: null, status: null },
  ...{ transient: null, retry_after: null, detail: null, url: null, exchange: null },
};

const storableOrNull = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : storable(text);

/** The columns of a new delivery; ids and types are encoded by `storable`. */
export function newRow(delivery: Delivery) {
  return {
    id: storable(delivery.id),
    event_id: storable(delivery.event_id),
    event_type: storable(delivery.event_type),
    endpoint_id: storable(delivery.endpoint_id),
    origin: delivery.origin,
    replay_of: storableOrNull(delivery.replay_of),
    due_at: delivery.due_at,
    created_at: delivery.created_at,
    // Absent in a delivery that was made by hand.
    lease: storableOrNull(delivery.lease),
    ordering_key: storableOrNull(delivery.ordering_key),
  };
}
