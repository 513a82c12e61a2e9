/** The stores of seen keys as docs/receivers.md has them. */
import { readFileSync } from 'node:fs';
import type { SeenStore } from '../../src/receiver/index.js';
import { readBlocks, type Block } from '../docs/blocks.js';

const DOCUMENT = 'docs/receivers.md';

/** The exports of such a block. */
export interface Documented<Database> {
  readonly createSeenStore: (database: Database) => SeenStore;
}

/** The block whose store is made of a database of this type. */
export function documentedStore(type: string): Block {
  const block = readBlocks().find(
    ({ document, code }) =>
      document === DOCUMENT && /createSeenStore.*: (\w+)\): SeenStore/.exec(code)?.[1] === type,
  );
  if (block === undefined) throw new Error(`${DOCUMENT}: no createSeenStore of a ${type}`);
  return block;
}

/** The SQL that makes the table of Postgres. */
export function documentedTable(): string {
  const [, sql] = /```sql\n([^]*?)```/.exec(readFileSync(DOCUMENT, 'utf8')) ?? [];
  if (sql === undefined) throw new Error(`${DOCUMENT}: no SQL`);
  return sql;
}
