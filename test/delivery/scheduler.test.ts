/** The scheduler as a whole: retries, crashes, concurrency and fairness. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import {
  type Delivery,
  type DeliveryStore,
  newDelivery,
  type RetryPolicy,
  retrySchedule,
} from '../../src/delivery/index.js';
import { createManualClock, type ScriptedAnswer } from '../../src/testing/index.js';
import { liveDelivery, NOW } from './arbitraries.js';
import { endpointOf, eventOf, setStage, someDeliveries } from './stage.js';

/** How the attempts of one delivery fare, in order; what is not said fails at once. */
type Script = readonly ScriptedAnswer[];
/** Scripts by endpoint, one for each event. */
type Play = Readonly<Record<string, { readonly policy: RetryPolicy; readonly scripts: readonly Script[] }>>;

const FAILS: ScriptedAnswer = { outcome: 500 };

const plays = (): fc.Arbitrary<Play> => {
  const answer = fc.record({
    outcome: fc.constantFrom(204, 500, 302, 500),
    afterMs: fc.constantFrom(0, 0, 1, 250, 10_000),
  });
  const policy = fc.record({
    retry_max_attempts: fc.integer({ min: 1, max: 6 }),
    retry_backoff_base_seconds: fc.constantFrom(1, 7, 60, 86_400),
  });
  return fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.record({
      policy,
      scripts: fc.array(fc.array(answer, { maxLength: 6 }), { minLength: 1, maxLength: 5 }),
    }),
    { minKeys: 1 },
  );
};

const deliveriesOf = (play: Play): readonly Delivery[] =>
  Object.entries(play).flatMap(([endpoint, { scripts }]) =>
    scripts.map((_, n) => liveDelivery(`evt_${n}`, endpoint)),
  );

/** The expected course of one script: the start of each attempt, in ms from the beginning, and the end. */
function implied(script: Script, policy: RetryPolicy) {
  const delays = retrySchedule(policy);
  const starts: number[] = [];
  for (let at = 0, n = 0; ; n++) {
    const { outcome, afterMs = 0 } = script[n] ?? FAILS;
    starts.push(at);
    const delay = delays[n];
    if (outcome === 204) return { starts, state: 'delivered', finished_at: NOW + at + afterMs };
    if (delay === undefined) return { starts, state: 'failed', finished_at: NOW + at + afterMs };
    at += afterMs + delay * 1_000;
  }
}

/** A stage that plays a play; each delivery's attempts follow its script. */
function stageOf(play: Play, options: Parameters<typeof setStage>[0] = {}) {
  const counts = new Map<string, number>();
  return setStage({
    answer: (request) => {
      const key = `${eventOf(request)}:${endpointOf(request)}`;
      const n = counts.get(key) ?? 0;
      counts.set(key, n + 1);
      const script = play[endpointOf(request)]?.scripts[Number(eventOf(request).slice(4))];
      return script?.[n] ?? FAILS;
    },
    endpoints: (id) => play[id] && { url: `https://${id}`, ...play[id].policy },
    ...options,
  });
}

const A_LONG_TIME = 400 * 86_400_000;

describe('for every script of outcomes', () => {
  test('each delivery is attempted at exactly the times its policy implies, and ends as it implies', async () => {
    await fc.assert(
      fc.asyncProperty(plays(), async (play) => {
        const stage = stageOf(play);
        stage.scheduler.start();
        await stage.enqueue(...deliveriesOf(play));
        await stage.clock.advance(A_LONG_TIME);
        for (const { id, endpoint_id, event_id } of deliveriesOf(play)) {
          const { policy, scripts } = play[endpoint_id]!;
          const { starts, ...end } = implied(scripts[Number(event_id.slice(4))]!, policy);
          const mine = stage.transport.sent.filter(
            ({ request }) => eventOf(request) === event_id && endpointOf(request) === endpoint_id,
          );
          expect(mine.map(({ at }) => at - NOW)).toEqual(starts);
          const history = await stage.store.get(id);
          expect(history?.delivery).toMatchObject({ ...end, attempts: starts.length });
          expect(history?.attempts.map(({ started_at }) => started_at - NOW)).toEqual(starts);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('no more attempts are in flight than the caps allow, and all deliveries still end', async () => {
    const caps = fc.record({
      concurrency: fc.integer({ min: 1, max: 5 }),
      concurrencyPerEndpoint: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(plays(), caps, async (play, options) => {
        const stage = stageOf(play, options);
        stage.scheduler.start();
        await stage.enqueue(...deliveriesOf(play));
        await stage.clock.advance(A_LONG_TIME);
        for (const { inFlight, inFlightToUrl } of stage.transport.sent) {
          expect(inFlight).toBeLessThanOrEqual(options.concurrency);
          expect(inFlightToUrl).toBeLessThanOrEqual(options.concurrencyPerEndpoint);
        }
        expect(stage.store.size().unfinished).toBe(0);
      }),
      { numRuns: 100 },
    );
  });

  test('schedulers that are killed at any instant lose nothing: others repeat at most what was in flight', async () => {
    const kills = fc.array(fc.integer({ min: 0, max: 300_000 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(plays(), kills, async (play, killsAfterMs) => {
        const clock = createManualClock(NOW);
        const store = createMemoryStore();
        let sent = 0;
        let inFlightAtKills = 0;
        const dispatches = deliveriesOf(play).map((delivery) => ({
          body: new Uint8Array(),
          deliveries: [delivery],
        }));
        await store.enqueue(dispatches);
        for (const lifeMs of [...killsAfterMs, A_LONG_TIME]) {
          const mortal = killable();
          const stage = stageOf(play, { clock, store, through: mortal.store });
          stage.scheduler.start();
          await clock.advance(lifeMs);
          mortal.kill();
          // It would go on asking for ever; nothing that it does now gets into the store.
          void stage.scheduler.stop({ signal: AbortSignal.abort() });
          sent += stage.transport.sent.length;
          inFlightAtKills += (await leased(store, deliveriesOf(play))).length;
        }
        let recorded = 0;
        for (const { id } of deliveriesOf(play)) {
          const { delivery, attempts } = (await store.get(id))!;
          expect(['delivered', 'failed']).toContain(delivery.state);
          expect(attempts.map(({ number }) => number)).toEqual(attempts.map((_, n) => n + 1));
          recorded += attempts.length;
        }
        expect(recorded).toBeLessThanOrEqual(sent);
        expect(sent).toBeLessThanOrEqual(recorded + inFlightAtKills);
      }),
      { numRuns: 100 },
    );
  });
});

const leased = async (store: DeliveryStore, deliveries: readonly Delivery[]): Promise<readonly Delivery[]> =>
  (await Promise.all(deliveries.map(({ id }) => store.get(id))))
    .map((history) => history!.delivery)
    .filter(({ state }) => state === 'leased');

/** A store that, once its process is killed, answers nobody. */
function killable() {
  let alive = true;
  const never = new Promise<never>(() => undefined);
  return {
    kill: () => (alive = false),
    store: (inner: DeliveryStore): DeliveryStore => ({
      ...inner,
      claim: (request) => (alive ? inner.claim(request) : never),
      settle: (settlements) => (alive ? inner.settle(settlements) : never),
    }),
  };
}

describe('fairness', () => {
  test('an endpoint that hangs delays nobody else', async () => {
    const stage = setStage({
      answer: ({ url }) =>
        url === 'https://hangs' ? { outcome: 500, afterMs: 10_000 } : { outcome: 204, afterMs: 5 },
      concurrency: 10,
      concurrencyPerEndpoint: 4,
    });
    stage.scheduler.start();
    await stage.enqueue(...someDeliveries(500, 'hangs'), ...someDeliveries(60, 'b'));
    await stage.clock.advance(9_000);
    const healthy = stage.transport.sent.filter(({ request }) => endpointOf(request) === 'b');
    expect(healthy).toHaveLength(60);
    // Fifteen rounds of four, each 5 ms.
    expect(healthy.at(-1)!.at - NOW).toBe(14 * 5);
    await stage.enqueue(liveDelivery('evt_late', 'c', stage.clock.now()));
    await stage.clock.advance(0);
    expect(stage.sent().at(-1)).toEqual([9_000, 'evt_late']);
  });

  test('a backlog at many endpoints does not keep a newcomer waiting', async () => {
    const stage = setStage({
      answer: () => ({ outcome: 204, afterMs: 100 }),
      concurrency: 4,
      concurrencyPerEndpoint: 4,
    });
    stage.scheduler.start();
    await stage.enqueue(...['a', 'b', 'c'].flatMap((endpoint) => someDeliveries(50, endpoint)));
    await stage.clock.advance(50);
    await stage.enqueue(liveDelivery('evt_new', 'newcomer', NOW + 50));
    await stage.clock.advance(50);
    expect(stage.sent()).toContainEqual([100, 'evt_new']);
  });
});

describe('an attempt', () => {
  test('is signed again each time, over the very bytes sent, with the second it starts in', async () => {
    const signed: unknown[] = [];
    const stage = setStage({
      clock: createManualClock(NOW + 999),
      answer: (_, earlier) => ({ outcome: earlier === 0 ? 503 : 200 }),
      signer: {
        headers(body, about) {
          signed.push({ body, ...about });
          return Promise.resolve({ 'Svc-Event-Id': about.eventId, n: String(signed.length) });
        },
      },
    });
    stage.scheduler.start();
    await stage.enqueue(newDelivery({ id: 'evt_1', type: 'x' }, 'a', { at: NOW, replay: 'click' }));
    await stage.clock.advance(60_000);
    const about = { eventId: 'evt_1', eventType: 'x', origin: 'replay' };
    const [first, second] = stage.transport.sent.map(({ request }) => request);
    expect(signed).toEqual([
      { ...about, body: first!.body, timestamp: NOW / 1_000 },
      { ...about, body: second!.body, timestamp: NOW / 1_000 + 60 },
    ]);
    expect([first!.headers.n, second!.headers.n]).toEqual(['1', '2']);
  });

  test('is signed by whom the host names for the delivery', async () => {
    const asked: string[] = [];
    const stage = setStage({
      signer: (delivery) => {
        asked.push(delivery.endpoint_id);
        return Promise.resolve({ headers: () => ({ by: delivery.endpoint_id }) });
      },
    });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery('evt_1', 'a'), liveDelivery('evt_1', 'b'));
    await stage.clock.advance(0);
    expect(asked).toEqual(['a', 'b']);
    expect(stage.transport.sent.map(({ request }) => request.headers.by)).toEqual(['a', 'b']);
  });

  test('is signed with what was looked up for this very attempt', async () => {
    let looks = 0;
    const stage = setStage({
      answer: (_, earlier) => ({ outcome: earlier === 0 ? 503 : 200 }),
      endpoints: () => ({
        url: 'https://a',
        retry_max_attempts: 2,
        retry_backoff_base_seconds: 60,
        look: ++looks,
      }),
      signer: (_, target) => ({ headers: () => ({ look: `${(target as { look?: number }).look}` }) }),
    });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(60_000);
    expect(stage.transport.sent.map(({ request }) => request.headers.look)).toEqual(['1', '2']);
    expect(looks).toBe(2);
  });

  test('takes the URL and the policy that the endpoint has then', async () => {
    let target = { url: 'https://old', retry_max_attempts: 2, retry_backoff_base_seconds: 60 };
    const stage = setStage({ answer: () => FAILS, endpoints: () => Promise.resolve(target) });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(30_000);
    target = { url: 'https://new', retry_max_attempts: 3, retry_backoff_base_seconds: 1 };
    await stage.clock.advance(A_LONG_TIME);
    expect(stage.transport.sent.map(({ at, request }) => [at - NOW, request.url])).toEqual([
      [0, 'https://old'],
      [60_000, 'https://new'],
      [62_000, 'https://new'],
    ]);
  });

  test.for([null, undefined])('of a delivery whose endpoint is %s fails for good, unsent', async (nobody) => {
    const stage = setStage({ endpoints: () => nobody });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(0);
    expect(stage.transport.sent).toEqual([]);
    expect(await stage.get('evt_1:endpoint-1')).toMatchObject({
      state: 'failed',
      attempts: 1,
      last_attempt: { started_at: NOW, outcome: { failure: 'endpoint_gone', transient: false } },
    });
  });

  test('that was refused for good is retried by the policy all the same, and says so each time', async () => {
    const refused = { ok: false, failure: 'address_refused', transient: false, detail: 'loopback' } as const;
    const told: boolean[] = [];
    const stage = setStage({
      answer: () => ({ outcome: refused }),
      policy: { retry_max_attempts: 3, retry_backoff_base_seconds: 1 },
      on: { attempted: (_, { outcome }) => void told.push(outcome.ok || outcome.transient) },
    });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(A_LONG_TIME);
    const { attempts } = (await stage.store.get('evt_1:endpoint-1'))!;
    expect(attempts.map(({ outcome }) => outcome)).toEqual([refused, refused, refused]);
    expect(told).toEqual([false, false, false]);
  });

  test('by a transport that throws counts as failed', async () => {
    const send = (): never => {
      throw new Error('bug');
    };
    const stage = setStage({ transport: (inner) => ({ ...inner, send }) });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(0);
    expect(await stage.get('evt_1:endpoint-1')).toMatchObject({
      state: 'pending',
      due_at: NOW + 60_000,
      last_attempt: { outcome: { failure: 'internal_error', transient: true } },
    });
  });
});

describe('what the host throws', () => {
  const broken = (): never => {
    throw new Error('database down');
  };
  test.for([
    { what: 'a look-up', options: { endpoints: broken } },
    {
      what: 'a look-up that rejects',
      options: { endpoints: () => Promise.reject(new Error('database down')) },
    },
    { what: 'a search for the signer', options: { signer: broken } },
    { what: 'a signer', options: { signer: { headers: broken } } },
  ])('$what costs no attempt: the delivery rests for a minute, and the host is told', async ({ options }) => {
    const errors: unknown[] = [];
    const on = { released: (_: Delivery, error: unknown) => void errors.push(error) };
    const stage = setStage({ ...options, on });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(0);
    expect(await stage.store.get('evt_1:endpoint-1')).toMatchObject({
      delivery: { state: 'pending', attempts: 0, due_at: NOW + 60_000 },
      attempts: [],
    });
    await stage.clock.advance(120_000);
    expect(errors).toEqual(Array.from({ length: 3 }, () => expect.any(Error)));
    expect(stage.transport.sent).toEqual([]);
  });

  test.for([
    { how: 'throw', callback: broken },
    { how: 'reject', callback: () => Promise.reject(new Error('callback')) as unknown as undefined },
  ])('callbacks that $how disturb nothing', async ({ callback }) => {
    const on = { claimed: callback, attempted: callback, delivered: callback, callbackFailed: callback };
    const stage = setStage({ on });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(0);
    expect((await stage.get('evt_1:endpoint-1'))?.state).toBe('delivered');
    expect(stage.told.filter(([name]) => name === 'callbackFailed')).toHaveLength(3);
  });
});

test('callbacks tell the story of every delivery', async () => {
  const stage = setStage({
    answer: ({ url }, earlier) => (url === 'https://b' && earlier > 0 ? { outcome: 200 } : FAILS),
    policy: { retry_max_attempts: 2, retry_backoff_base_seconds: 1 },
  });
  stage.scheduler.start();
  await stage.enqueue(liveDelivery('evt_1', 'a'), liveDelivery('evt_1', 'b'));
  await stage.clock.advance(A_LONG_TIME);
  const story = stage.told.map(([name, about]) => [
    name,
    [about]
      .flat()
      .map((one) => (one as Delivery).id)
      .join(),
  ]);
  expect(story).toEqual([
    ['claimed', 'evt_1:a,evt_1:b'],
    ['attempted', 'evt_1:a'],
    ['retrying', 'evt_1:a'],
    ['attempted', 'evt_1:b'],
    ['retrying', 'evt_1:b'],
    ['claimed', 'evt_1:a,evt_1:b'],
    ['attempted', 'evt_1:a'],
    ['deadLettered', 'evt_1:a'],
    ['attempted', 'evt_1:b'],
    ['delivered', 'evt_1:b'],
  ]);
});
