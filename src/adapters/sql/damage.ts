/** Reports of damaged rows. A damaged row never prevents the claim of another one. */
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
 * @param body - Its request body; null where that is missing.
 */
export function readLeased(row: DeliveryRow, body: Uint8Array | null): LeasedRecord {
  const { delivery, damaged } = readRecord(row);
  return { delivery, damage: damageOf(delivery.id, damaged, body === null) };
}

function damageOf(id: string, columns: readonly string[], isWithoutBody: boolean): StoreError | null {
  const sentences = [
    ...(isWithoutBody ? ['its body is gone: it is not sent, and looked at again when its lease ends'] : []),
    ...columns.map((column) => `its ${column} cannot be read: it goes on with what can`),
  ];
  if (sentences.length === 0) return null;
  return new StoreError('store_damaged', `delivery ${JSON.stringify(id)}: ${sentences.join('; ')}`);
}
