/** SQLite as Node has it: the slice of its API that the store uses, and where it comes from. */
import { invalid } from '../../delivery/arguments.js';

/** What a column holds. */
export type SqliteValue = null | number | bigint | string | Uint8Array;

/** A prepared statement of `node:sqlite`, as far as it is used here. */
export interface SqliteStatement {
  /** Runs it, and gives every row. */
  all(...values: SqliteValue[]): unknown[];
  /** Runs it, and gives the first row; `undefined` when there is none. */
  get(...values: SqliteValue[]): unknown;
  /** Runs it, and says how many rows it changed. */
  run(...values: SqliteValue[]): { readonly changes: number | bigint };
}

/** A connection of `node:sqlite` (`DatabaseSync`), as far as it is used here. */
export interface SqliteDatabase {
  /** Prepares a statement. */
  prepare(sql: string): SqliteStatement;
  /** Runs statements that give nothing. */
  exec(sql: string): void;
  /** Ends the connection. */
  close(): void;
}

/** Whether it is a connection, as far as one can tell. */
export const isDatabase = (value: unknown): value is SqliteDatabase =>
  typeof value === 'object' && value !== null && 'prepare' in value && 'exec' in value;

interface SqliteModule {
  readonly DatabaseSync: new (path: string) => SqliteDatabase;
}

/**
 * Opens a database with `node:sqlite`; where Node has none (before 22.5), with `@photostructure/sqlite`.
 *
 * @throws {@link OptionError} `invalid_option` when there is neither.
 */
export const openDatabase = (path: string): SqliteDatabase => new (sqlite().DatabaseSync)(path);

function sqlite(): SqliteModule {
  const builtIn = process.getBuiltinModule('node:sqlite' as string as 'module') as unknown as
    SqliteModule | undefined;
  if (builtIn !== undefined) return builtIn;
  // Not imported, or bundlers would follow this to a package that few have.
  const { createRequire } = process.getBuiltinModule('node:module');
  try {
    return createRequire(import.meta.url)('@photostructure/sqlite') as SqliteModule;
  } catch {
    throw invalid(
      'this Node has no node:sqlite: use Node 22.13 or later, or npm install @photostructure/sqlite',
    );
  }
}
