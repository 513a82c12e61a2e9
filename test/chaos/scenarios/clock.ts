/** A worker's clock is set an hour ahead, right, an hour back, and right again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../child.js';
import { FAN_OUT } from '../endpoints.js';
import { type Outcome, type Scenario, unless } from '../scenario.js';
import { busyFaults, showUse, type Stretch, told, useOf } from '../seen.js';
import type { SiteSettings } from '../sites/site.js';
import { postgresAt, sqliteAt } from '../sites/where.js';
import { prepareSite, until, type World } from '../world.js';
import { conclude } from './ending.js';

const HOUR_MS = 3_600_000;
/** The whole hour, and the retries that were put off by a clock that was ahead. */
const LATER_MS = HOUR_MS + 120_000;

const minutes = (byMs: number): string => `${byMs > 0 ? '+' : ''}${Math.round(byMs / 60_000)}`;

/** @param eachMs - How long each time lasts. */
export const clock = (deliveries: number, eachMs: number): Scenario => ({
  name: 'clock',
  what: 'the clock jumps an hour ahead, and back, an hour back, and ahead',
  run: (world) => jump(world, sqliteAt(world), 0, { deliveries, eachMs }),
});

/** The same, while another worker knows what time it is. */
export const clocks = (deliveries: number, eachMs: number): Scenario => ({
  name: 'clocks',
  what: 'one of two clocks does so',
  run: (world, means) => jump(world, postgresAt('clocks')(world, means), 1, { deliveries, eachMs }),
});

interface JumpSize {
  readonly deliveries: number;
  readonly eachMs: number;
}

/** @param right - How many workers there are whose clocks are right. */
async function jump(
  world: World,
  settings: SiteSettings,
  right: number,
  { deliveries, eachMs }: JumpSize,
): Promise<Outcome> {
  const site = await prepareSite(settings);
  const workers = Array.from({ length: 1 + right }, () => world.worker(settings));
  const [worker] = workers as [Child];
  await Promise.all(workers.map(({ ready }) => ready));
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
  // Attempts that failed while the clock was ahead are due in an hour. That hour passes now.
  await until(async () => (await site.ledger()).stored.every(({ attempts }) => attempts.length > 0), 5_000);
  const later = await site.unfinished();
  for (const each of workers) each.tell({ do: 'clock', byMs: LATER_MS });
  const { left, ...end } = await conclude(world, site, workers, {
    refusable: ['timestamp_too_old'],
  });
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
        // The last jump, by which the hour passes, may find nothing left to do.
        jumps.map(minutes).join().startsWith('+60,-60,-60,+60'),
        `jumps were told as ${jumps.map(minutes).join(', ')} minutes`,
      ),
      ...uses.flatMap((use, i) => busyFaults(use, wrong[i]!)),
    ],
  };
}
