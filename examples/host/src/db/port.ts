/**
 * The port of the database. Every module writes its statements once, in the SQL that SQLite and Postgres share:
 *
 * - `$1`, `$2` … are the values.
 * - `{rows $1: id text, at int}` is a table `rows` made of a JSON array of objects (`$1` is its text).
 * - `in {list $1}` is true for the texts of a JSON array.
 * - `{deliveries}` and `{attempts}` are the library's tables; `{dead}` is true for dead letters, and `{leased}` for
 *   deliveries under way.
 *
 * A statement that differs between the two is a pair. Instants are Unix milliseconds, truth values are 0 and 1, and
 * documents are JSON texts, so that rows look alike from both.
 */
import type {
  AllDeadLetters,
  DeadLetterCondition,
  DeadLetterFilter,
  DeleteDeliveriesOptions,
  DeliveryStore,
  Dispatch,
  PendingFilter,
  ReplayOptions,
  Settlement,
} from 'headgate/delivery';

/** A value of a column. */
export type Value = string | number | null;

/** A row as the drivers give it; a module gives its type to `all` and `get`. */
export type Row = Readonly<Record<string, Value>>;

/** One statement for both databases, or one for each. */
export type Sql = string | { readonly sqlite: string; readonly postgres: string };

/** Statements, within a transaction or each in one of its own. */
export interface Queries {
  /** All rows. */
  all<Of = Row>(sql: Sql, values?: readonly Value[]): Promise<readonly Of[]>;
  /** The first row. */
  get<Of = Row>(sql: Sql, values?: readonly Value[]): Promise<Of | undefined>;
  /** Runs a statement, and returns the number of rows that it changed. */
  run(sql: Sql, values?: readonly Value[]): Promise<number>;
  /**
   * Inserts rows, which all have the same columns.
   *
   * @param onConflict - SQL after `on conflict`, such as `(id) do nothing`; left out, a conflict throws.
   * @returns The number of rows that were inserted or changed.
   */
  insert(table: string, rows: readonly Row[], onConflict?: string): Promise<number>;
}

/** The result of recording settlements. */
export interface Settled {
  /** For each in order, whether it is recorded. */
  readonly recorded: readonly boolean[];
  /** Settlements that were not recorded before. */
  readonly fresh: readonly Settlement[];
}

/** A settlement with the text that the row of its attempt keeps of its exchange. */
export interface KeptSettlement extends Settlement {
  readonly kept?: string | null;
}

/** The library's deliveries, written in the host's transaction. */
export interface DeliveryWrites {
  enqueue(dispatches: readonly Dispatch[]): Promise<number>;
  settle(settlements: readonly KeptSettlement[]): Promise<Settled>;
  /** Sends dead letters again; returns the number of new deliveries. */
  redeliver(filter: DeadLetterFilter, options: ReplayOptions): Promise<number>;
  /** Takes dead letters out of the queue; returns the number. */
  discard(filter: DeadLetterCondition | AllDeadLetters): Promise<number>;
  /**
   * Makes pending deliveries due that wait for a retry, at most a thousand; returns the number. Leased and finished
   * ones are skipped.
   */
  makeDue(filter: PendingFilter, at: number): Promise<number>;
  /**
   * Deletes deliveries with all their attempts, unfinished ones where they are asked for; returns the ids of those that
   * were deleted.
   */
  remove(ids: readonly string[], options: DeleteDeliveriesOptions): Promise<readonly string[]>;
}

/** Sends one statement at once, or throws at once. */
export type Statement<Result = unknown> = () => Promise<Result>;

/** Statements with these results. */
export type Statements<Results extends readonly unknown[]> = {
  readonly [Index in keyof Results]: Statement<Results[Index]>;
};

/** An open transaction. */
export interface Transaction extends Queries {
  readonly deliveries: DeliveryWrites;
  /**
   * Runs statements that do not need each other's results, in the order given. Postgres gets them in one go. None runs
   * after the promise has settled.
   *
   * @param statements - Statements of this transaction.
   * @returns Their results.
   * @throws The error of the first that failed; those behind it have done nothing.
   */
  together<Results extends readonly unknown[]>(statements: Statements<Results>): Promise<Results>;
  /**
   * Runs statements when `work` has ended, in the order given, before the commit. Postgres gets them and the commit in
   * one go. The transaction fails with the first that fails.
   *
   * @param statements - Statements of this transaction, all by {@link Queries}: the library checks what it is given,
   * and where that is refused after the commit was sent, all others are kept.
   */
  beforeCommit(statements: readonly Statement[]): void;
  /** Tells other processes once the transaction has committed; see {@link Database.listen}. */
  notify(topic: Topic, payload: string): Promise<void>;
}

/**
 * Topics of the notifications between processes. The payload is the id of the project; for `clients`, the
 * name of the client and the id of its connection follow, for `changes` ids of events, and for `bulk` it may be empty.
 */
export type Topic =
  | 'rules'
  | 'endpoints'
  | 'channels'
  | 'keys'
  | 'log'
  | 'clients'
  | 'events'
  | 'changes'
  | 'bulk'
  | 'receivers'
  | 'event_types'
  | 'projects';

/** The address of a database. Structured clone copies it. */
export type DatabaseOptions =
  | { readonly sqlite: string }
  | { readonly postgres: string; readonly schema?: string; readonly connections?: number };

/** An upgrade of a database that an earlier version has made; it takes two to three minutes for a million events. */
export interface Upgrade {
  /** Steps that the database has taken, of all. */
  readonly taken: number;
  readonly steps: number;
}

/** Called before each step of an upgrade, and once more after the last. */
export type OnUpgrade = (upgrade: Upgrade) => void;

/** A connection of its own that only reads, for a thread. */
export interface Reader extends Pick<Queries, 'all' | 'get'> {
  close(): Promise<void>;
}

/** A database with the host's tables and the library's. */
export interface Database extends Queries {
  readonly dialect: 'sqlite' | 'postgres';
  /** The options of its opening, for threads that open readers: see `openReader`. May hold a password. */
  readonly options: DatabaseOptions;
  /**
   * Runs `work` in a transaction. The promise resolves once the commit is on the disk. When `work` throws, nothing has
   * happened. `work` may run again after a serialization failure or a deadlock, so it has no other effects.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** The library's store, on the same database. */
  readonly store: DeliveryStore;
  /** Tells the other processes, and this one; for what is not part of a transaction. */
  notify(topic: Topic, payload: string): Promise<void>;
  /**
   * Calls `told` with each payload that a process, this one included, passes to `notify`. Notifications may be lost
   * while the connection is away, so every listener also reads again from time to time.
   *
   * @returns Stops listening.
   */
  listen(topic: Topic, told: (payload: string) => void): () => void;
  /** Rejects with `store_unavailable` when the database does not answer. */
  ping(): Promise<void>;
  /** Ends all connections. */
  close(): Promise<void>;
}
