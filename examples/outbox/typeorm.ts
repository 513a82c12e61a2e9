/** A row and its event in a transaction of TypeORM. */
import { postgresTransaction } from 'headgate/postgres';
import { Column, DataSource, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { orderPaid, store, url } from './events.js';

@Entity('orders')
class Order {
  @PrimaryColumn('integer') id!: number;
  @Column('boolean') paid!: boolean;
}
export const db = await new DataSource({ type: 'postgres', url, entities: [Order] }).initialize();

export const inside = (manager: EntityManager) =>
  postgresTransaction((text, values) => manager.query(text, values));

export const pay = (order: number, charge: () => Promise<void>): Promise<void> =>
  db.transaction(async (manager) => {
    await manager.insert(Order, { id: order, paid: true });
    await store.enqueue([orderPaid(order)], inside(manager));
    await charge();
  });
