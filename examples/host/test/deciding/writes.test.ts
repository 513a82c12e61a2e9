/** Laws of how much one event writes: a row more, or an index more, is a decision and no accident. */
import { expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { postgresWrites, sqliteWrites } from './event-writes.js';

const [sqlite, postgres] = databases();

/**
 * An event of 1 KB that one rule tags and two endpoints receive. Exchanges are in rows that are written anyway.
 */
const LAWS = [
  { exchanges: 'without exchanges', areKept: false, walBytes: 6_850, sqliteBytes: 11_750 },
  { exchanges: 'with exchanges', areKept: true, walBytes: 7_400, sqliteBytes: 12_600 },
];

test.for(LAWS)(
  'Postgres writes a bounded number of rows, entries of indexes and bytes of its log for an event $exchanges',
  async ({ areKept, walBytes }) => {
    const connect = postgres!.create();
    const { rows, entries, locks, bytes, byRelation } = await postgresWrites(
      await connect(),
      connect.options as Extract<typeof connect.options, { postgres: string }>,
      areKept,
    );
    const relations = JSON.stringify(byRelation);
    expect(rows, relations).toBeLessThanOrEqual(10.5);
    expect(entries, relations).toBeLessThanOrEqual(21.6);
    expect(locks).toBeLessThanOrEqual(3.2);
    expect(bytes, relations).toBeLessThanOrEqual(walBytes);
  },
);

test.for(LAWS)(
  'SQLite writes a bounded number of bytes for an event $exchanges',
  async ({ areKept, sqliteBytes }) => {
    const connect = sqlite!.create();
    const options = connect.options as Extract<typeof connect.options, { sqlite: string }>;
    expect(await sqliteWrites(await connect(), options, areKept)).toBeLessThanOrEqual(sqliteBytes);
  },
);
