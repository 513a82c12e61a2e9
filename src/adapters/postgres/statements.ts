/** The prepared statements of one schema. Each is atomic by itself. */
import { createHash } from 'node:crypto';
import type { Statement } from './database.js';
import { LATER_AT_A_TIME } from '../sql/claim-due.js';
import { MAX_AT_A_TIME } from '../sql/lanes.js';
import { EARLIEST } from './instants.js';
import { quoted } from './migrations.js';

/** Columns of a delivery; the driver returns them as a `DeliveryRow`. */
const COLUMNS = [
  ...['id', 'event_id', 'event_type', 'endpoint_id', 'origin', 'replay_of', 'state', 'attempts'],
  ...['due_at', 'lease', 'history', 'created_at', 'finished_at'],
];
/** @param table - Name or alias of the deliveries. */
export const columns = (table: string): string => COLUMNS.map((column) => `${table}.${column}`).join(', ');

/** The condition of the index of pending deliveries, of which Postgres expects many rows even without statistics. */
const PENDING = "due_at is not null and state <> 'leased'";

/** Most deliveries that have become visible since the last claim, and that a claim looks at one by one. */
const FRESH_AT_A_TIME = 2_000;

/** Columns by which a claim chooses deliveries. Rows older than schema version 2 have no `body_bytes`. */
const CANDIDATE = `id, endpoint_id, due_at, body, coalesce(
        body_bytes, (select octet_length(bytes) from {{schema}}.bodies where bodies.id = deliveries.body)
      ) as bytes`;

/** Statements of a schema. */
export interface Statements extends Readonly<Record<keyof typeof TEXTS, Statement>> {
  /** A statement in the schema that is not prepared. */
  readonly of: (text: string) => Statement;
}

/** @param schema - The schema of the tables. */
export function createStatements(schema: string): Statements {
  const prefix = quoted(schema);
  const inSchema = (text: string): string => text.replaceAll('{{schema}}', () => prefix);
  const named = Object.entries(TEXTS).map(([name, text]) => [name, prepared(name, inSchema(text))]);
  const statements = Object.fromEntries(named) as Record<keyof typeof TEXTS, Statement>;
  return { ...statements, of: (text) => ({ text: inSchema(text) }) };
}

/** The name has a digest of the text: on one connection, statements of different stores must have different names. */
function prepared(name: string, text: string): Statement {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { name: `headgate_${name}_${digest}`, text };
}

/*
 * A plan is made once and kept while the tables grow, so no statement may have a plan that scans a whole table, even a small
 * one. Tables are read row by row: under a `limit`, or in a subquery that cannot be flattened.
 *
 * Postgres compiles a statement before it runs it (JIT) if the estimated cost exceeds 100,000, which takes ten times as long as
 * a claim. It expects a tenth of all rows from a limit that it cannot see, such as a parameter. This makes it read an index in
 * order, also in a small table; in a large one it is far too much. So each such limit stands within one that is a number.
 * Each array of the request stands in a subquery, which makes Postgres expect ten elements.
 */
const TEXTS = {
  /**
   * Bodies are written before deliveries, both in the order of their keys, so that concurrent statements wait for each other
   * without a deadlock. An existing body is written again, which locks it, so that retention does not delete it. The series
   * is there for its estimate of 1,000 rows, which makes the planner choose hash joins.
   */
  enqueue: `
    with given as (
      select * from rows from (
        unnest(
          $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[],
          $9::bytea[]
        ),
        generate_series(1, cardinality($1::text[]))
      ) as t (id, event_id, event_type, endpoint_id, origin, replay_of, due_at, created_at, digest)
    ), fresh as materialized (
      select * from given
      where coalesce((select false from {{schema}}.deliveries where deliveries.id = given.id), true)
    ), kept as (
      insert into {{schema}}.bodies (event_id, digest, bytes, created_at)
      select * from unnest($10::text[], $11::bytea[], $12::bytea[], $13::bigint[])
        as t (event_id, digest, bytes, created_at)
      where (event_id, digest) in (select event_id, digest from fresh)
      order by event_id, digest
      on conflict (event_id, digest)
        do update set created_at = bodies.created_at
      returning id, event_id, digest, octet_length(bytes) as size
    ), added as (
      insert into {{schema}}.deliveries
        (id, event_id, event_type, endpoint_id, origin, replay_of, due_at, created_at, body, body_bytes)
      select fresh.id, event_id, event_type, endpoint_id, origin, replay_of, due_at, created_at, kept.id, kept.size
      from fresh join kept using (event_id, digest)
      order by fresh.id
      on conflict (id) do nothing
      returning id
    )
    select count(*)::int as count from added`,

  /**
   * The rows that a claim reads, see `DueRows` in ../sql/claim-due.ts; due ones have a `due_at` after `$6`, later ones after
   * `$7`. Deliveries that have become visible since the snapshot `$8` may lower both; if there are too many of them, the
   * index is read from its start. The row `seen` has the snapshot of this statement as its id. The end of the due ones is
   * a comparison of rows: without statistics Postgres expects few rows between two plain bounds, and would read and sort
   * all of them.
   */
  read: `
    with fresh as materialized (
      select
        case when count(*) < ${FRESH_AT_A_TIME} then min(due_at) else ${EARLIEST} end as due,
        case when count(*) < ${FRESH_AT_A_TIME} then min(due_at) filter (where due_at > $2::bigint) else $2 + 1 end as later
      from (
        (
          select due_at from (
            select due_at from {{schema}}.deliveries
            where ${PENDING} and added >= txid_snapshot_xmax($8::txid_snapshot)
            order by added limit (select ${FRESH_AT_A_TIME})
          ) as one limit ${FRESH_AT_A_TIME}
        ) union all (
          select one.due_at from txid_snapshot_xip($8::txid_snapshot) as open (xid)
          cross join lateral (
            select due_at from {{schema}}.deliveries
            where ${PENDING} and (added, added) >= (open.xid, open.xid) and (added, added) <= (open.xid, open.xid)
            order by added limit (select ${FRESH_AT_A_TIME})
          ) as one
          limit ${FRESH_AT_A_TIME}
        )
      ) as one
    )
    select 'seen' as part, txid_current_snapshot()::text as id, '' as endpoint_id, 0::bigint as due_at,
      null::bigint as body, null::int as bytes
    union all (
      select 'due', head.* from (
        select ${CANDIDATE} from {{schema}}.deliveries
        where due_at > greatest($1::bigint, least($6::bigint, (select due from fresh) - 1))
          and (due_at, due_at) <= ($2, $2)
        order by due_at limit $3
      ) as head limit ${MAX_AT_A_TIME}
    ) union all (
      select 'later', id, endpoint_id, due_at, null, null from {{schema}}.deliveries
      where due_at > greatest($2, least($7::bigint, (select later from fresh) - 1)) order by due_at limit ${LATER_AT_A_TIME}
    ) union all
    select 'behind', head.* from unnest((select $4::text[]), (select $5::int[])) as lane (endpoint_id, count)
    cross join lateral (
      select * from (
        select * from (
          select ${CANDIDATE} from {{schema}}.deliveries
          where (endpoint_id, due_at) >= (lane.endpoint_id, ${EARLIEST})
            and (endpoint_id, due_at) <= (lane.endpoint_id, least($1, $2)) and due_at is not null
          order by endpoint_id, due_at limit lane.count
        ) as first limit ${MAX_AT_A_TIME}
      ) as first limit lane.count
    ) as head`,

  /** One look-up in the index for each endpoint, however many deliveries it has. */
  lanes: `
    with recursive lane as (
      (
        select endpoint_id, due_at from {{schema}}.deliveries
        where endpoint_id >= $1 and due_at is not null order by endpoint_id, due_at limit 1
      ) union all
      select next.* from lane cross join lateral (
        select endpoint_id, due_at from {{schema}}.deliveries
        where endpoint_id > lane.endpoint_id and due_at is not null order by endpoint_id, due_at limit 1
      ) as next
    )
    select endpoint_id, due_at from lane limit $2`,

  /**
   * Locks the offered rows in order, up to the limit, and skips those that are locked or no longer due. `due_at` is checked
   * on the newest version of the row, even if it was changed after this statement began. A body is returned once, with the
   * first of its deliveries.
   */
  lease: `
    with taken as materialized (
      select place, due.id, due.due_at
      from unnest((select $1::text[])) with ordinality as wanted (id, place)
      cross join lateral (
        select id, due_at from {{schema}}.deliveries
        where deliveries.id = wanted.id and due_at <= $2
        for update skip locked
      ) as due
      limit $3
    ), leased as (
      update {{schema}}.deliveries set state = 'leased', lease = $4, due_at = $5
      from taken where deliveries.id = taken.id
      returning taken.place, taken.due_at as was_due_at, deliveries.body as content, ${columns('deliveries')}
    )
    select leased.*,
      case when row_number() over (partition by content order by place) = 1 then bodies.bytes end as bytes
    from leased left join {{schema}}.bodies on bodies.id = leased.content
    order by place`,

  /** A history whose last line was cut off gets a line break before the new line. */
  settle: `
    update {{schema}}.deliveries
    set state = ended.state, attempts = ended.attempts, due_at = ended.due_at, lease = ended.new_lease,
      finished_at = ended.finished_at, dead_letter = ended.state = 'failed', added = txid_current(),
      history = deliveries.history
        || case when right(deliveries.history, 1) in ('', E'\\n') then '' else E'\\n' end || ended.line
    from (
      select * from unnest(
        $1::text[], $2::text[], $3::text[], $4::int[], $5::bigint[], $6::text[], $7::bigint[], $8::text[]
      ) with ordinality as t (id, lease, state, attempts, due_at, new_lease, finished_at, line, place)
      limit cardinality($1::text[])
    ) as ended
    where deliveries.id = ended.id and deliveries.lease = ended.lease
    returning ended.place::int - 1 as place`,

  /**
   * Settlements that were written before: the history has the line of the attempt; or, for a settlement without an attempt,
   * the record is as it was written. This is a separate statement so that it sees what another connection committed while
   * `settle` waited for a lock.
   */
  recorded: `
    select ended.place::int - 1 as place
    from unnest($1::text[], $2::int[], $3::bigint[], $4::text[])
      with ordinality as ended (id, attempts, due_at, line, place)
    cross join lateral (
      select state, due_at, attempts, history from {{schema}}.deliveries where deliveries.id = ended.id limit 1
    ) as known
    where case ended.line
      when '' then known.state = 'pending' and known.due_at = ended.due_at and known.attempts = ended.attempts
      else strpos(E'\\n' || known.history, E'\\n' || ended.line) > 0 end`,

  get: `select ${columns('deliveries')} from {{schema}}.deliveries where id = $1`,

  /** Begins where the previous batch ended, since the index keeps deleted entries for a while. */
  deleteFinished: `
    with gone as (
      delete from {{schema}}.deliveries where id = any (array(
        select id from {{schema}}.deliveries
        where finished_at >= $1 and finished_at < $2 and not dead_letter order by finished_at limit $3
        for update skip locked
      ))
      returning finished_at
    )
    select count(*)::int as count, max(finished_at) as last from gone`,

  /** Skips bodies that another transaction has locked, and does not wait for them. */
  lockBodies: `
    with old as materialized (
      select id, created_at from {{schema}}.bodies
      where (created_at, id) > ($1, $2) and created_at < $3 order by created_at, id limit $4
    ), locked as materialized (
      select bodies.id from old cross join lateral (
        select id from {{schema}}.bodies where bodies.id = old.id for update skip locked
      ) as bodies
    )
    select created_at, id, array(select id from locked) as ids from old
    order by created_at desc, id desc limit 1`,

  /** A separate statement, so that it sees every delivery that was added before the bodies were locked. */
  deleteBodies: `
    with gone as (
      delete from {{schema}}.bodies
      where id = any($1::bigint[])
        and (select id from {{schema}}.deliveries where deliveries.body = bodies.id limit 1) is null
      returning id
    )
    select count(*)::int as count from gone`,
};
