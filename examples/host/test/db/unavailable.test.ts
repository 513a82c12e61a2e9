/** Which errors say that the database is away, and may pass; all others are the statement's own. */
import { StoreError } from 'headgate/delivery';
import { describe, expect, test } from 'vitest';
import { DatabaseUnavailable, databaseError } from '../../src/db/unavailable.js';
import { databases } from './databases.js';

const errorWith = (members: object): Error => Object.assign(new Error('refused'), members);
const storeError = (code: ConstructorParameters<typeof StoreError>[0], cause: object): StoreError =>
  new StoreError(code, 'refused', { cause: errorWith(cause) });

test.for([
  [storeError('store_unreachable', { code: '08006' }), true],
  [storeError('store_locked', { code: '40P01' }), true],
  [storeError('store_full', { code: '53100' }), true],
  [storeError('store_failed', { code: '57P04' }), true],
  [storeError('store_failed', { errcode: 10 }), true],
  [storeError('store_failed', { code: 'EIO' }), true],
  [storeError('store_failed', { code: '22P05' }), false],
  [storeError('store_failed', { errcode: 19 }), false],
  [storeError('store_damaged', {}), false],
  [storeError('store_outdated', { code: '42P01' }), false],
  [errorWith({ code: '25006' }), true],
  [errorWith({ code: '22P05' }), false],
  [errorWith({ code: 'ENOSPC' }), true],
] as const)('%o is an absence: %s', ([error, isAway]) => {
  expect(databaseError(error) instanceof DatabaseUnavailable).toBe(isAway);
});

describe.each(databases().slice(1))('$name', ({ open }) => {
  test('a transaction whose deliveries met a deadlock runs again', async () => {
    const db = await open();
    let tries = 0;
    const work = (): Promise<number> => {
      if (++tries < 3) throw storeError('store_locked', { code: '40P01' });
      return Promise.resolve(tries);
    };
    expect(await db.transaction(work)).toBe(3);
  });

  test('a transaction that cannot commit is never taken for one that has', async () => {
    const db = await open();
    const swallowed = db.transaction(async (tx) => {
      await tx.run('select 1 / 0').catch(() => undefined);
      return 'done';
    });
    await expect(swallowed).rejects.toThrow('rolled back');
  });
});
