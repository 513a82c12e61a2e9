/** Opens database files, with the durability of the store. */
import { type Check, type Checks, assertMembers, integer, optional } from '../../delivery/arguments.js';
import { openDatabase, type SqliteDatabase } from './driver.js';
import { assertWritable, filePath, unopened } from './path.js';
import { type Log, openLog } from './sync.js';
import { inTurn, isUnopened, storeErrorOf } from './transaction.js';

/** Options of {@link openSqlite}. */
export interface OpenSqliteOptions {
  /**
   * The path of the file, which is made if it is missing. Its folder must exist, on a local disk and not on a network.
   * Not a URI. `':memory:'` is a database that ends with the process.
   */
  readonly path: string;
  /**
   * How long `transaction` waits while another connection has the file locked, in milliseconds; then it rejects with
   * `store_locked`. Statements outside of `transaction` wait as long, and block the process meanwhile.
   * @defaultValue `5_000`
   */
  readonly lockTimeoutMs?: number;
}

/** A connection of the host to a file. */
export interface SqliteConnection {
  /** For the host's own statements, and for the calls of a store on the same file that take a connection. */
  readonly database: SqliteDatabase;
  /**
   * Runs work in a transaction. Resolves with its result once the transaction is on the disk; where the work fails, all
   * of it is undone. Transactions of one connection run one after another and wait for locks without blocking the
   * process; those that end together share one sync.
   *
   * @param work - Uses `database`. It may wait for a store's call on that connection, and for nothing else: the file is
   * locked for other writers meanwhile. It must not wait for another transaction of this connection.
   * @throws The error of the work (as a rejection), unchanged.
   * @throws {@link StoreError} (as a rejection) when the transaction cannot begin or end.
   */
  transaction<T>(work: () => T | Promise<T>): Promise<T>;
  /**
   * Resolves once all that is committed now is on the disk. For transactions that the host begins and commits by
   * itself.
   *
   * @throws {@link StoreError} (as a rejection) `store_failed` when the disk fails, or after `close`.
   */
  sync(): Promise<void>;
  /** Closes the connection; every later call fails. */
  close(): void;
}

export const aLockTimeout: Check = optional(integer(0, 2 ** 31 - 1));

const OPTIONS: Checks<OpenSqliteOptions> = { path: filePath, lockTimeoutMs: aLockTimeout };

/** Used where the host gives no `lockTimeoutMs`. */
export const LOCK_TIMEOUT_MS = 5_000;

/**
 * Opens a connection of the host, with the driver and the settings of {@link createSqliteStore}: a write-ahead log, and
 * commits that are on the disk once a promise says so, without blocking the process. The host's tables may be in the
 * file of a store, or in one of their own.
 *
 * @example
 * ```ts
 * import { openSqlite } from 'headgate/sqlite';
 *
 * const { database, transaction, close } = openSqlite({ path: ':memory:' }); // in service: a file
 * database.exec('create table orders (id integer primary key) strict');
 * await transaction(() => database.prepare('insert into orders values (?)').run(42));
 * console.log(database.prepare('select id from orders').all().length); // 1
 * close();
 * ```
 * @param options - `path` is required.
 * @throws {@link OptionError} `invalid_option` for an option out of bounds, or if there is no SQLite.
 * @throws {@link StoreError} when the file cannot be opened or written.
 */
export function openSqlite(options: OpenSqliteOptions): SqliteConnection {
  assertMembers<OpenSqliteOptions>('openSqlite', options, OPTIONS);
  const { path, lockTimeoutMs = LOCK_TIMEOUT_MS } = options;
  const { database, log } = openFile(path, lockTimeoutMs);
  const runInTurn = inTurn(database, lockTimeoutMs);
  return {
    database,
    transaction: async (work) => {
      const result = await runInTurn(work);
      await log.sync();
      return result;
    },
    sync: () => log.sync(),
    close: () => {
      database.close();
      log.close();
    },
  };
}

/**
 * The log may grow to 16 MB: a checkpoint blocks the process, and pages often change again before it. While another
 * connection reads an old snapshot the log grows without limit; the write that restarts it cuts the file off at its
 * usual length.
 */
const PRAGMAS = [
  'journal_mode = wal',
  'synchronous = normal', // openLog() does what `full` does besides
  'wal_autocheckpoint = 4000',
  `journal_size_limit = ${16 * 1_048_576}`,
  'foreign_keys = on',
  'temp_store = memory',
];

/** An open file, and what syncs its log. */
export interface OpenFile {
  readonly database: SqliteDatabase;
  readonly log: Log;
}

/**
 * Opens a file with the settings of the store.
 *
 * @param lockTimeoutMs - How long each statement waits for a lock; the process is blocked meanwhile.
 * @param prepare - Called once the settings are made; the file is closed again where it throws.
 * @throws {@link StoreError} when the file cannot be opened or written.
 */
export function openFile(
  path: string,
  lockTimeoutMs: number,
  prepare: (database: SqliteDatabase) => void = () => undefined,
): OpenFile {
  let database: SqliteDatabase | undefined;
  try {
    database = openDatabase(path);
    assertWritable(path);
    database.exec(`pragma busy_timeout = ${lockTimeoutMs}`);
    for (const pragma of PRAGMAS) database.exec(`pragma ${pragma}`);
    prepare(database);
    return { database, log: openLog(database) };
  } catch (error) {
    database?.close();
    throw isUnopened(error) ? unopened(path, error) : storeErrorOf(error);
  }
}
