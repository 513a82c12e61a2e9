/** Deletes finished deliveries and their bodies, one batch in each transaction. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DeletedCounts, readRetention, type Retention } from '../../delivery/retention.js';
import type { Access } from './claims.js';
import type { Statements } from './statements.js';

export const createRetention = (statements: Statements, access: Access): Retention => ({
  deleteFinished: async (options) => {
    const { before, batchSize } = readRetention(options);
    let deliveries = 0;
    for (let deleted = batchSize; deleted === batchSize; deliveries += deleted) {
      await nextTurn();
      deleted = await access.write(() => Number(statements.deleteFinished.run(before, batchSize).changes));
    }
    return { deliveries, bodies: await deleteBodies(statements, access, before, batchSize) };
  },
});

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
