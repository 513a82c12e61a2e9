/** The library's records and the host's rows, compared. */
import type { DeliveryStore } from 'headgate/delivery';
import { expect } from 'vitest';
import type { Database } from '../../src/db/index.js';

/** Asserts that the library's records and the host's rows agree, as they must at any instant. */
export async function expectLedgersAgree(db: Database): Promise<void> {
  const rows = await db.all<Record<string, never>>('select * from deliveries order by id');
  const attempts = new Map<string, number>();
  for (const { delivery_id } of await db.all<{ delivery_id: string }>('select delivery_id from attempts')) {
    attempts.set(delivery_id, (attempts.get(delivery_id) ?? 0) + 1);
  }
  const letters = await lettersOf(db.store);
  for (const row of rows) {
    const known = await db.store.get(row.id!);
    const state = known?.delivery.state === 'leased' ? 'pending' : known?.delivery.state;
    expect({ id: row.id, state: row.state, attempts: row.attempts, finished_at: row.finished_at }).toEqual({
      ...{ id: row.id, state, attempts: known?.delivery.attempts },
      finished_at: known?.delivery.finished_at,
    });
    expect(attempts.get(row.id!) ?? 0).toBe(row.attempts);
    expect([row.id, row.dead]).toEqual([row.id, letters.has(row.id!) ? 1 : 0]);
  }
  const minutes = await db.get<{ n: number | null }>(
    "select sum(attempts) as n from endpoint_minutes where code <> 'given_up'",
  );
  const counted = await db.get<{ n: number }>(
    `select count(*) as n from attempts where failure is null or failure <> 'endpoint_gone'`,
  );
  expect(minutes?.n ?? 0).toBe(counted?.n);
  const ends = await db.get<{ n: number | null }>(
    "select sum(attempts) as n from endpoint_minutes where code = 'given_up'",
  );
  const failed = await db.get<{ n: number }>(
    "select count(*) as n from deliveries where state = 'failed' and failure <> 'endpoint_gone'",
  );
  expect(ends?.n ?? 0).toBe(failed?.n);
}

async function lettersOf(store: DeliveryStore): Promise<ReadonlySet<string>> {
  const { deadLetters } = store as DeliveryStore & {
    deadLetters: { list: (f: object, p: object) => Promise<{ letters: { id: string }[] }> };
  };
  return new Set((await deadLetters.list({}, { limit: 10_000 })).letters.map(({ id }) => id));
}
