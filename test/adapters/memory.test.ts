import { describe, test } from 'vitest';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import { deadLettersContract, deliveryStoreContract } from '../../src/testing/index.js';

const create = () => {
  const store = createMemoryStore();
  return Promise.resolve({ store, deadLetters: store.deadLetters });
};

describe('the memory store meets the contract of delivery stores', () => {
  for (const { name, run } of deliveryStoreContract(create)) test(name, run);
});

describe('the memory store meets the contract of dead letters', () => {
  for (const { name, run } of deadLettersContract(create)) test(name, run);
});
