/** The database in Postgres, for any number of processes. */
import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgresStore, type PostgresStore } from 'headgate/postgres';
import pg from 'pg';
import { textFor } from './dialect.js';
import { bodyReader, COLUMNS, withoutQuery, keepExchange } from './library.js';
import { planMigration, type TakenStep } from './migration-plan.js';
import { createListener } from './postgres-listener.js';
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
import { databaseError, DatabaseUnavailable } from './unavailable.js';

/** Options of {@link openPostgres}. */
export interface PostgresOptions {
  readonly url: string;
  /**
   * Schema of the host's tables; those of the library are in `<schema>_deliveries`.
   * @defaultValue `'headgate_host'`
   */
  readonly schema?: string;
  /**
   * Most connections of this process.
   * @defaultValue `16`
   */
  readonly connections?: number;
}

/** A transaction that waits for its client this long is ended by the server, and its locks with it. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/**
 * Statements read a bounded number of rows in the order of an index. A bitmap scan reads all rows that match a
 * condition before the first comes out, and is chosen where they are thought to be few, as undecided events are until
 * there is a backlog. For the same reason nothing is sorted within the groups of another index: until Postgres has
 * statistics it would read the whole history of an endpoint to find what waits for it.
 */
const PLANS = '-c enable_bitmapscan=off -c enable_incremental_sort=off';
const READ_ONLY = '-c default_transaction_read_only=on';
const DEFAULT_SCHEMA = 'headgate_host';
const QUERY_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 3_000;
const MAX_TRIES = 5;
/** Serialization failure and deadlock: the transaction did nothing and may run again. */
const REPEATABLE = new Set(['40001', '40P01']);
/** The schema of the library's tables. */
const librarySchema = (schema: string): string => `${schema}_deliveries`;
const SCHEMA = /^[a-z_][a-z0-9_]{0,50}$/;

/**
 * Connects, and makes the tables or brings them up to date.
 *
 * @throws DatabaseUnavailable (as a rejection) when the server does not answer.
 */
export async function openPostgres(
  { url, schema = DEFAULT_SCHEMA, connections = 16 }: PostgresOptions,
  onUpgrade: OnUpgrade,
): Promise<Database> {
  if (!SCHEMA.test(schema)) throw new Error(`schema ${schema}: give up to 51 small letters, digits and _`);
  const config: pg.PoolConfig = {
    ...configOf(url, schema, PLANS),
    max: connections,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    // Statements of a connection go out without waiting for the answers to those before: see `Transaction.together`.
    pipeline: true,
    stream: () => new TurnSocket(),
  };
  const pool = openPool(config);
  const queries = queriesOn(pool);
  const settled = new Settlements();
  const store = createPostgresStore({
    pool,
    schema: librarySchema(schema),
    columns: COLUMNS,
    keepUrl: withoutQuery,
    keepExchange,
    readBodies: bodyReader(queries),
    onSettle(settlements, client) {
      settled.note(settlements, client);
      return Promise.resolve();
    },
  });
  try {
    await upgrade(config, schema, onUpgrade);
  } catch (error) {
    await pool.end();
    throw databaseError(error);
  }
  const listener = createListener(config, `${schema}_changes`);
  return {
    ...queries,
    dialect: 'postgres',
    options: { postgres: url, schema, connections },
    store,
    transaction: (work) => transact({ pool, store, settled, channel: `${schema}_changes` }, work),
    notify: async (topic, payload) => {
      await queries.run('select pg_notify($1, $2)', [`${schema}_changes`, `${topic} ${payload}`]);
    },
    listen: (topic, told) => listener.listen(topic, told),
    ping: async () => {
      await queries.get('select 1');
    },
    close: async () => {
      await listener.close();
      await pool.end();
    },
  };
}

/** Opens the connection of a thread: one, and only when it is first needed. */
export function openPostgresReader({ url, schema = DEFAULT_SCHEMA }: PostgresOptions): Reader {
  const pool = openPool({ ...configOf(url, schema, `${PLANS} ${READ_ONLY}`), max: 1 });
  const { all, get } = queriesOn(pool);
  return { all, get, close: () => pool.end() };
}

const configOf = (url: string, schema: string, options: string): pg.PoolConfig => ({
  connectionString: url,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  query_timeout: QUERY_TIMEOUT_MS,
  keepAlive: true,
  options: `-c search_path=${schema},${librarySchema(schema)} ${options}`,
  types: TYPES,
});

function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined);
  return pool;
}

/**
 * A socket that sends the writes of one turn of the event loop together: to wake the server for each
 * statement costs more than the statements do. TLS bypasses it.
 */
class TurnSocket extends Socket {
  override uncork(): void {
    process.nextTick(() => super.uncork());
  }
}

/** Whole numbers as numbers: instants and counts are far below 2^53. */
const TYPES = new pg.TypeOverrides();
TYPES.setTypeParser(pg.types.builtins.INT8, Number);
TYPES.setTypeParser(pg.types.builtins.NUMERIC, Number);

const PREPARED = new Map<Sql, pg.QueryConfig>();

/** A statement with a name of its own, under which each connection prepares it once. */
function prepared(sql: Sql): pg.QueryConfig {
  const known = PREPARED.get(sql);
  if (known !== undefined) return known;
  const text = textFor(sql, 'postgres');
  const name = createHash('sha1').update(text).digest('base64url');
  const query = { name, text };
  PREPARED.set(sql, query);
  return query;
}

function queriesOn(client: pg.Pool | pg.PoolClient): Queries {
  /** Throws at once where the statement cannot be sent: then no commit follows. */
  const query = (sql: Sql, values: readonly Value[]): Promise<pg.QueryResult<pg.QueryResultRow>> =>
    client.query({ ...prepared(sql), values: [...values] }).catch(rethrow);
  return {
    all: <Of>(sql: Sql, values: readonly Value[] = []) => query(sql, values).then(({ rows }) => rows as Of[]),
    get: <Of>(sql: Sql, values: readonly Value[] = []) =>
      query(sql, values).then(({ rows }) => rows[0] as Of | undefined),
    run: (sql, values = []) => query(sql, values).then(countOf),
    insert: (table, rows, onConflict) => {
      const [first] = rows;
      if (first === undefined) return Promise.resolve(0);
      return query(insertText(table, first, onConflict), [JSON.stringify(rows)]).then(countOf);
    },
  };
}

function rethrow(error: unknown): never {
  throw databaseError(error);
}

const countOf = ({ rowCount }: pg.QueryResult): number => rowCount ?? 0;

/** One value, however many rows: the statement is prepared once. */
function insertText(table: string, first: Row, onConflict: string | undefined): string {
  const columns = Object.keys(first).join(', ');
  return `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::json)
    ${onConflict === undefined ? '' : `on conflict ${onConflict}`}`;
}

/** The parts of a transaction. */
interface Transacting {
  readonly pool: pg.Pool;
  readonly store: PostgresStore;
  readonly settled: Settlements;
  /** The channel of notifications. */
  readonly channel: string;
}

async function transact<T>(parts: Transacting, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transactOnce(parts, work);
    } catch (error) {
      if (!isRepeatable(error) || tries >= MAX_TRIES) throw databaseError(error);
    }
    await sleep(tries * 10);
  }
}

/** The library's errors have the server's as their cause. */
function isRepeatable(error: unknown): boolean {
  const { code, cause } = error as { readonly code?: string; readonly cause?: unknown };
  if (code === 'store_locked' && cause instanceof Error) return isRepeatable(cause);
  return code !== undefined && REPEATABLE.has(code);
}

async function transactOnce<T>(
  { pool, store, settled, channel }: Transacting,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isBroken = false;
  const broken = (): void => void (isBroken = true);
  client.on('error', broken);
  try {
    const begun = client.query(BEGIN);
    begun.catch(() => undefined);
    const queries = queriesOn(client);
    const notify = async (topic: Topic, payload: string): Promise<void> => {
      await queries.run('select pg_notify($1, $2)', [channel, `${topic} ${payload}`]);
    };
    const last: Statement[] = [];
    const beforeCommit: Transaction['beforeCommit'] = (statements) => void last.push(...statements);
    const deliveries = writesOn(store, client, settled);
    const result = await work({ ...queries, notify, together, beforeCommit, deliveries });
    await together([() => begun, ...last, () => commit(client)]);
    return result;
  } catch (error) {
    // Behind a statement that was not answered, a rollback would wait as long again: the server rolls back when the
    // connection ends.
    if (!isRepeatable(error) && databaseError(error) instanceof DatabaseUnavailable) isBroken = true;
    else await client.query('rollback').catch(broken);
    throw error;
  } finally {
    client.off('error', broken);
    client.release(isBroken);
  }
}

/** Prepared, as all others are, so that they go out with those around them. */
const [BEGIN, COMMIT] = [prepared('begin'), prepared('commit')];

/** A transaction in which a statement has failed answers a commit with ROLLBACK, and no error. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query(COMMIT);
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back: a statement had failed');
}

/** SQLSTATE of the statements behind one that has failed; it tells nothing of the reason. */
const TRANSACTION_ABORTED = '25P02';

/** Waits for all, also after a failure: a statement behind the rollback would be in no transaction. */
async function together<Results extends readonly unknown[]>(
  statements: Statements<Results>,
): Promise<Results> {
  const results = await Promise.allSettled(sendAll(statements));
  const errors = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  const values = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (errors.length === 0) return values as readonly unknown[] as Results;
  throw (
    errors.find((error) => (error as { readonly code?: unknown }).code !== TRANSACTION_ABORTED) ?? errors[0]
  );
}

/** One that cannot be sent keeps those behind it back, among them a commit. */
function sendAll(statements: readonly Statement[]): readonly Promise<unknown>[] {
  const sent: Promise<unknown>[] = [];
  try {
    for (const send of statements) sent.push(send());
  } catch (error) {
    sent.push(Promise.reject(databaseError(error)));
  }
  return sent;
}

const writesOn = (store: PostgresStore, client: pg.PoolClient, settled: Settlements): DeliveryWrites => ({
  enqueue: (dispatches) => store.enqueue(dispatches, client),
  settle: (settlements) => settled.of(client, store.settle(settlements, client)),
  redeliver: (filter, options) => store.deadLetters.redeliver(filter, options, client),
  discard: (filter) => store.deadLetters.discard(filter, client),
  makeDue: (filter, at) => store.makeDue(filter, { at }, client),
  remove: (ids, options) => store.deleteDeliveries(ids, options, client),
});

/** Names the lock under which one process at a time makes tables. Any number will do. */
export const MIGRATION_LOCK = 4_726_221;

/** Makes the tables or brings them up to date, on a connection whose statements may take minutes. */
async function upgrade(config: pg.PoolConfig, schema: string, onUpgrade: OnUpgrade): Promise<void> {
  const pool = openPool({ ...config, max: 1, query_timeout: 0, pipeline: false });
  try {
    await tellOf(pool, schema, onUpgrade);
    await createPostgresStore({ pool, schema: librarySchema(schema), columns: COLUMNS }).migrate();
    await migrate(pool, schema, onUpgrade);
  } finally {
    await pool.end();
  }
}

/** Announces an upgrade before the library begins with it. */
async function tellOf(pool: pg.Pool, schema: string, onUpgrade: OnUpgrade): Promise<void> {
  const found = await pool.query<{ name: string | null }>('select to_regclass($1) as name', [
    `${schema}.host_version`,
  ]);
  if ((found.rows[0]?.name ?? null) === null) return;
  const { rows } = await pool.query<{ version: number }>('select version from host_version');
  const [taken, steps] = [rows[0]?.version ?? 0, stepsFor('postgres').length];
  if (taken > 0 && taken < steps) onUpgrade({ taken, steps });
}

async function migrate(pool: pg.Pool, schema: string, onUpgrade: OnUpgrade): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    // `if not exists` alone may answer from before the wait for the lock, and then fails.
    const made = await client.query('select 1 from pg_namespace where nspname = $1', [schema]);
    if (made.rows.length === 0) await client.query(`create schema ${schema}`);
    // Otherwise the tables may go into the library's schema, if that was the only one when the connection was made.
    await client.query(`set local search_path to ${schema}`);
    await client.query('create table if not exists host_version (version bigint not null)');
    await client.query(
      'create table if not exists host_steps (number integer primary key, checksum text not null)',
    );
    const { rows } = await client.query<{ version: number }>('select version from host_version');
    const recorded = await client.query<TakenStep>('select number, checksum from host_steps');
    const steps = stepsFor('postgres');
    const version = rows[0]?.version ?? 0;
    const { statements, taken } = planMigration(version, recorded.rows, steps);
    const library = `${librarySchema(schema)}.`;
    for (const [i, statement] of statements.entries()) {
      await client.query(statementsOf(statement, library));
      if (version > 0) onUpgrade({ taken: version + i + 1, steps: steps.length });
    }
    for (const { number, checksum } of taken) {
      await client.query('insert into host_steps (number, checksum) values ($1, $2)', [number, checksum]);
    }
    await client.query('delete from host_version');
    await client.query('insert into host_version (version) values ($1)', [steps.length]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
