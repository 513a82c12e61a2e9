/** Opens the database that a configuration names. */
import { randomBytes } from 'node:crypto';
import { watchDisk } from './disk-watch.js';
import { openPostgres } from './postgres.js';
import type { Database, DatabaseOptions, OnUpgrade } from './port.js';
import { openSqliteDatabase } from './sqlite.js';

export { hasProject } from './deleted.js';
export { forUpdate } from './dialect.js';
export { bodyReader } from './library.js';
export type {
  Database,
  DatabaseOptions,
  KeptSettlement,
  OnUpgrade,
  Queries,
  Row,
  Sql,
  Transaction,
  Value,
} from './port.js';
export { shareOf } from './share.js';
export { DatabaseUnavailable } from './unavailable.js';
export { type ListedRow, upTo } from './up-to.js';

/** Connects, and makes the tables or brings them up to date. */
export async function openDatabase(
  options: DatabaseOptions,
  onUpgrade: OnUpgrade = () => undefined,
): Promise<Database> {
  const opened =
    'sqlite' in options
      ? await openSqliteDatabase(options.sqlite, onUpgrade)
      : await openPostgres({ ...options, url: options.postgres }, onUpgrade);
  return watchDisk(opened, {
    now: () => performance.now(),
    filler: (bytes) => randomBytes((bytes * 3) / 4).toString('base64'),
  });
}
