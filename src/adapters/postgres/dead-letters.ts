/** Dead letters in Postgres. */
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
import type { Database } from './database.js';
import { bound } from './instants.js';
import { KeyHolders } from './key-holders.js';
import { lockLetterKeys } from './key-statements.js';
import { countLetters, discardLetters, listLetters, redeliverLetters } from './letter-statements.js';
import { assertClient, type PostgresClient, type PostgresTransaction } from './pool.js';
import type { Statements } from './statements.js';

/** The failed deliveries of a Postgres store. */
export interface PostgresDeadLetters extends DeadLetters {
  /**
   * Sends dead letters again; see {@link DeadLetters.redeliver}.
   *
   * @param filter - Selects the letters; `{}` selects all.
   * @param options - When, and by which action.
   * @param client - A connection of the host with an open transaction, as for `enqueue` of the store.
   */
  redeliver(filter: DeadLetterFilter, options: ReplayOptions, client?: PostgresTransaction): Promise<number>;
  /**
   * Discards dead letters; see {@link DeadLetters.discard}.
   *
   * @param filter - Selects the letters; `{ all: true }` selects all.
   * @param client - A connection of the host with an open transaction, as for `enqueue` of the store.
   */
  discard(filter: DeadLetterCondition | AllDeadLetters, client?: PostgresTransaction): Promise<number>;
}

/** Conditions of a statement, and the values of their placeholders. */
interface Where {
  readonly conditions: string;
  readonly values: readonly unknown[];
}

/** Conditions for the members that the filter has and no others, so that each statement can use its index. */
function whereOf(filter: DeadLetterFilter, before: LetterCursor | null = null): Where {
  const { ids, endpointId, eventType, failedFrom, failedBefore, columns = {} } = filter;
  const values: unknown[] = [];
  const conditions = ['dead_letter'];
  const add = (condition: (parameter: string) => string, value: unknown): void => {
    conditions.push(condition(`$${values.push(value)}`));
  };
  if (ids !== undefined) add((parameter) => `id = any(${parameter}::text[])`, ids.map(storable));
  if (endpointId !== undefined) add((parameter) => `endpoint_id = ${parameter}`, storable(endpointId));
  if (eventType !== undefined) add((parameter) => `event_type = ${parameter}`, storable(eventType));
  if (failedFrom !== undefined) add((parameter) => `finished_at >= ${parameter}`, bound(failedFrom));
  if (failedBefore !== undefined) add((parameter) => `finished_at < ${parameter}`, bound(failedBefore));
  for (const [name, value] of Object.entries(columns)) {
    if (value === null) conditions.push(`deliveries.${name} is null`);
    else add((parameter) => `deliveries.${name} = ${parameter}`, value);
  }
  if (before !== null) {
    const failedAt = `$${values.push(before.failedAt)}::bigint`;
    add((parameter) => `(finished_at, id) < (${failedAt}, ${parameter})`, storable(before.id));
  }
  return { conditions: conditions.join(' and '), values };
}

/** Replays of letters of one endpoint. */
interface ReplaysRow {
  readonly endpoint_id: string;
  readonly count: number;
}

interface DiscardRow extends KeyRow {
  readonly count: number;
}

/**
 * The failed deliveries of a schema.
 *
 * @param note - Called for each endpoint with replays of letters, and for each delivery that no longer waits behind a
 * discarded one.
 */
export function createDeadLetters(
  database: Database,
  statements: Statements,
  note: (row: PromotedRow) => void,
): PostgresDeadLetters {
  const { columns } = statements;
  const parsed = (filter: DeadLetterFilter): DeadLetterFilter => {
    columns.assert('filter.columns', filter.columns);
    return filter;
  };
  const keys = new KeyHolders(database, statements);
  return {
    list: async (filter, page = {}) => {
      const { before, limit } = readPage(page);
      const { conditions, values } = whereOf(parsed(parseDeadLetterFilter(filter)), before);
      const statement = statements.of(listLetters(statements.letter, conditions, values.length));
      // One more than the page holds shows whether another follows.
      const rows = await database.rows<DeliveryRow>(statement, [...values, limit + 1]);
      return pageOf(
        rows.map((row) => deliveryOf(row, columns)),
        limit,
      );
    },
    count: async (filter) => {
      const { conditions, values } = whereOf(parsed(parseDeadLetterFilter(filter)));
      const [row] = await database.rows<{ count: number }>(statements.of(countLetters(conditions)), values);
      return row?.count ?? 0;
    },
    redeliver: async (filter, options, client) => {
      const { at, replay, columns: changed = {} } = readReplay(options);
      columns.assert('columns', changed);
      const where = whereOf(parsed(parseDeadLetterFilter(filter)));
      const names = { columns, changed: Object.keys(changed) };
      const statement = statements.of(redeliverLetters(where.conditions, where.values.length, names));
      const given = [...where.values, replayAction(replay), at, ...Object.values(changed)];
      const replays = await withKeys(database, statements, where, client, (on) =>
        database.rows<ReplaysRow>(statement, given, on),
      );
      for (const { endpoint_id } of replays) note({ endpoint_id, due_at: at });
      return replays.reduce((sum, { count }) => sum + count, 0);
    },
    discard: async (filter, client) => {
      const where = whereOf(parsed(parseDiscardFilter(filter)));
      const statement = statements.of(discardLetters(where.conditions));
      const { total, promoted } = await withKeys(database, statements, where, client, async (on) => {
        const [first, ...held] = await database.rows<DiscardRow>(statement, where.values, on);
        return { total: first?.count ?? 0, promoted: await keys.removed(held, on) };
      });
      promoted.forEach(note);
      return total;
    },
  };
}

/**
 * Locks the keys that letters hold, and then works on the letters, in the transaction of the host or in one of its own.
 */
async function withKeys<T>(
  database: Database,
  statements: Statements,
  { conditions, values }: Where,
  host: PostgresTransaction | undefined,
  work: (client: PostgresClient) => Promise<T>,
): Promise<T> {
  assertClient(host);
  const run = async (client: PostgresClient): Promise<T> => {
    await database.rows(statements.of(lockLetterKeys(conditions)), values, client);
    return await work(client);
  };
  return await (host === undefined ? database.transaction(run) : run(host));
}
