/** Adds new deliveries and their bodies in the open transaction. */
import { createHash } from 'node:crypto';
import { type Delivery, isOrdered } from '../../delivery/delivery.js';
import type { Dispatch } from '../../delivery/store.js';
import { waiting } from '../../delivery/transition.js';
import { keyOf } from '../sql/keys.js';
import { newRow, UNSTORED } from '../sql/record.js';
import { storable } from '../sql/text.js';
import type { Statements } from './statements.js';

/** @returns The new deliveries. */
export const addAll = (statements: Statements, dispatches: readonly Dispatch[]): readonly Delivery[] =>
  dispatches.flatMap((dispatch) => add(statements, dispatch));

function add(statements: Statements, { body, deliveries, storeBody = true }: Dispatch): readonly Delivery[] {
  const [first] = deliveries;
  if (first === undefined) return [];
  if (!storeBody) {
    const unstored = { id: UNSTORED, size: body.length };
    return deliveries.flatMap((delivery) => addOne(statements, delivery, unstored));
  }
  const event = storable(first.event_id);
  const digest = createHash('sha256').update(body).digest();
  const isNew = statements.addBody.run(event, digest, body, first.created_at).changes === 1;
  const { id } = statements.bodyOf.get(event, digest) as { id: number };
  const added = deliveries.flatMap((delivery) => addOne(statements, delivery, { id, size: body.length }));
  if (isNew && added.length === 0) statements.removeBody.run(id);
  return added;
}

/** A body in its table. */
interface Body {
  readonly id: number;
  readonly size: number;
}

/** Adds a delivery, which waits if another holds its key. Returns its record; none if it is known. */
function addOne(statements: Statements, delivery: Delivery, body: Body): readonly Delivery[] {
  const key = isOrdered(delivery) ? keyOf(delivery) : null;
  if (key === null) return addDelivery(statements, delivery, body) ? [delivery] : [];
  const values = [key.endpoint_id, key.ordering_key] as const;
  const isHolder = statements.takeKey.run(...values, storable(delivery.id)).changes === 1;
  const record = isHolder ? delivery : waiting(delivery);
  if (addDelivery(statements, record, body)) return [record];
  if (isHolder) statements.freeKey.run(...values);
  return [];
}

function addDelivery(statements: Statements, delivery: Delivery, body: Body): boolean {
  const row = newRow(delivery);
  const { id, event_id, event_type, endpoint_id, origin, replay_of, due_at, created_at, lease } = row;
  const unleased = delivery.state === 'waiting' ? 'waiting' : 'pending';
  const state = lease === null ? unleased : 'leased';
  const record = [id, event_id, event_type, endpoint_id, origin, replay_of, due_at, created_at];
  const values = [...record, state, lease, row.ordering_key, body.id, body.size];
  const user = statements.columns.list(delivery.columns);
  return statements.addDelivery.run(...values, ...user).changes === 1;
}
