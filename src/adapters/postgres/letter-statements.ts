/** Statements on dead letters, made for the conditions of a filter. They are rare, so they are not prepared. */
import type { Columns } from '../../delivery/columns.js';
import { replayId } from '../sql/replay-id.js';
import { MAX_ID_BYTES } from './enqueue.js';
import type { Statements } from './statements.js';

/** Letters that meet conditions, newest failure first. The value after those of the conditions is the limit. */
export const listLetters = (
  { select, join }: Statements['letter'],
  conditions: string,
  values: number,
): string => `
  select ${select} from {{schema}}.deliveries ${join} where ${conditions}
  order by finished_at desc, id desc limit $${values + 1}`;

/** Number of letters that meet conditions. */
export const countLetters = (conditions: string): string =>
  `select count(*)::int as count from {{schema}}.deliveries where ${conditions}`;

/** Letters, locked with the oldest failure first, so that two statements on the same letters cannot deadlock. */
const letters = (conditions: string, user = ''): string => `letter as materialized (
    select id, event_id, event_type, endpoint_id, body, body_bytes, ordering_key, holds_key${user} from {{schema}}.deliveries where ${conditions}
    order by finished_at, id for update
  )`;

/** Removes letters from the queue. After the row with their number, there is one for each that held its key. */
export const discardLetters = (conditions: string): string => `
  with ${letters(conditions)}, gone as (
    update {{schema}}.deliveries set dead_letter = false, holds_key = null from letter where deliveries.id = letter.id
    returning letter.endpoint_id, letter.ordering_key, letter.holds_key
  )
  select count(*)::int as count, null as endpoint_id, null as ordering_key from gone
  union all
  select 0, endpoint_id, ordering_key from gone where holds_key`;

/**
 * Adds replays of letters, removes the letters whose replay is new, and counts these by endpoint. The replay of a
 * letter that holds its key holds it from now on. A letter whose replay would have an id that is too long stays. After
 * the values of the conditions come the value of `replayAction`, the `due_at` of the replays, and the values of the
 * user's columns that change.
 */
export function redeliverLetters(
  conditions: string,
  values: number,
  { columns, changed }: { readonly columns: Columns; readonly changed: readonly string[] },
): string {
  const user = columns.names.map((name) => `, ${name}`).join('');
  const given = columns.names.map((name) => {
    const at = changed.indexOf(name);
    return at < 0 ? `, letter.${name}` : `, $${values + 3 + at}::${TYPES[columns.types[name] ?? 'text']}`;
  });
  return `
  with ${letters(conditions, user)}, added as (
    insert into {{schema}}.deliveries
      (id, event_id, event_type, endpoint_id, origin, replay_of, due_at, created_at, body, body_bytes, ordering_key,
        holds_key${user})
    select replay.id, event_id, event_type, endpoint_id, 'replay', letter.id,
      $${values + 2}::bigint, $${values + 2}::bigint, body, body_bytes, ordering_key, holds_key${given.join('')}
    from letter
    cross join lateral (
      select ${replayId(`$${values + 1}::text`)} as id
    ) as replay
    where octet_length(replay.id) <= ${MAX_ID_BYTES}
    on conflict (id) do nothing
    returning id, replay_of, endpoint_id, ordering_key, holds_key
  ), taken as (
    update {{schema}}.key_holders as holders set holder = added.id
    from (select * from added where holds_key limit 1000000) as added
    where holders.endpoint_id = added.endpoint_id and holders.ordering_key = added.ordering_key
      and holders.holder = added.replay_of
  ), gone as (
    update {{schema}}.deliveries set dead_letter = false, holds_key = null
    from added where deliveries.id = added.replay_of returning added.endpoint_id
  )
  select endpoint_id, count(*)::int as count from gone group by endpoint_id`;
}

const TYPES = { text: 'text', integer: 'bigint' } as const;
