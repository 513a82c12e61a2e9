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
 * @param refusable - Codes with which the receiver may have refused requests.
 */
export async function conclude(
  world: World,
  site: Site,
  workers: readonly Child[],
  refusable: readonly string[] = [],
): Promise<Pick<Outcome, 'kills' | 'verdict'> & { readonly left: readonly string[] }> {
  const isEmpty = await emptied(site);
  const dead = workers.filter(({ runs }) => !runs).map(({ name }) => `${name} ended by itself`);
  await Promise.all(workers.map((worker) => worker.stop()));
  const verdict = await world.judge(site);
  await site.close();
  const kills = world.children.filter(({ killedAt }) => killedAt !== null).length;
  const { refused } = await world.received();
  const forged = Object.keys(refused).filter((code) => !refusable.includes(code));
  const faults = forged.map((code) => `the receiver refused requests: ${code}`);
  return {
    kills,
    verdict,
    left: [...dead, ...faults, ...unless(isEmpty, 'deliveries were left in the end')],
  };
}
