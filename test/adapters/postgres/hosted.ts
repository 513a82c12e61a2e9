/** A store whose writes are made in transactions of a host. */
import type { PostgresStore, PostgresTransaction } from '../../../src/adapters/postgres/index.js';

/** Begins a transaction, commits it when the work is done, and rolls it back if the work fails. */
export type InTransaction = <T>(work: (client: PostgresTransaction) => Promise<T>) => Promise<T>;

/** @param store - A store that reads as it is. */
export function hosted(store: PostgresStore, inTransaction: InTransaction): PostgresStore {
  const { deadLetters } = store;
  return {
    ...store,
    enqueue: (dispatches) => inTransaction((client) => store.enqueue(dispatches, client)),
    settle: (settlements) => inTransaction((client) => store.settle(settlements, client)),
    makeDue: (filter, options) => inTransaction((client) => store.makeDue(filter, options, client)),
    deleteDeliveries: (ids, options) =>
      inTransaction((client) => store.deleteDeliveries(ids, options, client)),
    deadLetters: {
      ...deadLetters,
      redeliver: (filter, options) =>
        inTransaction((client) => deadLetters.redeliver(filter, options, client)),
      discard: (filter) => inTransaction((client) => deadLetters.discard(filter, client)),
    },
  };
}
