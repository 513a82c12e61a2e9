/** Which scenarios there are, and how large. */
import type { Scenario } from './scenario.js';
import { clock, clocks } from './scenarios/clock.js';
import { fourWorkers } from './scenarios/four-workers.js';
import { frozen } from './scenarios/frozen.js';
import { fullDisk } from './scenarios/full-disk.js';
import { hostEdits, hostOnPostgres, hostOnSqlite, hostOutage } from './scenarios/host.js';
import { kills } from './scenarios/kills.js';
import { lockedFile } from './scenarios/locked-file.js';
import { order } from './scenarios/order.js';
import { outage } from './scenarios/outage.js';
import { postgresAt, sqliteAt } from './sites/where.js';

/** As docs/delivery.md has it. Each scenario with ordering keys takes ten minutes. */
const long = (): readonly Scenario[] => [
  kills('sqlite', { deliveries: 20_000, kills: 100 }, sqliteAt),
  kills('postgres', { deliveries: 20_000, kills: 100 }, postgresAt('kills')),
  fourWorkers(20_000, 200),
  order('order-sqlite', { deliveries: 60_000, kills: 420, keys: 2_500, workers: 1 }, sqliteAt),
  order(
    'order-postgres',
    { deliveries: 100_000, kills: 420, keys: 2_500, workers: 3 },
    postgresAt('ordering'),
  ),
  outage(4_000, 10_000),
  fullDisk(2_000, 10_000),
  lockedFile(1_000, 10_000),
  clock(2_000, 5_000),
  clocks(2_000, 5_000),
  frozen(4_000),
  hostOnSqlite({ events: 20_000, kills: 100 }),
  hostOnPostgres({ events: 20_000, kills: 100 }),
  hostOutage(4_000, 10_000),
  hostEdits(4_000, 30_000),
];

/** For CI, in a minute. Those that take longest come first. */
const short = (): readonly Scenario[] => [
  hostOnSqlite({ events: 600, kills: 5 }),
  hostOnPostgres({ events: 600, kills: 5 }),
  hostOutage(600, 3_000),
  hostEdits(400, 5_000),
  kills('sqlite', { deliveries: 600, kills: 5 }, sqliteAt),
  kills('postgres', { deliveries: 600, kills: 5 }, postgresAt('kills')),
  order('order-sqlite', { deliveries: 600, kills: 5, keys: 30, workers: 1 }, sqliteAt),
  order('order-postgres', { deliveries: 600, kills: 5, keys: 30, workers: 3 }, postgresAt('ordering')),
  frozen(400),
  fourWorkers(800, 60),
  outage(800, 3_000),
  clock(400, 2_000),
  clocks(400, 2_000),
  fullDisk(400, 3_000),
  lockedFile(300, 3_000),
];

/** In a short run. */
const AT_ONCE = 4;

/**
 * @param isShort - Everything smaller.
 * @param only - Names of scenarios; left out, all.
 * @throws Error for a name that there is not.
 */
export function plan(
  isShort: boolean,
  only: readonly string[] | undefined,
): { readonly scenarios: readonly Scenario[]; readonly atOnce: number } {
  const scenarios = isShort ? short() : long();
  const names = scenarios.map(({ name }) => name);
  const unknown = only?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0) throw new Error(`no scenario ${unknown.join(', ')}: there are ${names.join(', ')}`);
  return {
    scenarios: scenarios.filter(({ name }) => only?.includes(name) ?? true),
    atOnce: isShort ? AT_ONCE : 1,
  };
}
