/** The part of `pg` that the store uses: whatever has it will do. */
import { type Check, hasMethod, invalid, part } from '../../delivery/arguments.js';

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

export const aClient = part(['query'], 'a connection of pg, or leave it out');

export const aPool: Check = (name, value) => {
  poolPart(name, value);
  if (isSingle(value)) throw invalid(`${name} is a single connection: give ${POOL}`);
};

const POOL = 'a Pool of pg, such as new Pool({ connectionString })';
const poolPart = part(['query', 'connect'], POOL);

/** A single connection has `connect`, too; but all that a store does at once would wait in one line. */
const isSingle = (value: unknown): boolean =>
  hasMethod(value, 'release') || hasMethod(value, 'escapeLiteral');
