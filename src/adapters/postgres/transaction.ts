/** Runs the statements of a store in a transaction that another library than `pg` has opened. */
import { callable, invalid, kindOf } from '../../delivery/arguments.js';
import type { PostgresTransaction } from './pool.js';

/** A value of a statement. An array is text, such as `{"a","b"}`, since libraries encode arrays in different ways. */
export type PostgresValue = string | number | boolean | null;

/** The rows of a statement, or an object that has them. */
export type PostgresRows = readonly unknown[] | { readonly rows: readonly unknown[] };

/**
 * Makes a transaction of Kysely, TypeORM, Prisma, Drizzle, postgres.js or another library one that `enqueue` and the
 * other methods of a store take.
 *
 * @example
 * ```ts no-run foreign: it needs postgres.js
 * import { createDispatch } from 'headgate/delivery';
 * import { createPostgresStore, postgresTransaction } from 'headgate/postgres';
 * import pg from 'pg';
 * import postgres from 'postgres';
 *
 * const store = createPostgresStore({ pool: new pg.Pool({ connectionString: process.env.DATABASE_URL }) });
 * const event = { id: 'evt_1', type: 'order.paid', data: { order: 1 } };
 * const endpoints = [{ id: 'a', status: 'active' as const }];
 * const dispatch = createDispatch({ outcome: 'deliver', event, endpointIds: null }, endpoints, { at: Date.now() });
 *
 * await postgres(process.env.DATABASE_URL ?? '').begin(async (sql) => {
 *   await sql`insert into orders values (1, true)`;
 *   await store.enqueue([dispatch], postgresTransaction((text, values) => sql.unsafe(text, values)));
 * });
 * ```
 * @param run - Runs one statement in the open transaction. `text` is SQL with `$1`, `$2` … for the `values`.
 * @throws {@link OptionError} `invalid_option` unless `run` is a function; as a rejection of the store's method, if
 * `run` returns something that is not rows.
 */
export function postgresTransaction(
  run: (text: string, values: PostgresValue[]) => PromiseLike<PostgresRows>,
): PostgresTransaction {
  callable('a function that runs a statement in your transaction')('run', run);
  return {
    query: async ({ text, values = [] }) => ({
      rows: rowsOf(await run(text, values.map(valueOf))).map(withColumnNames),
    }),
  };
}

const valueOf = (value: unknown): PostgresValue =>
  Array.isArray(value) ? `{${value.map(elementOf).join()}}` : (value as PostgresValue);

/** An element in an array's literal; see https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
function elementOf(value: PostgresValue | bigint | Uint8Array): string {
  if (value === null) return 'null';
  const text = value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : String(value);
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** TypeORM returns the rows of an update or a delete in an array with their number. */
function rowsOf(result: unknown): readonly object[] {
  const rows: unknown = (result as { readonly rows?: unknown } | null | undefined)?.rows ?? result;
  if (!Array.isArray(rows)) throw invalid(`run returned ${kindOf(rows)}: return the rows of the statement`);
  return (Array.isArray(rows[0]) ? rows[0] : rows) as object[];
}

/** Plugins of Kysely and `transform` of postgres.js may have renamed the columns: `endpointId` is `endpoint_id`. */
const withColumnNames = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replaceAll(/-|(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase(),
      value as unknown,
    ]),
  );
