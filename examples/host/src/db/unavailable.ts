/** Telling a database that is away from a statement that is wrong. */

/** The database does not answer, or cannot take what it was given now. The same call may succeed later. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  /** True if the database can be read, and its disk has no room for what was to be stored. */
  readonly isFull: boolean;

  /** @param cause - The driver's error. It may name hosts and files, so it is for the log alone. */
  constructor(cause: unknown) {
    const isFull = isDiskFull(cause);
    super(isFull ? 'the disk of the database is full' : 'the database cannot be reached', { cause });
    this.isFull = isFull;
  }
}

/**
 * Postgres: connection exceptions, shutting down, starting up, too many connections, out of space or memory, and a
 * server that only reads, as the old one does after a failover.
 */
const POSTGRES_STATES = /^(?:08|53|57P|58|25P03|25006)/;
const SYSTEM_ERRORS = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
  ...['ENETUNREACH', 'EIO', 'ENOSPC', 'EDQUOT', 'EROFS'],
]);
/** Codes of the library for what may pass. Its others are of the statement, or of the row, and stay as they are. */
const STORE_CODES = new Set(['store_unreachable', 'store_locked', 'store_full']);
/** Messages of errors that `pg` throws without a code. */
const DRIVER_WORDS = /connection terminated|timeout|timed out|not queryable|client has encountered/i;
/** SQLite: busy, locked, read-only, I/O error, full, cannot open. See https://www.sqlite.org/rescode.html. */
const SQLITE_CODES = new Set([5, 6, 8, 10, 13, 14]);

/** Codes for a full disk: of the system, of Postgres and of the library. */
const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', '53100']);
const SQLITE_FULL = 13;

/** True if the error, or the one behind it, says that the disk is full. */
function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode, cause } = error as Error & { readonly code?: unknown; readonly errcode?: unknown };
  if (typeof errcode === 'number') return (errcode & 0xff) === SQLITE_FULL;
  return (typeof code === 'string' && FULL_CODES.has(code)) || isDiskFull(cause);
}

/** The error to throw for an error of the driver. */
export function databaseError(error: unknown): Error {
  if (error instanceof DatabaseUnavailable) return error;
  if (!(error instanceof Error)) return new Error(String(error));
  return isUnavailable(error) ? new DatabaseUnavailable(error) : error;
}

function isUnavailable(error: Error & { readonly code?: unknown; readonly errcode?: unknown }): boolean {
  const { code, errcode, cause } = error;
  if (typeof errcode === 'number') return SQLITE_CODES.has(errcode & 0xff);
  if (code === 'store_failed') return cause instanceof Error && isUnavailable(cause);
  if (typeof code === 'string') {
    return POSTGRES_STATES.test(code) || SYSTEM_ERRORS.has(code) || STORE_CODES.has(code);
  }
  return DRIVER_WORDS.test(error.message);
}
