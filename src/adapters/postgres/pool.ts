/** The part of `pg` that the store uses. Any client with these methods may be given. */
import { type Check, hasMethod, invalid, optional, part } from '../../delivery/arguments.js';

/** A statement with its values. */
export interface PostgresQuery {
  /** Name under which each connection prepares the statement once; left out, it is not prepared. */
  name?: string;
  /** SQL: one statement, or several without values. */
  text: string;
  /** The values of `$1`, `$2` … */
  values?: unknown[];
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

const aClient = optional(part(['query'], 'a connection of pg, or leave it out'));

/** @throws {@link OptionError} `invalid_option` for what is neither a connection of the host nor left out. */
export const assertClient = (client: unknown): void => aClient('client', client);

export const aPool: Check = (name, value) => {
  poolPart(name, value);
  if (isSingle(value)) throw invalid(`${name} is a single connection: give ${POOL}`);
};

const POOL = 'a Pool of pg, such as new Pool({ connectionString })';
const poolPart = part(['query', 'connect'], POOL);

/** A single connection has `connect` too, but a store's concurrent calls would all wait for it. */
const isSingle = (value: unknown): boolean =>
  hasMethod(value, 'release') || hasMethod(value, 'escapeLiteral');
