/** Claims of the host's deliveries on Postgres, where the host has indexes of its own on the library's table. */
import { randomUUID } from 'node:crypto';
import { fanOut } from 'headgate/delivery';
import { describe, expect, test } from 'vitest';
import { createEventIds } from '../../src/ids.js';
import { databases } from './databases.js';
import { insertDeliveries, type TestDelivery } from './library-rows.js';

const newEventId = createEventIds();

const AT = 1_700_000_000_000;
const HISTORY = 3_000;
const WAITING = 40;

describe.each(databases().slice(1))('$name', ({ create }) => {
  test('what waits for an endpoint is read without its history, also before the first analyze', async () => {
    // New tables, since the server counts what is read for as long as a table exists.
    const db = await create()();
    const [project, endpoint] = [randomUUID(), { id: randomUUID(), status: 'active' as const }];
    await db.run('alter table {deliveries} set (autovacuum_enabled = false)');
    const common = {
      project_id: project,
      event_type: 't',
      endpoint_id: endpoint.id,
      origin: 'live',
    } as const;
    const history = Array.from({ length: HISTORY }, (): TestDelivery => {
      const event_id = newEventId(AT);
      const ended = { state: 'delivered', attempts: 1, dead: 0, created_at: AT, finished_at: AT } as const;
      return { ...common, ...ended, id: `${event_id}:${endpoint.id}`, event_id };
    });
    await insertDeliveries(db, db, history);
    const columns = { project_id: project, channel_id: null };
    await db.transaction((tx) =>
      tx.deliveries.enqueue(
        Array.from({ length: WAITING }, () => {
          const event = { id: newEventId(AT), type: 't' };
          const decision = { outcome: 'deliver', endpointIds: null, event } as const;
          return {
            body: new Uint8Array([0x7b, 0x7d]),
            deliveries: fanOut(decision, [endpoint], { at: AT, columns }),
          };
        }),
      ),
    );
    // The first claim finds that the endpoint has more than its part; the next ones look for the rest of it.
    const request = {
      at: AT,
      until: AT + 15_000,
      limit: 10,
      perEndpoint: 4,
      inFlight: new Map<string, number>(),
    };
    for (let i = 0; i < 5; i++) {
      const { claims } = await db.store.claim({ ...request, lease: randomUUID() });
      expect(claims).toHaveLength(4);
    }
    const readBy = async (index: string): Promise<number> => {
      const row = await db.get<{ n: number }>(
        `select idx_tup_read as n from pg_stat_user_indexes
          where indexrelname = $1 and relid = '{deliveries}'::regclass`,
        [index],
      );
      return row?.n ?? 0;
    };
    await expect.poll(() => readBy('deliveries_lanes'), { timeout: 60_000 }).toBeGreaterThan(0);
    expect(await readBy('deliveries_of_endpoint')).toBeLessThan(WAITING);
  });
});
