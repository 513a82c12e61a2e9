import { describe, test } from 'vitest';
import { deadLettersContract, deliveryStoreContract } from '../../../src/testing/index.js';
import { expectLikePlain } from '../model.js';
import { createStore } from './files.js';

const create = () => Promise.resolve(createStore());

describe('the SQLite store meets the contract of delivery stores', () => {
  for (const { name, run } of deliveryStoreContract(create)) test(name, run);
});

describe('the SQLite store meets the contract of dead letters', () => {
  for (const { name, run } of deadLettersContract(create)) test(name, run);
});

test('whatever is done to it, it does what a plain list would do', async () => {
  await expectLikePlain({ create, exact: false, numRuns: 40 });
});
