/** The part of `pg` that the store uses: whatever has it will do. */
import { type Check, invalid, kindOf } from '../../delivery/arguments.js';

/** A statement with its values. */
export interface PostgresQuery {
  /** Under which it is prepared, once for each connection; left out, it is not. */
  name?: string;
  /** SQL; without values it may be several statements. */
  text: string;
  /** For `$1`, `$2` … */
  values?: unknown[];
}

/** A connection, such as `PoolClient` and `Client` of `pg`. */
export interface PostgresClient {
  /**
   * Runs it.
   *
   * @param query - One statement, or several without values.
   */
  query(query: PostgresQuery): Promise<{ rows: unknown[] }>;
}

/** A connection on loan from a pool. */
export interface PostgresPoolClient extends PostgresClient {
  /**
   * Gives it back.
   *
   * @param destroy - It is of no use any more.
   */
  release(destroy?: boolean): void;
  /**
   * Hears of a connection that breaks, as an `EventEmitter` tells it; where nobody hears it, it ends the process.
   *
   * @param event - `'error'`.
   * @param listener - Called when it breaks.
   */
  on?(event: 'error', listener: (error: Error) => void): unknown;
  /**
   * Takes a listener back.
   *
   * @param event - `'error'`.
   * @param listener - The one.
   */
  off?(event: 'error', listener: (error: Error) => void): unknown;
}

/** Connections, such as `Pool` of `pg`. */
export interface PostgresPool extends PostgresClient {
  /** Lends a connection. */
  connect(): Promise<PostgresPoolClient>;
}

/** Has all of these methods. */
const hasMethods = (value: unknown, names: readonly string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function');

export const isClient = (value: unknown): boolean => hasMethods(value, ['query']);

/** A single connection has `connect`, too; but all that a store does at once would wait in one line. */
const isSingle = (value: unknown): boolean =>
  hasMethods(value, ['release']) || hasMethods(value, ['escapeLiteral']);

export const aPool: Check = (name, value) => {
  if (!hasMethods(value, ['query', 'connect'])) {
    throw invalid(`${name} is ${kindOf(value)} without query() and connect(): ${GIVE}`);
  }
  if (isSingle(value)) throw invalid(`${name} is a single connection: ${GIVE}`);
};

const GIVE = 'give a Pool of `pg`, such as new Pool({ connectionString })';
