import { describe, test } from 'vitest';
import { deadLettersContract, deliveryStoreContract } from '../../../src/testing/index.js';
import { createFixture } from './schema.js';

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
});
