/**
 * Syncs commits to the disk without blocking the process. SQLite's own sync in `commit` would block it for a
 * millisecond or more. Here a commit only appends to the write-ahead log (`synchronous = normal`). The sync of the log,
 * which `synchronous = full` would add, runs in a thread, one for all waiting writes. A write's promise resolves after
 * its sync.
 */
import { close, fdatasync, openSync } from 'node:fs';
import { StoreError } from '../../errors.js';
import type { SqliteDatabase } from './driver.js';

/** The log of a database. */
export interface Log {
  /**
   * Resolves once all transactions that are committed now are on the disk.
   *
   * @throws {@link StoreError} (as a rejection) `store_failed`
   */
  sync(): Promise<void>;
  close(): void;
}

/** @param database - In WAL mode. A database in memory has no log, and needs no sync. */
export function openLog(database: SqliteDatabase): Log {
  database.prepare('select 1 from sqlite_schema').get(); // SQLite makes the log at the first read
  const { file } = database.prepare("select file from pragma_database_list where name = 'main'").get() as {
    readonly file: string;
  };
  return file === '' ? { sync: () => Promise.resolve(), close: () => undefined } : new LogFile(`${file}-wal`);
}

/**
 * The log of a store, opened and closed with it, through a descriptor beside SQLite's own. The log is the same file
 * while a connection is open. A process that closes any descriptor of a file loses its locks on it, but SQLite has none
 * on the log.
 */
class LogFile implements Log {
  readonly #descriptor: number;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  #isClosed = false;

  constructor(path: string) {
    this.#descriptor = openSync(path, 'r+');
  }

  /** A sync under way may have begun before the last commit: calls during it share the next one. */
  sync(): Promise<void> {
    if (this.#isClosed) return Promise.reject(new StoreError('store_failed', 'the database file is closed'));
    if (this.#running === null) return this.#begin();
    this.#next ??= this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  close(): void {
    this.#isClosed = true;
    const last = this.#next ?? this.#running ?? Promise.resolve();
    const end = (): void => close(this.#descriptor);
    last.then(end, end);
  }

  #begin(): Promise<void> {
    this.#next = null;
    this.#running = new Promise<void>((resolve, reject) => {
      fdatasync(this.#descriptor, (error) => {
        this.#running = null;
        if (error === null) resolve();
        else {
          reject(new StoreError('store_failed', 'the log cannot be written to the disk', { cause: error }));
        }
      });
    });
    return this.#running;
  }
}
