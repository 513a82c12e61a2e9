/** The statements by name. Each connection prepares them once. */
import type { Columns } from '../../delivery/columns.js';
import { ATTEMPT_COLUMNS, NEW_ATTEMPT_COLUMNS, UNSTORED, USER_PREFIX } from '../sql/record.js';
import { replayId } from '../sql/replay-id.js';
import type { SqliteDatabase, SqliteStatement } from './driver.js';

/** An integer column as a number of JavaScript. For a damaged value beyond 2^53 the driver would throw. */
const number = (column: string): string => `cast(${column} as real) as ${column}`;

/** Columns of a delivery's record, with those of the store's user. */
const record = ({ names }: Columns, dueAt: string): string =>
  [
    ...[
      'id, event_id, event_type, endpoint_id, origin, replay_of, state',
      number('attempts'),
      dueAt,
      'lease',
    ],
    ...[number('created_at'), number('finished_at'), 'ordering_key', 'holds_key'],
    ...names.map((name) => `${name} as ${USER_PREFIX}${name}`),
  ].join(', ');

/** Integers of an attempt that may be damaged. */
const WIDE: ReadonlySet<string> = new Set(['started_at', 'ended_at', 'retry_after']);
/** Columns of an attempt, as an `AttemptRow` has them. */
const ATTEMPT = ATTEMPT_COLUMNS.map((name) =>
  WIDE.has(name) ? `cast(${name} as real) as a_${name}` : `${name} as a_${name}`,
).join(', ');

/** Columns that a claim reads of deliveries that are not yet due. */
const LATER = `number as id, endpoint_id, ${number('due_at')}`;
/** Columns by which a claim chooses deliveries. Rows older than schema version 2 have no `body_bytes`. */
const candidate = (dueAt: string): string => `number as id, endpoint_id, ${dueAt},
  case when body = ${UNSTORED} then 'event ' || event_id else body end as body,
  cast(coalesce(body_bytes, (select length(bytes) from headgate_bodies where id = body), 0) as real) as bytes`;

/** Whether a delivery of a body is unfinished or a dead letter. */
const IS_NEEDED = `exists (select 1 from headgate_deliveries
    where body = headgate_bodies.id and body <> ${UNSTORED} and (finished_at is null or dead_letter = 1))`;

/** Statements with the columns of the store's user. */
export const namedFor = (columns: Columns) => ({
  ...NAMED,
  addDelivery: `insert into headgate_deliveries
      (id, event_id, event_type, endpoint_id, origin, replay_of, due_at, created_at, state, lease, ordering_key,
        body, body_bytes${given(columns.names)})
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?${given(columns.names.map(() => '?'))}) on conflict (id) do nothing`,
  lease: `update headgate_deliveries set state = 'leased', lease = ?, due_at = ? where number = ? and due_at <= ?
    returning ${record(columns, 'due_at')}, body`,
  get: `select ${record(columns, number('due_at'))}, number from headgate_deliveries where id = ?`,
});

const given = (list: readonly string[]): string => list.map((one) => `, ${one}`).join('');

/** Statements that all stores share. */
const NAMED = {
  addBody: `insert into headgate_bodies (event_id, digest, bytes, created_at) values (?, ?, ?, ?)
    on conflict (event_id, digest) do nothing`,
  bodyOf: 'select id from headgate_bodies where event_id = ? and digest = ?',
  removeBody: 'delete from headgate_bodies where id = ?',

  due: `select ${candidate('due_at')} from headgate_deliveries
    where state = 'pending' and due_at > ? and due_at <= ? order by due_at limit ?`,
  expired: `select ${candidate(number('due_at'))} from headgate_deliveries
    where state = 'leased' and due_at <= ? order by headgate_deliveries.due_at limit ?`,
  later: `select ${LATER} from headgate_deliveries
    where state = 'pending' and due_at > ? order by headgate_deliveries.due_at limit ?`,
  leased: `select ${LATER} from headgate_deliveries
    where state = 'leased' and due_at > ? order by headgate_deliveries.due_at limit ?`,
  /**
   * The first deliveries of each endpoint in a JSON array. A `cross join` keeps its order: with statistics of a small
   * table SQLite would scan all deliveries and look up the queue of each.
   */
  behind: `select ${candidate(number('due_at'))} from json_each(?) as queue cross join headgate_deliveries
    where number in (select number from headgate_deliveries
      where state = 'pending' and endpoint_id = queue.value and due_at <= ? order by due_at limit ?)`,
  /** One look-up in the index for each endpoint, however many deliveries it has. */
  queues: `with recursive queue (endpoint_id, due_at) as (
      select * from (select endpoint_id, due_at from headgate_deliveries
        where state = 'pending' and endpoint_id >= ? order by endpoint_id, due_at limit 1)
      union all
      select next.endpoint_id, next.due_at from queue, headgate_deliveries as next
        where next.number = (select number from headgate_deliveries
          where state = 'pending' and endpoint_id > queue.endpoint_id order by endpoint_id, due_at limit 1)
    ) select endpoint_id, ${number('due_at')} from queue limit ?`,
  bytes: 'select bytes from headgate_bodies where id = ?',

  /** The end of a lease that an attempt was made under. */
  settle: `update headgate_deliveries set state = ?, attempts = ?, due_at = ?, lease = ?, finished_at = ?, dead_letter = ?,
      failure = ?, status = ?
    where id = ? and lease = ? returning number`,
  /** The end of a lease that is given back. */
  release: `update headgate_deliveries set state = ?, attempts = ?, due_at = ?, lease = ?, finished_at = ?, dead_letter = ?
    where id = ? and lease = ? returning number`,
  addAttempt: `insert into headgate_attempts (delivery, ${NEW_ATTEMPT_COLUMNS.join(', ')})
    values (?${given(NEW_ATTEMPT_COLUMNS.map(() => '?'))}) on conflict (delivery, number) do nothing`,
  /** Whether the delivery has the attempt of a settlement, which was then written before. */
  hasAttempt: `select 1 from headgate_deliveries join headgate_attempts on delivery = headgate_deliveries.number
    where id = ? and headgate_attempts.number = ? and started_at = ? and ended_at = ?
      and headgate_attempts.failure is ? and headgate_attempts.status is ?`,
  /** Whether a lease was given back before with the same record. */
  isReleased: `select 1 from headgate_deliveries where id = ? and state = 'pending' and due_at = ? and attempts = ?`,
  attempts: `select ${ATTEMPT}, exchange as a_exchange from headgate_attempts where delivery = ? order by number`,
  lastAttempt: `select ${ATTEMPT} from headgate_attempts where delivery = ? order by number desc limit 1`,

  dispose: 'update headgate_deliveries set dead_letter = 0, holds_key = null where id = ?',

  takeKey: `insert into headgate_key_holders (endpoint_id, ordering_key, holder) values (?, ?, ?)
    on conflict (endpoint_id, ordering_key) do nothing`,
  giveKey: 'update headgate_key_holders set holder = ? where endpoint_id = ? and ordering_key = ?',
  freeKey: 'delete from headgate_key_holders where endpoint_id = ? and ordering_key = ?',
  /** The delivery that holds a key, and whether it is finished or deleted, and lets the key go. */
  holder: `select ${number('finished_at')},
      id is null or (finished_at is not null and not (dead_letter = 1 and holds_key is 1)) as is_over
    from headgate_key_holders left join headgate_deliveries on id = holder
    where headgate_key_holders.endpoint_id = ? and headgate_key_holders.ordering_key = ?`,
  nextOfKey: `select number, id from headgate_deliveries
    where endpoint_id = ? and ordering_key = ? and state = 'waiting' order by number limit 1`,
  promote: `update headgate_deliveries set state = 'pending', due_at = max(due_at, ?) where number = ?
    returning endpoint_id, ${number('due_at')}`,
  hold: 'update headgate_deliveries set holds_key = ? where id = ?',

  deleteFinished: `delete from headgate_deliveries where number in (
      select number from headgate_deliveries
      where finished_at is not null and dead_letter = 0 and finished_at < ? order by finished_at limit ?)`,
  /** Deletes deliveries by the ids in a JSON array; with 1, the unfinished ones too. */
  deleteDeliveries: `delete from headgate_deliveries
    where id in (select value from json_each(?)) and (finished_at is not null or ? = 1)
    returning id, body, endpoint_id, ordering_key`,
  /** One body at a time: for a list, statistics of a small table make SQLite read all bodies. */
  deleteThisBody: `delete from headgate_bodies where id = ? and not ${IS_NEEDED}`,
  bodiesAfter: `select id, ${number('created_at')} from headgate_bodies where id > ? order by id limit ?`,
  deleteBodies: `delete from headgate_bodies where id > ? and id <= ? and created_at < ?
    and not ${IS_NEEDED}`,
} as const;

/** Statements of one store, prepared on one connection. */
export interface Statements extends Readonly<Record<keyof ReturnType<typeof namedFor>, SqliteStatement>> {
  /** The columns of the store's user. */
  readonly columns: Columns;
}

/** The statements of one store on each of its connections. */
export type StatementsOf = (database: SqliteDatabase) => Statements;

/**
 * Prepares the statements of a store.
 *
 * @param columns - The columns of the store's user.
 * @returns A function whose argument is a connection to a file that has the tables.
 */
export function createStatements(columns: Columns): StatementsOf {
  const prepared = new WeakMap<SqliteDatabase, Statements>();
  const texts = Object.entries(namedFor(columns));
  return (database) => {
    const known = prepared.get(database);
    if (known !== undefined) return known;
    const entries = texts.map(([name, sql]) => [name, database.prepare(sql)] as const);
    const statements = { ...(Object.fromEntries(entries) as Omit<Statements, 'columns'>), columns };
    prepared.set(database, statements);
    return statements;
  };
}

const OTHERS = new WeakMap<SqliteDatabase, Map<string, SqliteStatement>>();

/** A statement without a name, prepared once for each connection. */
export function statementOf(database: SqliteDatabase, sql: string): SqliteStatement {
  const known = OTHERS.get(database) ?? new Map<string, SqliteStatement>();
  OTHERS.set(database, known);
  const statement = known.get(sql) ?? database.prepare(sql);
  known.set(sql, statement);
  return statement;
}

/**
 * Dead letters that meet conditions, newest failure first. The order names the column: a bare `finished_at` would be
 * the expression of that name in `select`, which no index has in order.
 */
export const selectLetters = (columns: Columns, conditions: readonly string[]): string =>
  `select ${record(columns, number('due_at'))}, number from headgate_deliveries where ${conditions.join(' and ')}
    order by headgate_deliveries.finished_at desc, id desc limit ?`;

/**
 * Adds the replay of a letter. Its values are what `replayAction` gives, the time twice, those of the user's columns
 * that change, and the letter's id.
 */
export function replayLetter({ names }: Columns, changed: readonly string[]): string {
  const values = names.map((name) => (changed.includes(name) ? '?' : name));
  return `insert into headgate_deliveries
      (id, event_id, event_type, endpoint_id, origin, replay_of, due_at, created_at, state, ordering_key, holds_key, body,
        body_bytes${given(names)})
    select ${replayId('?')}, event_id, event_type, endpoint_id, 'replay', id, ?, ?, 'pending', ordering_key, holds_key, body,
      body_bytes${given(values)}
    from headgate_deliveries where id = ? on conflict (id) do nothing returning id`;
}

/** Ids and keys of dead letters that meet conditions, oldest failure first. */
export const selectLetterIds = (conditions: readonly string[]): string =>
  `select id, endpoint_id, ordering_key, holds_key from headgate_deliveries where ${conditions.join(' and ')} order by finished_at, id`;

/** Number of dead letters that meet conditions. */
export const countLetters = (conditions: readonly string[]): string =>
  `select count(*) as count from headgate_deliveries where ${conditions.join(' and ')}`;
