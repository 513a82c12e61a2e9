/** A row and its event in a transaction of Drizzle. */
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { boolean, integer, pgTable } from 'drizzle-orm/pg-core';
import { postgresTransaction } from 'headgate/postgres';
import { orderPaid, pool, store } from './events.js';

const orders = pgTable('orders', { id: integer().primaryKey(), paid: boolean().notNull() });
export const db = drizzle({ client: pool });
type Transaction = Parameters<Parameters<typeof db.transaction>[0]>[0];

export const inside = (tx: Transaction) =>
  postgresTransaction((text, values) => {
    const parts = text.split(/\$(\d+)/); // every second one is the number of a value
    return tx.execute(
      sql.join(parts.map((part, i) => (i % 2 ? sql.param(values[+part - 1]) : sql.raw(part)))),
    );
  });

export const pay = (order: number, charge: () => Promise<void>): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.insert(orders).values({ id: order, paid: true });
    await store.enqueue([orderPaid(order)], inside(tx));
    await charge();
  });
