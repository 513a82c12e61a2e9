/** Deliveries in a SQLite file on this machine. */
import { assertMembers, type Checks, invalid, kindOf, text } from '../../delivery/arguments.js';
import { assertDispatches } from '../../delivery/dispatches.js';
import type { DeliveryStore, Dispatch, Settlement } from '../../delivery/store.js';
import { Backlog } from '../sql/backlog.js';
import { createClaims } from '../sql/claim-due.js';
import { attemptsOf, deliveryOf, type DeliveryRow, historyLine } from '../sql/record.js';
import { storable } from '../sql/text.js';
import { type Access, createClaimTables } from './claims.js';
import { createDeadLetters, type SqliteDeadLetters } from './dead-letters.js';
import { isDatabase, type SqliteDatabase } from './driver.js';
import { addAll } from './enqueue.js';
import { aLockTimeout, LOCK_TIMEOUT_MS, openFile, type OpenFile } from './open.js';
import { createDueDates, type SqliteDueDates } from './make-due.js';
import { filePath } from './path.js';
import { createRetention, type SqliteRetention } from './retention.js';
import { migrate } from './schema.js';
import { type Statements, statementsOf } from './statements.js';
import { inSavepoint, inTransaction, retryWhileLocked, storeErrorOf } from './transaction.js';

/** Options of {@link createSqliteStore}. */
export interface SqliteStoreOptions {
  /**
   * The path of the file, which is made if it is missing. Its folder must exist, on a local disk and not on a network. Not a
   * URI. `':memory:'` is a database that ends with the process.
   */
  readonly path: string;
  /**
   * How long a call waits while another connection has the file locked, in milliseconds; then it rejects with
   * `store_locked`. Opening waits as long where the tables must be made or brought up to date, and blocks the process
   * meanwhile.
   * @defaultValue `5_000`
   */
  readonly lockTimeoutMs?: number;
}

/** A store in a file. */
export interface SqliteStore extends DeliveryStore, SqliteRetention, SqliteDueDates {
  /**
   * Adds deliveries; see {@link DeliveryStore.enqueue}.
   *
   * @param dispatches - Any number; all are added or none.
   * @param database - A connection of the host to the same file, with an open transaction: the deliveries are added in it
   * before the promise is returned, and exist once the host commits. Left out, they are added in a transaction of their
   * own.
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
 * Opens a store, and makes its tables (`headgate_…`) or brings them up to date. The file may have tables of the host too.
 * A write's promise resolves once the write is on the disk, as with `synchronous = full`. Several processes may use one
 * file.
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
 * @throws {@link OptionError} `invalid_option` for an option out of bounds, or where there is no SQLite.
 * @throws {@link StoreError} when the file cannot be opened or written, or its tables are of a later version.
 */
export function createSqliteStore(options: SqliteStoreOptions): SqliteStore {
  assertMembers<SqliteStoreOptions>('createSqliteStore', options, OPTIONS);
  const { path, lockTimeoutMs = LOCK_TIMEOUT_MS } = options;
  return storeOn(open(path, lockTimeoutMs), lockTimeoutMs);
}

/**
 * A store on a database that is open and has the tables.
 *
 * @param opened - Closed with the store.
 * @param lockTimeoutMs - See {@link SqliteStoreOptions}.
 */
export function storeOn({ database, statements, log }: OpenDatabase, lockTimeoutMs: number): SqliteStore {
  const writeWithoutSync: Access['writeWithoutSync'] = (work) =>
    retryWhileLocked(() => inTransaction(database, work), lockTimeoutMs);
  const access: Access = {
    read: (work) => retryWhileLocked(work, lockTimeoutMs),
    write: async (work, host) => {
      if (host !== undefined) return inHostTransaction(host, () => work(host));
      const result = await writeWithoutSync(() => work(database));
      await log.sync();
      return result;
    },
    writeWithoutSync,
  };
  const backlog = new Backlog();
  return {
    enqueue: async (dispatches, host) => {
      assertDispatches(dispatches);
      // The store's own write may have to wait, and the bytes may change meanwhile.
      const given = host === undefined ? dispatches.map(copyOf) : dispatches;
      const added = await access.write((on) => addAll(statementsOf(on), given), host);
      for (const { deliveries } of dispatches) deliveries.forEach((one) => backlog.note(one));
      return added;
    },
    claim: createClaims(createClaimTables(statements, access), backlog),
    settle: async (settlements, host) => {
      const settleAll = (on: SqliteDatabase): boolean[] => {
        const prepared = statementsOf(on);
        return settlements.map((one) => settle(prepared, one));
      };
      const held = await access.write(settleAll, host);
      settlements.forEach(({ delivery }) => backlog.note(delivery));
      return held;
    },
    get: async (id) => {
      text('id', id);
      const row = await access.read(() => statements.get.get(storable(id)) as DeliveryRow | undefined);
      return row === undefined ? null : { delivery: deliveryOf(row), attempts: attemptsOf(row.history) };
    },
    deadLetters: createDeadLetters(database, access),
    ...createRetention(statements, access),
    ...createDueDates(access, (endpoint_id, due_at) => backlog.note({ endpoint_id, due_at })),
    close: () => {
      database.close();
      log.close();
    },
  };
}

const OPTIONS: Checks<SqliteStoreOptions> = {
  path: filePath,
  lockTimeoutMs: aLockTimeout,
};

interface OpenDatabase extends OpenFile {
  readonly statements: Statements;
}

function open(path: string, lockTimeoutMs: number): OpenDatabase {
  const { database, log } = openFile(path, lockTimeoutMs, migrate);
  // From here on retryWhileLocked() waits for locks, since SQLite's own wait would block the process.
  database.exec('pragma busy_timeout = 0');
  return { database, log, statements: statementsOf(database) };
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

const copyOf = ({ body, deliveries }: Dispatch): Dispatch => ({ body: new Uint8Array(body), deliveries });

function settle(statements: Statements, { lease, delivery, attempt }: Settlement): boolean {
  const { state, attempts, due_at, finished_at } = delivery;
  const [id, line] = [storable(delivery.id), historyLine(attempt)];
  const isDead = state === 'failed' ? 1 : 0;
  const next = delivery.lease === null ? null : storable(delivery.lease);
  const values = [state, attempts, due_at, next, finished_at, isDead, line];
  const isWritten = statements.settle.run(...values, id, storable(lease)).changes === 1;
  return isWritten || statements.recorded.get(id, line, due_at, attempts) !== undefined;
}
