/** Four workers share one Postgres, and one of them is killed in the middle of it. */
import type { Child } from '../child.js';
import { FAN_OUT } from '../endpoints.js';
import { type Scenario, unless } from '../scenario.js';
import { inFlight, percent } from '../seen.js';
import { postgresAt } from '../sites/where.js';
import { LEASE_MS } from '../verdict.js';
import { POLL_MS, prepareSite, until } from '../world.js';
import { conclude } from './ending.js';

const WORKERS = 4;
/** An endpoint that hangs has no free slot for as long as an attempt may take; and the machine may be busy. */
const SLOT_MS = 4_000;
/** A quarter would be even. */
const LEAST_SHARE = 0.02;
/** Few slots, so that nobody takes it all at once. */
const CONCURRENCY = 16;
/** The longest that the first half may take. */
const MIDDLE_MS = 300_000;

const sum = (a: number, b: number): number => a + b;
const sendings = ({ journal }: Child): number => journal.filter(({ is }) => is === 'sending').length;

/** @param perSecond - Orders of the host. */
export const fourWorkers = (deliveries: number, perSecond: number): Scenario => ({
  name: 'workers',
  what: 'four workers on one Postgres, one of them killed',
  run: async (world, means) => {
    const settings = postgresAt('workers')(world, means);
    const site = await prepareSite(settings);
    const workers = Array.from({ length: WORKERS }, () =>
      world.worker(settings, { concurrency: CONCURRENCY }),
    );
    await Promise.all(workers.map(({ ready }) => ready));
    const orders = Math.ceil(deliveries / FAN_OUT);
    const host = world.host(settings, { orders, perSecond });
    // In the middle of it, and of an attempt.
    await until(() => workers.map(sendings).reduce(sum) >= deliveries / 2, MIDDLE_MS);
    const shares = workers.map(sendings);
    const [victim, ...others] = workers as [Child, ...Child[]];
    await until(() => inFlight(victim) > 0, LEASE_MS);
    await victim.kill();
    await host.ended;
    const { left, ...end } = await conclude(world, site, others);
    const attempts = shares.reduce(sum);
    const { longestTakeOverMs: takeOver } = end.verdict;
    return {
      ...end,
      said: [`attempts until the kill: ${shares.map((share) => percent(share / attempts)).join(', ')}`],
      faults: [
        ...left,
        ...unless(
          shares.every((share) => share >= LEAST_SHARE * attempts),
          'a worker had next to nothing to do',
        ),
        ...unless(takeOver !== null, 'nothing was taken over from the worker that was killed'),
        ...unless(
          (takeOver ?? 0) <= LEASE_MS + POLL_MS + SLOT_MS,
          'the take-over took longer than lease, poll and an attempt',
        ),
      ],
    };
  },
});
