/** Reports of damaged rows. A damaged row never prevents the claim of another one. */
import type { Columns } from '../../delivery/columns.js';
import type { Delivery } from '../../delivery/delivery.js';
import { StoreError } from '../../errors.js';
import { type DeliveryRow, readRecord } from './record.js';

/** A leased row and its damage; null for none. */
export interface LeasedRecord {
  readonly delivery: Delivery;
  readonly damage: StoreError | null;
}

/**
 * Reads a row that was leased.
 *
 * @param row - The row from the driver.
 * @param columns - Of the store's user.
 * @param body - Its request body; null where that is missing.
 */
export function readLeased(row: DeliveryRow, columns: Columns, body: Uint8Array | null): LeasedRecord {
  const { delivery, damaged } = readRecord(row, columns);
  return { delivery, damage: damageOf(delivery.id, damaged, body === null) };
}

function damageOf(id: string, columns: readonly string[], isWithoutBody: boolean): StoreError | null {
  const sentences = [
    ...(isWithoutBody ? ['its body is gone: it is not sent, and looked at again when its lease ends'] : []),
    ...columns.map((column) => `its ${column} do not fit its rows: it goes on with what can be read`),
  ];
  if (sentences.length === 0) return null;
  return new StoreError('store_damaged', `delivery ${JSON.stringify(id)}: ${sentences.join('; ')}`);
}
