/** A worker stands still for longer than a lease (SIGSTOP), and then goes on as if nothing had happened. */
import { setTimeout as sleep } from 'node:timers/promises';
import { FAN_OUT } from '../endpoints.js';
import { type Scenario, unless } from '../scenario.js';
import { inFlight, told } from '../seen.js';
import { postgresAt } from '../sites/where.js';
import { LEASE_MS } from '../verdict.js';
import { POLL_MS, prepareSite, until } from '../world.js';
import { conclude } from './ending.js';

/** So many attempts are to be under way when it stops. */
const IN_FLIGHT = 4;
/** Orders: more than the workers have slots for. */
const PER_SECOND = 100;

export const frozen = (deliveries: number): Scenario => ({
  name: 'frozen',
  what: 'a worker stands still for longer than a lease',
  run: async (world, means) => {
    const settings = postgresAt('frozen')(world, means);
    const site = await prepareSite(settings);
    const sleeper = world.worker(settings);
    const other = world.worker(settings);
    await Promise.all([sleeper.ready, other.ready]);
    const orders = Math.ceil(deliveries / FAN_OUT);
    const host = world.host(settings, { orders, perSecond: PER_SECOND });
    await until(() => inFlight(sleeper) >= IN_FLIGHT, LEASE_MS);
    sleeper.freeze();
    await sleep(LEASE_MS + 2 * POLL_MS + 1_500);
    sleeper.thaw();
    await host.ended;
    const { left, ...end } = await conclude(world, site, [sleeper, other]);
    const lost = told(sleeper.journal, 'leaseLost').length;
    const refused = sleeper.journal.filter((line) => line.is === 'settled' && !line.held).length;
    return {
      ...end,
      said: [`told of ${lost} leases lost; ${refused} late records refused`],
      faults: [
        ...left,
        ...unless(lost > 0, 'the worker that stood still was told of no lost lease'),
        ...unless(end.verdict.longestTakeOverMs !== null, 'nobody took over'),
      ],
    };
  },
});
