/** The worker and the host are killed at random instants, and started again at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../child.js';
import { FAN_OUT } from '../endpoints.js';
import type { Line } from '../journal.js';
import type { Means, Scenario, Size } from '../scenario.js';
import { tally } from '../seen.js';
import type { SiteSettings } from '../sites/site.js';
import { prepareSite, type World } from '../world.js';
import { conclude } from './ending.js';

/** The longest time from a worker's start, or from when it is ready, to its end; the shortest is none. */
const SPACING_MS = 1_800;
/** Every how manyth worker may be killed before it is ready. */
const EARLY = 6;
const EARLY_MS = 300;
/** Every how manyth kill takes the host as well. */
const HOST = 3;

/** The phase in which a worker was killed, as far as it had written it down. */
function phase(journal: readonly Line[]): string {
  const last = (...kinds: readonly Line['is'][]): Line['is'] | undefined =>
    journal.findLast(({ is }) => kinds.includes(is))?.is;
  if (last('ready') === undefined) return 'starting';
  if (last('settling', 'settled', 'failed') === 'settling') return 'settling';
  if (last('claiming', 'claimed', 'failed') === 'claiming') return 'claiming';
  return 'sending';
}

/** Kills a worker again and again, and the host now and then; gives the last worker, which lives. */
async function killAgainAndAgain(
  world: World,
  site: SiteSettings,
  kills: number,
  draw: Means['draw'],
  startHost: () => Child,
): Promise<Child> {
  let host = startHost();
  let worker = world.worker(site);
  for (let n = 1; n <= kills; n++) {
    if (n % EARLY > 0) await worker.ready;
    await sleep(draw(n % EARLY > 0 ? SPACING_MS : EARLY_MS));
    const takesHost = n % HOST === 0 && host.runs;
    await Promise.all([worker.kill(), takesHost ? host.kill() : undefined]);
    worker = world.worker(site);
    if (takesHost) host = startHost();
  }
  await host.ended;
  return worker;
}

export const kills = (
  name: string,
  { deliveries, kills }: Size,
  siteOf: (world: World, means: Means) => SiteSettings,
): Scenario => ({
  name,
  what: `SIGKILL of worker and host at random instants, ${name}`,
  run: async (world, means) => {
    const settings = siteOf(world, means);
    const site = await prepareSite(settings);
    const orders = Math.ceil(deliveries / FAN_OUT);
    // The work lasts for as long as the kills do.
    const perSecond = (orders * 1_000) / (kills * SPACING_MS * 0.7);
    const worker = await killAgainAndAgain(world, settings, kills, means.draw, () =>
      world.host(settings, { orders, perSecond }),
    );
    const { left, ...end } = await conclude(world, site, [worker]);
    const killed = world.children.filter(({ role, killedAt }) => role === 'worker' && killedAt !== null);
    const hosts = end.kills - killed.length;
    const phases = tally(killed.map(({ journal }) => phase(journal)));
    return { ...end, said: [`workers killed while ${phases}; the host ${hosts} times`], faults: left };
  },
});
