/** Deletes what is over, a batch a transaction. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { DeletedCounts, Retention } from '../../delivery/retention.js';
import type { Access } from './claims.js';
import type { Statements } from './statements.js';

const BATCH_SIZE = 1_000;

export const createRetention = (statements: Statements, access: Access): Retention => ({
  deleteFinished: async ({ before, batchSize = BATCH_SIZE }) => {
    const counts = { deliveries: 0, bodies: 0 };
    for (let deleted = batchSize; deleted === batchSize;) {
      await breathe();
      deleted = await access.write(() => Number(statements.deleteFinished.run(before, batchSize).changes));
      counts.deliveries += deleted;
    }
    return { ...counts, bodies: await deleteBodies(statements, access, before, batchSize) };
  },
});

/** Walks the old bodies once, in the order in which they came. Those that are still needed are few. */
async function deleteBodies(
  statements: Statements,
  access: Access,
  before: number,
  batchSize: number,
): Promise<DeletedCounts['bodies']> {
  let count = 0;
  for (let after = 0; ;) {
    await breathe();
    const ids = await access.read(
      () => statements.oldBodies.all(after, before, batchSize) as { id: number }[],
    );
    const last = ids.at(-1)?.id;
    if (last === undefined) return count;
    const from = after;
    count += await access.write(() => Number(statements.deleteBodies.run(from, last, before).changes));
    after = last;
  }
}
