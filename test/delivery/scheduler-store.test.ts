/** Deliveries while their store cannot be reached. */
import { describe, expect, test } from 'vitest';
import type { DeliveryStore, StoreFailure } from '../../src/delivery/index.js';
import { storeBackoffMs } from '../../src/delivery/settlements.js';
import { liveDelivery, NOW } from './arbitraries.js';
import { isOver, setStage, shaky, someDeliveries } from './stage.js';

const HOUR = 3_600_000;
const ID = 'evt_1:endpoint-1';

describe('when the store fails', () => {
  test('claims back off, doubling to half a minute, and go on afterwards', async () => {
    const failing = { claim: true };
    const failures: StoreFailure[] = [];
    const { calls, through } = shaky(failing);
    const stage = setStage({ through, on: { storeFailed: (failure) => void failures.push(failure) } });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    for (let i = 0; i < 100; i++) {
      stage.scheduler.wake();
      await stage.clock.advance(1_200);
    }
    const waits = failures.map(({ retryAt }, i) => retryAt - (failures[i - 1]?.retryAt ?? NOW));
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    expect(calls.claim).toBe(10);
    expect(failures[0]).toMatchObject({ operation: 'claim', error: expect.any(Error) });
    failing.claim = false;
    await stage.clock.advance(30_000);
    expect((await stage.get(ID))?.state).toBe('delivered');
  });

  test.for([
    { lateMs: 13_999, sentAt: 13_999, because: 'a second is left, and a millisecond' },
    { lateMs: 14_001, sentAt: 15_000, because: 'the lease is all but over, and ends by itself' },
    { lateMs: 60_000, sentAt: 15_000, because: 'nobody waits for it that long' },
  ])(
    'a claim that comes back after $lateMs ms is attempted at $sentAt ms: $because',
    async ({ lateMs, sentAt }) => {
      const answers = [lateMs];
      const through = (store: DeliveryStore): DeliveryStore => ({
        ...store,
        claim: async (request) => {
          const found = await store.claim(request);
          await new Promise<void>((come) => void stage.clock.at(request.at + (answers.shift() ?? 0), come));
          return found;
        },
      });
      const stage = setStage({ through, leaseMs: 15_000 });
      await stage.enqueue(liveDelivery());
      stage.scheduler.start();
      await stage.clock.advance(2 * HOUR);
      expect(stage.sent()).toEqual([[sentAt, 'evt_1']]);
      const tellings = stage.told.map(([name]) => name).filter((name) => name !== 'attempted');
      expect(tellings).toEqual([...(sentAt === lateMs ? [] : ['storeFailed']), 'claimed', 'delivered']);
    },
  );

  test('a start after a stop does not wait for the end of a back-off', async () => {
    const failing = { claim: true };
    const stage = setStage({ through: shaky(failing).through });
    await stage.enqueue(liveDelivery());
    stage.scheduler.start();
    await stage.clock.advance(0);
    await stage.scheduler.stop();
    failing.claim = false;
    stage.scheduler.start();
    await stage.clock.advance(0);
    expect(stage.sent()).toEqual([[0, 'evt_1']]);
  });

  test('a success makes the next failure a first one', async () => {
    const failing = { claim: true };
    const { calls, through } = shaky(failing);
    const stage = setStage({ through, pollMs: 1_000 });
    stage.scheduler.start();
    await stage.clock.advance(750);
    expect(calls.claim).toBe(3);
    failing.claim = false;
    await stage.clock.advance(1_000);
    failing.claim = true;
    await stage.clock.advance(1_000);
    expect(stage.told.at(-1)?.[1]).toMatchObject({ retryAt: NOW + 2_750 + 250 });
  });

  test('outcomes wait until they can be recorded, each once, and hold their slots meanwhile', async () => {
    const failing = { settle: true };
    const { calls, through } = shaky(failing);
    const stage = setStage({ through, concurrency: 3, leaseMs: HOUR });
    stage.scheduler.start();
    await stage.enqueue(...someDeliveries(5));
    await stage.clock.advance(60_000);
    expect(stage.transport.sent).toHaveLength(3);
    // At 0, 0.25, 0.75, 1.75, 3.75, 7.75, 15.75 and 31.75 s.
    expect(calls.settle).toBe(8);
    failing.settle = false;
    await stage.clock.advance(30_000);
    expect(stage.store.size()).toMatchObject({ unfinished: 0, finished: 5 });
    expect(stage.transport.sent).toHaveLength(5);
    expect(stage.told.filter(([name]) => name === 'delivered')).toHaveLength(5);
  });

  test.for([1, 2])('past their lease too, as long as nobody else took it (%i slots)', async (concurrency) => {
    const failing = { settle: true };
    const { through } = shaky(failing);
    const stage = setStage({ through, concurrency, leaseMs: 15_000 });
    stage.scheduler.start();
    await stage.scheduler.stop();
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(60_000);
    failing.settle = false;
    await stage.clock.advance(30_000);
    expect(stage.transport.sent).toHaveLength(1);
    expect((await stage.store.get(ID))?.attempts).toHaveLength(1);
    expect(stage.told.at(-1)?.[0]).toBe('delivered');
  });

  test('a stop gives outcomes up when their lease has ended: they will be repeated', async () => {
    const { through } = shaky({ settle: true });
    const stage = setStage({ through, leaseMs: 20_000 });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(0);
    const stopped = stage.scheduler.stop();
    expect(await isOver(stopped, () => stage.clock.advance(19_000))).toBe(false);
    expect(await isOver(stopped, () => stage.clock.advance(30_000))).toBe(true);
    expect(stage.told.at(-1)?.[0]).toBe('leaseLost');
    expect(await stage.get(ID)).toMatchObject({ state: 'leased', attempts: 0 });
  });

  test('a store that says "now" and gives nothing is asked again after 2, 4, 8 and then 16 ms each', async () => {
    let asked = 0;
    const through = (store: DeliveryStore): DeliveryStore => ({
      ...store,
      claim: () => Promise.resolve({ claims: [], nextDueAt: NOW - 1 + 0 * asked++ }),
    });
    const stage = setStage({ through });
    stage.scheduler.start();
    await stage.clock.advance(30 + 10 * 16);
    expect(asked).toBe(5 + 10);
  });

  test('and from 2 ms on again, once it has given something', async () => {
    const askedAt: number[] = [];
    const stage = setStage({
      through: (store) => ({
        ...store,
        claim: async (request) => {
          askedAt.push(request.at - NOW);
          const { claims } = await store.claim(request);
          return { claims, nextDueAt: NOW };
        },
      }),
    });
    stage.scheduler.start();
    await stage.clock.advance(14);
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(8);
    // Its attempt ends within the millisecond, which is a look of its own.
    expect(askedAt).toEqual([0, 2, 6, 14, 14, 14, 16, 20]);
  });

  test.for([
    [1, 250],
    [2, 500],
    [8, 30_000],
    [2_000, 30_000],
  ] as const)('after failure %i it waits %i ms', ([failures, ms]) => {
    expect(storeBackoffMs(failures)).toBe(ms);
  });
});
