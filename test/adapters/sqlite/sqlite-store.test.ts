/** The SQLite store: its contracts, its model, and several processes. */
import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { newDelivery } from '../../../src/delivery/index.js';
import { createSqliteStore } from '../../../src/adapters/sqlite/index.js';
import {
  columnsContract,
  deadLettersContract,
  deliveryStoreContract,
  dueDatesContract,
  orderingContract,
  retentionContract,
} from '../../../src/testing/index.js';
import { expectLikePlain } from '../model.js';
import { connect, createHostedStore, createStore, newPath, openStore } from './files.js';

describe.each([
  { store: 'the SQLite store', create: createStore },
  { store: 'the SQLite store in transactions of a host', create: createHostedStore },
])('$store', ({ create }) => {
  describe('meets the contract of delivery stores', () => {
    for (const { name, run } of deliveryStoreContract(() => create())) test(name, run);
  });

  describe('meets the contract of dead letters', () => {
    for (const { name, run } of deadLettersContract(() => create())) test(name, run);
  });

  describe('meets the contract of due dates', () => {
    for (const { name, run } of dueDatesContract(() => create())) test(name, run);
  });

  describe('meets the contract of order', () => {
    for (const { name, run } of orderingContract(() => create())) test(name, run);
  });

  describe('meets the contract of retention', () => {
    for (const { name, run } of retentionContract(() => create())) test(name, run);
  });

  describe('meets the contract of columns', () => {
    for (const { name, run } of columnsContract(create)) test(name, run);
  });

  test('does what a plain list would do, whatever is done to it', async () => {
    await expectLikePlain({ create, exact: false, numRuns: 60 });
  });
});

describe('a path', () => {
  test.for(['/no/such/folder/deliveries.db', '/'])('%s that cannot be opened is unreachable', (path) => {
    expect(() => createSqliteStore({ path })).toThrow(
      expect.objectContaining({ name: 'StoreError', code: 'store_unreachable', cause: expect.any(Error) }),
    );
  });

  test('in memory is a store that goes with its process', async () => {
    const store = openStore({ path: ':memory:' });
    expect(await store.get('nobody')).toBeNull();
    expect(await store.enqueue([])).toBe(0);
  });

  test('of a file that is no database is told as what SQLite says', () => {
    expect(() => createSqliteStore({ path: process.execPath })).toThrow(/^SQLite failed: /);
  });
});

test.for([-1, 1.5, NaN])('a lockTimeoutMs of %d is refused', (lockTimeoutMs) => {
  expect(() => createSqliteStore({ path: newPath(), lockTimeoutMs })).toThrow(
    expect.objectContaining({ code: 'invalid_option' }),
  );
});

test('a store that is closed rejects', async () => {
  const store = createSqliteStore({ path: newPath() });
  store.close();
  await expect(store.get('evt_1:a')).rejects.toMatchObject({ code: 'store_failed' });
});

test('the log is synced before anybody is told: a store of which nothing is left open has all of it', async () => {
  const path = newPath();
  const store = createSqliteStore({ path });
  const writes = Array.from({ length: 50 }, (_, n) => {
    const delivery = { id: `evt_${n}`, type: 'x' };
    return store.enqueue([dispatch(delivery)]);
  });
  expect(await Promise.all(writes)).toEqual(writes.map(() => 1));
  store.close();
  const count = connect(path).prepare('select count(*) as count from headgate_deliveries').get();
  expect(count).toEqual({ count: 50 });
});

const dispatch = (event: { id: string; type: string }) => ({
  body: new Uint8Array(10),
  deliveries: [newDelivery(event, 'a', { at: 0 })],
});

test('the log is as long as usual again after a reader has held it', async () => {
  const path = newPath();
  const store = openStore({ path });
  const reader = connect(path);
  reader.exec('begin');
  reader.prepare('select count(*) from headgate_deliveries').get();
  const put = (n: number, bytes: number): Promise<number> =>
    store.enqueue([
      {
        body: new Uint8Array(bytes),
        deliveries: [newDelivery({ id: `evt_${n}`, type: 'x' }, 'a', { at: n })],
      },
    ]);
  for (let n = 0; n < 40; n++) await put(n, 1_048_576);
  const size = (): number => statSync(`${path}-wal`).size;
  expect(size()).toBeGreaterThan(40_000_000);
  reader.exec('commit');
  for (let n = 100; n < 103; n++) await put(n, 10);
  expect(size()).toBeLessThanOrEqual(16 * 1_048_576);
});
