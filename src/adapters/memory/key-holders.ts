/** Ordering keys: of the deliveries to one endpoint with the same key, one holds it, and the others wait. */
import { type Delivery, isOrdered } from '../../delivery/delivery.js';
import type { Row } from './endpoint-queues.js';

/** A key that a delivery holds. */
interface BusyKey {
  /** Unfinished, or a dead letter that holds the key. */
  holder: Row;
  /** In the order in which they were enqueued. */
  readonly waiting: Set<Row>;
}

const nameOf = ({ endpoint_id, ordering_key }: Delivery): string =>
  JSON.stringify([endpoint_id, ordering_key]);

/**
 * The busy keys of one memory store. The ledger makes them, and reports every delivery that is added, finished or
 * removed.
 */
export class KeyHolders {
  readonly #keys = new Map<string, BusyKey>();

  /** Adds a new delivery; false when it has to wait. */
  join(row: Row): boolean {
    if (!isOrdered(row.delivery)) return true;
    const name = nameOf(row.delivery);
    const key = this.#keys.get(name);
    if (key === undefined) this.#keys.set(name, { holder: row, waiting: new Set() });
    else key.waiting.add(row);
    return key === undefined;
  }

  /** Removes a delivery; returns the one that holds the key now, if it is another than before. */
  leave(row: Row): Row | undefined {
    if (row.delivery.ordering_key === undefined) return undefined;
    const name = nameOf(row.delivery);
    const key = this.#keys.get(name);
    key?.waiting.delete(row);
    if (key?.holder !== row) return undefined;
    const [next] = key.waiting;
    if (next === undefined) {
      this.#keys.delete(name);
      return undefined;
    }
    key.waiting.delete(next);
    key.holder = next;
    return next;
  }

  /** Lets the redelivery of a dead letter hold the key instead of it. */
  replace(letter: Row, replay: Row): void {
    const key = this.#keys.get(nameOf(letter.delivery));
    if (key?.holder === letter) key.holder = replay;
  }
}
