/** The example that deletes finished deliveries. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Delivery, newDelivery, transition } from 'headgate/delivery';
import { createSqliteStore, type SqliteStore } from 'headgate/sqlite';
import { expect, onTestFinished, test } from 'vitest';

const DAY_MS = 86_400_000;

/** Delivered this many days ago. */
async function deliver(store: SqliteStore, event: string, daysAgo: number): Promise<Delivery> {
  const at = Date.now() - daysAgo * DAY_MS;
  const delivery = newDelivery({ id: event, type: 'x' }, 'a', { at });
  await store.enqueue([{ body: Buffer.from(event), deliveries: [delivery] }]);
  const request = { lease: event, at, until: at + 30_000, limit: 1, perEndpoint: 1, inFlight: new Map() };
  const [claim] = (await store.claim(request)).claims;
  const attempt = { started_at: at, ended_at: at, outcome: { ok: true, status: 204 } } as const;
  const after = transition(claim!.delivery, { type: 'attempt', lease: event, attempt, policy: null });
  if (!after.ok) throw new Error(after.reason);
  await store.settle([{ lease: event, delivery: after.delivery, attempt: after.delivery.last_attempt }]);
  return after.delivery;
}

const run = (...args: string[]): string =>
  execFileSync(process.execPath, ['--import', 'tsx', 'examples/retention/index.ts', ...args], {
    encoding: 'utf8',
    stdio: 'pipe',
  });

test('what finished this many days ago goes, and is counted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-retention-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'deliveries.db');
  const store = createSqliteStore({ path });
  const old = await deliver(store, 'evt_1', 31);
  const young = await deliver(store, 'evt_2', 29);
  expect(run('--days', '30', '--sqlite', path)).toBe(
    'deleted 1 deliveries and 1 bodies of more than 30 days ago\n',
  );
  expect(await store.get(old.id)).toBeNull();
  expect((await store.get(young.id))?.delivery).toEqual(young);
  store.close();
});

test('without days, or without a store, it says how to call it', () => {
  expect(() => run('--sqlite', 'x.db')).toThrow(/usage: --days/);
});
