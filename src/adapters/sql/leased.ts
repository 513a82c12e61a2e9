/** Rows that were leased, as claims. A damaged row never prevents the claim of another one. */
import type { Columns } from '../../delivery/columns.js';
import type { Claim, ReadBodies } from '../../delivery/store.js';
import type { StoreError } from '../../errors.js';
import { bodiesOf, damageOf, type LeasedBody } from '../leased-bodies.js';
import { type DeliveryRow, readRecord } from './record.js';
import type { Due } from './turns.js';

/** A row that was leased, from the driver. */
export interface LeasedRow {
  readonly due: Due;
  readonly row: DeliveryRow;
  readonly body: LeasedBody;
  /** Its `due_at` before it was leased; Unix ms. */
  readonly dueAt: number;
}

/** Result of leasing. */
export interface Leased {
  readonly claims: ReadonlyMap<Due, Claim>;
  /** All deliveries that were leased, also those without their bodies. */
  readonly taken: ReadonlySet<Due>;
  /** Damage in leased rows. A delivery without its body is in no claim. */
  readonly damaged: readonly StoreError[];
}

/** The options of a store by which it reads leased rows. */
export interface Reading {
  /** The columns of the store's user. */
  readonly columns: Columns;
  readonly readBodies: ReadBodies | undefined;
}

/** Reads rows that were leased, and the bodies that are not stored. */
export async function readLeased(
  rows: readonly LeasedRow[],
  { columns, readBodies }: Reading,
): Promise<Leased> {
  const leased = rows.map(({ row, ...others }) => ({ ...others, ...readRecord(row, columns) }));
  const bodies = await bodiesOf(leased, readBodies);
  const claims = new Map<Due, Claim>();
  const damaged: StoreError[] = [];
  leased.forEach(({ due, dueAt, delivery, damaged: of }, i) => {
    const body = bodies[i] ?? null;
    const damage = damageOf(delivery.id, body, of);
    if (damage !== null) damaged.push(damage);
    if (body !== null) claims.set(due, { delivery, body, dueAt });
  });
  return { claims, taken: new Set(leased.map(({ due }) => due)), damaged };
}
