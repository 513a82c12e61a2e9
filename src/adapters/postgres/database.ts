/** Runs statements on the pool or in a transaction, by name where they may be prepared. */
import { invalid } from '../../delivery/arguments.js';
import type { HeadgateError } from '../../errors.js';
import { storeErrorOf } from './failure.js';
import type { PostgresClient, PostgresPool, PostgresQuery } from './pool.js';
import { columnTypes } from './types.js';

/** SQL, with a name where its plan is kept. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** A pool whose errors are translated to `StoreError`. Made with its store; the host ends the pool. */
export class Database {
  readonly #pool: PostgresPool;
  readonly #prepare: boolean;

  /** @param prepare - Whether named statements are prepared. */
  constructor(pool: PostgresPool, prepare: boolean) {
    this.#pool = pool;
    this.#prepare = prepare;
  }

  /** Runs one statement, in the transaction of `client` where one is given. */
  async rows<Row>(
    { name, text }: Statement,
    values: readonly unknown[],
    client: PostgresClient = this.#pool,
  ): Promise<readonly Row[]> {
    const query: PostgresQuery = { text, values: [...values], types: columnTypes };
    if (this.#prepare && name !== undefined) query.name = name;
    const { rows } = await translated(client.query(query));
    if (Array.isArray(rows)) return rows as Row[];
    throw invalid('query() of client returned no rows: give a connection of pg, or postgresTransaction(…)');
  }

  /** Runs several statements, without values and unprepared. */
  async script(text: string, client: PostgresClient = this.#pool): Promise<void> {
    await translated(client.query({ text }));
  }

  /**
   * Runs `work` in a transaction: all that it does with its connection happens, or nothing. If Postgres ends it because
   * two transactions wait for each other, `work` is called again.
   */
  async transaction<T>(work: (client: PostgresClient) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#once(work);
      } catch (error) {
        if (tries === MAX_TRIES || !isDeadlock(error as HeadgateError)) throw error;
      }
    }
  }

  async #once<T>(work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const client = await translated(this.#pool.connect());
    client.on?.('error', ignore);
    let broken = false;
    try {
      await client.query({ text: 'begin isolation level read committed' });
      const result = await work(client);
      await client.query({ text: 'commit' });
      return result;
    } catch (error) {
      await client.query({ text: 'rollback' }).catch(() => (broken = true));
      throw storeErrorOf(error);
    } finally {
      client.off?.('error', ignore);
      client.release(broken);
    }
  }
}

/** A delivery that is added while others of its key are removed may have them locked in another order than by keys. */
const MAX_TRIES = 5;

/** 40P01 is `deadlock_detected`. */
const isDeadlock = ({ cause }: HeadgateError): boolean =>
  cause instanceof Error && (cause as Error & { code?: unknown }).code === '40P01';

/** A connection that breaks between two queries fails the next one; without a listener it would end the process. */
const ignore = (): void => undefined;

const translated = <T>(promise: Promise<T>): Promise<T> =>
  promise.catch((error: unknown) => {
    throw storeErrorOf(error);
  });
