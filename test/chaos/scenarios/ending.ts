/** How every scenario ends. */
import type { Child } from '../child.js';
import { type Outcome, unless } from '../scenario.js';
import type { Site } from '../sites/site.js';
import { LEASE_MS, until, type World } from '../world.js';

/** The last leases, and the retries after them. */
const AFTERMATH_MS = LEASE_MS + 60_000;

/** Resolves once nothing waits any more; false when that takes too long. */
export const emptied = (site: Site): Promise<boolean> =>
  until(async () => (await site.unfinished()) === 0, AFTERMATH_MS);

/**
 * Waits until nothing is left, lets the workers end, and judges.
 *
 * @param workers - Those that are to be alive.
 */
export async function conclude(
  world: World,
  site: Site,
  workers: readonly Child[],
): Promise<Pick<Outcome, 'kills' | 'verdict'> & { readonly left: readonly string[] }> {
  const isEmpty = await emptied(site);
  const dead = workers.filter(({ runs }) => !runs).map(({ name }) => `${name} ended by itself`);
  await Promise.all(workers.map((worker) => worker.stop()));
  const verdict = await world.judge(site);
  await site.close();
  const kills = world.children.filter(({ killedAt }) => killedAt !== null).length;
  return { kills, verdict, left: [...dead, ...unless(isEmpty, 'deliveries were left in the end')] };
}
