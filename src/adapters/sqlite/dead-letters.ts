/** Dead letters in SQLite. */
import {
  type AllDeadLetters,
  type DeadLetterCondition,
  type DeadLetterFilter,
  type DeadLetters,
  pageOf,
  parseDiscardFilter,
  parseDeadLetterFilter,
  readPage,
  readReplay,
} from '../../delivery/dead-letters.js';
import type { ReplayOptions } from '../../delivery/delivery.js';
import { deliveryOf, type DeliveryRow } from '../sql/record.js';
import { replayAction } from '../sql/replay-id.js';
import { storable } from '../sql/text.js';
import type { Access } from './claims.js';
import type { SqliteDatabase, SqliteValue } from './driver.js';
import { countLetters, selectLetterIds, selectLetters, statementOf, statementsOf } from './statements.js';

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

const idsOf = (database: SqliteDatabase, { conditions, values }: Where): readonly string[] =>
  (statementOf(database, selectLetterIds(conditions)).all(...values) as { id: string }[]).map(({ id }) => id);

function dispose(database: SqliteDatabase, ids: readonly string[]): number {
  for (const id of ids) statementsOf(database).dispose.run(id);
  return ids.length;
}

/** @param own - The store's own connection. */
export function createDeadLetters(own: SqliteDatabase, { read, write }: Access): SqliteDeadLetters {
  const all = (sql: string, ...values: readonly SqliteValue[]): readonly unknown[] =>
    statementOf(own, sql).all(...values);

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
    redeliver: async (filter, options, host) => {
      const { at, replay } = readReplay(options);
      const where = whereOf(parseDeadLetterFilter(filter));
      const action = replayAction(replay);
      return await write((database) => {
        const isAdded = (id: string): boolean =>
          statementsOf(database).replay.run(action, at, at, id).changes === 1;
        return dispose(database, idsOf(database, where).filter(isAdded));
      }, host);
    },
    discard: async (filter, host) => {
      const where = whereOf(parseDiscardFilter(filter));
      return await write((database) => dispose(database, idsOf(database, where)), host);
    },
  };
}
