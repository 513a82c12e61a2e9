/** The steps that make the tables, in order. A step that was released is never changed. */
import { StoreError } from '../../errors.js';
import type { SqliteDatabase } from './driver.js';
import { inTransaction } from './transaction.js';

/**
 * Step `n` (from 1) brings the tables from version `n − 1` to `n`.
 *
 * - The index `headgate_due` serves every claim: it has the pending deliveries and no finished ones. `headgate_leases` has
 *   the leased deliveries, which are few.
 * - `headgate_lanes` serves claims from the backlog of an endpoint.
 * - `dead_letter` is true while a failed delivery is in the queue.
 * - `body_bytes` is the size of the body: a claim limits its bytes before it reads any body.
 */
const STEPS: readonly string[] = [
  `create table headgate_bodies (
     id integer primary key,
     event_id text not null,
     digest blob not null,
     created_at integer not null,
     bytes blob not null,
     unique (event_id, digest)
   ) strict;
   create table headgate_deliveries (
     number integer primary key,
     id text not null unique,
     event_id text not null,
     event_type text not null,
     endpoint_id text not null,
     origin text not null,
     replay_of text,
     state text not null,
     attempts integer not null default 0,
     due_at integer,
     lease text,
     history text not null default '',
     created_at integer not null,
     finished_at integer,
     dead_letter integer not null default 0,
     body integer not null references headgate_bodies (id)
   ) strict;
   create index headgate_due on headgate_deliveries (due_at) where state = 'pending';
   create index headgate_lanes on headgate_deliveries (endpoint_id, due_at) where state = 'pending';
   create index headgate_leases on headgate_deliveries (due_at) where state = 'leased';
   create index headgate_holders on headgate_deliveries (body);
   create index headgate_finished on headgate_deliveries (finished_at)
     where finished_at is not null and dead_letter = 0;
   create index headgate_letters on headgate_deliveries (finished_at, id) where dead_letter = 1;
   create index headgate_letters_of_endpoint on headgate_deliveries (endpoint_id, finished_at, id)
     where dead_letter = 1;`,
  'alter table headgate_deliveries add column body_bytes integer;',
];

const VERSIONS = `create table if not exists headgate_migrations (version integer primary key, applied_at text not null
  default current_timestamp) strict`;

/**
 * Brings the tables up to date. Any number of processes may call it at once: the first one makes the changes, and the
 * others find them made. Where there is nothing to do, it only reads, and does not wait for locks.
 *
 * @throws {@link StoreError} `store_outdated` when a later version of the package made the tables.
 */
export function migrate(database: SqliteDatabase): void {
  if (versionOf(database) === STEPS.length) return;
  inTransaction(database, () => {
    database.exec(VERSIONS);
    const version = versionOf(database);
    STEPS.slice(version).forEach((step, index) => {
      database.exec(step);
      database.prepare('insert into headgate_migrations (version) values (?)').run(version + index + 1);
    });
  });
}

function versionOf(database: SqliteDatabase): number {
  const isThere = database.prepare("select 1 from sqlite_schema where name = 'headgate_migrations'").get();
  if (isThere === undefined) return 0;
  const row = database.prepare('select max(version) as version from headgate_migrations').get();
  const version = (row as { version: number | null }).version ?? 0;
  if (version > STEPS.length) throw tooNew(version);
  return version;
}

const tooNew = (version: number): StoreError =>
  new StoreError(
    'store_outdated',
    `the tables have version ${version}, this package knows ${STEPS.length}: update headgate`,
  );
