/** Deletes what is over, a batch a transaction. */
import type { DeletedCounts, DeleteFinishedOptions } from '../../delivery/retention.js';
import { OptionError } from '../../errors.js';
import type { Database } from './database.js';
import type { Statements } from './statements.js';

const BATCH_SIZE = 1_000;

/** See {@link Retention.deleteFinished}. */
export async function deleteFinished(
  database: Database,
  statements: Statements,
  { before, batchSize = BATCH_SIZE }: DeleteFinishedOptions,
): Promise<DeletedCounts> {
  if (!Number.isInteger(batchSize) || batchSize < 1) {
    throw new OptionError('invalid_option', `batchSize is ${batchSize}: give a positive integer`);
  }
  let deliveries = 0;
  for (let deleted = batchSize; deleted === batchSize; deliveries += deleted) {
    const [row] = await database.rows<{ count: number }>(statements.deleteFinished, [before, batchSize]);
    deleted = row?.count ?? 0;
  }
  return { deliveries, bodies: await deleteBodies(database, statements, before, batchSize) };
}

/** Walks the old bodies once, in the order in which they came. */
async function deleteBodies(
  database: Database,
  statements: Statements,
  before: number,
  batchSize: number,
): Promise<number> {
  let bodies = 0;
  let after: string | null = '0';
  while (after !== null) {
    const from: string = after;
    const batch = await database.transaction(async (client) => {
      const [locked] = await database.rows<LockedBodies>(
        statements.lockBodies,
        [from, before, batchSize],
        client,
      );
      const ids = locked?.ids ?? [];
      const [row] = await database.rows<{ count: number }>(statements.deleteBodies, [ids], client);
      return { count: row?.count ?? 0, last: locked?.last ?? null };
    });
    bodies += batch.count;
    after = batch.last;
  }
  return bodies;
}

interface LockedBodies {
  /** 64-bit numbers as text. */
  readonly ids: readonly string[] | null;
  readonly last: string | null;
}
