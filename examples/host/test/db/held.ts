/** Transactions that stay open, for tests of what waits for them. */
import type { Database, Sql, Value } from '../../src/db/index.js';

/**
 * Runs a statement, and keeps its transaction open with the locks that it took.
 *
 * @param db - Not the one under test: the transaction keeps a connection.
 * @returns Ends the transaction.
 */
export async function holdOpen(
  db: Database,
  sql: Sql,
  values: readonly Value[],
): Promise<() => Promise<void>> {
  let release = (): void => undefined;
  let holder: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    holder = db.transaction(async (tx) => {
      await tx.run(sql, values);
      resolve();
      await new Promise<void>((end) => (release = end));
    });
    holder.catch(reject);
  });
  return async () => {
    release();
    await holder;
  };
}
