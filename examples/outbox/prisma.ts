/** A row and its event in a transaction of Prisma. */
import { PrismaPg } from '@prisma/adapter-pg';
import { postgresTransaction } from 'headgate/postgres';
import { orderPaid, store, url } from './events.js';
import { type Prisma, PrismaClient } from './generated/client.js';

export const db = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });

export const inside = (tx: Prisma.TransactionClient) =>
  postgresTransaction((text, values) => tx.$queryRawUnsafe(text, ...values));

export const pay = (order: number, charge: () => Promise<void>): Promise<void> =>
  db.$transaction(async (tx) => {
    await tx.order.create({ data: { id: order, paid: true } });
    await store.enqueue([orderPaid(order)], inside(tx));
    await charge();
  });
