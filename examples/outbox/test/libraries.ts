/** Each library with the function that the examples have for it, on an empty database. */
import pg from 'pg';
import { drizzle } from 'drizzle-orm/postgres-js';
import { CamelCasePlugin } from 'kysely';
import postgres from 'postgres';
import { inject } from 'vitest';
import type { PostgresTransaction } from 'headgate/postgres';
import type { InTransaction } from '../../../test/adapters/postgres/hosted.js';
import type {} from '../../../test/postgres/server.js';

const admin = new pg.Pool({ connectionString: inject('postgres'), max: 1 });
const database = `outbox_${crypto.randomUUID().replaceAll('-', '')}`;
await admin.query(`create database ${database}`);
const address = new URL(inject('postgres'));
address.pathname = database;
process.env['DATABASE_URL'] = address.href;
const { pool, store, url } = await import('../events.js');
const drizzleExample = await import('../drizzle.js');
const kyselyExample = await import('../kysely.js');
const postgresJsExample = await import('../postgres-js.js');
const prismaExample = await import('../prisma.js');
const typeormExample = await import('../typeorm.js');
export { pool, store };

/** A library. */
export interface Library {
  /** The example's function; left out for other settings of a library. */
  readonly pay?: (order: number, charge: () => Promise<void>) => Promise<void>;
  readonly inTransaction: InTransaction;
  /** Ends connections that are not those of the pool. */
  readonly close?: () => Promise<void>;
}

/** Drizzle has its own type for the transactions of each driver. */
type AnyDrizzle = Parameters<typeof drizzleExample.inside>[0];

export const libraries: Readonly<Record<string, Library>> = {
  Drizzle: {
    pay: drizzleExample.pay,
    inTransaction: (work) => drizzleExample.db.transaction((tx) => work(drizzleExample.inside(tx))),
  },
  'Drizzle on postgres.js': onPostgresJs(),
  Kysely: {
    pay: kyselyExample.pay,
    inTransaction: (work) => kyselyExample.db.transaction().execute((trx) => work(kyselyExample.inside(trx))),
  },
  'Kysely with the names of columns changed': {
    inTransaction: (work) =>
      kyselyExample.db
        .withPlugin(new CamelCasePlugin())
        .transaction()
        .execute((trx) => work(kyselyExample.inside(trx))),
  },
  'postgres.js': {
    ...ofPostgresJs(postgresJsExample.db),
    pay: postgresJsExample.pay,
  },
  'postgres.js with the names of columns changed, without types of arrays': ofPostgresJs(
    postgres(url, { transform: postgres.camel, fetch_types: false }),
  ),
  Prisma: {
    pay: prismaExample.pay,
    inTransaction: (work) =>
      prismaExample.db.$transaction((tx) => work(prismaExample.inside(tx)), {
        maxWait: DEADLINE_MS,
        timeout: DEADLINE_MS,
      }),
    close: () => prismaExample.db.$disconnect(),
  },
  TypeORM: {
    pay: typeormExample.pay,
    inTransaction: (work) => typeormExample.db.transaction((manager) => work(typeormExample.inside(manager))),
    close: () => typeormExample.db.destroy(),
  },
};

/** The machine may be busy. */
const DEADLINE_MS = 300_000;

export async function close(): Promise<void> {
  await Promise.all(Object.values(libraries).map((library) => library.close?.()));
  await pool.end();
  // Not `with (force)`, which breaks connections that are still closing.
  await admin.query(`drop database ${database}`);
  await admin.end();
}

function ofPostgresJs(db: postgres.Sql): Library {
  return {
    inTransaction: async <T>(work: (client: PostgresTransaction) => Promise<T>) =>
      (await db.begin((sql) => work(postgresJsExample.inside(sql)))) as T,
    close: () => db.end(),
  };
}

function onPostgresJs(): Library {
  const db = drizzle({ client: postgres(url) });
  return {
    inTransaction: (work) => db.transaction((tx) => work(drizzleExample.inside(tx as unknown as AnyDrizzle))),
    close: () => db.$client.end(),
  };
}
