/** Counts that follow from deliveries and their attempts, compared with them. */
import { expect } from 'vitest';
import type { Database } from '../../src/db/index.js';

/** Asserts that deliveries count their attempts, and that the minutes of endpoints count them once. */
export async function expectCounted(db: Database): Promise<void> {
  const miscounted = await db.all(`select id from {deliveries} as d
    where attempts <> (select count(*) from {attempts} as a where a.delivery = d.number)`);
  expect(miscounted).toEqual([]);
  const minutes = await db.get<{ n: number | null }>(
    "select sum(attempts) as n from endpoint_minutes where code <> 'given_up'",
  );
  const attempts = await db.get<{ n: number }>(
    "select count(*) as n from {attempts} where failure is null or failure <> 'endpoint_gone'",
  );
  expect(minutes?.n ?? 0).toBe(attempts?.n);
  const ends = await db.get<{ n: number | null }>(
    "select sum(attempts) as n from endpoint_minutes where code = 'given_up'",
  );
  const failed = await db.get<{ n: number }>(
    "select count(*) as n from {deliveries} where state = 'failed' and failure <> 'endpoint_gone'",
  );
  expect(ends?.n ?? 0).toBe(failed?.n);
}
