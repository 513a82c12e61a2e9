/** The contracts of stores, on SQLite in files. */
import { createSqliteStore } from 'headgate/sqlite';
import {
  deadLettersContract,
  deliveryStoreContract,
  dueDatesContract,
  orderingContract,
  retentionContract,
} from 'headgate/testing';
import type { Checks } from './checks.js';

/** An empty store for one case, in the folder that the program is started with. */
function create() {
  const [, , folder] = process.argv;
  const store = createSqliteStore({ path: `${folder}/${crypto.randomUUID()}.db` });
  return Promise.resolve({
    store,
    deadLetters: store.deadLetters,
    close: () => {
      store.close();
      return Promise.resolve();
    },
  });
}

const contracts = [
  ...[deliveryStoreContract, deadLettersContract, dueDatesContract, orderingContract],
  retentionContract,
];

/** The checks of SQLite. */
export const sqliteChecks: Checks = Object.fromEntries(
  contracts.flatMap((contract) =>
    contract(create).map(({ name, run }) => [`${contract.name}: ${name}`, run]),
  ),
);
