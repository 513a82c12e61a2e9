/** A connection that breaks during a transaction. */
import { expect, test } from 'vitest';
import { createPostgresStore } from '../../../src/adapters/postgres/index.js';
import { createPool, schemaName } from './schema.js';

/** Session that waits for a lock as named. */
const WAITING = `select pid from pg_stat_activity where wait_event = 'advisory' and query like '%pg_advisory_xact_lock%'
  and pg_blocking_pids(pid) @> array[$1::int]`;

test('a connection that breaks in a transaction rejects what waits for it, and nothing goes unheard', async () => {
  const pool = createPool();
  const schema = schemaName();
  const other = await pool.connect();
  const { rows } = await other.query<{ pid: number }>(
    'select pg_backend_pid() as pid, pg_advisory_lock(hashtextextended($1, 0))',
    [`headgate ${schema}`],
  );
  let lent: { listenerCount(event: string): number } | undefined;
  pool.once('acquire', (client) => (lent = client));
  const migrating = createPostgresStore({ pool, schema }).migrate();
  const refused = expect(migrating).rejects.toMatchObject({ code: 'store_unreachable' });
  // An error that nobody hears ends the process.
  await expect.poll(() => lent?.listenerCount('error')).toBe(1);
  await expect
    .poll(
      async () =>
        (await other.query(`select pg_terminate_backend(pid) from (${WAITING}) as w`, [rows[0]?.pid]))
          .rowCount,
    )
    .toBe(1);
  await refused;
  other.release(true);
  await pool.end();
});
