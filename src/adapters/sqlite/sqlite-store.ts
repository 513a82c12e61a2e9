/** Deliveries in a file on this machine. */
import type { DeadLetters } from '../../delivery/dead-letters.js';
import { assertOptions } from '../../delivery/options.js';
import type { Retention } from '../../delivery/retention.js';
import type { DeliveryStore, Dispatch, Settlement } from '../../delivery/store.js';
import { OptionError } from '../../errors.js';
import { Backlog } from '../sql/backlog.js';
import { createClaims } from '../sql/claim-due.js';
import { attemptsOf, deliveryOf, type DeliveryRow, historyLine } from '../sql/record.js';
import { storable } from '../sql/text.js';
import { type Access, createClaimTables } from './claims.js';
import { createDeadLetters } from './dead-letters.js';
import { openDatabase, type SqliteDatabase } from './driver.js';
import { addAll } from './enqueue.js';
import { createRetention } from './retention.js';
import { migrate } from './schema.js';
import { type Statements, statementsOf } from './statements.js';
import { openLog } from './sync.js';
import { inSavepoint, inTransaction, patiently, storeError } from './transaction.js';

/** Options of {@link createSqliteStore}. */
export interface SqliteStoreOptions {
  /** The file; it is made where it is missing. Its folder must exist, on a disk of this machine, not of a network. */
  readonly path: string;
  /**
   * How long a call waits while another connection holds the file locked, in milliseconds; then it rejects with
   * `store_locked`.
   * @defaultValue `5_000`
   */
  readonly lockTimeoutMs?: number;
}

/** A store in a file. */
export interface SqliteStore extends DeliveryStore, Retention {
  /**
   * Adds deliveries; see {@link DeliveryStore.enqueue}.
   *
   * @param dispatches - Any number; all are added or none.
   * @param database - A connection of the host's to the same file: the deliveries are added in the transaction that is
   * open on it, and are there once the host commits. The work is done before the promise is returned. Left out, they are
   * added in a transaction of their own.
   */
  enqueue(dispatches: readonly Dispatch[], database?: SqliteDatabase): Promise<number>;
  /** The failed deliveries. */
  readonly deadLetters: DeadLetters;
  /** Closes the file; every later call rejects. */
  close(): void;
}

const OPTIONS = Object.keys({
  path: true,
  lockTimeoutMs: true,
} satisfies Record<keyof SqliteStoreOptions, true>);

/**
 * Opens a store; its tables (`headgate_…`) are made, or brought up to date, at once. They may share the file with the
 * host's own. Every write is on the disk before it is told, as with `synchronous = full`. Several processes may use one
 * file.
 *
 * @param options - `path` is required.
 * @throws {@link OptionError} `invalid_option` for an option out of bounds, or where there is no SQLite.
 * @throws {@link StoreError} when the file cannot be opened, or its tables are of a later version.
 */
export function createSqliteStore(options: SqliteStoreOptions): SqliteStore {
  assertOptions('createSqliteStore', options, OPTIONS);
  const { path, lockTimeoutMs = 5_000 } = options;
  if (!Number.isInteger(lockTimeoutMs) || lockTimeoutMs < 0) {
    throw new OptionError(
      'invalid_option',
      `lockTimeoutMs is ${lockTimeoutMs}: give whole milliseconds from 0`,
    );
  }
  const database = open(path);
  const statements = statementsOf(database);
  const log = openLog(database);
  const writeHastily: Access['writeHastily'] = (work) =>
    patiently(() => inTransaction(database, work), lockTimeoutMs);
  const access: Access = {
    read: (work) => patiently(work, lockTimeoutMs),
    write: async (work) => {
      const result = await writeHastily(work);
      await log.sync();
      return result;
    },
    writeHastily,
  };
  const backlog = new Backlog();
  return {
    enqueue: async (dispatches, host) => {
      if (host !== undefined) return enqueueIn(host, dispatches);
      // The write may have to wait, and the bytes may change meanwhile.
      const copies = dispatches.map(({ body, deliveries }) => ({ body: new Uint8Array(body), deliveries }));
      const added = await access.write(() => addAll(statements, copies));
      for (const { deliveries } of dispatches) deliveries.forEach((one) => backlog.note(one));
      return added;
    },
    claim: createClaims(createClaimTables(statements, access), backlog),
    settle: async (settlements) => {
      const held = await access.write(() => settlements.map((one) => settle(statements, one)));
      settlements.forEach(({ delivery }) => backlog.note(delivery));
      return held;
    },
    get: async (id) => {
      const row = await access.read(() => statements.get.get(storable(id)) as DeliveryRow | undefined);
      return row === undefined ? null : { delivery: deliveryOf(row), attempts: attemptsOf(row.history) };
    },
    deadLetters: createDeadLetters(database, statements, access),
    ...createRetention(statements, access),
    close: () => {
      database.close();
      log.close();
    },
  };
}

/** How long opening waits for others who open the file at the same moment, in milliseconds. */
const OPENING_MS = 10_000;

/** A log of 16 MB: moving it into the tables stops the process, and the same pages often change again before. */
const PRAGMAS = [
  'journal_mode = wal',
  'synchronous = normal', // what is more in `full` is done by openLog()
  'wal_autocheckpoint = 4000',
  'foreign_keys = on',
  'temp_store = memory',
];

function open(path: string): SqliteDatabase {
  let database: SqliteDatabase | undefined;
  try {
    database = openDatabase(path);
    database.exec(`pragma busy_timeout = ${OPENING_MS}`);
    for (const pragma of PRAGMAS) database.exec(`pragma ${pragma}`);
    migrate(database);
    // From here on waiting is ours: SQLite's would block the process.
    database.exec('pragma busy_timeout = 0');
    return database;
  } catch (error) {
    database?.close();
    throw storeError(error);
  }
}

function enqueueIn(host: SqliteDatabase, dispatches: readonly Dispatch[]): number {
  try {
    return inSavepoint(host, () => addAll(statementsOf(host), dispatches));
  } catch (error) {
    throw storeError(error);
  }
}

function settle(statements: Statements, { lease, delivery, attempt }: Settlement): boolean {
  const { state, attempts, due_at, finished_at } = delivery;
  const [id, line] = [storable(delivery.id), historyLine(attempt)];
  const isDead = state === 'failed' ? 1 : 0;
  const next = delivery.lease === null ? null : storable(delivery.lease);
  const values = [state, attempts, due_at, next, finished_at, isDead, line];
  const isWritten = statements.settle.run(...values, id, storable(lease)).changes === 1;
  return isWritten || statements.recorded.get(id, line, due_at, attempts) !== undefined;
}
