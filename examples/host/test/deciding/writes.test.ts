/** Laws of how much one event writes: a row more, or an index more, is a decision and no accident. */
import { expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { postgresWrites, sqliteWrites } from './event-writes.js';

const [sqlite, postgres] = databases();

/** An event of 1 KB that one rule tags and two endpoints receive. */
test('Postgres writes a bounded number of rows, entries of indexes and bytes of its log for an event', async () => {
  const connect = postgres!.create();
  const { rows, entries, locks, bytes, byRelation } = await postgresWrites(
    await connect(),
    connect.options as Extract<typeof connect.options, { postgres: string }>,
  );
  const relations = JSON.stringify(byRelation);
  expect(rows, relations).toBeLessThanOrEqual(10.5);
  expect(entries, relations).toBeLessThanOrEqual(21.6);
  expect(locks).toBeLessThanOrEqual(3.2);
  expect(bytes, relations).toBeLessThanOrEqual(6_800);
});

test('SQLite writes a bounded number of bytes for an event', async () => {
  const connect = sqlite!.create();
  const db = await connect();
  const bytes = await sqliteWrites(
    db,
    connect.options as Extract<typeof connect.options, { sqlite: string }>,
  );
  expect(bytes).toBeLessThanOrEqual(11_750);
});
