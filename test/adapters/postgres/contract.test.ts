/** The Postgres store meets the contracts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPostgresStore } from '../../../src/adapters/postgres/index.js';
import { deadLettersContract, deliveryStoreContract, retentionContract } from '../../../src/testing/index.js';
import { expectLikePlain } from '../model.js';
import { createFixture, type Fixture, quoted } from './schema.js';

describe.each([{ prepare: true }, { prepare: false }])('a Postgres store with %o meets', (options) => {
  const create = async () => {
    const { store, close } = await createFixture(options);
    return { store, deadLetters: store.deadLetters, close };
  };

  describe('the contract of delivery stores', () => {
    for (const { name, run } of deliveryStoreContract(create)) test.concurrent(name, run);
  });

  describe('the contract of dead letters', () => {
    for (const { name, run } of deadLettersContract(create)) test.concurrent(name, run);
  });

  describe('the contract of retention', () => {
    for (const { name, run } of retentionContract(create)) test.concurrent(name, run);
  });
});

describe('a store of its own for each run', () => {
  let fixture: Fixture;
  beforeAll(async () => void (fixture = await createFixture()));
  afterAll(() => fixture.close());

  test('does what a plain list would do, whatever is done to it', async () => {
    const { pool, schema } = fixture;
    const create = async () => {
      await pool.query(`truncate ${quoted(schema)}.deliveries, ${quoted(schema)}.bodies`);
      return { store: createPostgresStore({ pool, schema }) };
    };
    await expectLikePlain({ create, exact: false, numRuns: 30 });
    expect.hasAssertions();
  });
});
