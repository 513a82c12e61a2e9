/** The steps that make the tables, in order. A step that was released is never changed. */
import { invalid } from '../../delivery/arguments.js';
import type { Columns } from '../../delivery/columns.js';
import { StoreError } from '../../errors.js';
import type { SqliteDatabase } from './driver.js';
import { addHistories } from './histories.js';
import { inTransaction } from './transaction.js';

/** SQL, or what cannot be said in SQL. */
type Step = string | ((database: SqliteDatabase) => void);

/**
 * Step `n` (from 1) brings the tables from version `n − 1` to `n`.
 *
 * - The index `headgate_due` serves every claim: it has the pending deliveries and no finished ones. `headgate_leases`
 *   has the leased deliveries, which are few.
 * - `headgate_lanes` serves claims from the backlog of an endpoint.
 * - `dead_letter` is true while a failed delivery is in the queue.
 * - `body_bytes` is the size of the body: a claim limits its bytes before it reads any body.
 * - `body` is 0 for a body that is not stored.
 * - `headgate_key_holders` has a row for each busy ordering key of an endpoint: the id of the delivery that holds it.
 *   `headgate_waiting` has those that wait behind it.
 */
export const STEPS: readonly Step[] = [
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
  // Each attempt is a row that is added once, in place of a line in the delivery's history. A body is needed until its
  // deliveries are finished, and while one is a dead letter: the table is created again without the reference to it.
  (database) => {
    database.exec(`create table headgate_attempts (
       delivery integer not null,
       number integer not null,
       started_at integer not null,
       ended_at integer not null,
       failure text,
       status integer,
       transient integer,
       retry_after integer,
       detail text,
       url text,
       primary key (delivery, number)
     ) strict, without rowid;
     create table headgate_deliveries_new (
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
       failure text,
       status integer,
       created_at integer not null,
       finished_at integer,
       dead_letter integer not null default 0,
       body integer not null,
       body_bytes integer
     ) strict;
     insert into headgate_deliveries_new select number, id, event_id, event_type, endpoint_id, origin, replay_of, state,
       attempts, due_at, lease, null, null, created_at, finished_at, dead_letter, body, body_bytes from headgate_deliveries;`);
    addHistories(database);
    database.exec(`drop table headgate_deliveries;
     alter table headgate_deliveries_new rename to headgate_deliveries;
     create index headgate_due on headgate_deliveries (due_at) where state = 'pending';
     create index headgate_lanes on headgate_deliveries (endpoint_id, due_at) where state = 'pending';
     create index headgate_leases on headgate_deliveries (due_at) where state = 'leased';
     create index headgate_holders on headgate_deliveries (body) where finished_at is null or dead_letter = 1;
     create index headgate_finished on headgate_deliveries (finished_at)
       where finished_at is not null and dead_letter = 0;
     create index headgate_letters on headgate_deliveries (finished_at, id) where dead_letter = 1;
     create index headgate_letters_of_endpoint on headgate_deliveries (endpoint_id, finished_at, id)
       where dead_letter = 1;
     create trigger headgate_attempts_go after delete on headgate_deliveries begin
       delete from headgate_attempts where delivery = old.number;
     end;`);
  },
  `alter table headgate_deliveries add column ordering_key text;
   alter table headgate_deliveries add column holds_key integer;
   create index headgate_waiting on headgate_deliveries (endpoint_id, ordering_key, number) where state = 'waiting';
   create table headgate_key_holders (
     endpoint_id text not null,
     ordering_key text not null,
     holder text not null,
     primary key (endpoint_id, ordering_key)
   ) strict, without rowid;`,
  `drop index headgate_holders;
   create index headgate_holders on headgate_deliveries (body)
     where body <> 0 and (finished_at is null or dead_letter = 1);`,
  'alter table headgate_attempts add column exchange text',
];

const VERSIONS = `create table if not exists headgate_migrations (version integer primary key, applied_at text not null
  default current_timestamp) strict`;

/**
 * Brings the tables up to date. Any number of processes may call it at once: the first one makes the changes, and the
 * others find them made. If there is nothing to do, it only reads, and does not wait for locks.
 *
 * @param columns - The columns of the store's user; those that the table lacks are added.
 * @throws {@link StoreError} `store_outdated` when a later version of the package made the tables.
 * @throws {@link OptionError} `invalid_option` when the table has one of the columns with another type.
 */
export function migrate(database: SqliteDatabase, columns: Columns): void {
  if (versionOf(database) === STEPS.length && missing(database, columns).length === 0) return;
  // A step may rebuild a table that others refer to; within a transaction the pragma does nothing.
  database.exec('pragma foreign_keys = off');
  inTransaction(database, () => {
    database.exec(VERSIONS);
    const version = versionOf(database);
    STEPS.slice(version).forEach((step, index) => {
      if (typeof step === 'string') database.exec(step);
      else step(database);
      database.prepare('insert into headgate_migrations (version) values (?)').run(version + index + 1);
    });
    for (const name of missing(database, columns)) {
      database.exec(`alter table headgate_deliveries add column ${name} ${columns.types[name] ?? 'text'}`);
    }
  });
  database.exec('pragma foreign_keys = on');
}

/** Names of the user's columns that the table lacks. */
function missing(database: SqliteDatabase, { names, types }: Columns): readonly string[] {
  if (names.length === 0) return [];
  const rows = database.prepare('pragma table_info(headgate_deliveries)').all();
  const known = new Map(
    (rows as { name: string; type: string }[]).map(({ name, type }) => [name, type.toLowerCase()]),
  );
  for (const name of names) {
    const [is, type] = [known.get(name), types[name]];
    if (is === undefined || is === type) continue;
    throw invalid(
      `columns.${name}: the table has it as ${is}, not as ${type}: give another type or another name`,
    );
  }
  return names.filter((name) => !known.has(name));
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
