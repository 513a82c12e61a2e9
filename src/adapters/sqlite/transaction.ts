/** Transactions, the waiting for locks, and what went wrong. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HeadgateError, StoreError } from '../../errors.js';
import type { SqliteDatabase } from './driver.js';

/** Longest wait between two tries to get a lock. */
const LONGEST_WAIT_MS = 25;

/** Does `work` wholly or not at all. Takes the lock of writers at once, so that it never has to be given up midway. */
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

/** The same inside of a transaction that may or may not be open: it stays with the host to commit it. */
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

/** After some failures, such as a full disk, SQLite has already rolled back. */
function undo(database: SqliteDatabase, statement: string): void {
  try {
    database.exec(statement);
  } catch {
    // Nothing is open any more.
  }
}

/**
 * Does `work` once no other connection is in the way. It waits without blocking: the one in the way may be the host's own,
 * in this very process.
 *
 * @param work - Happens wholly or not at all.
 * @param patienceMs - How long to wait in all, in milliseconds.
 * @throws {@link StoreError} whatever goes wrong with the database.
 */
export async function patiently<T>(work: () => T, patienceMs: number): Promise<T> {
  let waited = 0;
  for (let wait = 1; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return work();
    } catch (error) {
      if (!isLocked(error) || waited >= patienceMs) throw storeError(error);
    }
    await sleep(wait);
    waited += wait;
  }
}

/** Result codes of SQLite: https://www.sqlite.org/rescode.html. The extended ones have these in their low byte. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const FULL = 13;
const CANTOPEN = 14;

const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;

const isLocked = (error: unknown): boolean => [BUSY, LOCKED].includes(codeOf(error));

export const isUnopened = (error: unknown): boolean => codeOf(error) === CANTOPEN;

/** What went wrong, in the words of every store. */
export function storeError(error: unknown): Error {
  if (error instanceof HeadgateError) return error;
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
