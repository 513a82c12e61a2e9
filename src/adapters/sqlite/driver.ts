/** The part of `node:sqlite` that the store uses, and how it is loaded. */
import { invalid } from '../../delivery/arguments.js';
import { requireFor } from '../../peers.js';

/** A value of a column. */
export type SqliteValue = null | number | bigint | string | Uint8Array;

/** The part of a prepared statement of `node:sqlite` that is used. */
export interface SqliteStatement {
  /** Runs it and returns all rows. */
  all(...values: SqliteValue[]): unknown[];
  /** Runs it and returns the first row; `undefined` if no row was found. */
  get(...values: SqliteValue[]): unknown;
  /** Runs it and returns how many rows it changed. */
  run(...values: SqliteValue[]): { readonly changes: number | bigint };
}

/** The part of a connection of `node:sqlite` (`DatabaseSync`) that is used. */
export interface SqliteDatabase {
  /** Prepares a statement. */
  prepare(sql: string): SqliteStatement;
  /** Runs statements that return no rows. */
  exec(sql: string): void;
  /** Closes the connection. */
  close(): void;
}

/** True for an object with the methods of a connection. */
export const isDatabase = (value: unknown): value is SqliteDatabase =>
  typeof value === 'object' && value !== null && 'prepare' in value && 'exec' in value;

interface SqliteModule {
  readonly DatabaseSync: new (path: string) => SqliteDatabase;
}

/**
 * Opens a database with `node:sqlite`, or, before Node 22.5, with `@photostructure/sqlite`.
 *
 * @throws {@link OptionError} `invalid_option` when there is neither.
 */
export const openDatabase = (path: string): SqliteDatabase => new (sqlite().DatabaseSync)(path);

function sqlite(): SqliteModule {
  const builtIn = process.getBuiltinModule('node:sqlite' as string as 'module') as unknown as
    SqliteModule | undefined;
  if (builtIn !== undefined) return builtIn;
  try {
    return requireFor('@photostructure/sqlite')('@photostructure/sqlite') as SqliteModule;
  } catch {
    throw invalid(
      'this Node has no node:sqlite: use Node 22.13 or later, or npm install @photostructure/sqlite',
    );
  }
}
