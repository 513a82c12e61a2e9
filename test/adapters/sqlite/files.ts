/** Database files that go when the test is over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openDatabase, type SqliteDatabase } from '../../../src/adapters/sqlite/driver.js';
import {
  createSqliteStore,
  type SqliteDeadLetters,
  type SqliteStore,
  type SqliteStoreOptions,
} from '../../../src/adapters/sqlite/index.js';
import { STEPS } from '../../../src/adapters/sqlite/schema.js';

/** A path for a file in a folder of its own. */
export function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-sqlite-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'deliveries.db');
}

/** A store, closed when the test is over. */
export function openStore(options: Partial<SqliteStoreOptions> = {}): SqliteStore {
  const store = createSqliteStore({ path: newPath(), ...options });
  onTestFinished(() => store.close());
  return store;
}

/** A connection of the host's, closed when the test is over. */
export function connect(path: string): SqliteDatabase {
  const database = openDatabase(path);
  onTestFinished(() => database.close());
  return database;
}

/** Makes the tables of an older version. */
export function makeTables(database: SqliteDatabase, version: number): void {
  database.exec('create table headgate_migrations (version integer primary key, applied_at text) strict');
  STEPS.slice(0, version).forEach((step, i) => {
    if (typeof step === 'string') database.exec(step);
    database.exec(`insert into headgate_migrations (version) values (${i + 1})`);
  });
}

/** Opens another store on a file. */
const anotherOf = (path: string) => () => Promise.resolve(openStore({ path }));

/** A store for one case of a contract, whose writes are made in transactions of a host. */
export function createHostedStore(options: Partial<SqliteStoreOptions> = {}) {
  const path = newPath();
  const store = openStore({ path, ...options });
  const host = connect(path);
  const hosted = async <T>(write: () => Promise<T>): Promise<T> => {
    host.exec('begin immediate');
    const result = write();
    host.exec('commit');
    return result;
  };
  const deadLetters: SqliteDeadLetters = {
    ...store.deadLetters,
    redeliver: (filter, options) => hosted(() => store.deadLetters.redeliver(filter, options, host)),
    discard: (filter) => hosted(() => store.deadLetters.discard(filter, host)),
  };
  const wrapped: SqliteStore = {
    ...store,
    enqueue: (dispatches) => hosted(() => store.enqueue(dispatches, host)),
    settle: (settlements) => hosted(() => store.settle(settlements, host)),
    makeDue: (filter, options) => hosted(() => store.makeDue(filter, options, host)),
    deleteDeliveries: (ids, options) => hosted(() => store.deleteDeliveries(ids, options, host)),
    deadLetters,
  };
  return Promise.resolve({ store: wrapped, deadLetters, another: anotherOf(path) });
}

/** A store for one case of a contract. */
export function createStore(options: Partial<SqliteStoreOptions> = {}) {
  const path = newPath();
  const store = openStore({ path, ...options });
  return Promise.resolve({ store, deadLetters: store.deadLetters, another: anotherOf(path) });
}
