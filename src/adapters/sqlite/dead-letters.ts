/** Dead letters in SQLite. */
import {
  type DeadLetterFilter,
  type DeadLetters,
  pageOf,
  parseDiscardFilter,
  parseDeadLetterFilter,
  readPage,
  readReplay,
} from '../../delivery/dead-letters.js';
import { deliveryOf, type DeliveryRow } from '../sql/record.js';
import { replayAction } from '../sql/replay-id.js';
import { storable } from '../sql/text.js';
import type { Access } from './claims.js';
import type { SqliteDatabase, SqliteStatement, SqliteValue } from './driver.js';
import { countLetters, selectLetterIds, selectLetters, type Statements } from './statements.js';

/** Conditions of a statement, and the values of their placeholders. */
interface Where {
  readonly conditions: readonly string[];
  readonly values: readonly SqliteValue[];
}

function whereOf({ ids, endpointId, eventType, failedFrom, failedBefore }: DeadLetterFilter): Where {
  const given: [condition: string, value: SqliteValue | undefined][] = [
    ['id in (select value from json_each(?))', ids && JSON.stringify(ids.map(storable))],
    ['endpoint_id = ?', endpointId === undefined ? undefined : storable(endpointId)],
    ['event_type = ?', eventType === undefined ? undefined : storable(eventType)],
    ['finished_at >= ?', failedFrom],
    ['finished_at < ?', failedBefore],
  ];
  const used = given.filter(([, value]) => value !== undefined);
  return {
    conditions: ['dead_letter = 1', ...used.map(([condition]) => condition)],
    values: used.map(([, value]) => value ?? null),
  };
}

const before = ({ conditions, values }: Where, failedAt: number, id: string): Where => ({
  conditions: [...conditions, '(finished_at, id) < (?, ?)'],
  values: [...values, failedAt, storable(id)],
});

export function createDeadLetters(
  database: SqliteDatabase,
  statements: Statements,
  { read, write }: Access,
): DeadLetters {
  const prepared = new Map<string, SqliteStatement>();
  const all = (sql: string, ...values: readonly SqliteValue[]): readonly unknown[] => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    return statement.all(...values);
  };
  const idsOf = ({ conditions, values }: Where): readonly string[] =>
    (all(selectLetterIds(conditions), ...values) as { id: string }[]).map(({ id }) => id);
  const dispose = (ids: readonly string[]): number => {
    for (const id of ids) statements.dispose.run(id);
    return ids.length;
  };

  return {
    list: async (filter, options = {}) => {
      const { before: place, limit } = readPage(options);
      const asked = whereOf(parseDeadLetterFilter(filter));
      const where = place === null ? asked : before(asked, place.failedAt, place.id);
      const sql = selectLetters(where.conditions);
      const rows = await read(() => all(sql, ...where.values, limit + 1) as DeliveryRow[]);
      return pageOf(rows.map(deliveryOf), limit);
    },
    count: async (filter) => {
      const { conditions, values } = whereOf(parseDeadLetterFilter(filter));
      const [row] = await read(() => all(countLetters(conditions), ...values) as { count: number }[]);
      return row?.count ?? 0;
    },
    redeliver: async (filter, options) => {
      const { at, replay } = readReplay(options);
      const where = whereOf(parseDeadLetterFilter(filter));
      const action = replayAction(replay);
      const isAdded = (id: string): boolean => statements.replay.run(action, at, at, id).changes === 1;
      return await write(() => dispose(idsOf(where).filter(isAdded)));
    },
    discard: async (filter) => {
      const where = whereOf(parseDiscardFilter(filter));
      return await write(() => dispose(idsOf(where)));
    },
  };
}
