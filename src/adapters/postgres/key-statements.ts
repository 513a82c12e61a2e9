/**
 * Statements on ordering keys. A transaction that adds, finishes or removes deliveries with keys locks the rows of
 * those keys before any row of a delivery, in the order of their primary key. So two transactions cannot deadlock, and
 * the statement after the lock sees every delivery that others have added to the keys.
 */

/** Locks the rows of keys, given as a subquery without a plan that could change their order. */
const lock = (keys: string): string => `
    select count(*)::int as count from (
      select distinct endpoint_id, ordering_key from (${keys}) as given order by endpoint_id, ordering_key
    ) as key
    cross join lateral (
      select 1 from {{schema}}.key_holders as holders
      where holders.endpoint_id = key.endpoint_id and holders.ordering_key = key.ordering_key
      limit 1 for update
    ) as locked`;

/** The keys in two arrays. */
const GIVEN = `
        select endpoint_id collate "C" as endpoint_id, ordering_key collate "C" as ordering_key
        from unnest((select $1::text[]), (select $2::text[])) as given (endpoint_id, ordering_key)`;

/** Locks the keys of dead letters that hold them. */
export const lockLetterKeys = (conditions: string): string =>
  lock(`select endpoint_id, ordering_key from {{schema}}.deliveries where ${conditions} and holds_key`);

export const KEY_STATEMENTS = {
  lockKeys: lock(GIVEN),

  lockKeysOf: lock(`
        select one.endpoint_id, one.ordering_key from unnest((select $1::text[])) as wanted (id)
        cross join lateral (
          select endpoint_id, ordering_key from {{schema}}.deliveries
          where deliveries.id = wanted.id and ordering_key is not null limit 1
        ) as one`),

  /** Gives each key to the first of the given deliveries, or locks the row if another delivery holds the key. */
  takeKeys: `
    insert into {{schema}}.key_holders as holders (endpoint_id, ordering_key, holder)
    select endpoint_id, ordering_key, id from (
      select distinct on (endpoint_id collate "C", ordering_key collate "C") endpoint_id, ordering_key, id
      from unnest((select $1::text[]), (select $2::text[]), (select $3::text[])) with ordinality
        as given (endpoint_id, ordering_key, id, nth)
      order by endpoint_id collate "C", ordering_key collate "C", nth
    ) as first
    order by endpoint_id collate "C", ordering_key collate "C"
    on conflict (endpoint_id, ordering_key) do update set holder = holders.holder
    returning holder as id`,

  /** Writes whether finished deliveries hold their keys. */
  hold: `
    update {{schema}}.deliveries set holds_key = given.holds
    from (
      select * from unnest($1::text[], $2::boolean[]) as given (id, holds) limit cardinality($1::text[])
    ) as given
    where deliveries.id = given.id`,

  /**
   * Gives each key whose holder is finished or deleted to the next delivery, which is due at once, but no earlier than
   * it was to be. The row of a key for which none waits is deleted. The keys are locked. A delivery that was enqueued
   * again with another key does not hold that one.
   */
  passKeys: `
    with over as materialized (
      select key.endpoint_id, key.ordering_key, holder.finished_at, next.id
      from (${GIVEN}) as key
      cross join lateral (
        select holder as id from {{schema}}.key_holders as holders
        where holders.endpoint_id = key.endpoint_id and holders.ordering_key = key.ordering_key limit 1
      ) as held
      left join lateral (
        select ordering_key, finished_at, dead_letter and holds_key is true as holds from {{schema}}.deliveries
        where deliveries.id = held.id limit 1
      ) as holder on true
      left join lateral (
        select id from {{schema}}.deliveries
        where endpoint_id = key.endpoint_id and ordering_key = key.ordering_key and state = 'waiting'
        order by number limit 1
      ) as next on true
      where holder.ordering_key is distinct from key.ordering_key or (finished_at is not null and not holds)
    ), promoted as (
      update {{schema}}.deliveries
      set state = 'pending', due_at = greatest(waiting_due_at, over.finished_at), waiting_due_at = null,
        added = txid_current()
      from (select * from over limit cardinality($1::text[])) as over
      where deliveries.id = over.id
      returning deliveries.endpoint_id, deliveries.due_at
    ), passed as (
      update {{schema}}.key_holders as holders set holder = over.id
      from (select * from over where id is not null limit cardinality($1::text[])) as over
      where holders.endpoint_id = over.endpoint_id and holders.ordering_key = over.ordering_key
    ), freed as (
      delete from {{schema}}.key_holders as holders
      using (select * from over where id is null limit cardinality($1::text[])) as over
      where holders.endpoint_id = over.endpoint_id and holders.ordering_key = over.ordering_key
    )
    select endpoint_id, due_at from promoted`,
};
