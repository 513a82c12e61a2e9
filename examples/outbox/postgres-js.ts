/** A row and its event in a transaction of postgres.js. */
import { postgresTransaction } from 'headgate/postgres';
import postgres from 'postgres';
import { orderPaid, store, url } from './events.js';

export const db = postgres(url);

export const inside = (sql: postgres.TransactionSql) =>
  postgresTransaction((text, values) => sql.unsafe(text, values));

export async function pay(order: number, charge: () => Promise<void>): Promise<void> {
  await db.begin(async (sql) => {
    await sql`insert into orders values (${order}, true)`;
    await store.enqueue([orderPaid(order)], inside(sql));
    await charge();
  });
}
