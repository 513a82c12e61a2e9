/** The part of `pg` that the store uses. Any client with these methods may be given. */
import { type Check, hasMethod, invalid, optional, part } from '../../delivery/arguments.js';

/** Parsers of result columns, as `pg` takes them with a query. */
export interface PostgresTypes {
  /**
   * Finds the parser of a type.
   *
   * @param oid - The object id of the type.
   * @param format - `'text'` or `'binary'`.
   */
  getTypeParser(oid: number, format?: string): (value: never) => unknown;
}

/** A statement with its values. */
export interface PostgresQuery {
  /** Name under which each connection prepares the statement once; left out, it is not prepared. */
  name?: string;
  /** SQL: one statement, or several without values. */
  text: string;
  /** The values of `$1`, `$2` … */
  values?: unknown[];
  /** Parsers for the columns of the result, instead of those that the host has set. */
  types?: PostgresTypes;
}

/** A connection, such as `PoolClient` and `Client` of `pg`. */
export interface PostgresClient {
  /**
   * Runs a query.
   *
   * @param query - One statement, or several without values.
   */
  query(query: PostgresQuery): Promise<{ rows: unknown[] }>;
}

/**
 * A connection on which the host has begun a transaction. A pool is not one: it would run each statement on another
 * connection, outside of the transaction. {@link postgresTransaction} makes one for other libraries than `pg`.
 */
export interface PostgresTransaction extends PostgresClient {
  /** Only a pool of `pg` has this count of its connections. */
  readonly totalCount?: never;
}

/** A connection on loan from a pool. */
export interface PostgresPoolClient extends PostgresClient {
  /**
   * Returns the connection to its pool.
   *
   * @param destroy - True when the connection is broken and must not be used again.
   */
  release(destroy?: boolean): void;
  /**
   * Listens for a broken connection, as on an `EventEmitter`; without a listener, the error ends the process.
   *
   * @param event - `'error'`.
   * @param listener - Called when the connection breaks.
   */
  on?(event: 'error', listener: (error: Error) => void): unknown;
  /**
   * Removes a listener.
   *
   * @param event - `'error'`.
   * @param listener - The listener to remove.
   */
  off?(event: 'error', listener: (error: Error) => void): unknown;
}

/** A pool of connections, such as `Pool` of `pg`. */
export interface PostgresPool extends PostgresClient {
  /** Lends a connection. */
  connect(): Promise<PostgresPoolClient>;
}

const CONNECTION =
  'a connection of pg, such as await pool.connect(), with an open transaction, postgresTransaction(…) for another library, or leave it out';
const aClient = optional((name, value) => {
  if (isPostgresJs(value)) {
    throw invalid(
      `${name} is the sql function of postgres.js: give postgresTransaction((text, values) => sql.unsafe(text, values)), with the sql of your sql.begin()`,
    );
  }
  part(['query'], CONNECTION)(name, value);
  assertText(name, value);
  if (!hasMethod(value, 'connect') || isSingle(value)) return;
  throw invalid(
    `${name} is a pool, which runs each statement on another connection, outside of your transaction: give ${CONNECTION}`,
  );
});

/** @throws {@link OptionError} `invalid_option` for what is neither a connection of the host nor left out. */
export const assertClient = (client: unknown): void => aClient('client', client);

/** Recognizes the `sql` function of postgres.js, by which many host applications reach Postgres. */
const isPostgresJs = (value: unknown): boolean => typeof value === 'function' && hasMethod(value, 'unsafe');

/**
 * Refuses `binary: true`, with which `pg` garbles integers: it decodes their bytes as UTF-8 before any parser has them.
 */
function assertText(name: string, settings: unknown): void {
  if ((settings as { readonly binary?: unknown } | undefined)?.binary !== true) return;
  throw invalid(`${name} has binary: true, with which pg garbles integers: give one without this option`);
}

export const aPool: Check = (name, value) => {
  if (isPostgresJs(value)) {
    throw invalid(
      `${name} is the sql function of postgres.js, which has no query(): npm install pg, and give ${POOL}; to enqueue in a transaction of postgres.js, see postgresTransaction`,
    );
  }
  poolPart(name, value);
  assertText(name, (value as { readonly options?: unknown }).options);
  if (isSingle(value)) throw invalid(`${name} is a single connection: give ${POOL}`);
};

const POOL = 'a Pool of pg, such as new Pool({ connectionString })';
const poolPart = part(['query', 'connect'], POOL);

/** A single connection has `connect` too, but a store's concurrent calls would all wait for it. */
const isSingle = (value: unknown): boolean =>
  hasMethod(value, 'release') || hasMethod(value, 'escapeLiteral');
