/** Attempts and the host's rows about them: one transaction, counted once. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Settlement } from 'headgate/delivery';
import { describe, expect, test } from 'vitest';
import { withoutQuery } from '../../src/db/library.js';
import { createRecordingStore } from '../../src/delivering/recording.js';
import { createScheduling } from '../../src/delivering/scheduling.js';
import { databases } from '../db/databases.js';
import { expectCounted } from './counts.js';
import { answering, secretsOf, setStage, targetsOf } from './stage.js';

describe.each(databases())('$name', ({ open }) => {
  test('deliveries reach their end, with every attempt, its URL without the query, and its minute', async () => {
    const stage = await setStage(await open());
    const { db } = stage;
    const good = await stage.addEndpoint();
    const bad = await stage.addEndpoint();
    const event = await stage.addEvent([good.id, bad.id]);
    const targets = targetsOf(stage);
    const scheduler = createScheduling({
      ...{ db, clock: stage.clock, endpoints: targets, secretsOf },
      transport: answering((url) => (url === good.url ? 204 : 503)),
    });
    scheduler.start();
    await stage.pass(600_000);
    await scheduler.stop();
    const rows = await db.all<Record<string, unknown>>(
      `select id, state, attempts, failure, status as status_code, case when {dead} then 1 else 0 end as dead, due_at
        from {deliveries} order by state`,
    );
    expect(rows.map((row) => ({ ...row }))).toEqual([
      {
        id: `${event.id}:${good.id}`,
        state: 'delivered',
        attempts: 1,
        failure: null,
        status_code: 204,
        dead: 0,
        due_at: null,
      },
      {
        id: `${event.id}:${bad.id}`,
        state: 'failed',
        attempts: 3,
        failure: 'http_status',
        status_code: 503,
        dead: 1,
        due_at: null,
      },
    ]);
    const urls = await db.all<{ url: string }>('select distinct url from {attempts} order by url');
    expect(urls.map(({ url }) => url)).toEqual([good.url, bad.url].map((url) => url.split('?')[0]).sort());
    expect(targets.told).toContain('failing');
    await expectCounted(db);
  });

  test('an endpoint that is gone fails its deliveries, and has no minute', async () => {
    const stage = await setStage(await open());
    const { db } = stage;
    const event = await stage.addEvent([randomUUID()]);
    const scheduler = createScheduling({
      ...{ db, clock: stage.clock, endpoints: targetsOf(stage), secretsOf, transport: answering(() => 200) },
    });
    scheduler.start();
    await stage.pass(1_000);
    await scheduler.stop();
    const [row] = await db.all<Record<string, unknown>>(
      'select event_id, state, failure, case when {dead} then 1 else 0 end as dead from {deliveries}',
    );
    expect({ ...row }).toEqual({ event_id: event.id, state: 'failed', failure: 'endpoint_gone', dead: 1 });
    // Nothing was sent, so it counts neither as an attempt nor as a delivery that did not arrive.
    expect(await db.all('select * from endpoint_minutes')).toEqual([]);
    await expectCounted(db);
  });

  test('settlements that are repeated, late or of a lost lease are counted once', async () => {
    const stage = await setStage(await open());
    const { db } = stage;
    const endpoint = await stage.addEndpoint();
    const store = createRecordingStore(db);
    const step = fc.record({
      outcome: fc.constantFrom('ok', 'http_status', 'released' as const),
      repeat: fc.nat(2),
      stale: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
        await stage.addEvent([endpoint.id]);
        const past: Settlement[] = [];
        for (const { outcome, repeat, stale } of steps) {
          const at = stage.clock.now();
          const { claims } = await store.claim({
            ...{ lease: randomUUID(), at, until: at + 1_000, limit: 1, perEndpoint: 9, inFlight: new Map() },
          });
          const [claim] = claims;
          if (claim === undefined) break;
          const settlement = settled(claim.delivery, outcome, at);
          for (let i = 0; i <= repeat; i++) expect(await store.settle([settlement])).toEqual([true]);
          past.push(settlement);
          if (stale) await store.settle([past[0]!]);
          await stage.clock.advance(60_000);
        }
        await expectCounted(db);
        // The next run would claim the deliveries that are left.
        const at = stage.clock.now() + 86_400_000;
        const rest = await store.claim({
          ...{ lease: 'rest', at, until: at + 1, limit: 9, perEndpoint: 9, inFlight: new Map() },
        });
        for (const { delivery } of rest.claims) await store.settle([settled(delivery, 'ok', at)]);
        await stage.clock.advance(60_000);
      }),
      { numRuns: 25 },
    );
  });
});

function settled(delivery: Settlement['delivery'], outcome: string, at: number): Settlement {
  const lease = delivery.lease!;
  const pending = { ...delivery, state: 'pending' as const, lease: null, due_at: at + 60_000 };
  if (outcome === 'released') return { lease, delivery: pending, attempt: null };
  const number = delivery.attempts + 1;
  const attempt = {
    ...{ number, started_at: at, ended_at: at + 5 },
    outcome:
      outcome === 'ok'
        ? { ok: true as const, status: 200 }
        : {
            ok: false as const,
            failure: 'http_status' as const,
            status: 500,
            transient: true,
            detail: 'no\0\uD800',
          },
  };
  const attempted = { ...pending, attempts: number, last_attempt: attempt };
  const done = { state: 'delivered' as const, due_at: null, finished_at: at };
  return { lease, delivery: outcome === 'ok' ? { ...attempted, ...done } : attempted, attempt };
}

test.for([
  ['https://user:pw@example.com/a?key=1#x', 'https://example.com/a'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/'],
  ['ftp://example.com/x?y', 'ftp://example.com/x'],
  ['no url', null],
])('%s is recorded as %s', ([url, recorded]) => {
  expect(withoutQuery(url!)).toBe(recorded);
});
