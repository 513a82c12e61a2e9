/** Deletes what is over, a batch a transaction. */
import { setImmediate as breathe } from 'node:timers/promises';
import { type DeletedCounts, readRetention, type Retention } from '../../delivery/retention.js';
import type { Access } from './claims.js';
import type { Statements } from './statements.js';

export const createRetention = (statements: Statements, access: Access): Retention => ({
  deleteFinished: async (options) => {
    const { before, batchSize } = readRetention(options);
    let deliveries = 0;
    for (let deleted = batchSize; deleted === batchSize; deliveries += deleted) {
      await breathe();
      deleted = await access.write(() => Number(statements.deleteFinished.run(before, batchSize).changes));
    }
    return { deliveries, bodies: await deleteBodies(statements, access, before, batchSize) };
  },
});

/** Walks the bodies in the order in which they came, until all are younger. Of the old ones few are still needed. */
async function deleteBodies(
  statements: Statements,
  access: Access,
  before: number,
  batchSize: number,
): Promise<DeletedCounts['bodies']> {
  let deleted = 0;
  for (let after = 0; ;) {
    await breathe();
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
