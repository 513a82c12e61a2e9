/** A customer whose endpoints hang leaves slots to the others. */
import type { Transport } from 'headgate/delivery';
import { describe, expect, test } from 'vitest';
import { createScheduling } from '../../src/delivering/scheduling.js';
import { databases } from '../db/databases.js';
import { secretsOf, setStage, targetsOf } from './stage.js';

const HANG_MS = 10_000;
const SLOTS = 32;

describe.each(databases())('$name', ({ open }) => {
  test('forty endpoints that hang do not delay those of another project', async () => {
    const hanging = await setStage(await open());
    const { db, clock } = hanging;
    const other = await setStage(db, clock);
    const slow = [];
    for (let i = 0; i < 40; i++) slow.push((await hanging.addEndpoint()).id);
    for (let i = 0; i < 5; i++) await hanging.addEvent(slow);
    await clock.advance(1);
    const quick = await other.addEndpoint();
    const sent: number[] = [];
    let inFlight = 0;
    let most = 0;
    const transport: Transport = {
      send: async ({ url }) => {
        if (url === quick.url) {
          sent.push(clock.now());
          return { ok: true, status: 200 };
        }
        most = Math.max(most, ++inFlight);
        await new Promise<void>((resolve) => clock.at(clock.now() + HANG_MS, resolve));
        inFlight--;
        return { ok: false, failure: 'timeout', transient: true, detail: '' };
      },
      close: () => Promise.resolve(),
    };
    const [a, b] = [targetsOf(hanging), targetsOf(other)];
    const scheduler = createScheduling({
      ...{ db, clock, transport, secretsOf, concurrency: SLOTS },
      endpoints: { ...a, target: async (id) => (await a.target(id)) ?? b.target(id) },
    });
    scheduler.start();
    await hanging.pass(100);
    const started: number[] = [];
    for (let i = 0; i < 20; i++) {
      started.push(clock.now());
      await other.addEvent([quick.id]);
      scheduler.wake();
      await hanging.pass(500);
    }
    expect(most).toBeGreaterThanOrEqual(SLOTS / 2);
    expect(most).toBeLessThanOrEqual((3 * SLOTS) / 4);
    expect(sent).toHaveLength(started.length);
    for (const [i, at] of sent.entries()) expect(at - started[i]!).toBeLessThan(100);
    const stopped = scheduler.stop({ signal: AbortSignal.abort() });
    await hanging.pass(HANG_MS);
    await stopped;
  });
});
