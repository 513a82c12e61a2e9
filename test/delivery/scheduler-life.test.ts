/** Starting, waking and stopping of a scheduler. */
import { describe, expect, test } from 'vitest';
import type { Delivery, DeliveryStore } from '../../src/delivery/index.js';
import { createManualClock } from '../../src/testing/index.js';
import { liveDelivery, NOW } from './arbitraries.js';
import { BODY, isOver, setStage, shaky, someDeliveries } from './stage.js';

const HOUR = 3_600_000;
const ID = 'evt_1:endpoint-1';
const slow = (afterMs: number, outcome = 204) => ({ answer: () => ({ outcome, afterMs }) });

/** A store whose claims are made at once and answered when the test says so. */
function slowClaims() {
  let answer: () => void = () => undefined;
  const through = (store: DeliveryStore): DeliveryStore => ({
    ...store,
    claim: async (request) => {
      const result = await store.claim(request);
      await new Promise<void>((resolve) => (answer = resolve));
      return result;
    },
  });
  return { through, answer: () => answer() };
}

describe('start, wake, stop', () => {
  test('nothing is claimed before start, and waking does not start', async () => {
    const stage = setStage();
    await stage.enqueue(liveDelivery());
    stage.scheduler.wake();
    await stage.clock.advance(HOUR);
    expect(stage.sent()).toEqual([]);
    stage.scheduler.start();
    await stage.clock.advance(0);
    expect(stage.sent()).toEqual([[HOUR, 'evt_1']]);
  });

  test('starting twice is starting once', async () => {
    const { calls, through } = shaky({});
    const stage = setStage({ through });
    stage.scheduler.start();
    stage.scheduler.start();
    await stage.clock.advance(0);
    expect(calls.claim).toBe(1);
    expect(stage.clock.waiting).toBe(0);
  });

  test('with every slot taken, the store is left alone', async () => {
    const { calls, through } = shaky({});
    const stage = setStage({ through, concurrency: 2, ...slow(5_000) });
    stage.scheduler.start();
    await stage.enqueue(...someDeliveries(3));
    await stage.clock.advance(1_000);
    const before = calls.claim;
    stage.scheduler.wake();
    await stage.clock.advance(1_000);
    expect(calls.claim).toBe(before);
    expect(stage.transport.sent).toHaveLength(2);
  });

  test('stop waits for the attempts in flight and records them', async () => {
    const stage = setStage(slow(5_000));
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(1_000);
    const stopped = stage.scheduler.stop();
    const again = stage.scheduler.stop();
    expect(await isOver(stopped, () => stage.clock.advance(3_999))).toBe(false);
    await stage.enqueue(liveDelivery('evt_2'));
    expect(await isOver(Promise.all([stopped, again]), () => stage.clock.advance(1))).toBe(true);
    expect((await stage.get(ID))?.state).toBe('delivered');
    await stage.clock.advance(HOUR);
    expect(stage.sent()).toEqual([[0, 'evt_1']]);
    expect(stage.clock.waiting).toBe(0);
  });

  test('stop before start, and after nothing, resolves', async () => {
    const stage = setStage();
    await stage.scheduler.stop();
    stage.scheduler.start();
    await stage.scheduler.stop();
    await stage.scheduler.stop();
    expect(stage.clock.waiting).toBe(0);
  });

  test('no timer is left after a stop to keep the process alive', async () => {
    const stage = setStage({ pollMs: 5_000 });
    stage.scheduler.start();
    await stage.clock.advance(0);
    expect(stage.clock.waiting).toBe(1);
    await stage.scheduler.stop();
    expect(stage.clock.waiting).toBe(0);
  });

  test('after a stop it can start again', async () => {
    const stage = setStage();
    stage.scheduler.start();
    await stage.scheduler.stop();
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(0);
    expect(stage.sent()).toEqual([[0, 'evt_1']]);
  });

  test('a stop resolves once its own attempts have ended, though the scheduler was started again and is busy', async () => {
    const stage = setStage(slow(5_000));
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(1_000);
    const stopped = stage.scheduler.stop();
    stage.scheduler.start();
    await stage.enqueue(liveDelivery('evt_2'));
    await stage.clock.advance(3_000);
    await stage.enqueue(liveDelivery('evt_3'));
    expect(await isOver(stopped, () => stage.clock.advance(999))).toBe(false);
    expect(await isOver(stopped, () => stage.clock.advance(1))).toBe(true);
  });

  test('a signal gives up what is in flight: due at once, no attempt counted', async () => {
    const stage = setStage(slow(5_000));
    const hurry = new AbortController();
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(1_000);
    const stopped = stage.scheduler.stop({ signal: hurry.signal });
    expect(await isOver(stopped, () => stage.clock.advance(1_000))).toBe(false);
    hurry.abort();
    expect(await isOver(stopped, () => stage.clock.advance(0))).toBe(true);
    expect(await stage.get(ID)).toMatchObject({ state: 'pending', attempts: 0, due_at: NOW + 2_000 });
    expect(stage.told.at(-1)?.[0]).toBe('released');
  });

  test('a signal that has fired already does so at once', async () => {
    const stage = setStage(slow(5_000));
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(1_000);
    const stopped = stage.scheduler.stop({ signal: AbortSignal.abort() });
    expect(await isOver(stopped, () => stage.clock.advance(0))).toBe(true);
  });

  test('a signal that fires after its stop is over means nothing to what was started since', async () => {
    const stage = setStage(slow(5_000));
    const late = new AbortController();
    stage.scheduler.start();
    await stage.scheduler.stop({ signal: late.signal });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(1_000);
    late.abort();
    await stage.clock.advance(4_000);
    expect((await stage.get(ID))?.state).toBe('delivered');
  });

  test('an attempt that succeeds although it was given up is a success', async () => {
    const stage = setStage({
      transport: (inner) => ({
        ...inner,
        send: (_, signal) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve({ ok: true, status: 200 }));
          }),
      }),
    });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(0);
    await stage.scheduler.stop({ signal: AbortSignal.abort() });
    expect((await stage.get(ID))?.state).toBe('delivered');
  });

  test('what a claim brings after stop goes back unsent', async () => {
    const { through, answer } = slowClaims();
    const stage = setStage({ through, pollMs: 5_000 });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(0);
    const stopped = stage.scheduler.stop();
    answer();
    await stopped;
    expect(stage.clock.waiting).toBe(0);
    expect(await stage.get(ID)).toMatchObject({ state: 'pending', attempts: 0, due_at: NOW });
    expect(stage.sent()).toEqual([]);
    expect(stage.told.map(([name]) => name)).toEqual(['released']);
  });

  test('a claim without an answer that a signal gives up is no failure of the store', async () => {
    const { through } = slowClaims();
    const stage = setStage({ through });
    stage.scheduler.start();
    await stage.clock.advance(0);
    const stopped = stage.scheduler.stop({ signal: AbortSignal.abort() });
    expect(await isOver(stopped, () => stage.clock.advance(1_000))).toBe(true);
    expect(stage.told).toEqual([]);
    expect(stage.clock.waiting).toBe(0);
  });

  test('a claim that fails after stop sets no timer', async () => {
    let fail: (error: Error) => void = () => undefined;
    const claim = () => new Promise<never>((_, reject) => (fail = reject));
    const stage = setStage({ through: (store) => ({ ...store, claim }) });
    stage.scheduler.start();
    await stage.clock.advance(0);
    const stopped = stage.scheduler.stop();
    fail(new Error('store down'));
    await stopped;
    expect(stage.clock.waiting).toBe(0);
    expect(stage.told.map(([name]) => name)).toEqual(['storeFailed']);
  });

  test('without polling there is one timer, for the next due time, and none when nothing is due', async () => {
    const stage = setStage({ answer: () => ({ outcome: 500 }) });
    stage.scheduler.start();
    await stage.enqueue(...someDeliveries(20), liveDelivery('evt_far', 'b', NOW + 60 * 86_400_000));
    await stage.clock.advance(0);
    expect(stage.clock.waiting).toBe(1);
    expect(stage.clock.nextWakeAt).toBe(NOW + 60_000);
    await stage.clock.advance(HOUR);
    expect(stage.clock.nextWakeAt).toBe(NOW + 60 * 86_400_000);
    await stage.clock.advance(61 * 86_400_000);
    expect(stage.clock.waiting).toBe(0);
  });

  test('polling finds what others enqueue', async () => {
    const stage = setStage({ pollMs: 5_000 });
    stage.scheduler.start();
    await stage.clock.advance(1_000);
    await stage.store.enqueue([{ body: BODY, deliveries: [liveDelivery()] }]);
    await stage.clock.advance(4_000);
    expect(stage.sent()).toEqual([[5_000, 'evt_1']]);
  });
});

describe('idle', () => {
  test('resolves when nothing is left, not before', async () => {
    const stage = setStage({ answer: (_, earlier) => ({ outcome: earlier === 0 ? 500 : 204, afterMs: 10 }) });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    const idle = stage.scheduler.idle();
    expect(await isOver(idle, () => stage.clock.advance(60_019))).toBe(false);
    expect(await isOver(idle, () => stage.clock.advance(1))).toBe(true);
  });

  test('waits for what is in flight, also where its endpoint has no free slot', async () => {
    const stage = setStage({ ...slow(5_000), concurrencyPerEndpoint: 1 });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(0);
    const idle = stage.scheduler.idle();
    expect(await isOver(idle, () => stage.clock.advance(4_999))).toBe(false);
    expect(await isOver(idle, () => stage.clock.advance(1))).toBe(true);
  });

  test('waits for what was enqueued while the store was asked', async () => {
    const { through, answer } = slowClaims();
    const stage = setStage({ through });
    stage.scheduler.start();
    const idle = stage.scheduler.idle();
    await stage.clock.advance(0);
    await stage.enqueue(liveDelivery());
    answer();
    expect(await isOver(idle, () => stage.clock.advance(0))).toBe(false);
    answer();
    await stage.clock.advance(0);
    answer();
    await idle;
    expect((await stage.get(ID))?.state).toBe('delivered');
  });

  test('resolves at once where there is nothing, and when the scheduler stops or does not run', async () => {
    const stage = setStage();
    await stage.scheduler.idle();
    stage.scheduler.start();
    await stage.scheduler.idle();
    await stage.enqueue(liveDelivery('evt_1', 'a', NOW + HOUR));
    const idle = stage.scheduler.idle();
    expect(await isOver(idle, () => stage.clock.advance(0))).toBe(false);
    await stage.scheduler.stop();
    await idle;
  });
});

describe('leases', () => {
  test.for([
    { leftMs: 1_001, told: ['clockJumped', 'claimed'], sent: 1 },
    { leftMs: 1_000, told: ['clockJumped', 'released'], sent: 0 },
    { leftMs: 1, told: ['clockJumped', 'released'], sent: 0 },
    { leftMs: -HOUR, told: ['clockJumped', 'released'], sent: 0 },
  ])('a claim that arrives $leftMs ms before its leases end: $told', async ({ leftMs, told, sent }) => {
    const { through, answer } = slowClaims();
    const stage = setStage({ through, ...slow(100) });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(0);
    stage.clock.set((await stage.get(ID))!.due_at! - leftMs);
    answer();
    await stage.clock.advance(0);
    expect(stage.told.map(([name]) => name).toSorted()).toEqual(told.toSorted());
    expect(stage.transport.sent).toHaveLength(sent);
  });

  test('an attempt is given up before its lease passes to somebody else', async () => {
    const clock = createManualClock(NOW);
    const slowOne = setStage({ clock, ...slow(40_000), leaseMs: 15_000 });
    const heir = setStage({ clock, store: slowOne.store });
    slowOne.scheduler.start();
    await slowOne.enqueue(liveDelivery());
    await clock.advance(0);
    heir.scheduler.start();
    await clock.advance(14_999);
    expect(slowOne.told.at(-1)).toMatchObject(['leaseLost', { id: ID }]);
    expect(heir.sent()).toEqual([]);
    await slowOne.scheduler.stop();
    await clock.advance(1);
    expect(heir.sent()).toEqual([[15_000, 'evt_1']]);
    expect((await slowOne.store.get(ID))?.attempts).toHaveLength(1);
  });

  test('an outcome that comes too late for its lease is not recorded, and is told so', async () => {
    const clock = createManualClock(NOW);
    const failing = { settle: true };
    const lateOne = setStage({ clock, leaseMs: 15_000, concurrency: 1, through: shaky(failing).through });
    const heir = setStage({ clock, store: lateOne.store });
    lateOne.scheduler.start();
    await lateOne.enqueue(liveDelivery());
    await clock.advance(0);
    heir.scheduler.start();
    await clock.advance(15_000);
    expect(heir.sent()).toEqual([[15_000, 'evt_1']]);
    failing.settle = false;
    await clock.advance(30_000);
    expect(lateOne.told.at(-1)).toMatchObject(['leaseLost', { id: ID, state: 'delivered' }]);
    expect((await lateOne.store.get(ID))?.attempts).toHaveLength(1);
  });

  test.for([
    { name: 'an hour ahead', jump: HOUR },
    { name: 'an hour back', jump: -HOUR },
  ])('the clock set $name does not start a second attempt of what is in flight', async ({ jump }) => {
    const stage = setStage(slow(9_000));
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(1_000);
    stage.clock.set(stage.clock.now() + jump);
    stage.scheduler.wake();
    await stage.clock.advance(2 * HOUR);
    expect(stage.transport.sent).toHaveLength(1);
    expect((await stage.get(ID))?.state).toBe('delivered');
    expect(stage.told.map(([name]) => name)).toEqual(['claimed', 'clockJumped', 'attempted', 'delivered']);
  });

  test.for([
    { answerMs: 35_000, because: 'in time', told: ['claimed', 'attempted', 'delivered'] },
    { answerMs: 45_000, because: 'too late', told: ['claimed', 'storeFailed', 'attempted', 'delivered'] },
  ])(
    'a settlement that crosses with its own renewal is written under the new lease: $because',
    async (at) => {
      let hold: (() => void) | null = null;
      const stage = setStage({
        ...slow(9_000),
        through: (store) => ({
          ...store,
          settle: async (settlements) => {
            if (hold === null) await new Promise<void>((resolve) => (hold = resolve));
            return store.settle(settlements);
          },
        }),
      });
      stage.scheduler.start();
      await stage.enqueue(liveDelivery());
      await stage.clock.advance(at.answerMs);
      (hold as unknown as () => void)();
      await stage.clock.advance(0);
      expect((await stage.store.get(ID))?.attempts).toHaveLength(1);
      expect(stage.transport.sent).toHaveLength(1);
      expect(stage.told.map(([name]) => name)).toEqual(at.told);
    },
  );

  test('every lease is as long as the host says, under a token of its own', async () => {
    const leases: Delivery[] = [];
    const stage = setStage({
      leaseMs: 15_000,
      on: { claimed: (deliveries) => void leases.push(...deliveries) },
    });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery('evt_1'));
    await stage.clock.advance(0);
    await stage.enqueue(liveDelivery('evt_2'));
    await stage.clock.advance(0);
    expect(leases.map(({ due_at }) => due_at)).toEqual([NOW + 15_000, NOW + 15_000]);
    expect(new Set(leases.map(({ lease }) => lease)).size).toBe(2);
  });
});
