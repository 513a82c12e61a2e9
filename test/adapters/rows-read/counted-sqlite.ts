/**
 * SQLite that counts its work. The driver does not give out `sqlite3_stmt_status`; SQLite's own WebAssembly build of
 * the same version does. The database is in memory, and the programs that it runs are those of the driver.
 */
import sqlite3InitModule, { type BindableValue, type PreparedStatement } from '@sqlite.org/sqlite-wasm';
import type { SqliteDatabase, SqliteStatement, SqliteValue } from '../../../src/adapters/sqlite/driver.js';
import { Columns } from '../../../src/delivery/columns.js';
import { migrate } from '../../../src/adapters/sqlite/schema.js';
import { storeOn } from '../../../src/adapters/sqlite/sqlite-store.js';
import { createStatements } from '../../../src/adapters/sqlite/statements.js';
import type { Counted, Reading, Rewrite } from './measure.js';
import { type BacklogRow, NOW } from './shapes.js';

const { capi, oo1 } = await sqlite3InitModule();

const asItIs: Rewrite = (sql) => sql;

/** A database that adds up what its statements do. */
export class CountingDatabase implements SqliteDatabase {
  readonly #db = new oo1.DB(':memory:');
  readonly #rewrite: Rewrite;
  /** Since the last {@link take}. */
  #steps = 0;
  #scanned = 0;
  #sorted = 0;

  constructor(rewrite: Rewrite = asItIs) {
    this.#rewrite = rewrite;
    this.exec('pragma foreign_keys = on');
  }

  prepare(sql: string): SqliteStatement {
    const statement = this.#db.prepare(this.#rewrite(sql));
    return {
      all: (...values) => this.#run(statement, values, Infinity),
      get: (...values) => this.#run(statement, values, 1)[0],
      run: (...values) => {
        this.#run(statement, values, Infinity);
        return { changes: this.#db.changes() };
      },
    };
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  close(): void {
    this.#db.close();
  }

  /** The work done since the last call. */
  take(): Reading {
    const reading = { read: this.#steps, scans: this.#scanned, sorts: this.#sorted };
    this.#steps = this.#scanned = this.#sorted = 0;
    return reading;
  }

  #run(statement: PreparedStatement, values: readonly SqliteValue[], limit: number): unknown[] {
    if (values.length > 0) statement.bind(values as readonly BindableValue[]);
    const rows: unknown[] = [];
    try {
      while (rows.length < limit && statement.step()) rows.push(statement.get({}));
      return rows;
    } finally {
      statement.reset(true);
      this.#steps += capi.sqlite3_stmt_status(statement, capi.SQLITE_STMTSTATUS_VM_STEP, 1);
      this.#scanned += capi.sqlite3_stmt_status(statement, capi.SQLITE_STMTSTATUS_FULLSCAN_STEP, 1);
      this.#sorted += capi.sqlite3_stmt_status(statement, capi.SQLITE_STMTSTATUS_SORT, 1);
    }
  }
}

function done(work: () => void): Promise<void> {
  work();
  return Promise.resolve();
}

const noLog = { sync: () => Promise.resolve(), close: () => undefined };

/** A SQLite store whose work is counted in steps of SQLite's virtual machine, a handful for each row that is met. */
export function countedSqlite(rewrite?: Rewrite): Counted & { readonly database: CountingDatabase } {
  const database = new CountingDatabase(rewrite);
  const columns = new Columns();
  migrate(database, columns);
  const statementsOf = createStatements(columns);
  const open = () => storeOn({ database, statementsOf, log: noLog }, 0);
  return {
    database,
    store: open,
    fill: (rows) => done(() => fill(database, rows)),
    analyze: () => done(() => database.exec('analyze')),
    take: () => database.take(),
    close: () => done(() => database.close()),
  };
}

/** Adds rows past the store, in one statement. */
export function fill(database: SqliteDatabase, rows: Iterable<BacklogRow & { readonly id: string }>): void {
  database.exec(`insert or ignore into headgate_bodies (id, event_id, digest, created_at, bytes)
    values (1, 'old', x'', ${NOW}, x'7b7d')`);
  const values = Array.from(rows, ({ id, endpointId, state, dueAt, finishedAt }) => [
    ...[id, endpointId, state, dueAt, finishedAt],
    state === 'leased' ? 'another' : null,
    state === 'failed' ? 1 : 0,
  ]);
  database
    .prepare(
      `insert into headgate_deliveries
        (id, endpoint_id, state, due_at, finished_at, lease, dead_letter,
          event_id, event_type, origin, created_at, body, body_bytes)
      select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
        'old', 'x', 'live', ${NOW}, 1, 2
      from json_each(?)`,
    )
    .run(JSON.stringify(values));
}
