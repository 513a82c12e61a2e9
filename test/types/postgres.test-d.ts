/** The types of `headgate/postgres`. */
import type pg from 'pg';
import { describe, expectTypeOf, test } from 'vitest';
import {
  createPostgresStore,
  type PostgresClient,
  type PostgresPool,
  type PostgresPoolClient,
  postgresTransaction,
  type PostgresTransaction,
} from '../../src/adapters/postgres/index.js';
import type { DeliveryStore } from '../../src/delivery/index.js';

declare const pool: pg.Pool;

describe('postgres', () => {
  test('takes what pg has', () => {
    expectTypeOf<pg.Pool>().toExtend<PostgresPool>();
    expectTypeOf<pg.PoolClient>().toExtend<PostgresPoolClient>();
    expectTypeOf<pg.Client>().toExtend<PostgresClient>();
    expectTypeOf(createPostgresStore({ pool })).toExtend<DeliveryStore>();
  });

  test('a client is no pool, and nothing is enqueued with what has no query', () => {
    expectTypeOf<pg.Client>().not.toExtend<PostgresPool>();
    // @ts-expect-error a promise of a client is none
    void createPostgresStore({ pool }).enqueue([], pool.connect());
  });

  test('a transaction runs on one connection, so a pool is refused', () => {
    const store = createPostgresStore({ pool });
    // @ts-expect-error a pool is none
    void store.enqueue([], pool);
    // @ts-expect-error a pool is none
    void store.settle([], pool);
    // @ts-expect-error a pool is none
    void store.deadLetters.discard({ all: true }, pool);
    expectTypeOf<pg.Pool>().not.toExtend<PostgresTransaction>();
    expectTypeOf<pg.PoolClient>().toExtend<PostgresTransaction>();
    expectTypeOf<pg.Client>().toExtend<PostgresTransaction>();
  });

  test('a transaction of a library returns rows, and gets values that every library takes', () => {
    postgresTransaction((_text, values) => {
      expectTypeOf(values).toEqualTypeOf<(string | number | boolean | null)[]>();
      return Promise.resolve([{ id: 'a' }]);
    });
    postgresTransaction(() => Promise.resolve({ rows: [{ id: 'a' }] }));
    // @ts-expect-error a number of rows is none
    postgresTransaction(() => Promise.resolve(1));
    // @ts-expect-error rows are awaited
    postgresTransaction(() => [{ id: 'a' }]);
  });
});
