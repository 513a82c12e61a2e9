/** Opens the store that an address names. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SqliteConnection } from '../../adapters/sqlite/index.js';
import type { DeadLetters, Retention } from '../../delivery/index.js';
import { type Context, Failure, UsageError } from '../context.js';
import { driverFolders, loadPostgresDriver } from './postgres-driver.js';

/** The part of a store that commands use. */
export interface CommandStore extends Pick<Retention, 'deleteFinished'> {
  readonly deadLetters: Pick<DeadLetters, 'list' | 'count' | 'redeliver'>;
}

/** The location of the store. */
export interface StoreAddress {
  /** The value on the command line. */
  readonly store: string | undefined;
  readonly schema: string;
}

/** A store, and how it is left. */
interface OpenStore {
  readonly store: CommandStore;
  readonly migrate: () => Promise<void>;
  readonly close: () => Promise<void> | void;
}

/** Works on a store that has its tables, and closes it. */
export const withStore = <T>(
  address: StoreAddress,
  context: Context,
  work: (store: CommandStore) => Promise<T>,
): Promise<T> => using(open(address, context, false), ({ store }) => work(store));

/** Makes the tables of a store, or brings them up to date. */
export const migrateStore = (address: StoreAddress, context: Context): Promise<void> =>
  using(open(address, context, true), ({ migrate }) => migrate());

async function using<T>(opening: Promise<OpenStore>, work: (opened: OpenStore) => Promise<T>): Promise<T> {
  const opened = await opening;
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** @param mayMake - Whether a file that is not there, or has no tables, is made into a store. */
async function open({ store, schema }: StoreAddress, context: Context, mayMake: boolean): Promise<OpenStore> {
  const address = store ?? context.env.HEADGATE_STORE ?? '';
  if (address === '') {
    throw new UsageError('give STORE, the path of a SQLite file or the URL of a Postgres database');
  }
  if (/^postgres(?:ql)?:\/\//.test(address)) return openPostgres(address, schema, context);
  // The address may have a password in it, so that it is not repeated.
  if (/^\w+:/.test(address)) {
    throw new UsageError('STORE must be the path of a SQLite file, or a postgres:// URL');
  }
  return openSqliteFile(resolve(context.folder, address), mayMake);
}

/** Longest wait for a connection. */
const CONNECT_MS = 10_000;

async function openPostgres(
  connectionString: string,
  schema: string,
  { folder }: Context,
): Promise<OpenStore> {
  const { Pool } = loadPostgresDriver(driverFolders(folder));
  const { createPostgresStore } = await import('../../adapters/postgres/index.js');
  const pool = new Pool({ connectionString, max: 2, connectionTimeoutMillis: CONNECT_MS });
  // The call that breaks rejects as well.
  pool.on('error', () => undefined);
  const store = createPostgresStore({ pool, schema });
  return { store, migrate: () => store.migrate(), close: () => pool.end() };
}

async function openSqliteFile(path: string, mayMake: boolean): Promise<OpenStore> {
  if (!mayMake && !existsSync(path)) {
    throw new Failure(`${path}: there is no such file; headgate migrate makes a store`);
  }
  const { createSqliteStore, openSqlite } = await import('../../adapters/sqlite/index.js');
  if (!mayMake) assertStore(path, openSqlite({ path }));
  const store = createSqliteStore({ path });
  return { store, migrate: () => Promise.resolve(), close: () => store.close() };
}

/** Opening a store makes its tables: a database of something else would get them by a slip of the pen. */
function assertStore(path: string, connection: SqliteConnection): void {
  try {
    const sql = `select 1 from sqlite_master where name = 'headgate_deliveries'`;
    if (connection.database.prepare(sql).get() !== undefined) return;
  } finally {
    connection.close();
  }
  throw new Failure(
    `${path} has no tables of headgate: give the file of a store; headgate migrate makes one`,
  );
}
