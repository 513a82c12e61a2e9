/** Deletes finished deliveries and their bodies, one batch in each transaction. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type DeleteDeliveriesOptions,
  type DeletedCounts,
  readDeletion,
  readRetention,
  type Retention,
} from '../../delivery/retention.js';
import { restored, storable } from '../sql/text.js';
import type { Access } from './claims.js';
import type { SqliteDatabase } from './driver.js';
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

export const createRetention = (
  statements: Statements,
  statementsOf: StatementsOf,
  access: Access,
): SqliteRetention => ({
  deleteFinished: async (options) => {
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
    return await access.write((database) => deleteNamed(statementsOf(database), asked, unfinished), host);
  },
});

/** @param ids - A JSON array. */
function deleteNamed(statements: Statements, ids: string, unfinished: boolean): readonly string[] {
  const gone = statements.deleteDeliveries.all(ids, Number(unfinished)) as { id: string; body: number }[];
  for (const body of new Set(gone.map((one) => one.body))) statements.deleteThisBody.run(body);
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

interface BodyRow {
  readonly id: number;
  readonly created_at: number;
}
