/** `drain`: sends what is due, and returns. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultRetryPolicy } from '../../src/delivery/index.js';
import { liveDelivery, NOW } from './arbitraries.js';
import { isOver, setStage, shaky, someDeliveries } from './stage.js';

const HOUR = 3_600_000;

describe('drain', () => {
  test('leaves nothing that is due, and touches nothing else', async () => {
    const given = fc.record({
      dueMs: fc.integer({ min: -2_000, max: 6_000 }),
      afterMs: fc.integer({ min: 0, max: 3_000 }),
      fails: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(given, { maxLength: 12 }),
        fc.integer({ min: 1, max: 3 }),
        async (all, concurrency) => {
          const about = (event: string) => all[Number(event.slice(4))]!;
          const stage = setStage({
            concurrency,
            policy: { ...defaultRetryPolicy, retry_backoff_base_seconds: 1 },
            answer: ({ headers }) => {
              const { fails, afterMs } = about(headers['Svc-Event-Id'] ?? '');
              return { outcome: fails ? 500 : 204, afterMs };
            },
          });
          await stage.enqueue(
            ...all.map(({ dueMs }, n) => ({ ...liveDelivery(`evt_${n}`), due_at: NOW + dueMs })),
          );
          let at = 0;
          void stage.scheduler.drain().then(() => (at = stage.clock.now()));
          await stage.clock.advance(0);
          while (at === 0) await stage.clock.advance(50);
          const now = await Promise.all(all.map((_, n) => stage.get(`evt_${n}:endpoint-1`)));
          for (const [n, delivery] of now.entries()) {
            if (delivery?.state === 'pending') expect(delivery.due_at).toBeGreaterThan(at);
            else expect(['delivered', 'failed']).toContain(delivery?.state);
            if (all[n]!.dueMs > at - NOW) expect(delivery?.attempts).toBe(0);
          }
          // It has stopped: nothing is sent, and nothing waits.
          const sent = stage.sent().length;
          expect(stage.clock.waiting).toBe(0);
          stage.scheduler.wake();
          await stage.clock.advance(HOUR);
          expect(stage.sent()).toHaveLength(sent);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('can be called again, for what has become due', async () => {
    const stage = setStage();
    await stage.enqueue(liveDelivery('evt_1'), { ...liveDelivery('evt_2'), due_at: NOW + HOUR });
    expect(await isOver(stage.scheduler.drain(), () => stage.clock.advance(0))).toBe(true);
    expect(stage.sent()).toEqual([[0, 'evt_1']]);
    await stage.clock.advance(HOUR);
    expect(await isOver(stage.scheduler.drain(), () => stage.clock.advance(0))).toBe(true);
    expect(stage.sent()).toEqual([
      [0, 'evt_1'],
      [HOUR, 'evt_2'],
    ]);
  });

  test('does not wait for what a limit of the rate holds back', async () => {
    const stage = setStage({ policy: { ...defaultRetryPolicy, rate_limit_per_second: 1 / 60 } as never });
    await stage.enqueue(...someDeliveries(3));
    expect(await isOver(stage.scheduler.drain(), () => stage.clock.advance(1_000))).toBe(true);
    expect(stage.sent()).toHaveLength(1);
  });

  test('ends at its signal, with the attempts in flight given back', async () => {
    const controller = new AbortController();
    const stage = setStage({ answer: () => ({ outcome: 204, afterMs: HOUR }) });
    await stage.enqueue(liveDelivery());
    const drained = stage.scheduler.drain({ signal: controller.signal });
    expect(await isOver(drained, () => stage.clock.advance(5_000))).toBe(false);
    controller.abort();
    expect(await isOver(drained, () => stage.clock.advance(2_000))).toBe(true);
    expect(stage.clock.waiting).toBe(0);
  });

  test('sends nothing if its signal has fired before', async () => {
    const stage = setStage();
    await stage.enqueue(liveDelivery());
    const drained = stage.scheduler.drain({ signal: AbortSignal.abort() });
    expect(await isOver(drained, () => stage.clock.advance(2_000))).toBe(true);
    expect(stage.sent()).toEqual([]);
  });

  test('waits for a store that fails, until its signal', async () => {
    const failing = { claim: true };
    const { through } = shaky(failing);
    const stage = setStage({ through });
    await stage.enqueue(liveDelivery());
    const controller = new AbortController();
    const drained = stage.scheduler.drain({ signal: controller.signal });
    expect(await isOver(drained, () => stage.clock.advance(HOUR))).toBe(false);
    controller.abort();
    expect(await isOver(drained, () => stage.clock.advance(2_000))).toBe(true);
    failing.claim = false;
    expect(await isOver(stage.scheduler.drain(), () => stage.clock.advance(0))).toBe(true);
    expect(stage.sent()).toHaveLength(1);
  });

  test('asks again if the store never answers a claim', async () => {
    let claims = 0;
    const stage = setStage({
      through: (store) => ({
        ...store,
        claim: (request) => (++claims <= 2 ? new Promise(() => undefined) : store.claim(request)),
      }),
    });
    await stage.enqueue(liveDelivery());
    expect(await isOver(stage.scheduler.drain(), () => stage.clock.advance(HOUR))).toBe(true);
    expect(stage.sent()).toHaveLength(1);
  });

  test('refuses an unknown option, and sends nothing', async () => {
    const stage = setStage();
    await stage.enqueue(liveDelivery());
    await expect(stage.scheduler.drain({ deadline: 1 } as never)).rejects.toMatchObject({
      code: 'invalid_option',
    });
    await stage.clock.advance(HOUR);
    expect(stage.sent()).toEqual([]);
  });
});
