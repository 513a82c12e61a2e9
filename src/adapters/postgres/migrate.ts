/** Brings the tables up to date, even when many processes start at once. */
import { invalid } from '../../delivery/arguments.js';
import type { Columns } from '../../delivery/columns.js';
import { StoreError } from '../../errors.js';
import type { Database, Statement } from './database.js';
import { type PostgresMigration, postgresMigrations, quoted } from './migrations.js';
import type { PostgresClient } from './pool.js';

/**
 * Runs the missing steps, each in a transaction of its own, in one process at a time, and then adds the columns of the
 * store's user that the table lacks. If there is nothing to do, it needs no right to create anything.
 *
 * @throws {@link StoreError} `store_outdated` when the tables are of a newer version of the package.
 * @throws {@link OptionError} `invalid_option` when the table has one of the columns with another type.
 */
export async function migrate(database: Database, schema: string, columns: Columns): Promise<void> {
  const migrations = postgresMigrations(schema);
  for (let isDone = false; !isDone;) {
    isDone = await database.transaction((client) => step(database, client, { schema, migrations }));
  }
  if (columns.names.length > 0) {
    await database.transaction((client) => addColumns(database, client, schema, columns));
  }
}

const TYPES = { text: 'text', integer: 'bigint' } as const;

async function addColumns(
  database: Database,
  client: PostgresClient,
  schema: string,
  columns: Columns,
): Promise<void> {
  await database.rows(LOCK, [`headgate ${schema}`], client);
  const table = `${quoted(schema)}.deliveries`;
  const found = await database.rows<{ name: string; type: string }>(FIND_COLUMNS, [table], client);
  const known = new Map(found.map(({ name, type }) => [name, type]));
  for (const name of columns.names) {
    const type = TYPES[columns.types[name] ?? 'text'];
    const is = known.get(name);
    if (is === type) continue;
    if (is !== undefined) {
      throw invalid(
        `columns.${name}: the table has it as ${is}, not as ${type}: give another type or another name`,
      );
    }
    const collation = type === 'text' ? ' collate "C"' : '';
    await database.script(`alter table ${table} add column ${name} ${type}${collation}`, client);
  }
}

interface Plan {
  readonly schema: string;
  readonly migrations: readonly PostgresMigration[];
}

/** Runs the next step, if there is one; true when none is left. */
async function step(
  database: Database,
  client: PostgresClient,
  { schema, migrations }: Plan,
): Promise<boolean> {
  await database.rows(LOCK, [`headgate ${schema}`], client);
  const version = await versionOf(database, client, schema);
  if (version > migrations.length) {
    const versions = `version ${version}, this package knows ${migrations.length}`;
    throw new StoreError(
      'store_outdated',
      `The tables were made by a newer headgate (${versions}): update the package`,
    );
  }
  const next = migrations[version];
  if (next !== undefined) await database.script(next.sql, client);
  return version + 1 >= migrations.length;
}

async function versionOf(database: Database, client: PostgresClient, schema: string): Promise<number> {
  const [found] = await database.rows(FIND, [schema], client);
  if (found === undefined) return 0;
  const text = `select max(version) as version from ${quoted(schema)}.migrations`;
  const [last] = await database.rows<{ version: number | null }>({ text }, [], client);
  return last?.version ?? 0;
}

/** Held until the end of the transaction; a second process then sees what the first has done. */
const LOCK: Statement = { text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' };
const FIND_COLUMNS: Statement = {
  text: `select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = to_regclass($1) and attnum > 0 and not attisdropped`,
};
/**
 * Reads the catalogs, and not `to_regclass`: that may answer from before the wait for the lock, if `search_path` names
 * the schema.
 */
const FIND: Statement = {
  text: `select 1 from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = $1 and relname = 'migrations'`,
};
