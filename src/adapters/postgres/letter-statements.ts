/** Statements about dead letters, made of what a filter asks. They are rare: each is planned for what it names. */
import { MAX_ID_BYTES } from './enqueue.js';
import { columns } from './statements.js';

/** Letters under conditions, newest failure first; the value after those of the conditions is how many. */
export const listLetters = (conditions: string, values: number): string => `
  select ${columns('deliveries')} from {{schema}}.deliveries where ${conditions}
  order by finished_at desc, id desc limit $${values + 1}`;

/** How many there are. */
export const countLetters = (conditions: string): string =>
  `select count(*)::int as count from {{schema}}.deliveries where ${conditions}`;

/** Oldest failure first, locked in this order, so that two who want the same wait in line. */
const letters = (conditions: string): string => `letter as materialized (
    select id, event_id, event_type, endpoint_id, body, body_bytes from {{schema}}.deliveries where ${conditions}
    order by finished_at, id for update
  )`;

/** Takes letters out of the queue. */
export const discardLetters = (conditions: string): string => `
  with ${letters(conditions)}, gone as (
    update {{schema}}.deliveries set dead_letter = false from letter where deliveries.id = letter.id returning 1
  )
  select count(*)::int as count from gone`;

/**
 * Adds replays of letters, with ids as deliveryId() makes them, and takes out those whose replay is new; one whose id would
 * be too long holds up no other. After the values
 * of the conditions come what ends the ids, and when the replays are due.
 */
export const redeliverLetters = (conditions: string, values: number): string => `
  with ${letters(conditions)}, added as (
    insert into {{schema}}.deliveries
      (id, event_id, event_type, endpoint_id, origin, replay_of, due_at, created_at, body, body_bytes)
    select replay.id, event_id, event_type, endpoint_id, 'replay', letter.id,
      $${values + 2}::bigint, $${values + 2}::bigint, body, body_bytes
    from letter
    cross join lateral (
      select ${idPart('event_id')} || ':' || ${idPart('endpoint_id')} || $${values + 1}::text as id
    ) as replay
    where octet_length(replay.id) <= ${MAX_ID_BYTES}
    on conflict (id) do nothing
    returning replay_of
  ), gone as (
    update {{schema}}.deliveries set dead_letter = false from added where deliveries.id = added.replay_of returning 1
  )
  select count(*)::int as count from gone`;

const idPart = (column: string): string => `replace(replace(${column}, '~', '~0'), ':', '~1')`;
