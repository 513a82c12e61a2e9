/** Deliveries in Postgres, for any number of processes on any number of machines. */
import {
  assertMembers,
  callable,
  type Checks,
  flag,
  invalid,
  optional,
  text,
} from '../../delivery/arguments.js';
import { Columns, type ColumnTypes, columnTypes } from '../../delivery/columns.js';
import type { Delivery } from '../../delivery/delivery.js';
import { assertDispatches, assertHoldable } from '../../delivery/dispatches.js';
import type { DueDates, MakeDueOptions, PendingFilter } from '../../delivery/make-due.js';
import { type DeleteDeliveriesOptions, readDeletion, type Retention } from '../../delivery/retention.js';
import type {
  DeliveryHistory,
  DeliveryStore,
  Dispatch,
  KeepExchange,
  KeepUrl,
  ReadBodies,
  Settlement,
} from '../../delivery/store.js';
import { Backlog } from '../sql/backlog.js';
import { createClaims } from '../sql/claim-due.js';
import { attemptOf, deliveryOf, type DeliveryRow } from '../sql/record.js';
import { mayPassKey, promotedOf, type PromotedRow } from '../sql/keys.js';
import { storable } from '../sql/text.js';
import { PostgresClaimTables } from './claim-tables.js';
import { Database } from './database.js';
import { createDeadLetters, type PostgresDeadLetters } from './dead-letters.js';
import { assertIds, enqueue, type Enqueued } from './enqueue.js';
import { Floor } from './floor.js';
import { haveKeys } from './key-holders.js';
import { makeDueIn } from './make-due.js';
import { migrate } from './migrate.js';
import { schemaText } from './migrations.js';
import {
  aPool,
  assertClient,
  type PostgresClient,
  type PostgresPool,
  type PostgresTransaction,
} from './pool.js';
import { deleteFinished, deleteNamed } from './retention.js';
import { settle } from './settle.js';
import { createStatements, type Statements } from './statements.js';

/** Options of {@link createPostgresStore}. */
export interface PostgresStoreOptions {
  /**
   * A `Pool` of `pg`. The host makes it, listens for its errors and ends it. A scheduler uses two connections at a
   * time, one to claim and one to settle. Set a `query_timeout`, so that a dead connection is noticed before TCP
   * notices it.
   */
  readonly pool: PostgresPool;
  /**
   * The schema of the tables. Stores in different schemas are independent.
   * @defaultValue `'headgate'`
   */
  readonly schema?: string;
  /**
   * Whether statements are prepared. Give `false` behind a pooler that assigns a connection for each transaction and
   * does not support prepared statements.
   * @defaultValue `true`
   */
  readonly prepare?: boolean;
  /**
   * Columns of your own in the table of deliveries, such as `{ tenant_id: 'text' }`. `migrate` adds those that are
   * missing; indexes on them are yours. Each delivery carries its values in `columns`, and filters of dead letters can
   * name them.
   * @defaultValue none
   */
  readonly columns?: ColumnTypes;
  /**
   * Called within the transaction that adds deliveries, with those that are new. What you write with `client` is
   * committed with them; if the promise rejects, nothing is added.
   */
  readonly onEnqueue?: (deliveries: readonly Delivery[], client: PostgresClient) => Promise<void>;
  /**
   * Called within the transaction that ends leases, with the settlements that are recorded for the first time: each
   * attempt once, even if `settle` is repeated. What you write with `client` is committed with them; if the promise
   * rejects, nothing is recorded, and the scheduler tries again.
   */
  readonly onSettle?: (settlements: readonly Settlement[], client: PostgresClient) => Promise<void>;
  /**
   * Chooses what the row of an attempt keeps of the URL that was used, which may hold a customer's key.
   * @defaultValue nothing is kept
   */
  readonly keepUrl?: KeepUrl;
  /**
   * Makes the text that the row of an attempt keeps of its exchange, if the transport keeps exchanges.
   * @defaultValue nothing is kept
   */
  readonly keepExchange?: KeepExchange;
  /**
   * Reads the bodies that need not be stored, since your own tables have what they are made of; see `storeBody` of
   * {@link Dispatch}.
   * @defaultValue every body is stored
   */
  readonly readBodies?: ReadBodies;
}

/** A store in Postgres. */
export interface PostgresStore extends DeliveryStore, Retention, DueDates {
  /** The failed deliveries. */
  readonly deadLetters: PostgresDeadLetters;
  /**
   * Makes the tables, or brings them up to date. Any number of processes may call it at once. If there is nothing to
   * do, it only reads.
   *
   * @throws {@link StoreError} (as a rejection) `store_outdated` when a later version of the package made the tables.
   */
  migrate(): Promise<void>;
  /**
   * Adds deliveries; see {@link DeliveryStore.enqueue}.
   *
   * @param dispatches - Any number; all are added or none.
   * @param client - A connection of the host with an open transaction: the deliveries are added in it, and exist once
   * the host commits. Left out, they are added in a transaction of their own.
   */
  enqueue(dispatches: readonly Dispatch[], client?: PostgresTransaction): Promise<number>;
  /**
   * Ends leases; see {@link DeliveryStore.settle}.
   *
   * @param settlements - Any number, at most one for each delivery.
   * @param client - A connection of the host with an open transaction, as for `enqueue`: the host's own rows about an
   * attempt and its record are then one write. A settlement may be repeated, so such rows need a key, such as the
   * delivery's id and the attempt's number.
   */
  settle(settlements: readonly Settlement[], client?: PostgresTransaction): Promise<readonly boolean[]>;
  /**
   * Deletes deliveries that the host names; see {@link DeliveryDeletion.deleteDeliveries}.
   *
   * @param ids - Ids of deliveries: some hundreds, since other writers may have to wait.
   * @param options - Whether unfinished ones go, too.
   * @param client - A connection of the host with an open transaction, as for `enqueue`.
   */
  deleteDeliveries(
    ids: readonly string[],
    options?: DeleteDeliveriesOptions,
    client?: PostgresTransaction,
  ): Promise<readonly string[]>;
  /**
   * Makes pending deliveries due; see {@link DueDates.makeDue}.
   *
   * @param filter - Which deliveries.
   * @param options - When, and how many at once.
   * @param client - A connection of the host with an open transaction, as for `enqueue`.
   */
  makeDue(filter: PendingFilter, options: MakeDueOptions, client?: PostgresTransaction): Promise<number>;
}

/**
 * A store in tables that `migrate` makes. It does not use the database before the first call of a method. Ids may have
 * up to 2,600 bytes in UTF-8, since Postgres cannot index longer ones: for a longer one `enqueue` rejects with
 * `invalid_option`. A dead letter whose replay would have a longer id stays.
 *
 * @example
 * ```ts no-run: needs a database
 * import { createPostgresStore } from 'headgate/postgres';
 * import pg from 'pg';
 *
 * const store = createPostgresStore({ pool: new pg.Pool({ connectionString: process.env.DATABASE_URL }) });
 * await store.migrate();
 * ```
 * @param options - `pool` is required.
 * @throws {@link OptionError} `invalid_option`, naming the option and what to give.
 */
export function createPostgresStore(options: PostgresStoreOptions): PostgresStore {
  assertMembers<PostgresStoreOptions>('createPostgresStore', options, OPTIONS);
  const { pool, schema = 'headgate', prepare = true, onEnqueue, onSettle, readBodies } = options;
  const database = new Database(pool, prepare);
  const columns = new Columns(options.columns);
  const statements = createStatements(schema, columns);
  const backlog = new Backlog();
  const floor = new Floor();
  const note = createNote(backlog, floor);
  const noteRow = (row: PromotedRow): void => note(promotedOf(row));
  return {
    migrate: async (...given: readonly unknown[]) => {
      if (given.length > 0) throw invalid('migrate() takes nothing: give `schema` to createPostgresStore');
      await migrate(database, schema, columns);
    },
    enqueue: async (dispatches, client) => {
      assertDispatches(dispatches);
      assertHoldable(dispatches, { columns, readBodies });
      assertClient(client);
      assertIds(dispatches);
      const hooked = { hook: onEnqueue, client, hasKeys: haveKeys(dispatches) };
      const { rows, promoted } = await withHook(database, hooked, async (on) => {
        const done = await enqueue(database, statements, dispatches, on);
        return [done, onEnqueue === undefined ? [] : addedOf(done)];
      });
      for (const { deliveries } of dispatches) deliveries.forEach(note);
      promoted.forEach(noteRow);
      return rows.length;
    },
    claim: createClaims(new PostgresClaimTables({ database, statements, floor, readBodies }), backlog),
    settle: async (settlements, client) => {
      assertClient(client);
      const hasKeys = settlements.some(({ delivery }) => mayPassKey(delivery));
      const settled = await withHook(database, { hook: onSettle, client, hasKeys }, async (on) => {
        const done = await settle(database, statements, settlements, { ...options, client: on });
        return [done, done.fresh];
      });
      settlements.forEach(({ delivery }) => note(delivery));
      settled.promoted.forEach(noteRow);
      return settled.recorded;
    },
    get: (id) => getDelivery(database, statements, id),
    deadLetters: createDeadLetters(database, statements, noteRow),
    deleteFinished: (retention) => deleteFinished(database, statements, retention),
    makeDue: async (filter, given, client) => {
      assertClient(client);
      const changed = await makeDueIn(database, statements, filter, given, client);
      for (const endpoint_id of changed) note({ endpoint_id, due_at: given.at });
      return changed.length;
    },
    deleteDeliveries: async (ids, options, client) => {
      assertClient(client);
      const deletion = readDeletion(ids, options);
      const deleted = await deleteNamed(database, statements, deletion, client);
      deleted.promoted.forEach(noteRow);
      return deleted.ids;
    },
  };
}

/** Tells the next claim of a delivery that it might not find otherwise. */
const createNote =
  (backlog: Backlog, floor: Floor) =>
  (delivery: Pick<Delivery, 'endpoint_id' | 'due_at'>): void => {
    backlog.note(delivery);
    if (delivery.due_at !== null) floor.note(delivery.due_at);
  };

interface StoredRow extends DeliveryRow {
  /** Replaces `due_at` while the delivery waits behind another one. */
  readonly waiting_due_at: string | null;
}

/** See {@link DeliveryStore.get}. */
async function getDelivery(
  database: Database,
  statements: Statements,
  id: string,
): Promise<DeliveryHistory | null> {
  text('id', id);
  const rows = await database.rows<StoredRow>(statements.get, [storable(id)]);
  const last = rows.at(-1);
  if (last === undefined) return null;
  const attempts = rows.map(attemptOf).filter((attempt) => attempt !== null);
  const due_at = last.due_at ?? last.waiting_due_at;
  return { delivery: deliveryOf({ ...last, due_at }, statements.columns), attempts };
}

/** The reasons for a transaction, which the host may have begun: the user's hook, and ordering keys. */
interface Hooked<One> {
  readonly hasKeys: boolean;
  readonly hook: ((fresh: readonly One[], client: PostgresClient) => Promise<void>) | undefined;
  readonly client: PostgresClient | undefined;
}

/**
 * Runs work and then the hook on what is new, in the transaction of the host or in one of its own.
 *
 * @param work - Gives its result, and what is new.
 */
async function withHook<One, Result>(
  database: Database,
  { hook, client, hasKeys }: Hooked<One>,
  work: (client?: PostgresClient) => Promise<readonly [Result, readonly One[]]>,
): Promise<Result> {
  if (hook === undefined && !hasKeys) return (await work(client))[0];
  const both = async (on: PostgresClient): Promise<Result> => {
    const [result, fresh] = await work(on);
    if (fresh.length > 0) await hook?.(fresh, on);
    return result;
  };
  return await (client === undefined ? database.transaction(both) : both(client));
}

/** The deliveries of the rows that a statement has added. */
function addedOf({ stored, rows }: Enqueued): readonly Delivery[] {
  const ids = new Set(rows.map(({ id }) => id));
  const all = stored.flatMap(({ deliveries }) => deliveries);
  return all.filter(({ id }) => ids.delete(storable(id)));
}

const aFunction = optional(callable('a function, or leave it out'));
const OPTIONS: Checks<PostgresStoreOptions> = {
  pool: aPool,
  schema: optional(schemaText),
  prepare: optional(flag),
  columns: optional(columnTypes),
  onEnqueue: aFunction,
  onSettle: aFunction,
  keepUrl: aFunction,
  keepExchange: aFunction,
  readBodies: aFunction,
};
