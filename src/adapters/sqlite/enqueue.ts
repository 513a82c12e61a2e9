/** Adds new deliveries and their bodies in the open transaction. */
import { createHash } from 'node:crypto';
import type { Delivery } from '../../delivery/delivery.js';
import type { Dispatch } from '../../delivery/store.js';
import { newRow } from '../sql/record.js';
import { storable } from '../sql/text.js';
import type { Statements } from './statements.js';

/** @returns The new deliveries. */
export const addAll = (statements: Statements, dispatches: readonly Dispatch[]): readonly Delivery[] =>
  dispatches.flatMap((dispatch) => add(statements, dispatch));

function add(statements: Statements, { body, deliveries }: Dispatch): readonly Delivery[] {
  const [first] = deliveries;
  if (first === undefined) return [];
  const event = storable(first.event_id);
  const digest = createHash('sha256').update(body).digest();
  const isNew = statements.addBody.run(event, digest, body, first.created_at).changes === 1;
  const { id } = statements.bodyOf.get(event, digest) as { id: number };
  const added = deliveries.filter((delivery) => addDelivery(statements, delivery, id, body.length));
  if (isNew && added.length === 0) statements.removeBody.run(id);
  return added;
}

function addDelivery(statements: Statements, delivery: Delivery, body: number, bytes: number): boolean {
  const row = newRow(delivery);
  const { id, event_id, event_type, endpoint_id, origin, replay_of, due_at, created_at, lease } = row;
  const state = lease === null ? 'pending' : 'leased';
  const record = [id, event_id, event_type, endpoint_id, origin, replay_of, due_at, created_at];
  const values = [...record, state, lease, body, bytes];
  const user = statements.columns.list(delivery.columns);
  return statements.addDelivery.run(...values, ...user).changes === 1;
}
