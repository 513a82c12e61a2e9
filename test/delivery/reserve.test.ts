/** Deliveries that are leased before they are stored. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Delivery, newDelivery } from '../../src/delivery/index.js';
import { NOW } from './arbitraries.js';
import { BODY, endpointOf, setStage, shaky, type Stage, type StageOptions } from './stage.js';

const LEASE_MS = 30_000;
const deliveryOf = (event: string, endpoint: string, at = NOW): Delivery =>
  newDelivery({ id: event, type: 't' }, endpoint, { at });

/** A stage whose scheduler has looked once and found nothing. */
async function ready(options: StageOptions = {}): Promise<Stage> {
  const stage = setStage(options);
  stage.scheduler.start();
  await stage.clock.advance(0);
  return stage;
}

/** Reserves, enqueues and begins, as a host does. */
async function send({ scheduler, store }: Stage, deliveries: readonly Delivery[]): Promise<boolean> {
  const reservation = scheduler.reserve(deliveries.map((one) => ({ body: BODY, deliveries: [one] })));
  reservation.begin(await store.enqueue(reservation.dispatches));
  if (reservation.isPartial) scheduler.wake();
  return reservation.isPartial;
}

describe('reserve', () => {
  test('deliveries are sent without a claim, and recorded', async () => {
    const { calls, through } = shaky({});
    const stage = await ready({ through });
    const before = calls.claim;
    expect(await send(stage, [deliveryOf('e1', 'a'), deliveryOf('e1', 'b')])).toBe(false);
    await stage.clock.advance(0);
    expect(stage.sent()).toHaveLength(2);
    expect(await stage.get('e1:a')).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(stage.told.filter(([name]) => name === 'claimed')).toHaveLength(1);
    expect(calls.claim).toBe(before);
  });

  test('no more than there are slots, nor than is asked for; the rest is claimed', async () => {
    const stage = await ready({
      concurrency: 3,
      concurrencyPerEndpoint: 2,
      answer: () => ({ outcome: 204, afterMs: 10 }),
    });
    const all = ['e1', 'e2', 'e3', 'e4', 'e5'].map((event) => ({
      body: BODY,
      deliveries: [deliveryOf(event, 'a')],
    }));
    const few = stage.scheduler.reserve(all, { most: 1 });
    expect(few.dispatches.filter(({ deliveries: [one] }) => one!.state === 'leased')).toHaveLength(1);
    few.release();
    expect(
      await send(
        stage,
        all.flatMap(({ deliveries }) => deliveries),
      ),
    ).toBe(true);
    await stage.clock.advance(0);
    expect(stage.sent()).toHaveLength(2);
    await stage.clock.advance(100);
    expect(stage.sent()).toHaveLength(5);
  });

  test('nothing before start, after stop, or of a delivery that is due later', async () => {
    const stage = setStage();
    const dispatch = { body: BODY, deliveries: [deliveryOf('e1', 'a')] };
    expect(stage.scheduler.reserve([dispatch]).dispatches).toEqual([dispatch]);
    stage.scheduler.start();
    await stage.clock.advance(0);
    const later = { body: BODY, deliveries: [deliveryOf('e1', 'a', NOW + 1)] };
    expect(stage.scheduler.reserve([later]).isPartial).toBe(true);
    await stage.scheduler.stop();
    expect(stage.scheduler.reserve([dispatch]).dispatches).toEqual([dispatch]);
  });

  test('if some were known, none is sent twice, and the new ones are sent when their lease ends', async () => {
    const stage = await ready();
    await send(stage, [deliveryOf('e1', 'a')]);
    await stage.clock.advance(0);
    await send(stage, [deliveryOf('e1', 'a'), deliveryOf('e2', 'a')]);
    await stage.clock.advance(LEASE_MS - 1);
    expect(stage.sent()).toHaveLength(1);
    await stage.clock.advance(1);
    expect(stage.sent().map(([, event]) => event)).toEqual(['e1', 'e2']);
  });

  test('a reservation that was released frees its slots, and ends once', async () => {
    const stage = await ready({ concurrency: 1 });
    const dispatch = { body: BODY, deliveries: [deliveryOf('e1', 'a')] };
    const first = stage.scheduler.reserve([dispatch]);
    expect(stage.scheduler.reserve([dispatch]).isPartial).toBe(true);
    first.release();
    first.begin(1);
    await stage.clock.advance(0);
    expect(stage.sent()).toEqual([]);
    expect(stage.scheduler.reserve([dispatch]).isPartial).toBe(false);
  });

  test('a lease that is about to end, or whose scheduler has stopped, is given back', async () => {
    const late = await ready();
    const dispatches = [{ body: BODY, deliveries: [deliveryOf('e1', 'a')] }];
    const slow = late.scheduler.reserve(dispatches);
    await late.clock.advance(LEASE_MS - 500);
    slow.begin(await late.store.enqueue(slow.dispatches));
    await late.clock.advance(0);
    expect(late.sent()).toHaveLength(1);
    const stopped = await ready();
    const reservation = stopped.scheduler.reserve(dispatches);
    const added = await stopped.store.enqueue(reservation.dispatches);
    const stopping = stopped.scheduler.stop();
    reservation.begin(added);
    await stopping;
    expect(await stopped.get('e1:a')).toMatchObject({ state: 'pending', due_at: NOW, attempts: 0 });
  });

  test('a scheduler that stops waits until a reservation that began late is given back', async () => {
    const written: string[] = [];
    const stage = await ready({
      through: (store) => ({
        ...store,
        settle: async (settlements) => {
          await new Promise((resolve) => setTimeout(resolve, 5));
          written.push(...settlements.map(({ delivery }) => delivery.id));
          return store.settle(settlements);
        },
      }),
    });
    const reservation = stage.scheduler.reserve([{ body: BODY, deliveries: [deliveryOf('e1', 'a')] }]);
    const added = await stage.store.enqueue(reservation.dispatches);
    const stopping = stage.scheduler.stop();
    await new Promise((resolve) => setTimeout(resolve, 5));
    reservation.begin(added);
    await stopping;
    expect(written).toEqual(['e1:a']);
  });

  test('what waits at an endpoint is sent before what is new', async () => {
    const stage = await ready({ concurrencyPerEndpoint: 1, answer: () => ({ outcome: 204, afterMs: 10 }) });
    for (let n = 1; n <= 20; n++) {
      await send(stage, [deliveryOf(`e${n}`, 'a', stage.clock.now())]);
      await stage.clock.advance(5);
    }
    await stage.clock.advance(1_000);
    expect(stage.sent().map(([, event]) => event)).toEqual(Array.from({ length: 20 }, (_, n) => `e${n + 1}`));
  });

  test('whatever is reserved, begun, released or enqueued, all limits hold and each delivery arrives once', async () => {
    const step = fc.record({
      endpoints: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 }),
      how: fc.constantFrom('begun', 'released', 'enqueued', 'lost', 'known'),
      passMs: fc.constantFrom(0, 0, 3, 20, 2_000),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 15 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 30 })),
        async (steps, times) => {
          const limits = { concurrency: 5, concurrencyPerEndpoint: 2 };
          const inFlight = new Map<string, number>();
          const count = (endpoint: string, by: number): void =>
            void inFlight.set(endpoint, (inFlight.get(endpoint) ?? 0) + by);
          const stage = await ready({
            ...limits,
            answer: () => ({ outcome: 204, afterMs: times.next().value as number }),
            transport: (scripted) => ({
              ...scripted,
              send: async (request, signal) => {
                count(endpointOf(request), 1);
                expect(inFlight.get(endpointOf(request))).toBeLessThanOrEqual(limits.concurrencyPerEndpoint);
                expect([...inFlight.values()].reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(
                  limits.concurrency,
                );
                return scripted.send(request, signal).finally(() => count(endpointOf(request), -1));
              },
            }),
          });
          const expected: string[] = [];
          for (const [n, { endpoints, how, passMs }] of steps.entries()) {
            const at = stage.clock.now();
            const deliveries = [...new Set(endpoints)].map((endpoint) => deliveryOf(`e${n}`, endpoint, at));
            const dispatches = deliveries.map((one) => ({ body: BODY, deliveries: [one] }));
            if (how === 'known') await stage.store.enqueue(dispatches.slice(0, 1));
            const reservation = stage.scheduler.reserve(how === 'enqueued' ? [] : dispatches);
            if (how !== 'released') expected.push(...deliveries.map(({ id }) => id));
            if (how === 'released') reservation.release();
            else if (how === 'enqueued') await stage.store.enqueue(dispatches);
            else {
              const added = await stage.store.enqueue(reservation.dispatches);
              // A process that ends before it begins leaves the leases to end.
              if (how === 'lost') reservation.release();
              else reservation.begin(added);
            }
            stage.scheduler.wake();
            await stage.clock.advance(passMs);
          }
          await stage.clock.advance(2 * LEASE_MS);
          await stage.scheduler.stop();
          const sent = stage.transport.sent.map(
            ({ request }) => `${request.headers['Svc-Event-Id']!}:${endpointOf(request)}`,
          );
          expect(sent.toSorted()).toEqual(expected.toSorted());
        },
      ),
      { numRuns: 60 },
    );
  });
});
