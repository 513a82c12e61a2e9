/** The database in a file, for the processes of one machine; in practice for one. */
import { setImmediate as turn } from 'node:timers/promises';
import {
  createSqliteStore,
  openSqlite,
  type SqliteConnection,
  type SqliteDatabase,
  type SqliteStatement,
  type SqliteStore,
} from 'headgate/sqlite';
import { createCheckpoints } from './checkpoints.js';
import { textFor } from './dialect.js';
import { bodyReader, COLUMNS, withoutQuery, keepExchange } from './library.js';
import { planMigration, type TakenStep } from './migration-plan.js';
import type {
  Database,
  DeliveryWrites,
  OnUpgrade,
  Queries,
  Reader,
  Row,
  Sql,
  Statement,
  Statements,
  Topic,
  Transaction,
  Value,
} from './port.js';
import { statementsOf, stepsFor } from './schema.js';
import { Settlements } from './settlements.js';
import { createTopics } from './topics.js';
import { databaseError } from './unavailable.js';

/**
 * Opens a file, and makes the tables or brings them up to date. One connection writes, in one transaction at a time;
 * reads outside of transactions have a connection of their own, and see what was committed.
 *
 * @param path - The file; it is made if it is missing. Its folder must exist.
 */
export async function openSqliteDatabase(path: string, onUpgrade: OnUpgrade): Promise<Database> {
  const writer = openSqlite({ path });
  tellOf(writer.database, onUpgrade);
  const settled = new Settlements();
  const reader = openReadOnly(path);
  const reads = queriesOn(reader.database);
  const store = createSqliteStore({
    ...{ path, columns: COLUMNS, keepUrl: withoutQuery, keepExchange, readBodies: bodyReader(reads) },
    onSettle: (settlements, connection) => settled.note(settlements, connection),
  });
  await writer.transaction(() => migrate(writer.database, onUpgrade));
  // SQLite would checkpoint in a commit at 16 MB; by then the thread has.
  const checkpoints = createCheckpoints(path);
  const topics = createTopics();
  const writes = {
    ...queriesOn(writer.database, checkpoints.written),
    together: inOrder,
    deliveries: writesOn(store, writer.database, settled),
  };

  const transaction = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    const told: (readonly [Topic, string])[] = [];
    const notify = (topic: Topic, payload: string): Promise<void> => {
      told.push([topic, payload]);
      return Promise.resolve();
    };
    const run = async (): Promise<T> => {
      const last: Statement[] = [];
      const beforeCommit: Transaction['beforeCommit'] = (statements) => void last.push(...statements);
      const result = await work({ ...writes, notify, beforeCommit });
      await inOrder(last);
      return result;
    };
    const result = await writer.transaction(run).catch(rethrow);
    for (const [topic, payload] of told) topics.tell(topic, payload);
    return result;
  };
  return {
    ...{ dialect: 'sqlite', options: { sqlite: path }, store, all: reads.all, get: reads.get, transaction },
    run: (sql, values) => transaction((tx) => tx.run(sql, values)),
    insert: (table, rows, onConflict) => transaction((tx) => tx.insert(table, rows, onConflict)),
    notify(topic, payload) {
      topics.tell(topic, payload);
      return Promise.resolve();
    },
    listen: (topic, told) => topics.listen(topic, told),
    ping: async () => void (await reads.get('select 1')),
    async close() {
      await writer.transaction(() => Promise.resolve());
      await checkpoints.end();
      store.close();
      reader.close();
      writer.close();
    },
  };
}

/** Opens a connection of a thread. */
export function openSqliteReader(path: string): Reader {
  const reader = openReadOnly(path);
  const { all, get } = queriesOn(reader.database);
  return {
    all,
    get,
    close: () => {
      reader.close();
      return Promise.resolve();
    },
  };
}

/**
 * A write outside of the writer's turns would block the process until the open transaction has ended, which it cannot.
 */
function openReadOnly(path: string): SqliteConnection {
  const reader = openSqlite({ path });
  reader.database.exec('pragma query_only = on');
  return reader;
}

/** One that fails may have ended the transaction, so none goes on behind it. */
async function inOrder<Results extends readonly unknown[]>(
  statements: Statements<Results>,
): Promise<Results> {
  const results: unknown[] = [];
  for (const send of statements) results.push(await send());
  return results as readonly unknown[] as Results;
}

function rethrow(error: unknown): never {
  throw databaseError(error);
}

/** @param written - Called with the number of bytes that were inserted. */
function queriesOn(database: SqliteDatabase, written: (bytes: number) => void = () => undefined): Queries {
  const prepare = statementsOn(database);
  const attempt = <T>(work: () => T): Promise<T> => {
    try {
      return Promise.resolve(work());
    } catch (error) {
      return Promise.reject(databaseError(error));
    }
  };
  const insertRows = (table: string, rows: readonly Row[], onConflict: string | undefined): number => {
    const statement = prepare(insertText(table, rows[0] as Row, onConflict));
    let [changes, bytes] = [0, 0];
    for (const row of rows) {
      const values = Object.values(row);
      changes += Number(statement.run(...values).changes);
      bytes += bytesOf(values);
    }
    written(bytes);
    return changes;
  };
  return {
    all: <Of>(sql: Sql, values: readonly Value[] = []) => attempt(() => prepare(sql).all(...values) as Of[]),
    get: <Of>(sql: Sql, values: readonly Value[] = []) =>
      attempt(() => prepare(sql).get(...values) as Of | undefined),
    run: (sql, values = []) => attempt(() => Number(prepare(sql).run(...values).changes)),
    async insert(table, rows, onConflict) {
      let changes = 0;
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
        if (at > 0) await turn();
        changes += await attempt(() => insertRows(table, rows.slice(at, at + ROWS_AT_ONCE), onConflict));
      }
      return changes;
    },
  };
}

/** Rows that are inserted before the event loop turns: a few milliseconds. */
const ROWS_AT_ONCE = 500;

/** A row without its texts, with its entries in the indexes. */
const ROW_BYTES = 512;

/** About as many bytes as a row takes. */
const bytesOf = (values: readonly Value[]): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), ROW_BYTES);

const STATEMENTS = new WeakMap<SqliteDatabase, Map<Sql, SqliteStatement>>();

/** Each connection prepares a statement once. */
function statementsOn(database: SqliteDatabase): (sql: Sql) => SqliteStatement {
  const known = STATEMENTS.get(database) ?? new Map<Sql, SqliteStatement>();
  STATEMENTS.set(database, known);
  return (sql) => {
    const found = known.get(sql);
    if (found !== undefined) return found;
    const statement = database.prepare(textFor(sql, 'sqlite'));
    known.set(sql, statement);
    return statement;
  };
}

function insertText(table: string, first: Row, onConflict: string | undefined): string {
  const columns = Object.keys(first);
  return `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})
    ${onConflict === undefined ? '' : `on conflict ${onConflict}`}`;
}

const writesOn = (store: SqliteStore, database: SqliteDatabase, settled: Settlements): DeliveryWrites => ({
  enqueue: (dispatches) => store.enqueue(dispatches, database),
  settle: (settlements) => settled.of(database, store.settle(settlements, database)),
  redeliver: (filter, options) => store.deadLetters.redeliver(filter, options, database),
  discard: (filter) => store.deadLetters.discard(filter, database),
  makeDue: (filter, at) => store.makeDue(filter, { at }, database),
  remove: (ids, options) => store.deleteDeliveries(ids, options, database),
});

/** Announces an upgrade before the library begins with it, since the process is blocked meanwhile. */
function tellOf(database: SqliteDatabase, onUpgrade: OnUpgrade): void {
  if (database.prepare("select 1 from sqlite_schema where name = 'host_version'").get() === undefined) return;
  const steps = stepsFor('sqlite').length;
  const taken = versionOf(database);
  if (taken > 0 && taken < steps) onUpgrade({ taken, steps });
}

const versionOf = (database: SqliteDatabase): number =>
  (database.prepare('select version from host_version').get() as { version: number } | undefined)?.version ??
  0;

function migrate(database: SqliteDatabase, onUpgrade: OnUpgrade): Promise<void> {
  database.exec(`create table if not exists host_version (version integer not null);
    create table if not exists host_steps (number integer primary key, checksum text not null) strict`);
  const version = versionOf(database);
  const recorded = database.prepare('select number, checksum from host_steps').all() as TakenStep[];
  const steps = stepsFor('sqlite');
  const { statements, taken } = planMigration(version, recorded, steps);
  statements.forEach((statement, i) => {
    database.exec(statementsOf(statement, 'headgate_'));
    if (version > 0) onUpgrade({ taken: version + i + 1, steps: steps.length });
  });
  const record = database.prepare('insert into host_steps (number, checksum) values (?, ?)');
  for (const { number, checksum } of taken) record.run(number, checksum);
  database.exec(`delete from host_version; insert into host_version (version) values (${steps.length})`);
  return Promise.resolve();
}
