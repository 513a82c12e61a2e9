/** Adds new deliveries and their bodies in the open transaction. */
import { createHash } from 'node:crypto';
import type { Delivery } from '../../delivery/delivery.js';
import type { Dispatch } from '../../delivery/store.js';
import { newRow } from '../sql/record.js';
import { storable } from '../sql/text.js';
import type { Statements } from './statements.js';

/** @returns The number of new deliveries. */
export const addAll = (statements: Statements, dispatches: readonly Dispatch[]): number =>
  dispatches.reduce((added, dispatch) => added + add(statements, dispatch), 0);

function add(statements: Statements, { body, deliveries }: Dispatch): number {
  const [first] = deliveries;
  if (first === undefined) return 0;
  const event = storable(first.event_id);
  const digest = createHash('sha256').update(body).digest();
  const isNew = statements.addBody.run(event, digest, body, first.created_at).changes === 1;
  const { id } = statements.bodyOf.get(event, digest) as { id: number };
  const added = deliveries.filter((delivery) => addDelivery(statements, delivery, id, body.length)).length;
  if (isNew && added === 0) statements.removeBody.run(id);
  return added;
}

function addDelivery({ addDelivery }: Statements, delivery: Delivery, body: number, bytes: number): boolean {
  const row = newRow(delivery);
  const { id, event_id, event_type, endpoint_id, origin, replay_of, due_at, created_at } = row;
  const values = [id, event_id, event_type, endpoint_id, origin, replay_of, due_at, created_at, body, bytes];
  return addDelivery.run(...values).changes === 1;
}
