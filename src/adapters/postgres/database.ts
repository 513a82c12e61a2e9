/** Runs statements: by name where they may be prepared, on the pool or in a transaction. */
import { storeError } from './failure.js';
import type { PostgresClient, PostgresPool, PostgresQuery } from './pool.js';

/** SQL, with a name of its own where its plan is worth keeping. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** A pool whose errors are the store's. */
export class Database {
  readonly #pool: PostgresPool;
  readonly #prepare: boolean;

  /** @param prepare - Whether connections keep plans by name. */
  constructor(pool: PostgresPool, prepare: boolean) {
    this.#pool = pool;
    this.#prepare = prepare;
  }

  /** One statement, in `client`'s transaction where one is given. */
  async rows<Row>(
    { name, text }: Statement,
    values: readonly unknown[],
    client: PostgresClient = this.#pool,
  ): Promise<readonly Row[]> {
    const query: PostgresQuery = { text, values: [...values] };
    if (this.#prepare && name !== undefined) query.name = name;
    return (await translated(client.query(query))).rows as Row[];
  }

  /** Several statements at once, without values and without plans. */
  async script(text: string, client: PostgresClient = this.#pool): Promise<void> {
    await translated(client.query({ text }));
  }

  /** All that `work` does with its connection, or nothing. */
  async transaction<T>(work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const client = await translated(this.#pool.connect());
    client.on?.('error', heard);
    let broken = false;
    try {
      await client.query({ text: 'begin isolation level read committed' });
      const result = await work(client);
      await client.query({ text: 'commit' });
      return result;
    } catch (error) {
      await client.query({ text: 'rollback' }).catch(() => (broken = true));
      throw storeError(error);
    } finally {
      client.off?.('error', heard);
      client.release(broken);
    }
  }
}

/** What breaks between two queries fails the next one. */
const heard = (): void => undefined;

const translated = <T>(promise: Promise<T>): Promise<T> =>
  promise.catch((error: unknown) => {
    throw storeError(error);
  });
