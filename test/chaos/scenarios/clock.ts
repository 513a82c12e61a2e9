/** A worker's clock is set an hour ahead, right, an hour back, and right again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { FAN_OUT } from '../endpoints.js';
import { type Scenario, unless } from '../scenario.js';
import { busyFaults, showUse, type Stretch, told, useOf } from '../seen.js';
import { sqliteAt } from '../sites/where.js';
import { prepareSite, until } from '../world.js';
import { conclude } from './ending.js';

const HOUR_MS = 3_600_000;
/** The whole hour, and the retries that were put off by a clock that was ahead. */
const LATER_MS = HOUR_MS + 120_000;

const minutes = (byMs: number): string => `${byMs > 0 ? '+' : ''}${Math.round(byMs / 60_000)}`;

/** @param eachMs - How long each time lasts. */
export const clock = (deliveries: number, eachMs: number): Scenario => ({
  name: 'clock',
  what: 'the clock jumps an hour ahead, and back, an hour back, and ahead',
  run: async (world) => {
    const settings = sqliteAt(world);
    const site = await prepareSite(settings);
    const worker = world.worker(settings);
    await worker.ready;
    const orders = Math.ceil(deliveries / FAN_OUT);
    const host = world.host(settings, { orders, perSecond: (orders * 1_000) / (5 * eachMs) });
    const wrong: Stretch[] = [];
    for (const byMs of [0, HOUR_MS, 0, -HOUR_MS, 0]) {
      worker.tell({ do: 'clock', byMs });
      const from = Date.now();
      await sleep(eachMs);
      if (byMs !== 0) wrong.push({ from, to: Date.now() });
    }
    await host.ended;
    // What failed while the clock was ahead is due in an hour. It passes.
    await until(async () => (await site.ledger()).stored.every(({ attempts }) => attempts.length > 0), 5_000);
    const later = await site.unfinished();
    worker.tell({ do: 'clock', byMs: LATER_MS });
    const { left, ...end } = await conclude(world, site, [worker], ['timestamp_too_old']);
    const jumps = told(worker.journal, 'clockJumped').map(Number);
    const { refused } = await world.received();
    const uses = wrong.map((stretch) => useOf(worker, stretch));
    return {
      ...end,
      said: [
        `told of jumps by ${jumps.map(minutes).join(', ')} minutes; ${refused.timestamp_too_old ?? 0} requests refused as too old, and sent again`,
        `${later} had been put off for the hour, and came with it`,
        ...uses.map((use, i) => `${i === 0 ? 'ahead' : 'behind'}: ${showUse(use)}`),
      ],
      faults: [
        ...left,
        ...unless(
          ['+60', '-60', '-60', '+60', '+62'].join() === jumps.map(minutes).join(),
          `jumps were told as ${jumps.map(minutes).join(', ')} minutes`,
        ),
        ...uses.flatMap((use, i) => busyFaults(use, wrong[i]!)),
      ],
    };
  },
});
