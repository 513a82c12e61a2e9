/** Deliveries as rows: what both databases keep of one, column by column. */
import type { Attempt, Delivery, DeliveryState, Origin } from '../../delivery/delivery.js';
import { restored, storable } from './text.js';

/** A row of deliveries as a driver gives it. Integers may come as text: `pg` gives 64-bit ones so. */
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

/** @param row - As the driver gave it. */
export function deliveryOf(row: DeliveryRow): Delivery {
  return {
    id: restored(row.id),
    event_id: restored(row.event_id),
    event_type: restored(row.event_type),
    endpoint_id: restored(row.endpoint_id),
    origin: row.origin as Origin,
    replay_of: row.replay_of === null ? null : restored(row.replay_of),
    state: row.state as DeliveryState,
    attempts: Number(row.attempts),
    due_at: instant(row.due_at),
    lease: row.lease === null ? null : restored(row.lease),
    last_attempt: lastOf(row.history),
    created_at: Number(row.created_at),
    finished_at: instant(row.finished_at),
  };
}

/** @param history - Lines of JSON, each ended. */
export const attemptsOf = (history: string): readonly Attempt[] =>
  history
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Attempt);

const lastOf = (history: string): Attempt | null =>
  history === ''
    ? null
    : (JSON.parse(history.slice(history.lastIndexOf('\n', history.length - 2) + 1)) as Attempt);

/** What is appended to `history`; JSON has no line break outside of escapes. */
export const historyLine = (attempt: Attempt | null): string =>
  attempt === null ? '' : `${JSON.stringify(attempt)}\n`;

/** Texts of a new delivery, ready for their columns. */
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
