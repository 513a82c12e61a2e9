/** Stores and host's parts that fail or hang. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDispatch, newDelivery, OptionError, type RetryPolicy } from '../../src/delivery/index.js';
import { createManualClock } from '../../src/testing/index.js';
import { createSigner } from '../../src/signing/index.js';
import { liveDelivery, NOW } from './arbitraries.js';
import { endpointOf, setStage, someDeliveries, type Stage, type StageOptions } from './stage.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const twice: RetryPolicy = { retry_max_attempts: 2, retry_backoff_base_seconds: 7 };

describe('what waiting cannot mend is a failed attempt each time, and a dead letter in the end', () => {
  const refuse = (): never => {
    throw new OptionError('invalid_secret', 'whsec_of_the_customer');
  };
  const signer = createSigner({ secrets: 's' });
  const byItsPolicy = [0, 7_000];
  const byTheDefault = [0, 60_000, 180_000, 420_000, 900_000];

  test.for<{ what: string; code: string; startsMs: number[]; options?: StageOptions; type?: string }>([
    {
      what: 'an event type that no header holds',
      code: 'invalid_header',
      startsMs: byItsPolicy,
      type: 'a\nb',
    },
    {
      what: 'a time that no signature holds',
      code: 'invalid_timestamp',
      startsMs: byItsPolicy,
      options: { clock: createManualClock(1e15 + NOW) },
    },
    { what: 'a secret', code: 'invalid_secret', startsMs: byItsPolicy, options: { signer: refuse } },
    {
      what: 'a policy out of bounds',
      code: 'invalid_policy',
      startsMs: byTheDefault,
      options: { policy: { retry_max_attempts: 0, retry_backoff_base_seconds: 1 } },
    },
    {
      what: 'a look-up that refuses',
      code: 'invalid_secret',
      startsMs: byTheDefault,
      options: {
        endpoints: () => Promise.reject(new OptionError('invalid_secret', 'whsec_of_the_customer')),
      },
    },
  ])('$what', async ({ code, startsMs, options, type = 'x' }) => {
    const stage = setStage({ policy: twice, signer, ...options });
    const startedAt = stage.clock.now();
    stage.scheduler.start();
    await stage.enqueue(newDelivery({ id: 'evt_1', type }, 'a', { at: startedAt }));
    await stage.clock.advance(DAY);
    const { delivery, attempts } = (await stage.store.get('evt_1:a'))!;
    expect(attempts.map(({ started_at }) => started_at - startedAt)).toEqual(startsMs);
    for (const { outcome } of attempts) {
      expect(outcome).toEqual({
        ok: false,
        failure: 'internal_error',
        transient: false,
        detail: expect.stringContaining(code),
      });
    }
    expect(JSON.stringify(delivery)).not.toContain('whsec');
    expect(await stage.store.deadLetters.count({})).toBe(1);
    expect(stage.transport.sent).toEqual([]);
    expect(stage.told.map(([name]) => name)).not.toContain('released');
    expect(stage.told.at(-1)).toEqual(['deadLettered', delivery]);
  });

  test('an event that cannot be sent is dispatched all the same, so that it ends where somebody sees it', () => {
    const event = { id: 'evt_\r\n', type: 'a\nb' };
    const routing = { outcome: 'deliver' as const, event, endpointIds: null };
    const { deliveries } = createDispatch(routing, [{ id: 'a', status: 'active' }], { at: NOW });
    expect(deliveries).toMatchObject([{ event_id: 'evt_\r\n', event_type: 'a\nb', state: 'pending' }]);
  });

  test('one that is given up before it can fail costs no attempt', async () => {
    const stage = setStage({
      signer: () => new Promise((_, reject) => setImmediate(reject, new OptionError('invalid_secret', ''))),
    });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await Promise.resolve();
    await stage.scheduler.stop({ signal: AbortSignal.abort() });
    expect(await stage.get('evt_1:endpoint-1')).toMatchObject({ state: 'pending', attempts: 0, due_at: NOW });
  });
});

const PARTS = ['a look-up', 'a search for the signer', 'a signer', 'a transport'] as const;
type Part = (typeof PARTS)[number];

/**
 * A stage on which a part does not settle for endpoint `hangs`, until it is mended; `late` then lets the old calls on.
 */
function hangingStage(part: Part, options: StageOptions = {}): Stage & { mend(): void; late(): void } {
  let hanging = true;
  const letOn: (() => void)[] = [];
  const pass = async <T>(at: Part, endpoint: string, value: T): Promise<T> => {
    if (at !== part || endpoint !== 'hangs' || !hanging) return value;
    await new Promise<void>((resolve) => letOn.push(resolve));
    return value;
  };
  const stage = setStage({
    endpoints: (id) => pass('a look-up', id, { url: `https://${id}`, ...twice }),
    signer: ({ endpoint_id }) =>
      pass('a search for the signer', endpoint_id, {
        headers: (_, { eventId }) => pass('a signer', endpoint_id, { 'Svc-Event-Id': eventId }),
      }),
    transport: (inner) => ({
      ...inner,
      send: async (request, signal) =>
        pass('a transport', endpointOf(request), await inner.send(request, signal)),
    }),
    ...options,
  });
  return { ...stage, mend: () => (hanging = false), late: () => letOn.forEach((resolve) => resolve()) };
}

const parts = () => fc.constantFrom(...PARTS);
const leases = () => fc.integer({ min: 15_000, max: 90_000 });
const namesOf = (stage: Stage): readonly string[] => stage.told.map(([name]) => name);

/** Whether a promise has resolved once `ms` have passed. */
async function isOverAfter(stage: Stage, ms: number, promise: Promise<unknown>): Promise<boolean> {
  let over = false;
  void promise.then(() => (over = true));
  await stage.clock.advance(ms);
  return over;
}

describe('what never settles', () => {
  test('holds its slot for less than a lease, and nobody else back; once mended, all is sent', async () => {
    const caps = fc.record({
      concurrency: fc.integer({ min: 1, max: 3 }),
      concurrencyPerEndpoint: fc.integer({ min: 1, max: 3 }),
      leaseMs: leases(),
    });
    const counts = fc.record({
      hanging: fc.integer({ min: 1, max: 4 }),
      healthy: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(parts(), caps, counts, async (part, options, { hanging, healthy }) => {
        const stage = hangingStage(part, options);
        const deliveries = [...someDeliveries(hanging, 'hangs'), ...someDeliveries(healthy, 'well')];
        stage.scheduler.start();
        await stage.enqueue(...deliveries);
        await stage.clock.advance((hanging + 1) * options.leaseMs);
        expect(stage.store.size()).toMatchObject({ finished: healthy, unfinished: hanging });
        expect(namesOf(stage)).toContain('leaseLost');
        stage.mend();
        await stage.clock.advance(2 * options.leaseMs);
        expect(stage.store.size()).toMatchObject({ finished: deliveries.length, unfinished: 0 });
        for (const { id } of deliveries) expect((await stage.store.get(id))?.attempts).toHaveLength(1);
        const before = { sent: stage.transport.sent.length, told: stage.told.length };
        stage.late();
        await stage.clock.advance(DAY);
        expect({ sent: stage.transport.sent.length, told: stage.told.length }).toEqual(before);
        expect(stage.clock.waiting).toBe(0);
      }),
      { numRuns: 100 },
    );
  });

  test.for(PARTS)('%s: the lease is told as lost, and its end brings the delivery back', async (part) => {
    const inFlight: (readonly [ms: number, count: number])[] = [];
    const stage = hangingStage(part, {
      leaseMs: 20_000,
      through: (store) => ({
        ...store,
        claim: (request) => {
          inFlight.push([request.at - NOW, request.inFlight.get('hangs') ?? 0]);
          return store.claim(request);
        },
      }),
    });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery('evt_1', 'hangs'));
    await stage.clock.advance(19_000);
    const leased = await stage.get('evt_1:hangs');
    expect(leased).toMatchObject({ state: 'leased', attempts: 0, due_at: NOW + 20_000 });
    expect(stage.told.at(-1)).toEqual(['leaseLost', leased]);
    stage.mend();
    stage.late();
    await stage.clock.advance(1_000);
    expect(await stage.get('evt_1:hangs')).toMatchObject({ state: 'delivered', attempts: 1 });
    // A request that reached the transport may have arrived; one that did not is never sent.
    expect(stage.sent().map(([ms]) => ms)).toEqual(part === 'a transport' ? [0, 20_000] : [20_000]);
    expect(inFlight.filter(([ms]) => ms > 0).slice(0, 2)).toEqual([
      [19_000, 0],
      [20_000, 0],
    ]);
  });

  test('does not keep stop waiting for more than a lease, or a second from the signal on', async () => {
    const stops = fc.record({
      stopAfterMs: fc.integer({ min: 0, max: 13_000 }),
      signalAfterMs: fc.option(fc.integer({ min: 0, max: 12_000 })),
    });
    await fc.assert(
      fc.asyncProperty(parts(), leases(), stops, async (part, leaseMs, { stopAfterMs, signalAfterMs }) => {
        const stage = hangingStage(part, { leaseMs });
        stage.scheduler.start();
        await stage.enqueue(...someDeliveries(3, 'hangs'));
        await stage.clock.advance(stopAfterMs);
        const hurry = new AbortController();
        if (signalAfterMs === 0) hurry.abort();
        const stopped = stage.scheduler.stop(signalAfterMs === null ? {} : { signal: hurry.signal });
        if (signalAfterMs !== null) {
          expect(await isOverAfter(stage, signalAfterMs, stopped)).toBe(
            signalAfterMs + stopAfterMs >= leaseMs - 1_000,
          );
          hurry.abort();
        }
        const atMost = signalAfterMs === null ? leaseMs - stopAfterMs : 1_000;
        expect(await isOverAfter(stage, atMost, stopped)).toBe(true);
        expect(namesOf(stage).filter((name) => name === 'leaseLost')).toHaveLength(3);
        expect(stage.clock.waiting).toBe(0);
        const sent = stage.transport.sent.length;
        stage.late();
        await stage.clock.advance(HOUR);
        expect(stage.transport.sent).toHaveLength(sent);
        stage.mend();
        stage.scheduler.start();
        await stage.clock.advance(0);
        expect(stage.store.size()).toMatchObject({ unfinished: 0, finished: 3 });
      }),
      { numRuns: 100 },
    );
  });

  test.for(['claim', 'settle'] as const)('a %s, too, ends with the signal of stop', async (operation) => {
    const never = new Promise<never>(() => undefined);
    const stage = setStage({ through: (store) => ({ ...store, [operation]: () => never }) });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(0);
    const stopped = stage.scheduler.stop({ signal: AbortSignal.abort() });
    expect(await isOverAfter(stage, 1_000, stopped)).toBe(true);
    expect(stage.clock.waiting).toBe(0);
    // Nobody knows whether an outcome that was handed to the store is recorded.
    expect(namesOf(stage)).not.toContain('leaseLost');
  });

  test('an attempt that obeys is waited for: it goes back due at once, not at the end of its lease', async () => {
    const stage = setStage({
      transport: (inner) => ({
        ...inner,
        send: (request, signal) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              stage.clock.at(stage.clock.now() + 999, () => resolve(inner.send(request, signal)));
            });
          }),
      }),
      answer: () => ({ outcome: 500 }),
    });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(0);
    const stopped = stage.scheduler.stop({ signal: AbortSignal.abort() });
    expect(await isOverAfter(stage, 999, stopped)).toBe(true);
    expect(await stage.get('evt_1:endpoint-1')).toMatchObject({ state: 'pending', due_at: NOW + 999 });
    expect(stage.clock.waiting).toBe(0);
  });
});
