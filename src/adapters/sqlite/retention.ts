/** Deletes finished deliveries and their bodies, one batch in each transaction. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type DeleteDeliveriesOptions,
  type DeletedCounts,
  readDeletion,
  readRetention,
  type Retention,
} from '../../delivery/retention.js';
import type { KeyRow, PromotedRow } from '../sql/keys.js';
import { restored, storable } from '../sql/text.js';
import type { Access } from './claims.js';
import type { SqliteDatabase } from './driver.js';
import { passKey } from './key-holders.js';
import type { Statements, StatementsOf } from './statements.js';

/** Deletes finished deliveries, in a transaction of the host where it names them. */
export interface SqliteRetention extends Retention {
  /**
   * Deletes deliveries that the host names; see {@link DeliveryDeletion.deleteDeliveries}.
   *
   * @param ids - Ids of deliveries: some hundreds, since other writers may have to wait.
   * @param options - Whether unfinished ones go, too.
   * @param database - A connection of the host with an open transaction, as for `enqueue` of the store.
   */
  deleteDeliveries(
    ids: readonly string[],
    options?: DeleteDeliveriesOptions,
    database?: SqliteDatabase,
  ): Promise<readonly string[]>;
}

/**
 * @param own - The store's own connection.
 * @param note - Called for each delivery that no longer waits behind a deleted one.
 */
export const createRetention = (
  own: SqliteDatabase,
  statementsOf: StatementsOf,
  access: Access,
  note: (row: PromotedRow) => void,
): SqliteRetention => ({
  deleteFinished: async (options) => {
    const statements = statementsOf(own);
    const { before, batchSize } = readRetention(options);
    let deliveries = 0;
    for (let deleted = batchSize; deleted === batchSize; deliveries += deleted) {
      await nextTurn();
      deleted = await access.write(() => Number(statements.deleteFinished.run(before, batchSize).changes));
    }
    return { deliveries, bodies: await deleteBodies(statements, access, before, batchSize) };
  },
  deleteDeliveries: async (given, options, host) => {
    const { ids, unfinished } = readDeletion(given, options);
    const asked = JSON.stringify(ids.map(storable));
    return await access.write((on) => deleteNamed(statementsOf(on), asked, unfinished, note), host);
  },
});

/** @param ids - A JSON array. */
function deleteNamed(
  statements: Statements,
  ids: string,
  unfinished: boolean,
  note: (row: PromotedRow) => void,
): readonly string[] {
  const gone = statements.deleteDeliveries.all(ids, Number(unfinished)) as unknown as DeletedRow[];
  for (const body of new Set(gone.map((one) => one.body))) statements.deleteThisBody.run(body);
  for (const { endpoint_id, ordering_key } of gone) {
    if (ordering_key !== null) passKey(statements, { endpoint_id, ordering_key }).forEach(note);
  }
  return gone.map(({ id }) => restored(id));
}

/** Reads the bodies in the order in which they were added, until a whole batch is newer, and deletes unneeded ones. */
async function deleteBodies(
  statements: Statements,
  access: Access,
  before: number,
  batchSize: number,
): Promise<DeletedCounts['bodies']> {
  let deleted = 0;
  for (let after = 0; ;) {
    await nextTurn();
    const bodies = await access.read(() => statements.bodiesAfter.all(after, batchSize) as BodyRow[]);
    const from = after;
    after = bodies.at(-1)?.id ?? after;
    if (!bodies.some(({ created_at }) => created_at < before)) return deleted;
    deleted += await access.write(() => Number(statements.deleteBodies.run(from, after, before).changes));
  }
}

interface DeletedRow extends Pick<KeyRow, 'endpoint_id'> {
  readonly id: string;
  readonly body: number;
  readonly ordering_key: string | null;
}

interface BodyRow {
  readonly id: number;
  readonly created_at: number;
}
