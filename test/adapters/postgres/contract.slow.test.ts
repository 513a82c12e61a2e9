/** The Postgres store meets the contracts. */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPostgresStore } from '../../../src/adapters/postgres/index.js';
import {
  columnsContract,
  deadLettersContract,
  deliveryStoreContract,
  dueDatesContract,
  orderingContract,
  retentionContract,
} from '../../../src/testing/index.js';
import type { ColumnsOptions } from '../../../src/testing/columns-contract.js';
import { expectLikePlain } from '../model.js';
import { hosted, type InTransaction } from './hosted.js';
import { createFixture, type Fixture, quoted } from './schema.js';

/** Calls a hook; its error becomes a rejection. */
const promised = (call: () => void): Promise<void> =>
  new Promise((resolve) => {
    call();
    resolve();
  });

const inTransactionsOf =
  (pool: pg.Pool): InTransaction =>
  async (work) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  };

describe.each([
  { which: 'a Postgres store', prepare: true, host: false },
  { which: 'a Postgres store that prepares nothing', prepare: false, host: false },
  { which: 'a Postgres store in transactions of a host', prepare: true, host: true },
])('$which meets', ({ prepare, host }) => {
  const create = async (columns?: ColumnsOptions) => {
    const options = columns && {
      ...columns,
      onEnqueue: (...[deliveries]: Parameters<ColumnsOptions['onEnqueue']>) =>
        promised(() => columns.onEnqueue(deliveries)),
      onSettle: (...[settlements]: Parameters<ColumnsOptions['onSettle']>) =>
        promised(() => columns.onSettle(settlements)),
    };
    const fixture = await createFixture({ prepare, ...options });
    const store = host ? hosted(fixture.store, inTransactionsOf(fixture.pool)) : fixture.store;
    const { pool, schema, close } = fixture;
    const another = () => Promise.resolve(createPostgresStore({ pool, schema, prepare }));
    return { store, deadLetters: store.deadLetters, another, close };
  };

  describe('the contract of delivery stores', () => {
    for (const { name, run } of deliveryStoreContract(() => create())) test.concurrent(name, run);
  });

  describe('the contract of dead letters', () => {
    for (const { name, run } of deadLettersContract(() => create())) test.concurrent(name, run);
  });

  describe('the contract of due dates', () => {
    for (const { name, run } of dueDatesContract(() => create())) test.concurrent(name, run);
  });

  describe('the contract of order', () => {
    for (const { name, run } of orderingContract(() => create())) test.concurrent(name, run);
  });

  describe('the contract of retention', () => {
    for (const { name, run } of retentionContract(() => create())) test.concurrent(name, run);
  });

  describe('the contract of columns', () => {
    for (const { name, run } of columnsContract(create)) test.concurrent(name, run);
  });
});

describe('a store of its own for each run', () => {
  let fixture: Fixture;
  beforeAll(async () => void (fixture = await createFixture()));
  afterAll(() => fixture.close());

  test('does what a plain list would do, whatever is done to it', async () => {
    const { pool, schema } = fixture;
    const create = async () => {
      await pool.query(
        `truncate ${quoted(schema)}.deliveries, ${quoted(schema)}.bodies, ${quoted(schema)}.key_holders`,
      );
      return { store: createPostgresStore({ pool, schema }) };
    };
    await expectLikePlain({ create, exact: false, numRuns: 30 });
    expect.hasAssertions();
  });
});
