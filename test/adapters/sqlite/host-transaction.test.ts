/** Enqueueing in a transaction of the host's. */
import { describe, expect, test } from 'vitest';
import { createSqliteStore } from '../../../src/adapters/sqlite/index.js';
import { newDelivery } from '../../../src/delivery/index.js';
import { connect, newPath, openStore } from './files.js';
import { until } from '../../until.js';

const dispatch = (event: string, ...endpoints: string[]) => ({
  body: Buffer.from(event),
  deliveries: endpoints.map((endpoint) => newDelivery({ id: event, type: 'x' }, endpoint, { at: 1 })),
});
const everything = { lease: 'l', at: 9, until: 99, limit: 9, perEndpoint: 9, inFlight: new Map() };

/** A store, and a connection of the host's to the same file, with a table of its own. */
function hostAndStore() {
  const path = newPath();
  const store = openStore({ path, lockTimeoutMs: 50 });
  const host = connect(path);
  host.exec('create table orders (id text primary key) strict');
  const orders = (): unknown[] => host.prepare('select id from orders').all();
  return { path, store, host, orders };
}

describe("the host's own write and the enqueueing of its event", () => {
  test('are there together once the host commits', async () => {
    const { store, host, orders } = hostAndStore();
    host.exec('begin immediate');
    host.prepare('insert into orders values (?)').run('order-1');
    expect(await store.enqueue([dispatch('evt_1', 'a', 'b')], host)).toBe(2);
    expect((await store.claim(everything)).claims, 'not yet').toEqual([]);
    host.exec('commit');
    expect(orders()).toHaveLength(1);
    const { claims } = await store.claim(everything);
    expect(claims.map(({ body }) => Buffer.from(body).toString())).toEqual(['evt_1', 'evt_1']);
  });

  test('are gone together when it rolls back', async () => {
    const { store, host, orders } = hostAndStore();
    host.exec('begin immediate');
    host.prepare('insert into orders values (?)').run('order-1');
    await store.enqueue([dispatch('evt_1', 'a')], host);
    host.exec('rollback');
    expect(orders()).toEqual([]);
    expect(await store.claim(everything)).toEqual({ claims: [], nextDueAt: null });
    expect(host.prepare('select count(*) as bodies from headgate_bodies').get()).toEqual({ bodies: 0 });
  });

  test('are done before the promise is returned', () => {
    const { store, host } = hostAndStore();
    host.exec('begin immediate');
    void store.enqueue([dispatch('evt_1', 'a')], host);
    host.exec('commit');
    expect(host.prepare('select count(*) as count from headgate_deliveries').get()).toEqual({ count: 1 });
  });

  test('leave the rest of the transaction alone where the enqueueing fails', async () => {
    const { store, host, orders } = hostAndStore();
    host.exec('begin immediate');
    host.prepare('insert into orders values (?)').run('order-1');
    host.exec(`create temp trigger refuse before insert on headgate_deliveries when new.event_id = 'evt_1'
      begin select raise(abort, 'refused'); end`);
    await expect(store.enqueue([dispatch('evt_2', 'a'), dispatch('evt_1', 'a')], host)).rejects.toMatchObject(
      { code: 'store_failed' },
    );
    host.exec('commit');
    expect(orders()).toHaveLength(1);
    expect(await store.claim(everything)).toEqual({ claims: [], nextDueAt: null });
  });

  test('are one write where the host has no transaction open', async () => {
    const { store, host } = hostAndStore();
    expect(await store.enqueue([dispatch('evt_1', 'a')], host)).toBe(1);
    expect((await store.claim(everything)).claims).toHaveLength(1);
  });

  test('need the tables of a store', async () => {
    const { store } = hostAndStore();
    const other = connect(newPath());
    await expect(store.enqueue([dispatch('evt_1', 'a')], other)).rejects.toMatchObject({
      code: 'store_outdated',
    });
  });

  test('say so when the disk is full, and nothing is half there', async () => {
    const { store, host } = hostAndStore();
    const { page_count: pages } = host.prepare('pragma page_count').get() as { page_count: number };
    host.exec(`pragma max_page_count = ${pages + 2}`);
    const large = { ...dispatch('evt_1', 'a'), body: new Uint8Array(100_000) };
    await expect(store.enqueue([large], host)).rejects.toMatchObject({
      code: 'store_full',
      name: 'StoreError',
    });
    expect(await store.get('evt_1:a')).toBeNull();
    host.exec('pragma max_page_count = 1000000');
    expect(await store.enqueue([large], host)).toBe(1);
  });
});

describe('a file that somebody has locked', () => {
  test('is waited for, while the process goes on', async () => {
    const { store, host } = hostAndStore();
    const patient = createSqliteStore({
      path: (host.prepare('pragma database_list').get() as { file: string }).file,
    });
    host.exec('begin immediate');
    let turns = 0;
    const turning = setInterval(() => void turns++, 1);
    const waiting = dispatch('evt_1', 'a');
    const enqueued = patient.enqueue([waiting]);
    waiting.body.fill(0);
    await until(() => turns > 10);
    host.exec('commit');
    expect(await enqueued).toBe(1);
    clearInterval(turning);
    patient.close();
    const { claims } = await store.claim(everything);
    expect(claims.map(({ body }) => Buffer.from(body).toString())).toEqual(['evt_1']);
  });

  test('is told as locked when it stays so', async () => {
    const { store, host } = hostAndStore();
    host.exec('begin immediate');
    await expect(store.enqueue([dispatch('evt_1', 'a')])).rejects.toMatchObject({ code: 'store_locked' });
    expect(await store.get('evt_1:a'), 'readers are not locked out').toBeNull();
    host.exec('rollback');
    expect(await store.enqueue([dispatch('evt_1', 'a')])).toBe(1);
  });
});
