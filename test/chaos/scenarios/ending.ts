/** How every scenario ends. */
import type { Child } from '../child.js';
import { type Outcome, unless } from '../scenario.js';
import type { Site } from '../sites/site.js';
import { type Evidence, judge, LEASE_MS } from '../verdict.js';
import { until, type World } from '../world.js';

/** The last leases, and the retries after them. */
const AFTERMATH_MS = LEASE_MS + 60_000;

/** Resolves once nothing waits any more; false when that takes too long. */
export const emptied = (site: Site): Promise<boolean> =>
  until(async () => (await site.unfinished()) === 0, AFTERMATH_MS);

/** The faults that a scenario allows, and those that it looks for beyond the verdict. */
interface Judging {
  /** Codes with which the receiver may have refused requests. */
  readonly refusable?: readonly string[];
  /** Looks for faults of the scenario's own, each as a sentence. */
  readonly examine?: (evidence: Evidence) => readonly string[];
}

/**
 * Waits until nothing is left, lets the workers end, and judges.
 *
 * @param workers - The workers that should be alive.
 */
export async function conclude(
  world: World,
  site: Site,
  workers: readonly Child[],
  { refusable = [], examine = () => [] }: Judging = {},
): Promise<Pick<Outcome, 'kills' | 'verdict'> & { readonly left: readonly string[] }> {
  const isEmpty = await emptied(site);
  await Promise.all(workers.map((worker) => worker.stop()));
  const evidence = await world.evidence(site);
  const busyKeys = await site.busyKeys();
  const { refused } = await world.received();
  await site.close();
  const kills = world.children.filter(({ killedAt }) => killedAt !== null).length;
  return {
    kills,
    verdict: judge(evidence),
    left: [
      ...world.children.filter(({ failed }) => failed).map(({ name }) => `${name} did not end as it should`),
      ...Object.keys(refused)
        .filter((code) => !refusable.includes(code))
        .map((code) => `the receiver refused requests: ${code}`),
      ...unless(isEmpty, 'deliveries were left in the end'),
      ...unless(busyKeys === 0, `${busyKeys} ordering keys were held in the end`),
      ...examine(evidence),
    ],
  };
}
