/**
 * Deliveries with ordering keys, while workers and the host are killed at random instants, and started again at once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../child.js';
import { FAN_OUT } from '../endpoints.js';
import { disorder, type RankOf } from '../order.js';
import { type Means, type Scenario, type Size, unless } from '../scenario.js';
import type { SiteSettings } from '../sites/site.js';
import { prepareSite, type World } from '../world.js';
import { conclude } from './ending.js';

/** The longest time from one kill to the next; the shortest is none. */
const SPACING_MS = 1_800;
/** Every how manyth kill takes the host as well. */
const HOST = 3;

/** How large an ordering scenario is. */
export interface OrderSize extends Size {
  /** Keys of each endpoint; each is that of four endpoints, on which its events go. */
  readonly keys: number;
  readonly workers: number;
}

/** The rank of an order's delivery: `evt_<order>_…:<endpoint>`. */
const rankIn =
  (keys: number): RankOf =>
  (delivery) => {
    const number = Number(delivery.split('_')[1]);
    return { key: `${delivery.split(':').at(-1) ?? ''} ${number % keys}`, number };
  };

/** Kills one of the workers again and again, and the host now and then; gives the workers that live. */
async function killSome(
  workers: Child[],
  kills: number,
  draw: Means['draw'],
  start: { readonly worker: () => Child; readonly host: () => Child },
): Promise<readonly Child[]> {
  let host = start.host();
  await Promise.all(workers.map(({ ready }) => ready));
  for (let n = 1; n <= kills; n++) {
    await sleep(draw(SPACING_MS));
    const which = draw(workers.length);
    const takesHost = n % HOST === 0 && host.runs;
    await Promise.all([workers[which]?.kill(), takesHost ? host.kill() : undefined]);
    workers[which] = start.worker();
    if (takesHost) host = start.host();
    await workers[which].ready;
  }
  await host.ended;
  return workers;
}

export const order = (
  name: string,
  { deliveries, kills, keys, workers }: OrderSize,
  siteOf: (world: World, means: Means) => SiteSettings,
): Scenario => ({
  name,
  what: `SIGKILL of workers and host while deliveries have ordering keys, ${name}`,
  run: async (world, means) => {
    const settings = siteOf(world, means);
    const site = await prepareSite(settings);
    const orders = Math.ceil(deliveries / FAN_OUT);
    // The work lasts for as long as the kills do.
    const perSecond = (orders * 1_000) / (kills * SPACING_MS * 0.7);
    const start = {
      worker: () => world.worker(settings),
      host: () => world.host(settings, { orders, perSecond, keys }),
    };
    const first = Array.from({ length: workers }, start.worker);
    const alive = await killSome(first, kills, means.draw, start);
    const rankOf = rankIn(keys);
    const used = new Set<string>();
    const { left, ...end } = await conclude(world, site, alive, {
      examine: (evidence) => {
        for (const id of evidence.committed) used.add(rankOf(id).key);
        return disorder(evidence, rankOf);
      },
    });
    return {
      ...end,
      said: [`${used.size} keys of endpoints, ${(deliveries / used.size).toFixed(1)} deliveries each`],
      faults: [...left, ...unless(used.size > 1, 'there were no keys')],
    };
  },
});
