/**
 * A full disk: refused by ingest, told by `/readyz`, and over without a restart. The errors are those of the databases.
 */
import { describe, expect, test } from 'vitest';
import { watchDisk } from '../../src/db/disk-watch.js';
import type { Database } from '../../src/db/index.js';
import { DatabaseUnavailable } from '../../src/db/unavailable.js';
import { hostOn } from '../world.js';
import { databases } from './databases.js';

/** Fills the disk of a database, as far as the database can tell, and frees it again. */
interface Disk {
  fill(db: Database): Promise<unknown>;
  free(db: Database): Promise<unknown>;
}

const DISKS: Readonly<Record<'SQLite' | 'Postgres', Disk>> = {
  SQLite: {
    async fill(db) {
      const { page_count: pages } = (await db.get<{ page_count: number }>('pragma page_count')) ?? {};
      await db.run(`pragma max_page_count = ${pages ?? 0}`);
    },
    free: (db) => db.run('pragma max_page_count = 1073741823'),
  },
  Postgres: {
    async fill(db) {
      await db.run(`create function full_disk() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
      for (const table of ['events', 'event_payloads', 'disk_probe']) {
        await db.run(`create trigger full_disk before insert on ${table} execute function full_disk()`);
      }
    },
    free: (db) => db.run('drop function full_disk cascade'),
  },
};

describe.each(databases())('on $name', ({ name, open }) => {
  test('while the disk is full nothing is stored or half-stored, and afterwards everything is taken', async () => {
    const db = await open();
    const host = await hostOn(db);
    const channel = await host.channel();
    const text = 'x'.repeat(400_000);
    const send = (n: number) => host.send(channel.url, { n, text }, { 'idempotency-key': `${n}` });
    const ready = () => host.call('GET', '/readyz', undefined, { key: null });
    expect((await send(0)).status).toBe(202);
    expect((await ready()).status).toBe(200);

    await DISKS[name].fill(db);
    const refused = await Promise.all([1, 2, 3, 4].map(send));
    for (const { status, json } of refused) {
      expect([status, json.code, json.detail]).toEqual([
        503,
        'store_unavailable',
        'the disk of the database is full; try again',
      ]);
    }
    for (const { status, json } of [await ready(), await ready()]) {
      expect([status, json.detail]).toEqual([503, 'the disk of the database is full; try again']);
    }
    expect((await host.call('GET', '/healthz')).status).toBe(200);
    const stored = async () => [
      await db.get('select count(*) as n from events'),
      await db.get('select count(*) as n from event_payloads'),
      await db.get(`select count(*) as n from idempotency_keys where scope like 'channel:%'`),
    ];
    expect(await stored()).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }]);

    await DISKS[name].free(db);
    await expect.poll(async () => (await ready()).status).toBe(200);
    await expect.poll(async () => (await send(1)).status).toBe(202);
    const again = await Promise.all([1, 2, 3, 4].map(send));
    expect(again.map(({ status, json }) => [status, json.duplicate])).toEqual([
      [202, true],
      [202, false],
      [202, false],
      [202, false],
    ]);
    expect(await stored()).toEqual([{ n: 5 }, { n: 5 }, { n: 5 }]);
    await expect
      .poll(() => db.get(`select count(*) as n from events where status = 'received'`))
      .toEqual({ n: 0 });
    expect(await db.all('select * from disk_probe')).toEqual([]);
  });

  test('a full disk is probed once a second, however many ask, and not at all before it was full', async () => {
    const db = await open();
    let [now, probes] = [0, 0];
    const filler = (bytes: number): string => {
      probes++;
      return 'x'.repeat(bytes);
    };
    const ping = async (): Promise<void> => void (await db.get('select 1'));
    const watched = watchDisk({ ...db, ping }, { now: () => now, filler });
    await watched.ping();
    expect(probes).toBe(0);
    await DISKS[name].fill(db);
    const grow = watched.insert('disk_probe', [{ id: 2, filler: 'x'.repeat(2_000_000) }]);
    await expect(grow).rejects.toMatchObject({ isFull: true });
    const pings = await Promise.allSettled(Array.from({ length: 5 }, () => watched.ping()));
    expect(pings.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    await expect(watched.ping()).rejects.toThrow(DatabaseUnavailable);
    expect(probes).toBe(1);
    now = 1_000;
    await DISKS[name].free(db);
    await Promise.all(Array.from({ length: 5 }, () => watched.ping()));
    await watched.ping();
    expect(probes).toBe(2);
  });
});
