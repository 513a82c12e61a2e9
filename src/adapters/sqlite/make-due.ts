/** Makes pending deliveries due in SQLite. */
import {
  type DueDates,
  type MakeDueOptions,
  type PendingFilter,
  readMakeDue,
} from '../../delivery/make-due.js';
import type { PromotedRow } from '../sql/keys.js';
import { storable } from '../sql/text.js';
import type { Access } from './claims.js';
import type { SqliteDatabase, SqliteValue } from './driver.js';
import { statementOf } from './statements.js';

/** Makes pending deliveries due, in a transaction of the host where it names one. */
export interface SqliteDueDates extends DueDates {
  /**
   * Makes pending deliveries due; see {@link DueDates.makeDue}.
   *
   * @param filter - Which deliveries.
   * @param options - When, and how many at once.
   * @param database - A connection of the host with an open transaction, as for `enqueue` of the store.
   */
  makeDue(filter: PendingFilter, options: MakeDueOptions, database?: SqliteDatabase): Promise<number>;
}

/** @param note - Called with the endpoint and the time of each changed delivery. */
export const createDueDates = (access: Access, note: (row: PromotedRow) => void): SqliteDueDates => ({
  makeDue: async (filter, options, host) => {
    const { ids, endpointId, at, limit } = readMakeDue(filter, options);
    const values: SqliteValue[] = [at, at];
    if (ids !== undefined) values.push(JSON.stringify(ids.map(storable)));
    if (endpointId !== undefined) values.push(storable(endpointId));
    const sql = makeDue(ids !== undefined, endpointId !== undefined);
    const changed = await access.write(
      (database) => statementOf(database, sql).all(...values, limit) as { endpoint_id: string }[],
      host,
    );
    for (const { endpoint_id } of changed) note({ endpoint_id, due_at: at });
    return changed.length;
  },
});

/**
 * Its last value is the limit. By ids it looks up those alone: the plus keeps it from an index of all that is pending.
 */
export const makeDue = (hasIds: boolean, hasEndpoint: boolean): string =>
  `update headgate_deliveries set due_at = ? where number in (
      select number from headgate_deliveries where ${hasIds ? '+' : ''}state = 'pending' and due_at > ?
        ${hasIds ? 'and id in (select value from json_each(?))' : ''} ${hasEndpoint ? 'and endpoint_id = ?' : ''}
      order by due_at limit ?
    ) returning endpoint_id`;
