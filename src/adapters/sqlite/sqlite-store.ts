/** Deliveries in a SQLite file on this machine. */
import {
  assertMembers,
  callable,
  type Checks,
  invalid,
  kindOf,
  optional,
  text,
} from '../../delivery/arguments.js';
import { Columns, type ColumnTypes, columnTypes } from '../../delivery/columns.js';
import type { Delivery } from '../../delivery/delivery.js';
import { assertDispatches, assertHoldable } from '../../delivery/dispatches.js';
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
import { type Keeps } from '../kept.js';
import { createClaims } from '../sql/claim-due.js';
import { promotedOf, type PromotedRow } from '../sql/keys.js';
import { attemptOf, type AttemptRow, attemptRow, deliveryOf, type DeliveryRow } from '../sql/record.js';
import { storable } from '../sql/text.js';
import { type Access, createClaimTables, lastAttemptOf } from './claims.js';
import { createDeadLetters, type SqliteDeadLetters } from './dead-letters.js';
import { isDatabase, type SqliteDatabase } from './driver.js';
import { addAll } from './enqueue.js';
import { aLockTimeout, LOCK_TIMEOUT_MS, openFile, type OpenFile } from './open.js';
import { passKeyOf } from './key-holders.js';
import { createDueDates, type SqliteDueDates } from './make-due.js';
import { filePath } from './path.js';
import { createRetention, type SqliteRetention } from './retention.js';
import { migrate } from './schema.js';
import { createStatements, type Statements, type StatementsOf } from './statements.js';
import { inSavepoint, inTransaction, retryWhileLocked, storeErrorOf } from './transaction.js';

/** Options of {@link createSqliteStore}. */
export interface SqliteStoreOptions {
  /**
   * The path of the file, which is made if it is missing. Its folder must exist, on a local disk and not on a network.
   * Not a URI. `':memory:'` is a database that ends with the process.
   */
  readonly path: string;
  /**
   * How long a call waits while another connection has the file locked, in milliseconds; then it rejects with
   * `store_locked`. Opening waits as long where the tables must be made or brought up to date, and blocks the process
   * meanwhile.
   * @defaultValue `5_000`
   */
  readonly lockTimeoutMs?: number;
  /**
   * Columns of your own in the table of deliveries, such as `{ tenant_id: 'text' }`. Those that are missing are added
   * when the store is opened; indexes on them are yours. Each delivery carries its values in `columns`, and filters of
   * dead letters can name them.
   * @defaultValue none
   */
  readonly columns?: ColumnTypes;
  /**
   * Called within the transaction of `enqueue`, with the deliveries that are new. What you write with `database` is
   * committed with them; if it throws, nothing is added.
   */
  readonly onEnqueue?: (deliveries: readonly Delivery[], database: SqliteDatabase) => void;
  /**
   * Called within the transaction of `settle`, with the settlements that are recorded for the first time: each attempt
   * once, even if `settle` is repeated. What you write with `database` is committed with them; if it throws, nothing is
   * recorded, and the scheduler tries again.
   */
  readonly onSettle?: (settlements: readonly Settlement[], database: SqliteDatabase) => void;
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

/** A store in a file. */
export interface SqliteStore extends DeliveryStore, SqliteRetention, SqliteDueDates {
  /**
   * Adds deliveries; see {@link DeliveryStore.enqueue}.
   *
   * @param dispatches - Any number; all are added or none.
   * @param database - A connection of the host to the same file, with an open transaction: the deliveries are added in
   * it before the promise is returned, and exist once the host commits. Left out, they are added in a transaction of
   * their own.
   */
  enqueue(dispatches: readonly Dispatch[], database?: SqliteDatabase): Promise<number>;
  /**
   * Ends leases; see {@link DeliveryStore.settle}.
   *
   * @param settlements - Any number, at most one for each delivery.
   * @param database - A connection of the host with an open transaction, as for `enqueue`: the host's own rows about an
   * attempt and its record are then one write. A settlement may be repeated, so such rows need a key, such as the
   * delivery's id and the attempt's number.
   */
  settle(settlements: readonly Settlement[], database?: SqliteDatabase): Promise<readonly boolean[]>;
  /** The failed deliveries. */
  readonly deadLetters: SqliteDeadLetters;
  /** Closes the file; every later call rejects. */
  close(): void;
}

/**
 * Opens a store, and makes its tables (`headgate_…`) or brings them up to date. The file may have tables of the host
 * too. A write's promise resolves once the write is on the disk, as with `synchronous = full`. Several processes may
 * use one file.
 *
 * @example
 * ```ts
 * import { createSqliteStore } from 'headgate/sqlite';
 *
 * const store = createSqliteStore({ path: ':memory:' }); // in service: a file
 * console.log(await store.deadLetters.count({})); // 0
 * store.close();
 * ```
 * @param options - `path` is required.
 * @throws {@link OptionError} `invalid_option` for an option out of bounds, or if there is no SQLite.
 * @throws {@link StoreError} when the file cannot be opened or written, or its tables are of a later version.
 */
export function createSqliteStore(options: SqliteStoreOptions): SqliteStore {
  assertMembers<SqliteStoreOptions>('createSqliteStore', options, OPTIONS);
  const { path, lockTimeoutMs = LOCK_TIMEOUT_MS, columns, ...hooks } = options;
  return storeOn(open(path, lockTimeoutMs, new Columns(columns)), lockTimeoutMs, hooks);
}

/**
 * A store on a database that is open and has the tables.
 *
 * @param opened - Closed with the store.
 * @param lockTimeoutMs - See {@link SqliteStoreOptions}.
 */
export function storeOn(
  { database, statementsOf, log }: OpenDatabase,
  lockTimeoutMs: number,
  { onEnqueue, onSettle, readBodies, ...keeps }: Hooks = {},
): SqliteStore {
  const statements = statementsOf(database);
  const { columns } = statements;
  const access = createAccess(database, log, lockTimeoutMs);
  const backlog = new Backlog();
  const noteRow = (row: PromotedRow): void => backlog.note(promotedOf(row));
  return {
    enqueue: async (dispatches, host) => {
      assertDispatches(dispatches);
      assertHoldable(dispatches, { columns, readBodies });
      // The store's own write may have to wait, and the bytes may change meanwhile.
      const given = host === undefined ? dispatches.map(copyOf) : dispatches;
      const added = await access.write((on) => {
        const fresh = addAll(statementsOf(on), given);
        if (fresh.length > 0) onEnqueue?.(fresh, on);
        return fresh;
      }, host);
      for (const { deliveries } of dispatches) deliveries.forEach((one) => backlog.note(one));
      return added.length;
    },
    claim: createClaims(createClaimTables(statements, access, readBodies), backlog),
    settle: async (settlements, host) => {
      const settleAll = (on: SqliteDatabase): boolean[] => {
        const prepared = statementsOf(on);
        const ends = settlements.map((one) => settle(prepared, one, keeps));
        const fresh = settlements.filter((_, i) => ends[i] === 'written');
        for (const { delivery } of fresh) passKeyOf(prepared, delivery).forEach(noteRow);
        if (fresh.length > 0) onSettle?.(fresh, on);
        return ends.map((end) => end !== 'lost');
      };
      const held = await access.write(settleAll, host);
      settlements.forEach(({ delivery }) => backlog.note(delivery));
      return held;
    },
    get: async (id) => {
      text('id', id);
      return await access.read(() => getDelivery(statements, id));
    },
    deadLetters: createDeadLetters(database, statementsOf, access, noteRow),
    ...createRetention(database, statementsOf, access, noteRow),
    ...createDueDates(access, noteRow),
    close: () => {
      database.close();
      log.close();
    },
  };
}

/** Work on the store's own connection, or on one of the host. */
function createAccess(database: SqliteDatabase, log: OpenFile['log'], lockTimeoutMs: number): Access {
  const writeWithoutSync: Access['writeWithoutSync'] = (work) =>
    retryWhileLocked(() => inTransaction(database, work), lockTimeoutMs);
  return {
    read: (work) => retryWhileLocked(work, lockTimeoutMs),
    write: async (work, host) => {
      if (host !== undefined) return inHostTransaction(host, () => work(host));
      const result = await writeWithoutSync(() => work(database));
      await log.sync();
      return result;
    },
    writeWithoutSync,
  };
}

function getDelivery(statements: Statements, id: string): DeliveryHistory | null {
  const row = statements.get.get(storable(id)) as (DeliveryRow & { readonly number: number }) | undefined;
  if (row === undefined) return null;
  const rows = statements.attempts.all(row.number) as AttemptRow[];
  const last = rows.at(-1) ?? lastAttemptOf(statements, row.number, false);
  const attempts = rows.map(attemptOf).filter((attempt) => attempt !== null);
  return { delivery: deliveryOf({ ...row, ...last }, statements.columns), attempts };
}

const OPTIONS: Checks<SqliteStoreOptions> = {
  path: filePath,
  lockTimeoutMs: aLockTimeout,
  columns: optional(columnTypes),
  onEnqueue: optional(callable('a function, or leave it out')),
  onSettle: optional(callable('a function, or leave it out')),
  keepUrl: optional(callable('a function, or leave it out')),
  keepExchange: optional(callable('a function, or leave it out')),
  readBodies: optional(callable('a function, or leave it out')),
};

/** The options by which a store's user adds to its work. */
type Hooks = Pick<SqliteStoreOptions, 'onEnqueue' | 'onSettle' | 'keepUrl' | 'keepExchange' | 'readBodies'>;

interface OpenDatabase extends OpenFile {
  readonly statementsOf: StatementsOf;
}

function open(path: string, lockTimeoutMs: number, columns: Columns): OpenDatabase {
  const { database, log } = openFile(path, lockTimeoutMs, (on) => migrate(on, columns));
  // From here on retryWhileLocked() waits for locks, since SQLite's own wait would block the process.
  database.exec('pragma busy_timeout = 0');
  return { database, log, statementsOf: createStatements(columns) };
}

/** Runs work in the transaction that the host has open: all of it happens in that one, or nothing. */
function inHostTransaction<T>(host: SqliteDatabase, work: () => T): T {
  if (!isDatabase(host)) {
    throw invalid(`database is ${kindOf(host)}: give a connection of node:sqlite, or leave it out`);
  }
  try {
    return inSavepoint(host, work);
  } catch (error) {
    throw storeErrorOf(error);
  }
}

const copyOf = (dispatch: Dispatch): Dispatch => ({ ...dispatch, body: new Uint8Array(dispatch.body) });

/** Writes one settlement; it may have been written before, or its lease be lost. */
function settle(statements: Statements, settlement: Settlement, keeps: Keeps): 'written' | 'known' | 'lost' {
  const { lease, delivery, attempt } = settlement;
  const { state, attempts, due_at, finished_at } = delivery;
  const next = delivery.lease === null ? null : storable(delivery.lease);
  const record = [state, attempts, due_at, next, finished_at, state === 'failed' ? 1 : 0];
  const key = [storable(delivery.id), storable(lease)] as const;
  if (attempt === null) {
    if (statements.release.get(...record, ...key) !== undefined) return 'written';
    return statements.isReleased.get(key[0], due_at, attempts) === undefined ? 'lost' : 'known';
  }
  const row = attemptRow(settlement, keeps);
  const { number, started_at, ended_at, failure, status } = row;
  const moved = statements.settle.get(...record, failure, status, ...key) as { number: number } | undefined;
  if (moved === undefined) {
    const known = statements.hasAttempt.get(key[0], number, started_at, ended_at, failure, status);
    return known === undefined ? 'lost' : 'known';
  }
  const { transient, retry_after, detail, url, exchange } = row;
  const flag = transient === null ? null : Number(transient);
  statements.addAttempt.run(
    ...[
      moved.number,
      number,
      started_at,
      ended_at,
      failure,
      status,
      flag,
      retry_after,
      detail,
      url,
      exchange,
    ],
  );
  return 'written';
}
