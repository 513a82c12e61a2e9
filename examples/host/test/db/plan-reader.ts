/** How the databases would run statements: the steps of SQLite, and the nodes of Postgres. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { textFor } from '../../src/db/dialect.js';
import { type Database, openDatabase, type Sql, type Value } from '../../src/db/index.js';

/** A statement with values such as it is given. */
export type Asked = readonly [name: string, sql: Sql, values: readonly Value[]];

/** The steps of SQLite. The connection must have read before: a plan alone does not notice that tables have changed. */
export async function sqlitePlan(db: Database, [, sql, values]: Asked): Promise<readonly string[]> {
  const text = typeof sql === 'string' ? sql : sql.sqlite;
  const steps = await db.all<{ detail: string }>(`explain query plan ${text}`, values);
  return steps.map(({ detail }) => detail);
}

/** A database of Postgres, and a connection that plans as its connections do. */
export interface Planning {
  readonly db: Database;
  readonly client: pg.Client;
}

/** Nothing is analyzed unasked. */
const NO_AUTOVACUUM = `do $$ declare name regclass; begin
  for name in select oid from pg_class where relkind = 'r' and relnamespace = any (current_schemas(false)::regnamespace[])
  loop execute format('alter table %s set (autovacuum_enabled = off)', name); end loop;
end $$`;

/** Opens a fresh one, which goes with the test. */
export async function openPlanning(): Promise<Planning> {
  const url = inject('postgres');
  const schema = `t_${randomBytes(6).toString('hex')}`;
  const db = await openDatabase({ postgres: url, schema, connections: 2 });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `set search_path = ${schema}, ${schema}_deliveries; set enable_bitmapscan = off; set enable_incremental_sort = off`,
  );
  await client.query(NO_AUTOVACUUM);
  onTestFinished(async () => {
    await db.close();
    await client.query(`drop schema ${schema} cascade; drop schema ${schema}_deliveries cascade`);
    await client.end();
  });
  return { db, client };
}

interface Plan {
  readonly 'QUERY PLAN': string;
}

/** The plans by the values, and for values that are not known, as a connection plans after a while. */
export async function postgresPlans(
  { db, client }: Planning,
  [, sql, values]: Asked,
): Promise<readonly (readonly string[])[]> {
  const text = textFor(sql, 'postgres');
  const custom = await db.all<Plan>(`explain (costs off) ${text}`, values);
  const generic = await client.query<Plan>(`explain (generic_plan, costs off) ${text}`);
  return [custom, generic.rows].map((rows) => rows.map((row) => row['QUERY PLAN']));
}

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

/** Rows that each table gives to a statement, by the plan for its values and by the one for any values. */
export async function rowsRead(
  { client }: Planning,
  [, sql, values]: Asked,
): Promise<readonly Readonly<Record<string, number>>[]> {
  const all: Record<string, number>[] = [];
  for (const plans of ['custom', 'generic']) {
    await client.query(`set plan_cache_mode = force_${plans}_plan`);
    const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Node }] }>({
      name: randomBytes(6).toString('hex'),
      text: `explain (analyze, timing off, format json) ${textFor(sql, 'postgres')}`,
      values: [...values],
    });
    const read: Record<string, number> = {};
    const visit = (node: Node): void => {
      const table = node['Relation Name'];
      if (table !== undefined) {
        const each = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
        read[table] = (read[table] ?? 0) + Math.round(each * node['Actual Loops']);
      }
      node.Plans?.forEach(visit);
    };
    visit(rows[0]!['QUERY PLAN'][0].Plan);
    all.push(read);
  }
  return all;
}
