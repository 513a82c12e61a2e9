/** Dead letters in SQLite. */
import {
  type AllDeadLetters,
  type DeadLetterCondition,
  type DeadLetterFilter,
  type DeadLetters,
  type LetterCursor,
  pageOf,
  parseDiscardFilter,
  parseDeadLetterFilter,
  readPage,
  readReplay,
} from '../../delivery/dead-letters.js';
import type { ReplayOptions } from '../../delivery/delivery.js';
import { deliveryOf, type DeliveryRow } from '../sql/record.js';
import type { KeyRow, PromotedRow } from '../sql/keys.js';
import { replayAction } from '../sql/replay-id.js';
import { storable } from '../sql/text.js';
import { type Access, lastAttemptOf } from './claims.js';
import type { SqliteDatabase, SqliteValue } from './driver.js';
import { passKey } from './key-holders.js';
import {
  countLetters,
  replayLetter,
  selectLetterIds,
  selectLetters,
  statementOf,
  type Statements,
  type StatementsOf,
} from './statements.js';

/** The failed deliveries of a SQLite store. */
export interface SqliteDeadLetters extends DeadLetters {
  /**
   * Sends dead letters again; see {@link DeadLetters.redeliver}.
   *
   * @param filter - Selects the letters; `{}` selects all.
   * @param options - When, and by which action.
   * @param database - A connection of the host with an open transaction, as for `enqueue` of the store.
   */
  redeliver(filter: DeadLetterFilter, options: ReplayOptions, database?: SqliteDatabase): Promise<number>;
  /**
   * Discards dead letters; see {@link DeadLetters.discard}.
   *
   * @param filter - Selects the letters; `{ all: true }` selects all.
   * @param database - A connection of the host with an open transaction, as for `enqueue` of the store.
   */
  discard(filter: DeadLetterCondition | AllDeadLetters, database?: SqliteDatabase): Promise<number>;
}

/** Conditions of a statement, and the values of their placeholders. */
interface Where {
  readonly conditions: readonly string[];
  readonly values: readonly SqliteValue[];
}

function whereOf({
  ids,
  endpointId,
  eventType,
  failedFrom,
  failedBefore,
  columns = {},
}: DeadLetterFilter): Where {
  const given: [condition: string, value: SqliteValue | undefined][] = [
    ['id in (select value from json_each(?))', ids && JSON.stringify(ids.map(storable))],
    ['endpoint_id = ?', endpointId === undefined ? undefined : storable(endpointId)],
    ['event_type = ?', eventType === undefined ? undefined : storable(eventType)],
    ['finished_at >= ?', failedFrom],
    ['finished_at < ?', failedBefore],
    ...Object.entries(columns).map(([name, value]) => [`${name} is ?`, value] as [string, SqliteValue]),
  ];
  const used = given.filter(([, value]) => value !== undefined);
  return {
    conditions: ['dead_letter = 1', ...used.map(([condition]) => condition)],
    values: used.map(([, value]) => value ?? null),
  };
}

const before = ({ conditions, values }: Where, cursor: LetterCursor | null): Where => {
  if (cursor === null) return { conditions, values };
  return {
    conditions: [...conditions, '(finished_at, id) < (?, ?)'],
    values: [...values, cursor.failedAt, storable(cursor.id)],
  };
};

interface LetterRow extends KeyRow {
  readonly id: string;
  /** 1 for a letter that holds its key. */
  readonly holds_key: number | null;
}

const lettersOf = (database: SqliteDatabase, { conditions, values }: Where): readonly LetterRow[] =>
  statementOf(database, selectLetterIds(conditions)).all(...values) as unknown as LetterRow[];

/**
 * @param own - The store's own connection.
 * @param note - Called for each replay of a letter, and for each delivery that no longer waits behind a discarded one.
 */
export function createDeadLetters(
  own: SqliteDatabase,
  statementsOf: StatementsOf,
  { read, write }: Access,
  note: (row: PromotedRow) => void,
): SqliteDeadLetters {
  const statements = statementsOf(own);
  const { columns } = statements;
  const parsed = (filter: DeadLetterFilter): Where => {
    columns.assert('filter.columns', filter.columns);
    return whereOf(filter);
  };
  const all = (sql: string, ...values: readonly SqliteValue[]): readonly unknown[] =>
    statementOf(own, sql).all(...values);

  return {
    list: async (filter, options = {}) => {
      const { before: start, limit } = readPage(options);
      const where = before(parsed(parseDeadLetterFilter(filter)), start);
      const sql = selectLetters(columns, where.conditions);
      const letters = await read(() => {
        const rows = all(sql, ...where.values, limit + 1) as (DeliveryRow & { readonly number: number })[];
        return rows.map((row) => ({ ...row, ...lastAttemptOf(statements, row.number, true) }));
      });
      return pageOf(
        letters.map((row) => deliveryOf(row, columns)),
        limit,
      );
    },
    count: async (filter) => {
      const { conditions, values } = parsed(parseDeadLetterFilter(filter));
      const [row] = await read(() => all(countLetters(conditions), ...values) as { count: number }[]);
      return row?.count ?? 0;
    },
    redeliver: async (filter, options, host) => {
      const { at, replay, columns: changed = {} } = readReplay(options);
      columns.assert('columns', changed);
      const where = parsed(parseDeadLetterFilter(filter));
      const action = replayAction(replay);
      const names = columns.names.filter((name) => Object.hasOwn(changed, name));
      const values = names.map((name) => changed[name] ?? null);
      const sql = replayLetter(columns, names);
      return await write((database) => {
        const on = statementsOf(database);
        const isAdded = ({ id, endpoint_id, ordering_key, holds_key }: LetterRow): boolean => {
          const [replay] = statementOf(database, sql).all(action, at, at, ...values, id) as { id: string }[];
          if (replay !== undefined && holds_key === 1) on.giveKey.run(replay.id, endpoint_id, ordering_key);
          return replay !== undefined;
        };
        const letters = lettersOf(database, where).filter(isAdded);
        for (const { endpoint_id } of letters) note({ endpoint_id, due_at: at });
        return dispose(on, letters, note);
      }, host);
    },
    discard: async (filter, host) => {
      const where = parsed(parseDiscardFilter(filter));
      return await write((on) => dispose(statementsOf(on), lettersOf(on, where), note), host);
    },
  };
}

/** Removes letters from the queue, and passes on the keys that they held. */
function dispose(
  statements: Statements,
  letters: readonly LetterRow[],
  note: (row: PromotedRow) => void,
): number {
  for (const { id } of letters) statements.dispose.run(id);
  const holders = letters.filter(({ holds_key }) => holds_key === 1);
  for (const letter of holders) passKey(statements, letter).forEach(note);
  return letters.length;
}
