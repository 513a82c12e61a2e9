/** The statements by name. Each connection prepares them once. */
import { replayId } from '../sql/replay-id.js';
import type { SqliteDatabase, SqliteStatement } from './driver.js';

/** An integer column as a number of JavaScript. For a damaged value beyond 2^53 the driver would throw. */
const number = (column: string): string => `cast(${column} as real) as ${column}`;

/** Columns of a delivery's record. */
const record = (dueAt: string): string => `id, event_id, event_type, endpoint_id, origin, replay_of, state,
  ${number('attempts')}, ${dueAt}, lease, history, ${number('created_at')}, ${number('finished_at')}`;
const RECORD = record(number('due_at'));

/** Columns that a claim reads of deliveries that are not yet due. */
const LATER = `number as id, endpoint_id, ${number('due_at')}`;
/** Columns by which a claim chooses deliveries. Rows older than schema version 2 have no `body_bytes`. */
const candidate = (dueAt: string): string => `number as id, endpoint_id, ${dueAt}, body,
  cast(coalesce(body_bytes, (select length(bytes) from headgate_bodies where id = body), 0) as real) as bytes`;

export const NAMED = {
  addBody: `insert into headgate_bodies (event_id, digest, bytes, created_at) values (?, ?, ?, ?)
    on conflict (event_id, digest) do nothing`,
  bodyOf: 'select id from headgate_bodies where event_id = ? and digest = ?',
  removeBody: 'delete from headgate_bodies where id = ?',
  addDelivery: `insert into headgate_deliveries
      (id, event_id, event_type, endpoint_id, origin, replay_of, due_at, created_at, state, body, body_bytes)
    values (?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?) on conflict (id) do nothing`,

  due: `select ${candidate('due_at')} from headgate_deliveries
    where state = 'pending' and due_at > ? and due_at <= ? order by due_at limit ?`,
  expired: `select ${candidate(number('due_at'))} from headgate_deliveries
    where state = 'leased' and due_at <= ? order by headgate_deliveries.due_at limit ?`,
  later: `select ${LATER} from headgate_deliveries
    where state = 'pending' and due_at > ? order by headgate_deliveries.due_at limit ?`,
  leased: `select ${LATER} from headgate_deliveries
    where state = 'leased' and due_at > ? order by headgate_deliveries.due_at limit ?`,
  /**
   * The first deliveries of each endpoint in a JSON array. A `cross join` keeps its order: with statistics of a small table
   * SQLite would scan all deliveries and look up the lane of each.
   */
  behind: `select ${candidate(number('due_at'))} from json_each(?) as lane cross join headgate_deliveries
    where number in (select number from headgate_deliveries
      where state = 'pending' and endpoint_id = lane.value and due_at <= ? order by due_at limit ?)`,
  /** One look-up in the index for each endpoint, however many deliveries it has. */
  lanes: `with recursive lane (endpoint_id, due_at) as (
      select * from (select endpoint_id, due_at from headgate_deliveries
        where state = 'pending' and endpoint_id >= ? order by endpoint_id, due_at limit 1)
      union all
      select next.endpoint_id, next.due_at from lane, headgate_deliveries as next
        where next.number = (select number from headgate_deliveries
          where state = 'pending' and endpoint_id > lane.endpoint_id order by endpoint_id, due_at limit 1)
    ) select endpoint_id, ${number('due_at')} from lane limit ?`,
  lease: `update headgate_deliveries set state = 'leased', lease = ?, due_at = ? where number = ? and due_at <= ?
    returning ${record('due_at')}, body`,
  bytes: 'select bytes from headgate_bodies where id = ?',

  /** A history whose last line was cut off gets a line break before the new line. */
  settle: `update headgate_deliveries set state = ?, attempts = ?, due_at = ?, lease = ?, finished_at = ?, dead_letter = ?,
      history = history || case when substr(history, -1) in ('', char(10)) then '' else char(10) end || ?
    where id = ? and lease = ?`,
  /**
   * A settlement that was written before: the history has the line of the attempt; or, for a settlement without an attempt,
   * the record is as it was written.
   */
  recorded: `select 1 from headgate_deliveries where id = ?1 and case ?2
      when '' then state = 'pending' and due_at = ?3 and attempts = ?4 else instr(char(10) || history, char(10) || ?2) > 0 end`,
  get: `select ${RECORD} from headgate_deliveries where id = ?`,

  /** Its first value is what `replayAction` gives. */
  replay: `insert into headgate_deliveries
      (id, event_id, event_type, endpoint_id, origin, replay_of, due_at, created_at, state, body, body_bytes)
    select ${replayId('?')}, event_id, event_type, endpoint_id, 'replay', id, ?, ?, 'pending', body, body_bytes
    from headgate_deliveries where id = ? on conflict (id) do nothing`,
  dispose: 'update headgate_deliveries set dead_letter = 0 where id = ?',

  deleteFinished: `delete from headgate_deliveries where number in (
      select number from headgate_deliveries
      where finished_at is not null and dead_letter = 0 and finished_at < ? order by finished_at limit ?)`,
  /** Of the ids in a JSON array; with 1, the unfinished ones too. */
  deleteDeliveries: `delete from headgate_deliveries
    where id in (select value from json_each(?)) and (finished_at is not null or ? = 1) returning id, body`,
  /** One body at a time: for a list, statistics of a small table make SQLite read all bodies. */
  deleteThisBody: `delete from headgate_bodies where id = ?
    and not exists (select 1 from headgate_deliveries where body = headgate_bodies.id)`,
  bodiesAfter: `select id, ${number('created_at')} from headgate_bodies where id > ? order by id limit ?`,
  deleteBodies: `delete from headgate_bodies where id > ? and id <= ? and created_at < ?
    and not exists (select 1 from headgate_deliveries where body = headgate_bodies.id)`,
} as const;

/** Prepared statements of one connection. */
export type Statements = Readonly<Record<keyof typeof NAMED, SqliteStatement>>;

const PREPARED = new WeakMap<SqliteDatabase, Statements>();

/** @param database - A connection to a file that has the tables. */
export function statementsOf(database: SqliteDatabase): Statements {
  const known = PREPARED.get(database);
  if (known !== undefined) return known;
  const entries = Object.entries(NAMED).map(([name, sql]) => [name, database.prepare(sql)]);
  const statements = Object.fromEntries(entries) as Statements;
  PREPARED.set(database, statements);
  return statements;
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
 * Dead letters that meet conditions, newest failure first. The order names the column: a bare `finished_at` would be the
 * expression of that name in `select`, which no index has in order.
 */
export const selectLetters = (conditions: readonly string[]): string =>
  `select ${RECORD} from headgate_deliveries where ${conditions.join(' and ')}
    order by headgate_deliveries.finished_at desc, id desc limit ?`;

/** Ids of dead letters that meet conditions, oldest failure first. */
export const selectLetterIds = (conditions: readonly string[]): string =>
  `select id from headgate_deliveries where ${conditions.join(' and ')} order by finished_at, id`;

/** Number of dead letters that meet conditions. */
export const countLetters = (conditions: readonly string[]): string =>
  `select count(*) as count from headgate_deliveries where ${conditions.join(' and ')}`;
