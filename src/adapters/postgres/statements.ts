/** The prepared statements of one schema. Each is atomic by itself. */
import { createHash } from 'node:crypto';
import type { Columns } from '../../delivery/columns.js';
import { LATER_AT_A_TIME } from '../sql/claim-due.js';
import { MAX_AT_A_TIME } from '../sql/endpoint-queues.js';
import {
  ATTEMPT_COLUMNS,
  NEW_ATTEMPT_COLUMNS,
  RECORD_COLUMNS,
  UNSTORED,
  USER_PREFIX,
} from '../sql/record.js';
import type { Statement } from './database.js';
import { EARLIEST } from './instants.js';
import { KEY_STATEMENTS } from './key-statements.js';
import { quoted } from './migrations.js';

/** Types of the arrays in which a user's columns are given. */
const ARRAYS = { text: 'text[]', integer: 'bigint[]' } as const;

/** The columns of a claimed or finished delivery, of the table or alias `deliveries`, as a `DeliveryRow` has them. */
const recordOf = ({ names }: Columns): string =>
  [
    ...RECORD_COLUMNS.map((name) => `deliveries.${name}`),
    ...names.map((name) => `deliveries.${name} as ${USER_PREFIX}${name}`),
  ].join(', ');

/** The columns of an attempt, of the table or alias `attempts`, as an `AttemptRow` has them. */
const ATTEMPT = ATTEMPT_COLUMNS.map((name) => `attempts.${name} as a_${name}`).join(', ');

/** Joins the last attempt of each delivery. @param table - Name or alias of the deliveries. */
const lastAttemptOf = (table: string): string => `left join lateral (
      select ${ATTEMPT} from {{schema}}.attempts
      where attempts.delivery = ${table}.number and ${table}.attempts <> 0
      order by attempts.number desc limit 1
    ) as last on true`;

/** The condition of the index of pending deliveries, of which Postgres expects many rows even without statistics. */
const PENDING = "due_at is not null and state <> 'leased'";

/** Most deliveries that have become visible since the last claim, and that a claim looks at one by one. */
const FRESH_AT_A_TIME = 2_000;

/** Columns by which a claim chooses deliveries. Rows older than schema version 2 have no `body_bytes`. */
const CANDIDATE = `id, endpoint_id, due_at,
      case when body = ${UNSTORED} then 'event ' || event_id else body::text end as body, coalesce(
        body_bytes, (select octet_length(bytes) from {{schema}}.bodies where bodies.id = deliveries.body)
      ) as bytes`;

/** Statements of a schema. */
export interface Statements extends Readonly<Record<keyof ReturnType<typeof textsFor>, Statement>> {
  /** A statement in the schema that is not prepared. */
  readonly of: (text: string) => Statement;
  /** The columns of the store's user. */
  readonly columns: Columns;
  /** Columns of a dead letter: its record and its last attempt, which `join` joins. */
  readonly letter: { readonly select: string; readonly join: string };
}

/**
 * @param schema - The schema of the tables.
 * @param columns - The columns of the store's user.
 */
export function createStatements(schema: string, columns: Columns): Statements {
  const prefix = quoted(schema);
  const inSchema = (text: string): string => text.replaceAll('{{schema}}', () => prefix);
  const named = Object.entries(textsFor(columns)).map(([name, text]) => [
    name,
    prepared(name, inSchema(text)),
  ]);
  const statements = Object.fromEntries(named) as Record<keyof ReturnType<typeof textsFor>, Statement>;
  const letter = { select: `${recordOf(columns)}, last.*`, join: lastAttemptOf('deliveries') };
  return { ...statements, of: (text) => ({ text: inSchema(text) }), columns, letter };
}

/** The texts of a store: those that name its user's columns, and those that all stores share. */
const textsFor = (columns: Columns) => ({
  ...TEXTS,
  ...KEY_STATEMENTS,
  enqueue: enqueueText(columns, false),
  enqueueWithKeys: enqueueText(columns, true),
  lease: leaseText(columns),
  get: `
    select ${recordOf(columns)}, waiting_due_at, ${ATTEMPT}, attempts.exchange as a_exchange
    from {{schema}}.deliveries left join {{schema}}.attempts on attempts.delivery = deliveries.number
    where deliveries.id = $1 order by attempts.number`,
});

/** The name has a digest of the text: on one connection, statements of different stores must have different names. */
function prepared(name: string, text: string): Statement {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { name: `headgate_${name}_${digest}`, text };
}

/*
 * A plan is made once and kept while the tables grow, so no statement may have a plan that scans a whole table, even a
 * small one. Tables are read row by row: under a `limit`, or in a subquery that cannot be flattened.
 *
 * Postgres compiles a statement before it runs it (JIT) if the estimated cost exceeds 100,000, which takes ten times as
 * long as a claim. It expects a tenth of all rows from a limit that it cannot see, such as a parameter. This makes it
 * read an index in order, also in a small table; in a large one it is far too much. So each such limit stands within
 * one that is a number. Each array of the request is in a subquery, which makes Postgres expect ten elements.
 */

/**
 * Bodies are written before deliveries, both in the order of their keys, so that concurrent statements wait for each
 * other without a deadlock. An existing body is written again, which locks it, so that retention does not delete it.
 * The series is there for its estimate of 1,000 rows, which makes the planner choose hash joins. A delivery whose body
 * is not stored has no digest. The values of the user's columns follow the sizes of the bodies.
 *
 * @param hasKeys - Whether deliveries have ordering keys: they are numbered as given. Two more arrays follow those of
 * the user's columns. A delivery that waits has no `due_at`.
 */
function enqueueText(columns: Columns, hasKeys: boolean): string {
  const first = 16 + columns.names.length;
  const names = [...columns.names, ...(hasKeys ? ['ordering_key', 'waiting_due_at'] : [])];
  const arrays = columns.names.map((name, i) => `$${16 + i}::${ARRAYS[columns.types[name] ?? 'text']}`);
  if (hasKeys) arrays.push(`$${first}::text[]`, `$${first + 1}::bigint[]`);
  const pending = hasKeys ? "when waiting_due_at is not null then 'waiting' " : '';
  const order = hasKeys ? 'case when ordering_key is null then fresh.id end, nth' : 'fresh.id';
  const given = (list: readonly string[]): string => list.map((one) => `, ${one}`).join('');
  return `
    with given as (
      select * from rows from (
        unnest(
          $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[],
          $9::bytea[], $10::text[], $15::int[]${given(arrays)}
        ),
        generate_series(1, cardinality($1::text[]))
      ) as t (id, event_id, event_type, endpoint_id, origin, replay_of, due_at, created_at, digest, lease, body_bytes${given(names)}${hasKeys ? ', nth' : ''})
    ), fresh as materialized (
      select * from given
      where coalesce((select false from {{schema}}.deliveries where deliveries.id = given.id), true)
    ), kept as (
      insert into {{schema}}.bodies (event_id, digest, bytes, created_at)
      select * from unnest($11::text[], $12::bytea[], $13::bytea[], $14::bigint[])
        as t (event_id, digest, bytes, created_at)
      where (event_id, digest) in (select event_id, digest from fresh)
      order by event_id, digest
      on conflict (event_id, digest)
        do update set created_at = bodies.created_at
      returning id, event_id, digest
    ), added as (
      insert into {{schema}}.deliveries
        (id, event_id, event_type, endpoint_id, origin, replay_of, due_at, created_at, lease, state, body, body_bytes${given(names)})
      select fresh.id, event_id, event_type, endpoint_id, origin, replay_of, due_at, created_at, lease,
        case ${pending}when lease is null then 'pending' else 'leased' end, coalesce(kept.id, ${UNSTORED}), body_bytes
        ${given(names.map((name) => `fresh.${name}`))}
      from fresh left join kept using (event_id, digest)
      order by ${order}
      on conflict (id) do nothing
      returning id
    )
    select id from added`;
}

/**
 * Locks the offered rows in order, up to the limit, and skips those that are locked or no longer due. `due_at` is
 * checked on the newest version of the row, even if it was changed after this statement began. A body is returned once,
 * with the first of its deliveries.
 */
const leaseText = (columns: Columns): string => `
    with taken as materialized (
      select nth, due.id, due.due_at
      from unnest((select $1::text[])) with ordinality as wanted (id, nth)
      cross join lateral (
        select id, due_at from {{schema}}.deliveries
        where deliveries.id = wanted.id and due_at <= $2
        for update skip locked
      ) as due
      limit $3
    ), leased as (
      update {{schema}}.deliveries set state = 'leased', lease = $4, due_at = $5
      from taken where deliveries.id = taken.id
      returning taken.nth, taken.due_at as was_due_at, deliveries.body as content, deliveries.number,
        ${recordOf(columns)}
    )
    select leased.*, last.*,
      case when row_number() over (partition by content order by nth) = 1 then bodies.bytes end as bytes
    from leased left join {{schema}}.bodies on bodies.id = leased.content ${lastAttemptOf('leased')}
    order by nth`;

const TEXTS = {
  /**
   * The rows that a claim reads, see `DueRows` in ../sql/claim-due.ts; due ones have a `due_at` after `$6`, later ones
   * after `$7`. Deliveries that have become visible since the snapshot `$8` may lower both; if there are too many of
   * them, the index is read from its start. The row `seen` has the snapshot of this statement as its id. The end of the
   * due ones is a comparison of rows: without statistics Postgres expects few rows between two plain bounds, and would
   * read and sort all of them.
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
      null::text as body, null::int as bytes
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
    select 'behind', head.* from unnest((select $4::text[]), (select $5::int[])) as queue (endpoint_id, count)
    cross join lateral (
      select * from (
        select * from (
          select ${CANDIDATE} from {{schema}}.deliveries
          where (endpoint_id, due_at) >= (queue.endpoint_id, ${EARLIEST})
            and (endpoint_id, due_at) <= (queue.endpoint_id, least($1, $2)) and due_at is not null
          order by endpoint_id, due_at limit queue.count
        ) as first limit ${MAX_AT_A_TIME}
      ) as first limit queue.count
    ) as head`,

  /** One look-up in the index for each endpoint, however many deliveries it has. */
  queues: `
    with recursive queue as (
      (
        select endpoint_id, due_at from {{schema}}.deliveries
        where endpoint_id >= $1 and due_at is not null order by endpoint_id, due_at limit 1
      ) union all
      select next.* from queue cross join lateral (
        select endpoint_id, due_at from {{schema}}.deliveries
        where endpoint_id > queue.endpoint_id and due_at is not null order by endpoint_id, due_at limit 1
      ) as next
    )
    select endpoint_id, due_at from queue limit $2`,

  /** Ends leases; an attempt is added where there is one, and the delivery has its failure and status. */
  settle: `
    with moved as (
      update {{schema}}.deliveries
      set state = ended.state, attempts = ended.attempts, due_at = ended.due_at, lease = ended.new_lease,
        finished_at = ended.finished_at, dead_letter = ended.state = 'failed', added = txid_current(),
        failure = case when ended.number is null then deliveries.failure else ended.failure end,
        status = case when ended.number is null then deliveries.status else ended.status end
      from (
        select * from unnest(
          $1::text[], $2::text[], $3::text[], $4::int[], $5::bigint[], $6::text[], $7::bigint[],
          $8::int[], $9::bigint[], $10::bigint[], $11::text[], $12::int[], $13::boolean[], $14::bigint[], $15::text[],
          $16::text[], $17::text[]
        ) with ordinality as t (
          id, lease, state, attempts, due_at, new_lease, finished_at,
          number, started_at, ended_at, failure, status, transient, retry_after, detail, url, exchange, nth
        )
        limit cardinality($1::text[])
      ) as ended
      where deliveries.id = ended.id and deliveries.lease = ended.lease
      returning deliveries.number as delivery, ended.*
    ), added as (
      insert into {{schema}}.attempts (delivery, ${NEW_ATTEMPT_COLUMNS.join(', ')})
      select delivery, ${NEW_ATTEMPT_COLUMNS.join(', ')} from moved where number is not null
      on conflict (delivery, number) do nothing
    )
    select nth::int - 1 as nth from moved`,

  /**
   * Settlements that were written before: the delivery has that attempt; or, for a settlement without an attempt, the
   * record is as it was written. This is a separate statement so that it sees what another connection committed while
   * `settle` waited for a lock.
   */
  recorded: `
    select ended.nth::int - 1 as nth
    from unnest($1::text[], $2::int[], $3::bigint[], $4::int[], $5::bigint[], $6::bigint[], $7::text[], $8::int[])
      with ordinality as ended (id, attempts, due_at, number, started_at, ended_at, failure, status, nth)
    cross join lateral (
      select number, state, due_at, attempts from {{schema}}.deliveries where deliveries.id = ended.id limit 1
    ) as known
    where case when ended.number is null
      then known.state = 'pending' and known.due_at = ended.due_at and known.attempts = ended.attempts
      else (
        select attempts.started_at = ended.started_at and attempts.ended_at = ended.ended_at
          and attempts.failure is not distinct from ended.failure and attempts.status is not distinct from ended.status
        from {{schema}}.attempts where attempts.delivery = known.number and attempts.number = ended.number
      ) end`,

  /** Begins where the previous batch ended, since the index keeps deleted entries for a while. */
  deleteFinished: `
    with gone as (
      delete from {{schema}}.deliveries where id = any (array(
        select id from {{schema}}.deliveries
        where finished_at >= $1 and finished_at < $2 and not dead_letter order by finished_at limit $3
        for update skip locked
      ))
      returning number, finished_at
    ), attempted as (
      delete from {{schema}}.attempts where delivery = any (array(select number from gone))
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

  /**
   * Deletes bodies that no delivery sends any more. A separate statement, so that it sees every delivery that was added
   * before the bodies were locked.
   */
  deleteBodies: `
    with gone as (
      delete from {{schema}}.bodies
      where id = any($1::bigint[])
        and (select id from {{schema}}.deliveries
          where deliveries.body = bodies.id and body <> ${UNSTORED} and (finished_at is null or dead_letter) limit 1) is null
      returning id
    )
    select count(*)::int as count from gone`,
};
