/** The contracts, as lists of cases for any test runner. */
import { callable } from '../delivery/arguments.js';
import type { DueDates } from '../delivery/make-due.js';
import type { DeliveryDeletion, Retention } from '../delivery/retention.js';
import { bodyCases } from './bodies-contract.js';
import { columnCases, type ColumnsOptions, withColumns } from './columns-contract.js';
import type { Cases, ContractCase, DeadLettersUnderTest, StoreUnderTest } from './contract.js';
import { deadLetterCases } from './dead-letter-contract.js';
import { makeDueCases } from './make-due-contract.js';
import { orderingCases } from './ordering-contract.js';
import { deletionCases, retentionCases } from './retention-contract.js';
import { storeCases } from './store-contract.js';

/**
 * The requirements of `DeliveryStore`, one case for each. For any test runner:
 * `for (const { name, run } of deliveryStoreContract(create)) test(name, run)`.
 *
 * @param create - Makes an empty store; called for every case.
 */
export const deliveryStoreContract = (create: () => Promise<StoreUnderTest>): readonly ContractCase[] =>
  contract(storeCases, create);

/**
 * The requirements of `DeadLetters`, one case for each.
 *
 * @param create - Makes an empty store with dead letters; called for every case.
 */
export const deadLettersContract = (create: () => Promise<DeadLettersUnderTest>): readonly ContractCase[] =>
  contract(deadLetterCases, create);

/**
 * The requirements of `DeliveryDeletion`, one case for each. `retentionContract` has them too.
 *
 * @param create - Makes an empty store with dead letters; called for every case.
 */
export const deletionContract = (
  create: () => Promise<DeadLettersUnderTest<DeliveryDeletion>>,
): readonly ContractCase[] => contract(deletionCases, create);

/**
 * The requirements of `Retention`, one case for each.
 *
 * @param create - Makes an empty store with dead letters; called for every case.
 */
export const retentionContract = (
  create: () => Promise<DeadLettersUnderTest<Retention>>,
): readonly ContractCase[] => contract(retentionCases, create);

/**
 * The requirements of `DueDates`, one case for each.
 *
 * @param create - Makes an empty store; called for every case.
 */
export const dueDatesContract = (create: () => Promise<StoreUnderTest<DueDates>>): readonly ContractCase[] =>
  contract(makeDueCases, create);

/**
 * The requirements of stores that keep the order of deliveries with the same ordering key, one case for each.
 *
 * @param create - Makes an empty store with dead letters; called for every case.
 */
export const orderingContract = (
  create: () => Promise<DeadLettersUnderTest<DeliveryDeletion & DueDates>>,
): readonly ContractCase[] => contract(orderingCases, create);

/**
 * The requirements of stores with columns of their users, one case for each.
 *
 * @param create - Makes an empty store with dead letters and with these options; called for every case.
 */
export function columnsContract(
  create: (options: ColumnsOptions) => Promise<DeadLettersUnderTest>,
): readonly ContractCase[] {
  callable('a function that makes an empty store: (options) => Promise of { store, deadLetters }')(
    'create',
    create,
  );
  return contract({ ...columnCases, ...bodyCases }, () => withColumns(create));
}

function contract<Subject extends StoreUnderTest>(
  cases: Cases<Subject>,
  create: () => Promise<Subject>,
): readonly ContractCase[] {
  callable('a function that makes an empty store: () => Promise of { store }')('create', create);
  return Object.entries(cases).map(([name, meets]) => ({
    name,
    run: async () => {
      const subject = await create();
      try {
        await meets(subject);
      } finally {
        await subject.close?.();
      }
    },
  }));
}
