/** How many deliveries a claim asks for, and how long it waits for free slots. */
import { expect, test } from 'vitest';
import { setStage } from './stage.js';
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
