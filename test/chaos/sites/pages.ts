/**
 * A full disk where none can be had: SQLite itself refuses to let a file grow. The limit belongs to a connection, and
 * those that a store opens are its own; so this stands in for `node:sqlite`, and limits every one that is opened.
 */
import sqlite, { type DatabaseSyncInstance } from '@photostructure/sqlite';

const open: DatabaseSyncInstance[] = [];
let limit = 0;

const apply = (database: DatabaseSyncInstance): void => database.exec(`pragma max_page_count = ${limit}`);

/** From now on every connection of this process has this many pages. */
export function limitPages(pages: number): void {
  limit = pages;
  const limited = class extends sqlite.DatabaseSync {
    constructor(path: string) {
      super(path);
      open.push(this);
      apply(this);
    }
  };
  const builtIn = process.getBuiltinModule.bind(process);
  const standIn = (id: string): unknown => (id === 'node:sqlite' ? { DatabaseSync: limited } : builtIn(id));
  process.getBuiltinModule = standIn as typeof process.getBuiltinModule;
}

/** Sets the limit, including that of open databases. */
export function setPages(pages: number): void {
  limit = pages;
  open.forEach(apply);
}
