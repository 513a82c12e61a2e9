/** Random events, outcomes, redeliveries, retries, discards and retention, against a model that only counts. */
import fc from 'fast-check';
import type { Transport } from 'headgate/delivery';
import { describe, expect, test } from 'vitest';
import { createRetention } from '../../src/retention/retention.js';
import { databases } from '../db/databases.js';
import { expectCounted } from './counts.js';
import { mountDelivering, setStage } from './stage.js';

const P = '/projects/{project}';
const DAY = 86_400_000;
const MAX_ATTEMPTS = 3;

type Step =
  | { readonly kind: 'event'; readonly to: number; readonly type: string }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'redeliver'; readonly type: string | null }
  | { readonly kind: 'discard'; readonly type: string | null }
  | { readonly kind: 'retry'; readonly pick: number }
  | { readonly kind: 'replay'; readonly pick: number };

const type = fc.constantFrom('a', 'b');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('event' as const), to: fc.integer({ min: 1, max: 3 }), type }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 200_000 }) }),
  },
  fc.record({ kind: fc.constant('redeliver' as const), type: fc.option(type) }),
  fc.record({ kind: fc.constant('discard' as const), type: fc.option(type) }),
  fc.record({ kind: fc.constant('retry' as const), pick: fc.nat(20) }),
  fc.record({ kind: fc.constant('replay' as const), pick: fc.nat(20) }),
);

describe.each(databases())('$name', ({ name, open }) => {
  test('nothing is lost, nothing is sent when it should not be, and counts add up', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 25 }),
        fc.infiniteStream(fc.boolean()),
        async (steps, fates) => {
          const stage = await setStage(await open());
          const endpoints = [];
          for (let i = 0; i < 3; i++) {
            endpoints.push((await stage.addEndpoint({ retry_max_attempts: MAX_ATTEMPTS })).id);
          }
          const accepted = { count: 0, attempts: 0 };
          const transport: Transport = {
            send: () => {
              accepted.attempts++;
              if (fates.next().value === true) {
                accepted.count++;
                return Promise.resolve({ ok: true, status: 200 });
              }
              return Promise.resolve({
                ok: false,
                failure: 'http_status',
                status: 500,
                transient: true,
                detail: '',
              });
            },
            close: () => Promise.resolve(),
          };
          const served = mountDelivering(stage, { transport });
          const events: string[] = [];
          /** Deliveries that were made: by events, retries, replays and redeliveries. */
          let made = 0;
          let discarded = 0;
          const letters = async (): Promise<number> =>
            (await served.call('GET', `${P}/dead-letters/count`)).body.count;
          served.start();
          for (const one of steps) {
            if (one.kind === 'event') {
              events.push((await stage.addEvent(endpoints.slice(0, one.to), { type: one.type })).id);
              made += one.to;
            } else if (one.kind === 'pass') {
              await stage.pass(one.ms);
            } else if (one.kind === 'redeliver') {
              const before = await letters();
              const filter = one.type === null ? {} : { type: one.type };
              const { body } = await served.call('POST', `${P}/dead-letters/redeliver`, { filter });
              await stage.pass(8_000);
              const after = await served.call('GET', `${P}/redeliveries/${body.redelivery.id}`);
              const { state, total, redelivered, delivered, failed, pending } = after.body as never as Record<
                string,
                number
              >;
              expect(state).toBe('done');
              expect(redelivered).toBeLessThanOrEqual(total!);
              expect(total).toBeLessThanOrEqual(before);
              expect(delivered! + failed! + pending!).toBe(redelivered);
              made += redelivered!;
            } else if (one.kind === 'discard') {
              const query = one.type === null ? 'all=true' : `type=${one.type}`;
              discarded += (await served.call('DELETE', `${P}/dead-letters?${query}`)).body.discarded;
            } else if (one.kind === 'retry') {
              const { items } = (await served.call('GET', `${P}/dead-letters`)).body;
              const letter = items[one.pick % Math.max(items.length, 1)];
              if (letter === undefined) continue;
              expect((await served.call('POST', `${P}/deliveries/${letter.id}/retry`)).status).toBe(202);
              made++;
            } else if (events.length > 0) {
              const { body } = await served.call(
                'POST',
                `${P}/events/${events[one.pick % events.length]!}/replay`,
              );
              made += (body as never as { deliveries: object[] }).deliveries.length;
            }
          }
          await stage.pass(600_000);
          const states = new Map<string, number>();
          for (const row of await stage.db.all<{ state: string }>('select state from {deliveries}')) {
            states.set(row.state, (states.get(row.state) ?? 0) + 1);
          }
          const [delivered, failed] = [states.get('delivered') ?? 0, states.get('failed') ?? 0];
          expect(delivered + failed).toBe(made);
          expect(delivered).toBe(accepted.count);
          const { n } = (await stage.db.get<{ n: number }>('select count(*) as n from {attempts}'))!;
          expect(n).toBe(accepted.attempts);
          expect(await letters()).toBeLessThanOrEqual(failed - discarded);
          await expectCounted(stage.db);
          await served.stop(AbortSignal.abort());
          expect(served.reports).toEqual([]);

          const retention = createRetention({ db: stage.db, clock: stage.clock, report: () => undefined });
          for (const isFirst of [true, false]) {
            const dead = await letters();
            stage.clock.set(stage.clock.now() + 31 * DAY);
            const swept = retention.sweep();
            await stage.pass(60_000);
            await swept;
            const left = await stage.db.all('select id from {deliveries} where {dead}');
            expect(left).toHaveLength(isFirst ? dead : 0);
          }
          expect(await stage.db.all('select id from events')).toEqual([]);
          expect(await stage.db.all('select delivery from {attempts}')).toEqual([]);
        },
      ),
      { numRuns: name === 'SQLite' ? 12 : 3 },
    );
  });
});
