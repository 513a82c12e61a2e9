/** The store, and the deliveries of an event. */
import { createDispatch, type Dispatch } from 'headgate/delivery';
import { createPostgresStore } from 'headgate/postgres';
import pg from 'pg';

export const url = process.env['DATABASE_URL'] ?? '';
export const pool = new pg.Pool({ connectionString: url });
// Without these two, a connection that breaks ends the process.
pool.on('error', console.error);
pool.on('connect', (client) => client.on('error', console.error));
export const store = createPostgresStore({ pool }); // call store.migrate() when you deploy

const endpoints = [{ id: 'a', status: 'active' as const }]; // yours: from a table

export function orderPaid(order: number): Dispatch {
  const event = { id: `evt_${order}`, type: 'order.paid', data: { order } };
  return createDispatch({ outcome: 'deliver', event, endpointIds: null }, endpoints, { at: Date.now() });
}
