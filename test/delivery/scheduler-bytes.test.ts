/** The limits on bytes in flight. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ClaimRequest, MAX_BODY_BYTES } from '../../src/delivery/index.js';
import { liveDelivery } from './arbitraries.js';
import { endpointOf, eventOf, setStage, type Stage, type StageOptions } from './stage.js';

interface Load {
  readonly endpoint: string;
  readonly bytes: number;
}

/** A stage whose deliveries have bodies of given sizes; what was in flight at each request. */
function stageOf(
  loads: readonly Load[],
  { afterMs = 1_000, ...options }: StageOptions & { readonly afterMs?: number },
) {
  const flying = new Map<string, number>();
  const seen: { readonly bytes: number; readonly bodies: number; readonly ofEndpoint: number }[] = [];
  const requests: ClaimRequest[] = [];
  const stage = setStage({
    ...options,
    answer: () => ({ outcome: 204, afterMs }),
    through: (store) => ({ ...store, claim: (request) => (requests.push(request), store.claim(request)) }),
    transport: (scripted) => ({
      ...scripted,
      async send(request, signal) {
        const key = `${eventOf(request)} ${endpointOf(request)}`;
        flying.set(key, request.body.length);
        const mine = [...flying].filter(([other]) => other.endsWith(` ${endpointOf(request)}`));
        const sum = (all: Iterable<number>) => Array.from(all).reduce((a, b) => a + b, 0);
        seen.push({
          bytes: sum(flying.values()),
          bodies: flying.size,
          ofEndpoint: mine.length === 1 ? 0 : sum(mine.map(([, bytes]) => bytes)),
        });
        return scripted.send(request, signal).finally(() => flying.delete(key));
      },
    }),
  });
  const enqueue = () =>
    stage.store.enqueue(
      loads.map(({ endpoint, bytes }, n) => ({
        body: new Uint8Array(bytes),
        deliveries: [liveDelivery(`evt_${n}`, endpoint)],
      })),
    );
  return { ...stage, seen, requests, enqueueAll: enqueue };
}

/** Attempts take some time. */
async function stop({ scheduler, clock }: Stage): Promise<void> {
  const stopped = scheduler.stop();
  await clock.advance(20_000);
  await stopped;
}

describe('bytes in flight', () => {
  test('are never more than the host allows, but for one body alone; and all arrive', async () => {
    const loads = fc.array(
      fc.record({ endpoint: fc.constantFrom('a', 'b', 'c'), bytes: fc.integer({ min: 1, max: 60 }) }),
      {
        maxLength: 40,
      },
    );
    await fc.assert(
      fc.asyncProperty(loads, fc.integer({ min: 1, max: 100 }), async (all, maxBytesInFlight) => {
        const stage = stageOf(all, { maxBytesInFlight });
        await stage.enqueueAll();
        stage.scheduler.start();
        await stage.clock.advance(all.length * 1_000 + 1_000);
        expect(new Set(stage.sent().map(([, event]) => event)).size).toBe(all.length);
        for (const { bytes, bodies, ofEndpoint } of stage.seen) {
          if (bodies > 1) expect(bytes).toBeLessThanOrEqual(maxBytesInFlight);
          expect(ofEndpoint).toBeLessThanOrEqual(Math.ceil(maxBytesInFlight / 8));
        }
        await stop(stage);
      }),
      { numRuns: 60 },
    );
  });

  test('are 32 MiB unless the host says otherwise', async () => {
    const stage = stageOf([], {});
    stage.scheduler.start();
    await stage.clock.advance(1);
    expect(stage.requests[0]?.bytes).toMatchObject({ max: MAX_BODY_BYTES, perEndpoint: MAX_BODY_BYTES / 8 });
    await stop(stage);
  });

  test('of a receiver that hangs with large bodies take no turn from others', async () => {
    const heavy = Array.from({ length: 30 }, () => ({ endpoint: 'hangs', bytes: 80 }));
    const stage = stageOf(heavy, { maxBytesInFlight: 800, afterMs: 9_000 });
    await stage.enqueueAll();
    stage.scheduler.start();
    await stage.clock.advance(1);
    expect(stage.sent(), 'an eighth, one body at least').toHaveLength(1);
    for (let n = 0; n < 8; n++) {
      await stage.enqueue(liveDelivery(`light_${n}`, `b${n}`));
      await stage.clock.advance(1);
    }
    expect(stage.sent().map(([, event]) => event)).toEqual([
      'evt_0',
      ...Array.from({ length: 8 }, (_, n) => `light_${n}`),
    ]);
    await stop(stage);
  });

  test.for([10, 100])('that are used up by %d bytes of 10 cost no claims', async (bytes) => {
    const stage = stageOf(
      [
        { endpoint: 'a', bytes },
        { endpoint: 'b', bytes },
      ],
      { maxBytesInFlight: 10, pollMs: 100 },
    );
    await stage.enqueueAll();
    stage.scheduler.start();
    await stage.clock.advance(999);
    expect(stage.requests).toHaveLength(1);
    await stage.clock.advance(1_002);
    expect(stage.sent()).toEqual([
      [0, 'evt_0'],
      [1_000, 'evt_1'],
    ]);
    await stop(stage);
  });

  test('of one event count once, to however many endpoints it goes', async () => {
    const stage = setStage({ maxBytesInFlight: 16, answer: () => ({ outcome: 204, afterMs: 1_000 }) });
    const deliveries = ['a', 'b', 'c', 'd'].map((endpoint) => liveDelivery('evt_1', endpoint));
    await stage.store.enqueue([{ body: new Uint8Array(10), deliveries }]);
    stage.scheduler.start();
    await stage.clock.advance(1);
    expect(stage.sent()).toHaveLength(4);
    await stage.clock.advance(2_000);
    // They are over: the next event has all of the room again.
    const more = ['a', 'b', 'c', 'd'].map((endpoint) => liveDelivery('evt_2', endpoint));
    await stage.store.enqueue([{ body: new Uint8Array(16), deliveries: more }]);
    stage.scheduler.wake();
    await stage.clock.advance(1);
    expect(stage.sent()).toHaveLength(8);
    await stop(stage);
  });

  test.for([0, -1, 1.5, NaN, Infinity, '1'])('a bound of %s is refused', (maxBytesInFlight) => {
    expect(() => setStage({ maxBytesInFlight: maxBytesInFlight as number })).toThrow(
      expect.objectContaining({
        code: 'invalid_option',
        message: expect.stringContaining('maxBytesInFlight'),
      }),
    );
  });
});
