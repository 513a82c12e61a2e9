/** A site in a schema of a Postgres server. */
import { createPostgresStore } from 'headgate/postgres';
import { Pool, type PoolClient } from 'pg';
import { type Order, type Site, type SiteSettings, storedIn } from './site.js';

const tables = (schema: string): string => `
  create table ${schema}.orders (number int primary key, event text not null unique);
  create table ${schema}.leases (
    number bigint generated always as identity, delivery text not null, lease text, at bigint not null
  );
  create function ${schema}.note_lease() returns trigger language plpgsql as $$ begin
    insert into ${schema}.leases (delivery, lease, at)
      values (new.id, new.lease, floor(extract(epoch from clock_timestamp()) * 1000));
    return null;
  end $$;
  create trigger leases after update on ${schema}.deliveries
    for each row when (new.lease is distinct from old.lease) execute function ${schema}.note_lease();`;

const ignore = (): void => undefined;

interface Row {
  readonly id: string;
  readonly state: string;
}

interface LeaseRow {
  readonly delivery: string;
  readonly lease: string | null;
  readonly at: string;
}

export async function openPostgresSite({
  url,
  schema,
}: SiteSettings & { readonly kind: 'postgres' }): Promise<Site> {
  const pool = new Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 20_000 });
  // An idle connection that breaks is no news: whoever asks next is told.
  pool.on('error', ignore);
  const store = createPostgresStore({ pool, schema });
  const all = async <T>(sql: string): Promise<readonly T[]> => (await pool.query(sql)).rows as T[];
  const count = async (sql: string): Promise<number> => Number((await all<{ n: string }>(sql))[0]?.n ?? 0);

  async function inTransaction(end: string, work: (client: PoolClient) => Promise<unknown>): Promise<void> {
    const client = await pool.connect();
    // If it breaks between two queries, the next one fails. Without a listener, the error would end the process.
    client.on('error', ignore);
    let failure: Error | undefined;
    try {
      await client.query('begin');
      await work(client);
      await client.query(end);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      // A connection in the middle of a transaction is closed, which rolls it back.
      client.off('error', ignore);
      client.release(failure);
    }
  }
  return Promise.resolve({
    store,
    prepare: async () => {
      await store.migrate();
      await pool.query(tables(schema));
    },
    lastOrder: () => count(`select max(number) as n from ${schema}.orders`),
    place: ({ number, event }, dispatch, undone) =>
      inTransaction(undone ? 'rollback' : 'commit', async (client) => {
        await client.query(`insert into ${schema}.orders (number, event) values ($1, $2)`, [number, event]);
        await store.enqueue([dispatch], client);
      }),
    unfinished: () => count(`select count(*) as n from ${schema}.deliveries where finished_at is null`),
    busyKeys: () => count(`select count(*) as n from ${schema}.key_holders`),
    ledger: async () => ({
      orders: await all<Order>(`select number, event from ${schema}.orders`),
      stored: await storedIn(store, await all<Row>(`select id, state from ${schema}.deliveries`)),
      leases: (await all<LeaseRow>(`select delivery, lease, at from ${schema}.leases order by number`)).map(
        (row) => ({ ...row, at: Number(row.at) }),
      ),
    }),
    close: () => pool.end(),
  });
}
