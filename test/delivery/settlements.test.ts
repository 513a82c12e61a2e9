/** The queue of settlements. */
import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import { createScheduler, defaultRetryPolicy } from '../../src/delivery/index.js';
import { liveDelivery, NOW, success } from './arbitraries.js';
import { BODY, eventOf, setStage, someDeliveries } from './stage.js';

test('attempts that end at the same moment, one after another, are recorded together', async () => {
  const store = createMemoryStore();
  const settled: number[] = [];
  let sent = 0;
  const scheduler = createScheduler({
    store: {
      ...store,
      settle: (settlements) => (settled.push(settlements.length), store.settle(settlements)),
    },
    transport: {
      send: async () => {
        for (let turns = 10 * sent++; turns > 0; turns--) await Promise.resolve();
        return success;
      },
      close: () => Promise.resolve(),
    },
    endpoints: (id) => ({ url: `https://${id}`, ...defaultRetryPolicy }),
    signer: { headers: () => ({}) },
  });
  await store.enqueue([{ body: BODY, deliveries: someDeliveries(8) }]);
  scheduler.start();
  await scheduler.idle();
  await scheduler.stop();
  expect(settled).toEqual([8]);
});

/** A store that takes 2 ms to record; a request takes as many milliseconds as its event says. */
function recording(settleGapMs?: number) {
  const calls: [ms: number, settlements: number][] = [];
  const stage = setStage({
    concurrency: 64,
    concurrencyPerEndpoint: 64,
    ...(settleGapMs !== undefined && { settleGapMs }),
    answer: (request) => ({ outcome: 204, afterMs: parseInt(eventOf(request).slice(4), 10) }),
    through: (store) => ({
      ...store,
      async settle(settlements) {
        calls.push([stage.clock.now() - NOW, settlements.length]);
        await new Promise<void>((resolve) => stage.clock.at(stage.clock.now() + 2, resolve));
        return store.settle(settlements);
      },
    }),
  });
  return { stage, calls };
}

describe('settleGapMs', () => {
  test('lets attempts gather that end faster than they are recorded', async () => {
    const [without, within] = [recording(), recording(10)];
    for (const { stage } of [without, within]) {
      await stage.enqueue(...someDeliveries(40));
      stage.scheduler.start();
      await stage.clock.advance(1_000);
      expect(stage.told.filter(([name]) => name === 'delivered')).toHaveLength(40);
      await stage.scheduler.stop();
    }
    expect(without.calls.length).toBeGreaterThan(15);
    expect(within.calls).toEqual([
      ...[
        [1, 1],
        [11, 10],
        [21, 10],
        [31, 10],
      ],
      [41, 9],
    ]);
  });

  test('does not delay an attempt that ends alone', async () => {
    const { stage, calls } = recording(10);
    await stage.enqueue(...[5, 10, 15, 20].map((ms) => liveDelivery(`evt_${ms}`, 'a')));
    stage.scheduler.start();
    await stage.clock.advance(1_000);
    expect(calls).toEqual([5, 10, 15, 20].map((ms) => [ms, 1]));
    await stage.scheduler.stop();
  });

  test('ends when as many wait as are enough', async () => {
    const { stage, calls } = recording(1_000);
    await stage.enqueue(
      ...Array.from({ length: 60 }, (_, n) => liveDelivery(`evt_${n < 1 ? 1 : 2}-${n}`, `e${n}`)),
    );
    stage.scheduler.start();
    await stage.clock.advance(10);
    expect(calls).toEqual([
      [1, 1],
      [3, 59],
    ]);
    await stage.scheduler.stop();
  });

  test('does not delay attempts that end while the scheduler stops', async () => {
    const { stage, calls } = recording(1_000);
    await stage.enqueue(...[1, 2].map((ms) => liveDelivery(`evt_${ms}`, 'a')));
    stage.scheduler.start();
    await stage.clock.advance(2);
    const stopped = stage.scheduler.stop();
    await stage.clock.advance(10);
    expect(calls).toEqual([1, 3].map((ms) => [ms, 1]));
    await stopped;
  });

  test('ends when the scheduler stops', async () => {
    const { stage, calls } = recording(1_000);
    await stage.enqueue(...[1, 2, 6].map((ms) => liveDelivery(`evt_${ms}`, 'a')));
    stage.scheduler.start();
    await stage.clock.advance(8);
    expect(calls).toEqual([[1, 1]]);
    const stopped = stage.scheduler.stop();
    await stage.clock.advance(4);
    expect(calls).toEqual([
      [1, 1],
      [8, 2],
    ]);
    await stopped;
  });

  test('is no longer when the clock was set back', async () => {
    const { stage, calls } = recording(10);
    await stage.enqueue(...[1, 2].map((ms) => liveDelivery(`evt_${ms}`, 'a')));
    stage.scheduler.start();
    await stage.clock.advance(2);
    stage.clock.set(NOW - 3_600_000);
    await stage.clock.advance(100);
    expect(calls).toHaveLength(2);
    await stage.scheduler.stop();
  });
});
