/** A site in an SQLite file. */
import { DatabaseSync } from '@photostructure/sqlite';
import { createSqliteStore } from 'headgate/sqlite';
import { type LeaseChange, type Order, type Site, type SiteSettings, storedIn } from './site.js';

const TABLES = `
  create table orders (number integer primary key, event text not null unique) strict;
  create table leases (number integer primary key, delivery text not null, lease text, at integer not null) strict;
  create trigger leases after update of lease on headgate_deliveries when new.lease is not old.lease begin
    insert into leases (delivery, lease, at) values (new.id, new.lease, cast(unixepoch('subsec') * 1000 as integer));
  end;`;

interface Row {
  readonly id: string;
  readonly state: string;
}

export function openSqliteSite(settings: SiteSettings & { readonly kind: 'sqlite' }): Promise<Site> {
  const { kind: _kind, ...options } = settings;
  const store = createSqliteStore(options);
  const database = new DatabaseSync(options.path);
  database.exec('pragma busy_timeout = 2000');
  database.exec('pragma synchronous = full');
  const all = <T>(sql: string): T[] => database.prepare(sql).all() as T[];
  const count = (sql: string): number => all<{ n: number }>(sql)[0]?.n ?? 0;
  const insert = 'insert into orders (number, event) values (?, ?)';
  return Promise.resolve({
    store,
    prepare: () => {
      database.exec(TABLES);
      return Promise.resolve();
    },
    lastOrder: () => Promise.resolve(count('select max(number) as n from orders')),
    place: async ({ number, event }, dispatch, undone) => {
      database.exec('begin immediate');
      try {
        database.prepare(insert).run(number, event);
        await store.enqueue([dispatch], database);
        database.exec(undone ? 'rollback' : 'commit');
      } catch (error) {
        if (database.isTransaction) database.exec('rollback');
        throw error;
      }
    },
    unfinished: () =>
      Promise.resolve(count('select count(*) as n from headgate_deliveries where finished_at is null')),
    busyKeys: () => Promise.resolve(count('select count(*) as n from headgate_key_holders')),
    ledger: async () => ({
      orders: all<Order>('select number, event from orders'),
      stored: await storedIn(store, all<Row>('select id, state from headgate_deliveries')),
      leases: all<LeaseChange>('select delivery, lease, at from leases order by number'),
    }),
    close: () => {
      database.close();
      store.close();
      return Promise.resolve();
    },
  });
}
