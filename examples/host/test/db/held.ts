/** Transactions that stay open, for tests of what waits for them. */
import { setTimeout as sleep } from 'node:timers/promises';
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
  let isHeld = true;
  let holder: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    holder = db.transaction(async (tx) => {
      await tx.run(sql, values);
      resolve();
      // The server ends a transaction that is idle for long.
      while (isHeld) {
        await tx.get('select 1');
        await sleep(50);
      }
    });
    holder.catch(reject);
  });
  return async () => {
    isHeld = false;
    await holder;
  };
}
