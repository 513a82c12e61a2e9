/** The steps that make the tables, as plain SQL in order. A step that was released is never changed. */
import { type Check, invalid, text } from '../../delivery/arguments.js';

/** One step of the migration. */
export interface PostgresMigration {
  /** From 1. */
  readonly version: number;
  /** Statements for one transaction; the last records the version. */
  readonly sql: string;
}

/** Postgres truncates longer names. */
const MAX_NAME_BYTES = 63;

/**
 * The steps as SQL, to be run by other means than `migrate`, such as by a role with more rights. Run each once, in
 * order, in a transaction of its own.
 *
 * @param schema - The schema of the tables.
 * @throws {@link OptionError} `invalid_option` for an invalid name of a schema.
 */
export function postgresMigrations(schema = 'headgate'): readonly PostgresMigration[] {
  const name = quoted(schema);
  return STEPS.map((sql, i) => ({
    version: i + 1,
    sql: `${sql.replaceAll('{{schema}}', () => name)}
insert into ${name}.migrations (version) values (${i + 1});
`,
  }));
}

/**
 * A name in double quotes.
 *
 * @throws {@link OptionError} `invalid_option` for an invalid name.
 */
export function quoted(schema: string): string {
  schemaText('schema', schema);
  return `"${schema.replaceAll('"', '""')}"`;
}

/** Accepts names of schemas. Postgres reserves names that begin with `pg_`. */
export const schemaText: Check = (name, value) => {
  text(name, value);
  const schema = String(value);
  const { length } = new TextEncoder().encode(schema);
  if (length === 0 || length > MAX_NAME_BYTES || schema.includes('\0')) {
    throw invalid(`${name}: give a name of 1 to ${MAX_NAME_BYTES} bytes`);
  }
  if (schema.startsWith('pg_')) throw invalid(`${name}: give a name that does not begin with pg_`);
};

// Instants are Unix ms. Ids are in the order of their bytes, whatever the collation of the database.
const STEPS: readonly string[] = [
  `create schema if not exists {{schema}};

create table {{schema}}.migrations (
  version int primary key,
  applied_at timestamptz not null default now()
);

-- What is POSTed, once for each event and content. Already small, or JSON that is read back whole: not compressed.
create table {{schema}}.bodies (
  id bigint generated always as identity primary key,
  created_at bigint not null,
  event_id text collate "C" not null,
  digest bytea not null,
  bytes bytea not null,
  unique (event_id, digest)
);
alter table {{schema}}.bodies alter column bytes set storage external;
create index bodies_created on {{schema}}.bodies (created_at, id);

create table {{schema}}.deliveries (
  due_at bigint,
  created_at bigint not null,
  finished_at bigint,
  body bigint not null references {{schema}}.bodies (id),
  attempts int not null default 0,
  dead_letter boolean not null default false,
  id text collate "C" primary key,
  event_id text collate "C" not null,
  event_type text collate "C" not null,
  endpoint_id text collate "C" not null,
  origin text not null,
  replay_of text collate "C",
  state text not null default 'pending',
  lease text collate "C",
  -- Every attempt as JSON, each on a line.
  history text not null default ''
);

-- A claim reads the first of these; neither what is finished nor what is due later is in its way.
create index deliveries_due on {{schema}}.deliveries (due_at) where due_at is not null;
create index deliveries_lanes on {{schema}}.deliveries (endpoint_id, due_at) where due_at is not null;
-- Which bodies are still needed.
create index deliveries_body on {{schema}}.deliveries (body);
-- Retention.
create index deliveries_finished on {{schema}}.deliveries (finished_at)
  where finished_at is not null and not dead_letter;
-- No ids beside the instant: two long ones would be more than an index holds, and that when a delivery fails.
create index deliveries_dead_letters on {{schema}}.deliveries (finished_at) where dead_letter;
create index deliveries_dead_letters_of_endpoint on {{schema}}.deliveries (endpoint_id, finished_at) where dead_letter;

-- Each delivery is written three times and more: the defaults wait for a fifth of a table to be dead before they clean up,
-- and claims step over the dead entries of their index meanwhile. While a table is small it is left alone: as long as the
-- planner knows nothing it expects ten pages, and makes plans that stay good when they are a thousand.
-- See https://www.postgresql.org/docs/current/routine-vacuuming.html
alter table {{schema}}.deliveries set (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 10000,
  autovacuum_vacuum_insert_threshold = 10000,
  autovacuum_analyze_scale_factor = 0.05,
  autovacuum_analyze_threshold = 10000,
  autovacuum_vacuum_cost_delay = 0
);`,

  `-- What the body weighs: claims bound their bytes before they read any.
alter table {{schema}}.deliveries add column body_bytes int;`,

  `-- Deliveries that are due in the same millisecond would share an entry, of up to some hundred rows, which stays until all of
-- them are gone: each claim would look at every row that was claimed before. Entries of their own are skipped one by one.
alter index {{schema}}.deliveries_due set (deduplicate_items = off);
alter index {{schema}}.deliveries_lanes set (deduplicate_items = off);`,

  `-- The transaction that made a delivery pending. By it a claim finds what has become visible since its last look, without
-- stepping over the entries of finished deliveries that an open snapshot keeps in the other indexes.
alter table {{schema}}.deliveries add column added bigint;
alter table {{schema}}.deliveries alter column added set default txid_current();
create index deliveries_added on {{schema}}.deliveries (added) with (deduplicate_items = off)
  where due_at is not null and state <> 'leased';`,

  `-- Each attempt is a row that is added once, in place of a line in the delivery's history.
create table {{schema}}.attempts (
  delivery bigint not null,
  number int not null,
  started_at bigint not null,
  ended_at bigint not null,
  status int,
  -- False: a retry cannot help unless something is changed. Null for a success.
  transient boolean,
  retry_after bigint,
  -- Null for a success.
  failure text collate "C",
  detail text,
  -- What the store was told to keep of the URL that was used.
  url text
);

-- A line that is damaged is left out, as it was when histories were read.
create function {{schema}}.attempt_of(line text) returns jsonb language plpgsql immutable as $$
declare attempt jsonb;
begin
  begin
    attempt := line::jsonb;
  exception when others then
    -- JSON text may have escapes of NUL and of halves of characters, which jsonb has not.
    attempt := regexp_replace(line, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'gi')::jsonb;
  end;
  if jsonb_typeof(attempt->'number') = 'number' and jsonb_typeof(attempt->'started_at') = 'number'
    and jsonb_typeof(attempt->'ended_at') = 'number' and (
      attempt->'outcome'->'ok' = 'true'
      or attempt->'outcome'->'ok' = 'false' and jsonb_typeof(attempt->'outcome'->'failure') = 'string'
    ) then return attempt;
  end if;
  return null;
exception when others then
  return null;
end $$;

-- The tables are written anew and not updated: half of the old one would be dead rows.
alter table {{schema}}.deliveries rename to deliveries_with_history;
alter table {{schema}}.deliveries_with_history rename constraint deliveries_pkey to deliveries_with_history_pkey;
create table {{schema}}.deliveries (
  number bigint generated always as identity,
  due_at bigint,
  created_at bigint not null,
  finished_at bigint,
  body bigint not null,
  added bigint default txid_current(),
  body_bytes int,
  attempts int not null default 0,
  -- HTTP status of the last attempt.
  status int,
  dead_letter boolean not null default false,
  id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text collate "C" not null,
  endpoint_id text collate "C" not null,
  origin text not null,
  replay_of text collate "C",
  state text not null default 'pending',
  lease text collate "C",
  -- Code of the last attempt, if it failed.
  failure text collate "C"
);
insert into {{schema}}.deliveries
  (due_at, created_at, finished_at, body, added, body_bytes, attempts, dead_letter, id, event_id, event_type, endpoint_id,
    origin, replay_of, state, lease)
  select due_at, created_at, finished_at, body, added, body_bytes, attempts, dead_letter, id, event_id, event_type,
    endpoint_id, origin, replay_of, state, lease
  from {{schema}}.deliveries_with_history;
alter table {{schema}}.deliveries add constraint deliveries_pkey primary key (id);

insert into {{schema}}.attempts
  (delivery, number, started_at, ended_at, status, transient, retry_after, failure, detail)
  select distinct on (delivery, (attempt->>'number')::numeric::int)
    delivery, (attempt->>'number')::numeric::int, (attempt->>'started_at')::numeric::bigint,
    (attempt->>'ended_at')::numeric::bigint, (outcome->>'status')::numeric::int,
    case when outcome->'ok' = 'false' then coalesce((outcome->>'transient')::boolean, true) end,
    (outcome->>'retry_after_seconds')::numeric::bigint, outcome->>'failure', outcome->>'detail'
  from (
    select deliveries.number as delivery, attempt, attempt->'outcome' as outcome
    from {{schema}}.deliveries_with_history as old join {{schema}}.deliveries on deliveries.id = old.id
    cross join lateral regexp_split_to_table(old.history, E'\n') as line
    cross join lateral (select case when line <> '' then {{schema}}.attempt_of(line) end as attempt) as read
    where old.history <> '' and attempt is not null
  ) as attempts;
alter table {{schema}}.attempts add primary key (delivery, number);
update {{schema}}.deliveries set failure = last.failure, status = last.status
  from (
    select distinct on (delivery) delivery, failure, status from {{schema}}.attempts order by delivery, number desc
  ) as last
  where last.delivery = deliveries.number;
drop function {{schema}}.attempt_of(text);
drop table {{schema}}.deliveries_with_history;

create index deliveries_due on {{schema}}.deliveries (due_at) with (deduplicate_items = off) where due_at is not null;
create index deliveries_lanes on {{schema}}.deliveries (endpoint_id, due_at) with (deduplicate_items = off)
  where due_at is not null;
create index deliveries_added on {{schema}}.deliveries (added) with (deduplicate_items = off)
  where due_at is not null and state <> 'leased';
-- A body is needed until its deliveries are finished, and while one is a dead letter.
create index deliveries_body on {{schema}}.deliveries (body) where finished_at is null or dead_letter;
create index deliveries_finished on {{schema}}.deliveries (finished_at)
  where finished_at is not null and not dead_letter;
create index deliveries_dead_letters on {{schema}}.deliveries (finished_at) where dead_letter;
create index deliveries_dead_letters_of_endpoint on {{schema}}.deliveries (endpoint_id, finished_at) where dead_letter;

alter table {{schema}}.deliveries set (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 10000,
  autovacuum_vacuum_insert_threshold = 10000,
  autovacuum_analyze_scale_factor = 0.05,
  autovacuum_analyze_threshold = 10000,
  autovacuum_vacuum_cost_delay = 0
);
alter table {{schema}}.attempts set (autovacuum_analyze_threshold = 10000);`,

  `-- Deliveries with the same key to one endpoint are sent one at a time. Those that wait have no due_at, so claims do not meet them.
alter table {{schema}}.deliveries add column ordering_key text collate "C";
-- True for a dead letter behind which others wait, and for its redelivery.
alter table {{schema}}.deliveries add column holds_key boolean;
-- When a delivery is due at the earliest, while it waits.
alter table {{schema}}.deliveries add column waiting_due_at bigint;
create index deliveries_waiting on {{schema}}.deliveries (endpoint_id, ordering_key, number) where state = 'waiting';

-- A row for each busy key: the id of the delivery that holds it. Whoever adds or finishes a delivery of the key locks it.
create table {{schema}}.key_holders (
  endpoint_id text collate "C" not null,
  ordering_key text collate "C" not null,
  holder text collate "C" not null,
  primary key (endpoint_id, ordering_key)
);`,

  `-- The body of a delivery is 0 if it is not stored.
drop index {{schema}}.deliveries_body;
create index deliveries_body on {{schema}}.deliveries (body) where body <> 0 and (finished_at is null or dead_letter);`,

  `-- What the store was told to keep of the request and its answer.
alter table {{schema}}.attempts add column exchange text;`,
];
