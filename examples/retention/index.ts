/**
 * Deletes finished deliveries older than a given number of days, in short transactions while everything else runs; for
 * a nightly job:
 *
 *     npx tsx examples/retention/index.ts --days 30 --sqlite deliveries.db
 *     DATABASE_URL=postgres://… npx tsx examples/retention/index.ts --days 30
 */
import { parseArgs } from 'node:util';
import { createPostgresStore } from 'headgate/postgres';
import { createSqliteStore } from 'headgate/sqlite';
import { Pool } from 'pg';

const { values } = parseArgs({ options: { days: { type: 'string' }, sqlite: { type: 'string' } } });
const { DATABASE_URL: url } = process.env;
const days = Number(values.days);
if (!(days > 0) || (values.sqlite === undefined && url === undefined)) {
  console.error('usage: --days <number> and --sqlite <file>, or DATABASE_URL for Postgres');
  process.exit(2);
}
const before = Date.now() - days * 86_400_000;
const { deliveries, bodies } = await (values.sqlite === undefined ? inPostgres() : inSqlite(values.sqlite));
console.log(`deleted ${deliveries} deliveries and ${bodies} bodies of more than ${days} days ago`);

async function inSqlite(path: string) {
  const store = createSqliteStore({ path });
  const deleted = await store.deleteFinished({ before });
  store.close();
  return deleted;
}

async function inPostgres() {
  const pool = new Pool({ connectionString: url });
  const deleted = await createPostgresStore({ pool }).deleteFinished({ before });
  await pool.end();
  return deleted;
}
