/** Ordering keys in SQLite: which delivery holds each, in the open transaction. */
import type { Delivery } from '../../delivery/delivery.js';
import { changesHold, keyOf, type KeyRow, mayPassKey, type PromotedRow } from '../sql/keys.js';
import { storable } from '../sql/text.js';
import type { Statements } from './statements.js';

/** The holder of a key. */
interface Holder {
  readonly finished_at: number | null;
  readonly is_over: number;
}

/** Passes the key of a delivery that was settled on, if it is finished; returns the delivery that waits no longer. */
export function passKeyOf(statements: Statements, delivery: Delivery): readonly PromotedRow[] {
  const key = keyOf(delivery);
  if (key === null || !mayPassKey(delivery)) return [];
  const holds = delivery.holds_key === true;
  if (changesHold(delivery)) statements.hold.run(holds ? 1 : null, storable(delivery.id));
  return holds ? [] : passKey(statements, key);
}

/** Gives a key to the next delivery, if its holder is finished or deleted; returns that delivery. */
export function passKey(
  statements: Statements,
  { endpoint_id, ordering_key }: KeyRow,
): readonly PromotedRow[] {
  const key = [endpoint_id, ordering_key] as const;
  const holder = statements.holder.get(...key) as Holder | undefined;
  if (holder?.is_over !== 1) return [];
  const next = statements.nextOfKey.get(...key) as { number: number; id: string } | undefined;
  if (next === undefined) {
    statements.freeKey.run(...key);
    return [];
  }
  statements.giveKey.run(next.id, ...key);
  const freeAt = holder.finished_at ?? Number.MIN_SAFE_INTEGER;
  return statements.promote.all(freeAt, next.number) as unknown as PromotedRow[];
}
