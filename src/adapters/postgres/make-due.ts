/** Makes pending deliveries due in Postgres. */
import { type MakeDueOptions, type PendingFilter, readMakeDue } from '../../delivery/make-due.js';
import { restored, storable } from '../sql/text.js';
import type { Database } from './database.js';
import type { PostgresClient } from './pool.js';
import type { Statements } from './statements.js';

/** Rows that a claim has locked are about to be leased; they are skipped. */
const makeDue = (conditions: string): string => `
  update {{schema}}.deliveries set due_at = $1, added = txid_current() where id = any (array(
    select id from {{schema}}.deliveries where state = 'pending' and due_at > $1 ${conditions}
    order by due_at, id limit $2 for update skip locked
  ))
  returning endpoint_id`;

/**
 * See {@link DueDates.makeDue}.
 *
 * @param client - A connection of the host with an open transaction.
 * @returns The endpoint of each delivery that was changed.
 */
export async function makeDueIn(
  database: Database,
  statements: Statements,
  filter: PendingFilter,
  options: MakeDueOptions,
  client?: PostgresClient,
): Promise<readonly string[]> {
  const { ids, endpointId, at, limit } = readMakeDue(filter, options);
  const values: unknown[] = [at, limit];
  const byId = ids === undefined ? '' : `and id = any ($${values.push(ids.map(storable))}::text[])`;
  const byEndpoint =
    endpointId === undefined ? '' : `and endpoint_id = $${values.push(storable(endpointId))}`;
  const statement = statements.of(makeDue(`${byId} ${byEndpoint}`));
  const rows = await database.rows<{ endpoint_id: string }>(statement, values, client);
  return rows.map(({ endpoint_id }) => restored(endpoint_id));
}
