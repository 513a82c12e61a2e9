/** The queue of settlements. */
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import { createScheduler, defaultRetryPolicy } from '../../src/delivery/index.js';
import { success } from './arbitraries.js';
import { BODY, someDeliveries } from './stage.js';

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
