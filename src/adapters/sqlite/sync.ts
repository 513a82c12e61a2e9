/**
 * Commits brought to the disk without blocking the process. SQLite itself would do it inside of `commit`, a millisecond or
 * more of which nothing else runs. Here a commit only appends to the write-ahead log (`synchronous = normal`), and what
 * `synchronous = full` adds, a sync of that log, is done beside the event loop, one for all who wait. Nobody is told of a
 * write before it is on the disk.
 */
import { close, fdatasync, openSync } from 'node:fs';
import type { SqliteDatabase } from './driver.js';

/** The log of a database. */
export interface Log {
  /** Resolves once all that is committed now is on the disk. */
  sync(): Promise<void>;
  close(): void;
}

/** @param database - In WAL mode, written to at least once. One in memory has no log, and nothing to wait for. */
export function openLog(database: SqliteDatabase): Log {
  const { file } = database.prepare("select file from pragma_database_list where name = 'main'").get() as {
    readonly file: string;
  };
  return file === '' ? { sync: () => Promise.resolve(), close: () => undefined } : new LogFile(`${file}-wal`);
}

/**
 * A descriptor of the log beside SQLite's own. The log is one file as long as a connection is open, and holds none of
 * SQLite's locks, which a process would lose by closing a second descriptor.
 */
class LogFile implements Log {
  readonly #descriptor: number;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(path: string) {
    this.#descriptor = openSync(path, 'r+');
  }

  /** A sync that is under way may have begun too early: whoever comes meanwhile shares the one after it. */
  sync(): Promise<void> {
    if (this.#running === null) return this.#begin();
    this.#next ??= this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  close(): void {
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
        else reject(error);
      });
    });
    return this.#running;
  }
}
