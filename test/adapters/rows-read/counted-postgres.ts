/** Postgres that counts its work: `auto_explain` tells of every statement that ran what each node of its plan read. */
import pg from 'pg';
import { createPostgresStore, type PostgresStore } from '../../../src/adapters/postgres/index.js';
import type { PostgresClient, PostgresPool } from '../../../src/adapters/postgres/pool.js';
import type { Counted, Reading, Rewrite } from './measure.js';
import { type BacklogRow, NOW } from './shapes.js';

/** Every statement of a session is explained to the session, with counts and without times. */
const SETTINGS = Object.entries({
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': 0,
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
  'auto_explain.log_parameter_max_length': 0,
  plan_cache_mode: 'force_generic_plan',
}).map(([name, value]) => `-c ${name}=${value}`);

/** A node of a plan. Rows are those of one loop, on average. */
interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
}

/** So many that Postgres does not take the table for one that is best read whole. */
const BODIES = 8_000;

const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const rowsOf = (node: Node): number =>
  (node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)) *
  node['Actual Loops'];

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Nodes that read a table or an index of one. */
const readsTable = (node: Node): boolean =>
  node['Relation Name'] !== undefined && node['Node Type'].endsWith('Scan');

/** The rows and pages that a plan read. */
function readingOf(plan: Node): Required<Reading> {
  const reads = nodesOf(plan).filter(readsTable);
  const scans = reads.filter((node) => node['Node Type'] === 'Seq Scan');
  return {
    read: sum(reads.map(rowsOf)),
    scans: sum(scans.map(rowsOf)),
    sorts: 0,
    pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
  };
}

/** Adds up what the statements of a pool's sessions read. */
class PlanReader {
  #all: Required<Reading>[] = [];

  hear(notice: string): void {
    const start = notice.indexOf('{');
    if (!notice.startsWith('duration:') || start < 0) return;
    const { Plan } = JSON.parse(notice.slice(start)) as { Plan: Node };
    this.#all.push(readingOf(Plan));
  }

  take(): Required<Reading> {
    const all = this.#all;
    this.#all = [];
    return {
      read: Math.round(sum(all.map(({ read }) => read))),
      scans: sum(all.map(({ scans }) => scans)),
      sorts: 0,
      pages: sum(all.map(({ pages }) => pages)),
    };
  }
}

/** A pool whose statements are changed before they are sent. */
function rewriting(pool: pg.Pool, rewrite: Rewrite): PostgresPool {
  const on = (client: PostgresClient): PostgresClient['query'] => {
    return (query) => client.query({ ...query, text: rewrite(query.text) });
  };
  return {
    query: on(pool),
    connect: async () => {
      const client = await pool.connect();
      return Object.assign(Object.create(client), { query: on(client) }) as pg.PoolClient;
    },
  };
}

/** Whether a session makes one plan of each statement, for any values, and keeps it, or a new one for each values. */
export type Plans = 'kept' | 'made each time';

/** A counted Postgres store, and what a test needs to do things to its tables. */
export interface CountedPostgres extends Counted {
  readonly store: () => PostgresStore;
  /** Sessions that count nothing. */
  readonly pool: pg.Pool;
  /** The deliveries, quoted, with their schema. */
  readonly table: string;
  /** From now on; kept ones at first. */
  readonly plan: (plans: Plans) => Promise<void>;
  /** Opens a transaction that may still see all that is here, as a dump does; it ends with the store. */
  readonly hold: () => Promise<void>;
}

/**
 * A Postgres store in a database of its own, whose work is counted in rows of tables and indexes, and in pages. Nothing
 * vacuums or analyzes the tables unasked, and no transaction of another test keeps what is dead in them.
 *
 * @param url - Connection string of a superuser.
 */
export async function countedPostgres(url: string, rewrite?: Rewrite): Promise<CountedPostgres> {
  const [database, schema] = [`rows_${crypto.randomUUID()}`, 'headgate'];
  const table = `"${schema}".deliveries`;
  const server = new pg.Pool({ connectionString: url, max: 1 });
  await server.query(`create database "${database}"`);
  const connectionString = Object.assign(new URL(url), { pathname: `/${database}` }).href;
  const pool = new pg.Pool({ connectionString, max: 2 });
  const counting = new pg.Pool({ connectionString, max: 1, options: SETTINGS.join(' ') });
  const reader = new PlanReader();
  let holder: pg.PoolClient | undefined;
  counting.on('connect', (client) => {
    client.on('notice', ({ message }) => reader.hear(message ?? ''));
  });
  await createPostgresStore({ pool, schema }).migrate();
  await pool.query(`alter table ${table} set (autovacuum_enabled = off);
    alter table "${schema}".bodies set (autovacuum_enabled = off);
    insert into "${schema}".bodies (created_at, event_id, digest, bytes)
    select ${NOW}, 'old ' || n, '', repeat('-', 150)::bytea from generate_series(1, ${BODIES}) as g (n)`);
  const counted = rewrite === undefined ? counting : rewriting(counting, rewrite);
  return {
    pool,
    table,
    plan: async (plans) => {
      await counting.query(`set plan_cache_mode = force_${plans === 'kept' ? 'generic' : 'custom'}_plan`);
    },
    store: () => createPostgresStore({ pool: counted, schema }),
    fill: (rows) => fill(pool, table, rows),
    analyze: async () => void (await pool.query(`analyze ${table}`)),
    take: () => reader.take(),
    hold: async () => {
      holder = await pool.connect();
      await holder.query('begin isolation level repeatable read');
      await holder.query('select 1');
    },
    close: async () => {
      holder?.release(true);
      await counting.end();
      await pool.end();
      await server.query(`drop database "${database}"`);
      await server.end();
    },
  };
}

async function fill(
  pool: pg.Pool,
  table: string,
  rows: Iterable<BacklogRow & { readonly id: string }>,
): Promise<void> {
  const all = [...rows];
  const client = await pool.connect();
  // Without the check of each row's body, which takes most of the time.
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into ${table} (id, event_id, event_type, endpoint_id, origin, state, due_at, lease, finished_at,
        dead_letter, created_at, body, body_bytes)
      select id, 'old', 'x', endpoint_id, 'live', state, due_at, case state when 'leased' then 'another' end, finished_at,
        state = 'failed', ${NOW}, 1, 2
      from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
        as row (id, endpoint_id, state, due_at, finished_at)`,
    [
      all.map(({ id }) => id),
      all.map(({ endpointId }) => endpointId),
      all.map(({ state }) => state),
      all.map(({ dueAt }) => dueAt),
      all.map(({ finishedAt }) => finishedAt),
    ],
  );
  client.release(true);
}
