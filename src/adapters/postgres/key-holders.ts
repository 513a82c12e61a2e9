/** Ordering keys in Postgres: which delivery holds each, in the open transaction. */
import { type Delivery, isOrdered } from '../../delivery/delivery.js';
import type { Dispatch } from '../../delivery/store.js';
import { waiting } from '../../delivery/transition.js';
import { changesHold, keyOf, type KeyRow, type PromotedRow } from '../sql/keys.js';
import { storable } from '../sql/text.js';
import type { Database } from './database.js';
import type { KEY_STATEMENTS } from './key-statements.js';
import type { PostgresClient } from './pool.js';
import type { Statements } from './statements.js';

/** Whether dispatches have deliveries with keys; all others are added in one statement. */
export const haveKeys = (dispatches: readonly Dispatch[]): boolean =>
  dispatches.some(({ deliveries }) => deliveries.some(({ ordering_key: key = null }) => key !== null));

/** The ordering keys of one schema. Made with its store; each method needs a connection with an open transaction. */
export class KeyHolders {
  readonly #database: Database;
  readonly #statements: Statements;

  constructor(database: Database, statements: Statements) {
    this.#database = database;
    this.#statements = statements;
  }

  /** Takes keys for new deliveries; returns the dispatches, in which the deliveries that have to wait are waiting. */
  async take(dispatches: readonly Dispatch[], client: PostgresClient): Promise<readonly Dispatch[]> {
    const ordered = dispatches.flatMap(({ deliveries }) => deliveries.filter(isOrdered));
    if (ordered.length === 0) return dispatches;
    const values = [...keyArrays(ordered.flatMap(keysOf)), ordered.map(({ id }) => storable(id))];
    const rows = await this.#rows<{ id: string }>('takeKeys', values, client);
    const holders = new Set(rows.map(({ id }) => id));
    const mayBeSent = (one: Delivery): boolean => !isOrdered(one) || holders.delete(storable(one.id));
    return dispatches.map(({ deliveries, ...others }) => ({
      ...others,
      deliveries: deliveries.map((one) => (mayBeSent(one) ? one : waiting(one))),
    }));
  }

  /** Passes the keys on that new deliveries have taken and that were not added, since they were known. */
  async passUnused(
    dispatches: readonly Dispatch[],
    added: ReadonlySet<string>,
    client: PostgresClient,
  ): Promise<readonly PromotedRow[]> {
    const ordered = dispatches.flatMap(({ deliveries }) => deliveries.filter(isOrdered));
    const unused = ordered.filter(({ id, state }) => state !== 'waiting' && !added.has(storable(id)));
    return await this.#pass(unused.flatMap(keysOf), client);
  }

  /** Locks the keys of deliveries, before they are finished. */
  async lock(records: readonly Delivery[], client: PostgresClient): Promise<void> {
    await this.#rows('lockKeys', keyArrays(records.flatMap(keysOf)), client);
  }

  /** Locks the keys of deliveries, before they are deleted. */
  async lockOf(ids: readonly string[], client: PostgresClient): Promise<void> {
    await this.#rows('lockKeysOf', [ids], client);
  }

  /** Passes on the keys of deliveries that were settled; they are locked. */
  async settled(records: readonly Delivery[], client: PostgresClient): Promise<readonly PromotedRow[]> {
    const changed = records.filter(changesHold);
    if (changed.length > 0) {
      const holds = changed.map(({ holds_key }) => holds_key === true);
      await this.#rows('hold', [changed.map(({ id }) => storable(id)), holds], client);
    }
    return await this.#pass(records.filter(({ holds_key }) => holds_key !== true).flatMap(keysOf), client);
  }

  /** Passes on the keys of deliveries that were removed. */
  async removed(keys: readonly KeyRow[], client: PostgresClient): Promise<readonly PromotedRow[]> {
    // A delivery that was added while the keys were being locked may be among those that were removed.
    if (keys.length > 0) await this.#rows('lockKeys', keyArrays(keys), client);
    return await this.#pass(keys, client);
  }

  async #pass(keys: readonly KeyRow[], client: PostgresClient): Promise<readonly PromotedRow[]> {
    return keys.length === 0 ? [] : await this.#rows('passKeys', keyArrays(keys), client);
  }

  #rows<Row>(
    name: keyof typeof KEY_STATEMENTS,
    values: readonly unknown[],
    client: PostgresClient,
  ): Promise<readonly Row[]> {
    return this.#database.rows<Row>(this.#statements[name], values, client);
  }
}

const keysOf = (delivery: Delivery): readonly KeyRow[] => {
  const key = keyOf(delivery);
  return key === null ? [] : [key];
};

const keyArrays = (keys: readonly KeyRow[]): unknown[][] => [
  keys.map(({ endpoint_id }) => endpoint_id),
  keys.map(({ ordering_key }) => ordering_key),
];
