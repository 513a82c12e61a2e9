/** Ordering keys in the tables of SQL stores: which changes of deliveries concern them. */
import { type Delivery, isOrdered } from '../../delivery/delivery.js';
import { restored, storable } from './text.js';

/** A key of an endpoint; texts are encoded by `storable`. */
export interface KeyRow {
  readonly endpoint_id: string;
  readonly ordering_key: string;
}

/** A delivery that waits no longer. Its endpoint is encoded by `storable`. */
export interface PromotedRow {
  readonly endpoint_id: string;
  readonly due_at: number | string;
}

/** The endpoint of a delivery that waits no longer, and when it is due. */
export const promotedOf = ({
  endpoint_id,
  due_at,
}: PromotedRow): Pick<Delivery, 'endpoint_id' | 'due_at'> => ({
  endpoint_id: restored(endpoint_id),
  due_at: Number(due_at),
});

/** The key of a record; `null` for one without a key. */
export const keyOf = ({ endpoint_id, ordering_key: key = null }: Delivery): KeyRow | null =>
  key === null ? null : { endpoint_id: storable(endpoint_id), ordering_key: storable(key) };

/** Whether a record that is settled may be that of a key's holder that has finished. */
export const mayPassKey = (delivery: Delivery): boolean =>
  delivery.due_at === null && (delivery.ordering_key ?? null) !== null;

/**
 * Whether the row of a holder that has finished has another `holds_key` than its record: only replays had one before.
 */
export const changesHold = (delivery: Delivery): boolean =>
  (delivery.holds_key === true) === isOrdered(delivery);
