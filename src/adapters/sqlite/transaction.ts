/** Transactions, waiting for locks, and errors of SQLite. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HeadgateError, StoreError } from '../../errors.js';
import type { SqliteDatabase } from './driver.js';

/** Longest wait between two tries to get a lock. */
const MAX_RETRY_WAIT_MS = 25;

/**
 * Runs `work` in a transaction. It takes the write lock at the start, so that no statement in it can fail for want of
 * it.
 */
export function inTransaction<T>(database: SqliteDatabase, work: () => T): T {
  database.exec('begin immediate');
  try {
    const result = work();
    database.exec('commit');
    return result;
  } catch (error) {
    undo(database, 'rollback');
    throw error;
  }
}

/** Runs each work in a transaction. */
type InTransaction = <T>(work: () => T | Promise<T>) => Promise<T>;

/**
 * Runs transactions one after another, each of which may wait for something in its midst.
 *
 * @param database - A connection whose statements wait for `timeoutMs`, and block the process meanwhile. The begin of a
 * transaction waits without.
 * @param timeoutMs - Longest wait for the lock of another connection, in milliseconds.
 */
export function inTurn(database: SqliteDatabase, timeoutMs: number): InTransaction {
  let last: Promise<unknown> = Promise.resolve();
  const begin = (): void => {
    database.exec('pragma busy_timeout = 0');
    try {
      database.exec('begin immediate');
    } finally {
      database.exec(`pragma busy_timeout = ${timeoutMs}`);
    }
  };
  const run: InTransaction = async (work) => {
    await retryWhileLocked(begin, timeoutMs);
    try {
      const result = work();
      // Without a wait, no other code gets a turn, in which it could use the connection.
      const value = isThenable(result) ? await result : result;
      commit(database);
      return value;
    } catch (error) {
      undo(database, 'rollback');
      throw error;
    }
  };
  return (work) => {
    const turn = last.then(() => run(work));
    last = turn.catch(() => undefined);
    return turn;
  };
}

const isThenable = <T>(value: T | Promise<T>): value is Promise<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/** @throws {@link StoreError} when the transaction cannot be written. */
function commit(database: SqliteDatabase): void {
  try {
    database.exec('commit');
  } catch (error) {
    throw storeErrorOf(error);
  }
}

/** Runs `work` in a savepoint, within the host's transaction if one is open, which the host commits. */
export function inSavepoint<T>(database: SqliteDatabase, work: () => T): T {
  database.exec('savepoint headgate');
  try {
    const result = work();
    database.exec('release headgate');
    return result;
  } catch (error) {
    undo(database, 'rollback to headgate');
    undo(database, 'release headgate');
    throw error;
  }
}

/** Rolls back. After some failures, such as a full disk, SQLite has already done so. */
function undo(database: SqliteDatabase, statement: string): void {
  try {
    database.exec(statement);
  } catch {
    // The transaction is closed already.
  }
}

/**
 * Runs `work`, and again for as long as another connection has the file locked. It waits without blocking, since the
 * other connection may be the host's, in this process.
 *
 * @param work - Does all of its work or nothing.
 * @param timeoutMs - Longest wait in all, in milliseconds.
 * @throws {@link StoreError} for every error of the database.
 */
export async function retryWhileLocked<T>(work: () => T, timeoutMs: number): Promise<T> {
  let waited = 0;
  for (let wait = 1; ; wait = Math.min(2 * wait, MAX_RETRY_WAIT_MS)) {
    try {
      return work();
    } catch (error) {
      if (!isLocked(error) || waited >= timeoutMs) throw storeErrorOf(error);
    }
    await sleep(wait);
    waited += wait;
  }
}

/** Result codes of SQLite, see https://www.sqlite.org/rescode.html. Extended codes have these in their low byte. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const FULL = 13;
const CANTOPEN = 14;

const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;

const isLocked = (error: unknown): boolean => [BUSY, LOCKED].includes(codeOf(error));

export const isUnopened = (error: unknown): boolean => codeOf(error) === CANTOPEN;

const isOurs = (error: unknown): error is HeadgateError => error instanceof HeadgateError;

/**
 * The error that the store throws for an error of the driver. Its code tells a host what happened to its own statements
 * on the same file: `store_locked` may be tried again, and `store_full` and `store_unreachable` may pass.
 *
 * @param error - The caught error, which becomes the `cause`; an error of this package is returned unchanged.
 */
export function storeErrorOf(error: unknown): HeadgateError {
  if (isOurs(error)) return error;
  const cause = { cause: error };
  switch (codeOf(error)) {
    case BUSY:
    case LOCKED:
      return new StoreError('store_locked', 'the database file is locked by another connection', cause);
    case FULL:
      return new StoreError('store_full', 'the disk is full, or the database has reached its limit', cause);
    case READONLY:
      return new StoreError(
        'store_unreachable',
        'the database file cannot be written: give this process the right to write the file and its folder',
        cause,
      );
    case CANTOPEN:
      return new StoreError('store_unreachable', 'the database file cannot be opened', cause);
    default:
      if (messageOf(error).startsWith('no such table: headgate_')) {
        return new StoreError(
          'store_outdated',
          'this database has no tables of headgate: open a store on it first',
          cause,
        );
      }
      return new StoreError('store_failed', `SQLite failed: ${messageOf(error)}`, cause);
  }
}

/** SQLite names tables and columns in its messages, and no values. */
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
