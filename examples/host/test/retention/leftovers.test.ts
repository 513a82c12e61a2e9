/**
 * Retention removes the leftovers of deleted rules and channels, and spares events whose dead letters are being
 * redelivered.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { redeliver } from '../../src/delivering/redeliver.js';
import { COLUMNS_OF_DELIVERY, type DeliveryRow } from '../../src/delivering/statements.js';
import { newId } from '../../src/ids.js';
import { createRetention } from '../../src/retention/retention.js';
import { databases } from '../db/databases.js';
import { answering, mountDelivering, setStage, type Stage } from '../delivering/stage.js';

const DAY = 86_400_000;
const report = (error: unknown): never => {
  throw error instanceof Error ? error : new Error(String(error));
};

async function sweep({ db, clock, pass }: Stage): Promise<void> {
  const swept = createRetention({ db, clock, report }).sweep();
  await pass(7_200_000);
  await swept;
}

describe.each(databases())('$name', ({ open }) => {
  test('counts of rules that are gone go, and those of others stay', async () => {
    const stage = await setStage(await open());
    const { db, project, clock } = stage;
    const [kept, gone] = [newId(clock.now()), newId(clock.now())];
    const times = { created_at: clock.now(), updated_at: clock.now() };
    await db.insert('rules', [
      {
        ...{ id: kept, project_id: project, document: '{}', bytes: 2, priority: 1, enabled: 1 },
        ...{ version: 1, changed_in: 1, ...times },
      },
    ]);
    const counts = { project_id: project, matched: 1, last_matched_at: clock.now() };
    await db.insert(
      'rule_counts',
      [kept, gone].map((rule_id) => ({ rule_id, ...counts })),
    );
    const minute = Math.floor(clock.now() / 60_000);
    await db.insert(
      'rule_minutes',
      [kept, gone].flatMap((rule_id) =>
        Array.from({ length: 700 }, (_, i) => ({ rule_id, minute: minute - i, matched: 1 })),
      ),
    );
    await sweep(stage);
    expect(await db.all('select rule_id from rule_counts')).toEqual([{ rule_id: kept }]);
    expect(await db.all('select distinct rule_id from rule_minutes')).toEqual([{ rule_id: kept }]);
  });

  test('what receivers have kept goes with the days of its project', async () => {
    const stage = await setStage(await open());
    const { db, clock, project } = stage;
    const request = { receiver_id: newId(clock.now()), project_id: project, request: '{}' };
    const ages = [1, 29, 31, 400];
    await db.insert(
      'received_requests',
      ages.map((age) => ({ ...request, id: newId(clock.now()), at: clock.now() - age * DAY })),
    );
    const now = clock.now();
    await sweep(stage);
    const left = await db.all<{ at: number }>('select at from received_requests order by at desc');
    expect(left.map(({ at }) => (now - at) / DAY)).toEqual([1, 29]);
  });

  test('a comparison whose time is over goes with all of its events', async () => {
    const stage = await setStage(await open());
    const { db, clock, project } = stage;
    const counts = { scanned: 0, undecided: 0, limits: 0, rules_version: 0, is_complete: 1, window_hours: 1 };
    const times = { from_ms: 0, to_ms: 0, created_at: 0, created_by: 'key:test', groups: '{}' };
    const ends = { old: clock.now() - 1, unfinished: clock.now() - 1, new: clock.now() + 60_000 };
    const rows = Object.entries(ends).map(([id, expires_at]) => ({ id, project_id: project, expires_at }));
    await db.insert(
      'comparisons',
      rows.map((row) => ({ ...counts, ...times, ...row, groups: row.id === 'unfinished' ? null : '{}' })),
    );
    for (const { id } of rows) {
      const events = Array.from({ length: 600 }, (_, i) => ({ newest_id: `evt_${i}`, events: '' }));
      await db.insert(
        'comparison_events',
        events.map((of) => ({ comparison_id: id, ...of })),
      );
    }
    await sweep(stage);
    expect(await db.all('select id from comparisons')).toEqual([{ id: 'new' }]);
    const left = await db.all('select comparison_id as id, count(*) as n from comparison_events group by 1');
    expect(left).toEqual([{ id: 'new', n: 600 }]);
  });

  test('a deleted channel goes with its secrets once nothing is left that they would sign', async () => {
    const stage = await setStage(await open());
    const { db, clock, channel } = stage;
    const endpoint = await stage.addEndpoint();
    await stage.addEvent([endpoint.id]);
    await db.insert('signing_secrets', [
      { id: 's', owner_id: channel, sealed: '', created_at: clock.now(), expires_at: null },
    ]);
    await db.run('update channels set deleted_at = $2 where id = $1', [channel, clock.now() + 1]);
    const left = async (days: number): Promise<number> => {
      clock.set(clock.now() + days * DAY);
      await sweep(stage);
      const secrets = await db.all('select id from signing_secrets');
      expect(await db.all('select id from channels')).toHaveLength(secrets.length);
      return secrets.length;
    };
    expect(await left(31), 'its delivery is unfinished').toBe(1);
    expect(await left(30)).toBe(0);
  });
});

describe.each(databases().slice(1))('$name', ({ open }) => {
  test('an event whose dead letter is being redelivered does not go meanwhile', async () => {
    const stage = await setStage(await open());
    const { db, clock } = stage;
    const endpoint = await stage.addEndpoint({ retry_max_attempts: 1 });
    const event = await stage.addEvent([endpoint.id]);
    const served = mountDelivering(stage, { transport: answering(() => 500) });
    served.start();
    await stage.pass(2_000);
    await served.stop(AbortSignal.abort());
    clock.set(clock.now() + 61 * DAY);
    let swept = Promise.resolve<unknown>(null);
    const letters = await db.all<DeliveryRow>(`select ${COLUMNS_OF_DELIVERY} from {deliveries} where {dead}`);
    expect(letters).toHaveLength(1);
    await db.transaction(async (tx) => {
      await redeliver(tx, letters, { at: clock.now(), replay: newId(clock.now()) }, null);
      swept = createRetention({ db, clock, report }).sweep();
      await sleep(300);
    });
    await stage.pass(7_200_000);
    await swept;
    expect(await db.all('select id from events')).toEqual([{ id: event.id }]);
    expect(await db.all("select state from {deliveries} where origin = 'replay'")).toHaveLength(1);
  });
});
