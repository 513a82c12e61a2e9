/** Opens the database that a configuration names. */
import { openPostgres } from './postgres.js';
import type { Database, DatabaseOptions } from './port.js';
import { openSqliteDatabase } from './sqlite.js';

export { forUpdate } from './dialect.js';
export type { Database, DatabaseOptions, Queries, Row, Sql, Transaction, Value } from './port.js';
export { shareOf } from './share.js';
export { DatabaseUnavailable } from './unavailable.js';

/** Connects, and makes the tables or brings them up to date. */
export const openDatabase = (options: DatabaseOptions): Promise<Database> =>
  'sqlite' in options
    ? openSqliteDatabase(options.sqlite)
    : openPostgres({ ...options, url: options.postgres });
