/** The disk under the SQLite file is full for a while. */
import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FAN_OUT } from '../endpoints.js';
import { type Scenario, unless } from '../scenario.js';
import { busyFaults, showUse, tally, told, useOf } from '../seen.js';
import { prepareSite } from '../world.js';
import { conclude } from './ending.js';
import { openDisk } from './disk.js';

const PEACE_MS = 3_000;

/** The problems that SQLite finds in a file. */
function damage(path: string): readonly string[] {
  const database = new DatabaseSync(path);
  const found = ['pragma integrity_check', 'pragma foreign_key_check'].flatMap((check) =>
    database
      .prepare(check)
      .all()
      .map((row) => JSON.stringify(row)),
  );
  database.close();
  return found.filter((row) => row !== '{"integrity_check":"ok"}');
}

/** @param fullMs - How long. */
export const fullDisk = (deliveries: number, fullMs: number): Scenario => ({
  name: 'full',
  what: `the disk under SQLite is full for ${fullMs / 1_000} s`,
  run: async (world) => {
    const disk = openDisk(world);
    const settings = { kind: 'sqlite', path: join(disk.folder, 'store.db') } as const;
    const site = await prepareSite(settings);
    const limit = disk.pages === undefined ? {} : { pages: disk.pages };
    const worker = world.worker(settings, limit);
    await worker.ready;
    const orders = Math.ceil(deliveries / FAN_OUT);
    const perSecond = (orders * 1_000) / (2 * PEACE_MS);
    // Every other order is enqueued in a transaction of the store's own.
    const host = world.host(settings, { orders, perSecond, apart: 2, ...limit });
    await sleep(PEACE_MS);
    disk.fill(settings.path);
    const from = Date.now();
    await sleep(fullMs);
    const full = { from, to: Date.now() };
    disk.empty();
    await host.ended;
    const damaged = damage(settings.path);
    const { left, ...end } = await conclude(world, site, [worker]);
    const use = useOf(worker, full);
    const codes = told(worker.journal, 'storeFailed');
    const refusals = host.journal.flatMap((line) => (line.is === 'refused' ? [line.code] : []));
    return {
      ...end,
      said: [
        disk.kind,
        `worker told: ${tally(codes)}; host refused: ${tally(refusals)}`,
        `meanwhile ${showUse(use)}`,
      ],
      faults: [
        ...left,
        ...damaged,
        ...unless(codes.includes('store_full'), 'the worker did not say store_full'),
        ...unless(refusals.includes('store_full'), 'no enqueue was refused with store_full'),
        ...busyFaults(use, full),
      ],
    };
  },
});
