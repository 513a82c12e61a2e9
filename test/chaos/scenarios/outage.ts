/** Postgres goes away in the middle, once by a crash and once in order, and comes back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresServer, startPostgres } from '../../postgres/start.js';
import type { Child } from '../child.js';
import { FAN_OUT } from '../endpoints.js';
import { type Scenario, unless } from '../scenario.js';
import { busyFaults, showUse, type Stretch, tally, told, useOf } from '../seen.js';
import { prepareSite, until } from '../world.js';
import { conclude } from './ending.js';

/** Work before, between and after. */
const PEACE_MS = 4_000;

/** As `pg_ctl stop -m immediate` does: no session is ended, nothing is written; the next start is a recovery. */
async function crash(server: PostgresServer): Promise<void> {
  process.kill(server.pid(), 'SIGQUIT');
  await sleep(1_000);
}

/** The last that a worker asked of the store was answered. */
const hasClaimed = ({ journal }: Child): boolean =>
  journal.findLast(({ is }) => is === 'claimed' || is === 'failed')?.is === 'claimed';

/** @param outageMs - How long Postgres is away, each time. */
export const outage = (deliveries: number, outageMs: number): Scenario => ({
  name: 'outage',
  what: 'Postgres crashes, comes back, is stopped, comes back',
  run: async (world) => {
    const server = await startPostgres();
    world.defer(() => server.stop());
    const settings = { kind: 'postgres', url: server.url, schema: 'outage' } as const;
    const site = await prepareSite(settings);
    const workers = [world.worker(settings), world.worker(settings)];
    await Promise.all(workers.map(({ ready }) => ready));
    const orders = Math.ceil(deliveries / FAN_OUT);
    // Until after the second outage.
    const host = world.host(settings, { orders, perSecond: (orders * 1_000) / (3 * PEACE_MS) });
    const stretches: Stretch[] = [];
    for (const end of [crash, (one: PostgresServer) => one.halt()]) {
      await sleep(PEACE_MS);
      await end(server);
      const from = Date.now();
      await sleep(outageMs);
      stretches.push({ from, to: Date.now() });
      await server.resume();
      // The last wait was as long as the outage, at most.
      await until(() => workers.every(hasClaimed), 2 * outageMs + 5_000);
    }
    await host.ended;
    const { left, ...end } = await conclude(world, site, workers);
    const uses = workers.flatMap((worker) =>
      stretches.map((stretch) => ({ stretch, use: useOf(worker, stretch) })),
    );
    const codes = workers.map(({ journal }) => told(journal, 'storeFailed'));
    return {
      ...end,
      said: [
        `told: ${tally(codes.flat())}`,
        ...uses.map(({ use }) => `in ${outageMs / 1_000} s: ${showUse(use)}`),
      ],
      faults: [
        ...left,
        ...unless(
          codes.every((told) => told.includes('store_unreachable')),
          'a worker did not say store_unreachable',
        ),
        ...uses.flatMap(({ use, stretch }) => busyFaults(use, stretch)),
      ],
    };
  },
});
