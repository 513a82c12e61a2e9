/** Deliveries to an endpoint that is deleted fail at once, also those that wait for a retry. */
import { newDelivery, type Transport } from 'headgate/delivery';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { createEdits } from '../../src/endpoints/edits.js';
import { createHeadersVault } from '../../src/endpoints/headers.js';
import { createSealer } from '../../src/secrets/sealing.js';
import { SEALING_KEYS } from '../started.js';
import { databases } from '../db/databases.js';
import { answering, mountDelivering, setStage, type Stage } from './stage.js';
import { NO_ALERTS } from '../alerts/no-alerts.js';

const HOUR_MS = 3_600_000;
/** More than one batch. */
const MANY = 2_300;

const dueOf = (db: Database, endpoint: string) =>
  db.get<{ late: number; n: number; due: number }>(
    `select count(*) as n, max(due_at) as due, coalesce(sum(case when due_at > $2 then 1 else 0 end), 0) as late
      from {deliveries} where endpoint_id = $1`,
    [endpoint, 0],
  );

/** Deliveries that wait for an hour. */
async function addWaiting({ db, clock, project }: Stage, endpoint: string, count: number): Promise<void> {
  const at = clock.now() + HOUR_MS;
  const all = Array.from({ length: count }, (_, i) =>
    newDelivery({ id: `evt_${String(i)}`, type: 't' }, endpoint, { at, columns: { project_id: project } }),
  );
  await db.transaction((tx) =>
    tx.deliveries.enqueue([{ body: new Uint8Array([123, 125]), deliveries: all }]),
  );
}

const editsOf = ({ db, clock }: Stage, woken: () => void) =>
  createEdits({
    ...{ db, now: () => clock.now(), checkUrl: () => null, edited: () => undefined, wake: woken },
    unusableIn: () => Promise.resolve(null),
    alerts: NO_ALERTS,
    vault: createHeadersVault(createSealer(SEALING_KEYS)),
    secrets: { add: () => Promise.reject(new Error('none is drawn here')) },
  });

describe.each(databases())('$name', ({ open }) => {
  test('all that waits for a deleted endpoint is due at once, and nothing that waits for others', async () => {
    const stage = await setStage(await open());
    const { db, clock, project } = stage;
    const [gone, other] = [await stage.addEndpoint(), await stage.addEndpoint()];
    await addWaiting(stage, gone.id, MANY);
    await addWaiting(stage, other.id, 3);
    let wakes = 0;
    const edits = editsOf(stage, () => wakes++);
    await edits.remove({ project, id: gone.id, actor: 'key:test', headers: new Headers() });
    expect(await dueOf(db, gone.id)).toMatchObject({ n: MANY, due: clock.now() });
    expect(await dueOf(db, other.id)).toMatchObject({ n: 3, due: clock.now() + HOUR_MS });
    for (const i of [0, 1_200, MANY - 1]) {
      const known = await db.store.get(`evt_${i}:${gone.id}`);
      expect(known?.delivery.due_at).toBe(clock.now());
    }
    expect((await db.store.get(`evt_0:${other.id}`))?.delivery.due_at).toBe(clock.now() + HOUR_MS);
    expect(wakes).toBeGreaterThan(0);
  });

  test('an attempt that is in flight when its endpoint is deleted is not retried hours later', async () => {
    const stage = await setStage(await open());
    const { db, clock, project } = stage;
    const endpoint = await stage.addEndpoint({ retry_backoff_base_seconds: 3_600 });
    const other = await stage.addEndpoint({ retry_backoff_base_seconds: 3_600 });
    const event = await stage.addEvent([endpoint.id, other.id]);
    const failing = answering(() => 500);
    const transport: Transport = {
      ...failing,
      async send(request, signal) {
        if (request.url === endpoint.url) {
          const edits = editsOf(stage, () => undefined);
          await edits.remove({ project, id: endpoint.id, actor: 'key:test', headers: new Headers() });
          stage.endpoints.delete(endpoint.id);
        }
        return failing.send(request, signal);
      },
    };
    const served = mountDelivering(stage, { transport });
    served.start();
    await stage.pass(5_000);
    const rows = await db.all('select endpoint_id, state, failure from {deliveries} where event_id = $1', [
      event.id,
    ]);
    expect(rows).toContainEqual({ endpoint_id: endpoint.id, state: 'failed', failure: 'endpoint_gone' });
    expect(rows).toContainEqual({ endpoint_id: other.id, state: 'pending', failure: 'http_status' });
    expect((await db.store.get(`${event.id}:${other.id}`))?.delivery.due_at).toBeGreaterThan(
      clock.now() + 60_000,
    );
    await served.stop(AbortSignal.abort());
    expect(served.reports).toEqual([]);
  });
});
