/** Somebody else holds the lock of writers on the SQLite file. */
import { DatabaseSync } from '@photostructure/sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { FAN_OUT } from '../endpoints.js';
import { type Scenario, unless } from '../scenario.js';
import { busyFaults, showUse, tally, told, useOf } from '../seen.js';
import { sqliteAt } from '../sites/where.js';
import { prepareSite } from '../world.js';
import { conclude } from './ending.js';

const LOCK_TIMEOUT_MS = 1_000;
const PEACE_MS = 2_000;
const MOST_DELAY_MS = 1_500;

/** Holds the lock in this process, which is not the worker's. */
async function lock(path: string, forMs: number): Promise<{ from: number; to: number }> {
  const database = new DatabaseSync(path);
  // The others write all the time: on a loaded machine it may be long before they leave a gap.
  database.exec('pragma busy_timeout = 60000');
  database.exec('begin exclusive');
  const from = Date.now();
  await sleep(forMs);
  database.exec('rollback');
  database.close();
  return { from, to: Date.now() };
}

/** @param heldMs - How long. */
export const lockedFile = (deliveries: number, heldMs: number): Scenario => ({
  name: 'locked',
  what: `another process locks the SQLite file for ${heldMs / 1_000} s`,
  run: async (world) => {
    const settings = { ...sqliteAt(world), lockTimeoutMs: LOCK_TIMEOUT_MS };
    const site = await prepareSite(settings);
    const worker = world.worker(settings);
    await worker.ready;
    const orders = Math.ceil(deliveries / FAN_OUT);
    const host = world.host(settings, { orders, perSecond: (orders * 1_000) / (2 * PEACE_MS) });
    await sleep(PEACE_MS);
    const held = await lock(settings.path, heldMs);
    await host.ended;
    const { left, ...end } = await conclude(world, site, [worker]);
    const use = useOf(worker, held);
    const codes = told(worker.journal, 'storeFailed');
    return {
      ...end,
      said: [
        `told: ${tally(codes)}`,
        `meanwhile ${showUse(use)}; event loop held up for ${Math.round(use.delayMs)} ms at most`,
      ],
      faults: [
        ...left,
        ...unless(codes.includes('store_locked'), 'the worker did not say store_locked'),
        ...unless(
          use.delayMs <= MOST_DELAY_MS,
          `the event loop was held up for ${Math.round(use.delayMs)} ms`,
        ),
        ...busyFaults(use, held),
      ],
    };
  },
});
