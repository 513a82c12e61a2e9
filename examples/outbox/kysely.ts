/** A row and its event in a transaction of Kysely. */
import { postgresTransaction } from 'headgate/postgres';
import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely';
import { orderPaid, pool, store } from './events.js';

interface Tables {
  readonly orders: { readonly id: number; readonly paid: boolean };
}
export const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

export const inside = (trx: Transaction<Tables>) =>
  postgresTransaction((text, values) => trx.executeQuery(CompiledQuery.raw(text, values)));

export const pay = (order: number, charge: () => Promise<void>): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await trx.insertInto('orders').values({ id: order, paid: true }).execute();
    await store.enqueue([orderPaid(order)], inside(trx));
    await charge();
  });
