/** How every scenario ends. */
import type { Child } from '../child.js';
import { type Outcome, unless } from '../scenario.js';
import type { Site } from '../sites/site.js';
import { LEASE_MS } from '../verdict.js';
import { until, type World } from '../world.js';

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
  await Promise.all(workers.map((worker) => worker.stop()));
  const verdict = await world.judge(site);
  const { refused } = await world.received();
  await site.close();
  const kills = world.children.filter(({ killedAt }) => killedAt !== null).length;
  return {
    kills,
    verdict,
    left: [
      ...world.children.filter(({ failed }) => failed).map(({ name }) => `${name} did not end as it should`),
      ...Object.keys(refused)
        .filter((code) => !refusable.includes(code))
        .map((code) => `the receiver refused requests: ${code}`),
      ...unless(isEmpty, 'deliveries were left in the end'),
    ],
  };
}
