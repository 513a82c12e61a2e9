/** Finds out which settlements a transaction has recorded, of those that were handed to the library's store. */
import type { Settlement } from 'headgate/delivery';
import type { Settled } from './port.js';

/** The fresh settlements of each connection, from the library's hook to the end of the call. One for each store. */
export class Settlements {
  readonly #fresh = new WeakMap<object, readonly Settlement[]>();

  /** For the hook of the store, which is called with the connection of the transaction. */
  note(settlements: readonly Settlement[], connection: object): void {
    this.#fresh.set(connection, settlements);
  }

  /** The result of a call of `settle` on a connection. */
  async of(connection: object, call: Promise<readonly boolean[]>): Promise<Settled> {
    const recorded = await call;
    const fresh = this.#fresh.get(connection) ?? [];
    this.#fresh.delete(connection);
    return { recorded, fresh };
  }
}
