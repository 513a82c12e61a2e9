/** Deliveries as rows, with the columns that both databases have. */
import type { Origin } from '../../delivery-details.js';
import type { Attempt, Delivery, DeliveryState } from '../../delivery/delivery.js';
import { isIntegerIn } from '../../integers.js';
import { restored, storable } from './text.js';

/** A row of deliveries from a driver. Integers may be text: `pg` returns 64-bit ones as text. */
export interface DeliveryRow {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly endpoint_id: string;
  readonly origin: string;
  readonly replay_of: string | null;
  readonly state: string;
  readonly attempts: number | string;
  readonly due_at: number | string | null;
  readonly lease: string | null;
  /** Every recorded attempt as JSON, each on a line of its own. */
  readonly history: string;
  readonly created_at: number | string;
  readonly finished_at: number | string | null;
}

const instant = (value: number | string | null): number | null => (value === null ? null : Number(value));

/** Most attempts of a policy. A damaged count of 2,147,483,647 could not be incremented, and would fail a whole batch. */
const MAX_ATTEMPTS = 100;

/** A record, and the columns that could not be read. */
export interface ReadRecord {
  readonly delivery: Delivery;
  /** Names of columns. */
  readonly damaged: readonly string[];
}

/**
 * Reads a row. Never throws, so that a damaged row does not fail the others. Attempts that cannot be read are left out; an
 * impossible number of attempts is replaced by the number of readable ones.
 *
 * @param row - The row from the driver.
 */
export function readRecord(row: DeliveryRow): ReadRecord {
  const last = attemptOf(lastLine(row.history));
  const count = Number(row.attempts);
  const isCount = isIntegerIn(count, 0, MAX_ATTEMPTS);
  const isHistory = row.history === '' || (last !== null && row.history.endsWith('\n'));
  const delivery: Delivery = {
    id: restored(row.id),
    event_id: restored(row.event_id),
    event_type: restored(row.event_type),
    endpoint_id: restored(row.endpoint_id),
    origin: row.origin as Origin,
    replay_of: row.replay_of === null ? null : restored(row.replay_of),
    state: row.state as DeliveryState,
    attempts: isCount ? count : attemptsOf(row.history).length,
    due_at: instant(row.due_at),
    lease: row.lease === null ? null : restored(row.lease),
    last_attempt: last,
    created_at: Number(row.created_at),
    finished_at: instant(row.finished_at),
  };
  return { delivery, damaged: [...(isHistory ? [] : ['history']), ...(isCount ? [] : ['attempts'])] };
}

/** The delivery of a row, whether or not it is damaged. */
export const deliveryOf = (row: DeliveryRow): Delivery => readRecord(row).delivery;

/**
 * The attempts that can be read.
 *
 * @param history - Lines of JSON.
 */
export const attemptsOf = (history: string): readonly Attempt[] =>
  history
    .split('\n')
    .map(attemptOf)
    .filter((attempt) => attempt !== null);

function lastLine(history: string): string {
  const end = history.endsWith('\n') ? history.length - 1 : history.length;
  return history.slice(end === 0 ? 0 : history.lastIndexOf('\n', end - 1) + 1, end);
}

function attemptOf(line: string): Attempt | null {
  if (line === '') return null;
  try {
    const value: unknown = JSON.parse(line);
    return isAttempt(value) ? value : null;
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function isAttempt(value: unknown): value is Attempt {
  if (!isObject(value) || !isObject(value.outcome)) return false;
  const { number, started_at, ended_at, outcome } = value;
  const areNumbers = [number, started_at, ended_at].every((one) => typeof one === 'number');
  return areNumbers && (outcome.ok === true || (outcome.ok === false && typeof outcome.failure === 'string'));
}

/** The line to append to `history`. JSON escapes line breaks in strings, so an attempt is always one line. */
export const historyLine = (attempt: Attempt | null): string =>
  attempt === null ? '' : `${JSON.stringify(attempt)}\n`;

/** The columns of a new delivery; ids and types are encoded by `storable`. */
export function newRow(delivery: Delivery) {
  return {
    id: storable(delivery.id),
    event_id: storable(delivery.event_id),
    event_type: storable(delivery.event_type),
    endpoint_id: storable(delivery.endpoint_id),
    origin: delivery.origin,
    replay_of: delivery.replay_of === null ? null : storable(delivery.replay_of),
    due_at: delivery.due_at,
    created_at: delivery.created_at,
  };
}
