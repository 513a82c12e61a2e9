/** A clock that is set while deliveries are under way. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import { ClockJumps } from '../../src/delivery/clock-jumps.js';
import {
  type ClockJump,
  createScheduler,
  defaultRetryPolicy,
  type DeliveryStore,
} from '../../src/delivery/index.js';
import { createManualClock, createScriptedTransport } from '../../src/testing/index.js';
import { liveDelivery, NOW } from './arbitraries.js';
import { BODY, setStage, someDeliveries } from './stage.js';

const HOUR = 3_600_000;
const jumps = () => fc.oneof(fc.constantFrom(-HOUR, HOUR), fc.integer({ min: -2 * HOUR, max: 2 * HOUR }));

describe('for every jump of the clock, in the middle of everything', () => {
  test('nothing is lost, nothing is sent more often than otherwise, and there is no busy loop', async () => {
    const plays = fc.record({
      afterMs: fc.integer({ min: 0, max: 20_000 }),
      byMs: jumps(),
      takesMs: fc.constantFrom(0, 20, 9_000),
      fails: fc.boolean(),
      pollMs: fc.constantFrom(5_000, Infinity),
    });
    await fc.assert(
      fc.asyncProperty(plays, async ({ afterMs, byMs, takesMs, fails, pollMs }) => {
        let claims = 0;
        const through = (store: DeliveryStore): DeliveryStore => ({
          ...store,
          claim: (request) => (claims++, store.claim(request)),
        });
        const stage = setStage({
          answer: (_, earlier) => ({ outcome: fails && earlier < 12 ? 500 : 204, afterMs: takesMs }),
          pollMs,
          through,
        });
        stage.scheduler.start();
        await stage.enqueue(...someDeliveries(12));
        await stage.clock.advance(afterMs);
        stage.clock.set(stage.clock.now() + byMs);
        await stage.enqueue(
          ...someDeliveries(12, 'later').map((one) => ({ ...one, due_at: stage.clock.now() })),
        );
        claims = 0;
        await stage.clock.advance(4 * HOUR);
        expect(stage.store.size()).toMatchObject({ unfinished: 0, deadLetters: 0, finished: 24 });
        expect(stage.transport.sent).toHaveLength(fails ? 48 : 24);
        expect(claims).toBeLessThan(200 + (4 * HOUR) / pollMs);
      }),
      { numRuns: 100 },
    );
  });

  test('it is told once, by how much, when it is more than five seconds', async () => {
    await fc.assert(
      fc.asyncProperty(jumps(), async (byMs) => {
        const told: ClockJump[] = [];
        const on = { clockJumped: (jump: ClockJump) => void told.push(jump) };
        const stage = setStage({ on, pollMs: 1_000 });
        stage.scheduler.start();
        await stage.clock.advance(30_000);
        stage.clock.set(stage.clock.now() + byMs);
        await stage.clock.advance(30_000);
        expect(told).toEqual(Math.abs(byMs) > 5_000 ? [{ byMs }] : []);
      }),
    );
  });
});

describe('the comparison with time that passed', () => {
  test.for([
    { steps: [5_000], seen: [0] },
    { steps: [5_001], seen: [5_001] },
    { steps: [-5_001], seen: [-5_001] },
    { steps: [HOUR, -HOUR], seen: [HOUR, -HOUR] },
    { steps: [3_000, 3_000, 3_000], seen: [0, 0, 0] },
  ])('steps of $steps ms are seen as $seen', async ({ steps, seen }) => {
    const clock = createManualClock();
    const watch = new ClockJumps(clock);
    const found: number[] = [];
    for (const step of steps) {
      await clock.advance(60_000);
      clock.set(clock.now() + step);
      found.push(watch.look());
      expect(watch.look()).toBe(0);
    }
    expect(found).toEqual(seen);
  });

  test('a clock without `elapsed` is never caught', () => {
    let now = NOW;
    const watch = new ClockJumps({ now: () => now, at: () => () => undefined });
    now += HOUR;
    expect(watch.look()).toBe(0);
  });
});

describe('on the system clock', () => {
  beforeEach(() => void vi.useFakeTimers({ now: NOW }));
  afterEach(() => void vi.useRealTimers());

  test.for([
    { name: 'ahead', byMs: HOUR },
    { name: 'back', byMs: -HOUR },
  ])(
    'an hour $name is told at the next look, and a retry comes in its time by the new clock',
    async ({ byMs }) => {
      const told: ClockJump[] = [];
      const store = createMemoryStore();
      const transport = createScriptedTransport(createManualClock(), (_, earlier) => ({
        outcome: earlier === 0 ? 500 : 204,
      }));
      const scheduler = createScheduler({
        store,
        transport,
        endpoints: (id) => ({ url: `https://${id}`, ...defaultRetryPolicy }),
        signer: { headers: () => ({}) },
        on: { clockJumped: (jump) => void told.push(jump) },
      });
      await store.enqueue([{ body: BODY, deliveries: [liveDelivery()] }]);
      scheduler.start();
      await vi.advanceTimersByTimeAsync(10_000);
      vi.setSystemTime(NOW + 10_000 + byMs);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(told).toEqual([{ byMs }]);
      expect(transport.sent).toHaveLength(byMs > 0 ? 2 : 1);
      await vi.advanceTimersByTimeAsync(HOUR + 60_000);
      expect(transport.sent).toHaveLength(2);
      expect(store.size().unfinished).toBe(0);
      await scheduler.stop();
    },
  );
});
