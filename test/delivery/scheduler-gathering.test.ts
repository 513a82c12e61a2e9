/** Claims while slots are scarce. */
import { describe, expect, test } from 'vitest';
import { eventOf, setStage, shaky, type StageOptions } from './stage.js';
import type { AttemptRequest } from '../../src/delivery/index.js';
import { liveDelivery, NOW } from './arbitraries.js';

/** Milliseconds from the start at which the store was asked for how many. */
function asking(concurrency: number) {
  const asked: [ms: number, limit: number][] = [];
  const stage = setStage({
    concurrency,
    concurrencyPerEndpoint: concurrency,
    // The n-th request takes n ms.
    answer: ({ headers }) => ({
      outcome: 204,
      afterMs: parseInt(headers['Svc-Event-Id']?.slice(4) ?? '', 10),
    }),
    through: (store) => ({
      ...store,
      claim: (request) => {
        asked.push([request.at - startedAt, request.limit]);
        return store.claim(request);
      },
    }),
  });
  const startedAt = stage.clock.now();
  return { stage, asked };
}

/** Due one after another, and all of them by now. */
const inLine = (events: readonly string[]) =>
  events.map((event, n) => liveDelivery(event, 'endpoint-1', NOW - events.length + n));

test('where slots are scarce, a claim is for a quarter of them', async () => {
  const { stage, asked } = asking(8);
  await stage.enqueue(...inLine(Array.from({ length: 40 }, (_, n) => `evt_${(n % 8) * 2 + 1}-${n}`)));
  stage.scheduler.start();
  await stage.clock.advance(1_000);
  expect(asked.slice(0, 2)).toEqual([
    [0, 8],
    [3, 2],
  ]);
  const whileThereIsMore = asked.slice(0, 16);
  expect(whileThereIsMore.filter(([, limit]) => limit < 2)).toEqual([]);
  expect(stage.transport.sent).toHaveLength(40);
});

test('of one slot alone nobody waits for more', async () => {
  const { stage, asked } = asking(1);
  await stage.enqueue(...inLine(['evt_1', 'evt_2', 'evt_3']));
  stage.scheduler.start();
  await stage.clock.advance(100);
  expect(asked.map(([ms]) => ms)).toEqual([0, 1, 3, 6]);
});

test('one that hangs keeps the others from being claimed for five milliseconds, and no longer', async () => {
  const { stage, asked } = asking(8);
  const slow = Array.from({ length: 7 }, (_, n) => `evt_9000-${n}`);
  await stage.enqueue(...inLine(['evt_1', ...slow, 'evt_2']));
  stage.scheduler.start();
  await stage.clock.advance(100);
  expect(asked.slice(0, 2)).toEqual([
    [0, 8],
    [6, 1],
  ]);
});

/** Sixteen slots; from the second one on, a claim is answered three milliseconds after it was decided. */
function slowlyAnswered(concurrencyPerEndpoint: number) {
  const stage = setStage({
    concurrency: 16,
    concurrencyPerEndpoint,
    pollMs: 5_000,
    answer: (request) => ({ outcome: 204, afterMs: parseInt(eventOf(request).slice(4), 10) }),
    through: (store) => ({
      ...store,
      async claim(request) {
        const result = await store.claim(request);
        const isFirst = request.at === NOW;
        if (!isFirst) await new Promise<void>((resolve) => stage.clock.at(stage.clock.now() + 3, resolve));
        return result;
      },
    }),
  });
  return stage;
}

const hanging = (count: number, endpoint: string) =>
  Array.from({ length: count }, (_, n) => liveDelivery(`evt_9000-${endpoint}${n}`, endpoint, NOW - 1));
const brief = (event: string, endpoint: string) => liveDelivery(event, endpoint, NOW - 1);

describe('a slot that becomes free while the store answers', () => {
  test('is looked for at once where the claim left slots free', async () => {
    const stage = slowlyAnswered(8);
    // At 1 ms `b` frees a slot, so that a look begins at 6 ms, when all slots of `a` are taken. At 8 ms `a` frees one.
    await stage.enqueue(brief('evt_8', 'a'), ...hanging(7, 'a'), brief('evt_1', 'b'), ...hanging(7, 'b'));
    await stage.enqueue(liveDelivery('evt_30', 'a'));
    stage.scheduler.start();
    await stage.clock.advance(4_000);
    expect(stage.sent().at(-1)).toEqual([12, 'evt_30']);
  });

  test('is looked for five milliseconds later where the claim filled every slot', async () => {
    const stage = slowlyAnswered(16);
    // At 1 ms a slot is free, so that a look begins at 6 ms, and fills it. At 8 ms another one is free.
    await stage.enqueue(brief('evt_1', 'a'), brief('evt_8', 'a'), ...hanging(14, 'a'));
    await stage.enqueue(liveDelivery('evt_9000', 'a'), liveDelivery('evt_30', 'a', NOW + 1));
    stage.scheduler.start();
    await stage.clock.advance(4_000);
    expect(stage.sent().at(-1)).toEqual([16, 'evt_30']);
  });

  test('is used with the next one where the claim filled the endpoint', async () => {
    const stage = slowlyAnswered(2);
    stage.scheduler.start();
    await stage.enqueue(brief('evt_8', 'a'));
    await stage.clock.advance(6);
    // A look begins, when `a` has one slot for these two. At 8 ms it has another one.
    await stage.enqueue(liveDelivery('evt_20', 'a'), liveDelivery('evt_30', 'a', NOW + 1));
    await stage.clock.advance(4_000);
    expect(stage.sent()).toEqual([
      [0, 'evt_8'],
      [9, 'evt_20'],
      [32, 'evt_30'],
    ]);
  });
});

describe('a slot that is free again', () => {
  /** Requests take as many milliseconds as their event says. */
  const timed = (options: StageOptions = {}) => {
    const { calls, through } = shaky({});
    const answer = (request: AttemptRequest) => ({
      outcome: 204,
      afterMs: parseInt(eventOf(request).slice(4), 10),
    });
    return { calls, stage: setStage({ answer, through, ...options }) };
  };

  test('is not offered if the last claim left nothing that it would help', async () => {
    const { calls, stage } = timed();
    await stage.enqueue(...Array.from({ length: 50 }, (_, n) => liveDelivery(`evt_${n}`, `endpoint-${n}`)));
    stage.scheduler.start();
    await stage.clock.advance(1_000);
    expect(stage.transport.sent).toHaveLength(50);
    expect(calls.claim).toBe(1);
  });

  test('is offered at once if its endpoint had none', async () => {
    const { calls, stage } = timed({ concurrencyPerEndpoint: 2 });
    const others = Array.from({ length: 20 }, (_, n) => liveDelivery(`evt_${n}`, `endpoint-${n}`));
    const three = [50, 50, 60].map((ms, n) => liveDelivery(`evt_${ms}.${n}`, 'full', NOW - 3 + n));
    await stage.enqueue(...three, ...others);
    stage.scheduler.start();
    await stage.clock.advance(1_000);
    expect(stage.sent().at(-1)).toEqual([50, 'evt_60.2']);
    // The first claim, and one for each slot of the endpoint; none for the twenty others.
    expect(calls.claim).toBeLessThanOrEqual(3);
  });

  test('is offered whenever an attempt ends if the store may have left more, or does not say', async () => {
    for (const isRestrained of [true, undefined]) {
      let asked = 0;
      const { stage } = timed({
        through: (store) => ({
          ...store,
          async claim(request) {
            asked++;
            const { isRestrained: _, ...result } = await store.claim(request);
            return { ...result, ...(isRestrained !== undefined && { isRestrained }) };
          },
        }),
      });
      await stage.enqueue(...[10, 20, 30].map((ms) => liveDelivery(`evt_${ms}`, `endpoint-${ms}`)));
      stage.scheduler.start();
      await stage.clock.advance(1_000);
      expect(asked).toBe(4);
    }
  });

  test('brings the next claim in time for a retry', async () => {
    const { stage } = timed({
      answer: (_, earlier) => ({ outcome: earlier === 0 ? 500 : 204, afterMs: 5 }),
    });
    await stage.enqueue(liveDelivery('evt_1', 'a'));
    stage.scheduler.start();
    await stage.clock.advance(600_000);
    expect(stage.sent()).toHaveLength(2);
  });
});
