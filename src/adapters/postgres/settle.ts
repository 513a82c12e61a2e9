/** Writes settlements, as columns of two statements. */
import type { Settlement } from '../../delivery/store.js';
import { historyLine } from '../sql/record.js';
import { storable } from '../sql/text.js';
import type { Database } from './database.js';
import type { PostgresClient } from './pool.js';
import type { Statements } from './statements.js';

/** Index of a settlement in its batch. */
interface Place {
  readonly place: number;
}

/** See {@link PostgresStore.settle}. */
export async function settle(
  database: Database,
  statements: Statements,
  settlements: readonly Settlement[],
  client?: PostgresClient,
): Promise<readonly boolean[]> {
  const written = await database.rows<Place>(statements.settle, settleValues(settlements), client);
  // Some were not written: another claim has taken the delivery, or they were written before and the answer was lost.
  const isAll = written.length === settlements.length;
  const known = isAll
    ? []
    : await database.rows<Place>(statements.recorded, recordedValues(settlements), client);
  const recorded = new Set([...written, ...known].map(({ place }) => place));
  return settlements.map((_, place) => recorded.has(place));
}

/** The values of the statement `settle`. */
function settleValues(settlements: readonly Settlement[]): unknown[] {
  const records = settlements.map(({ delivery }) => delivery);
  return [
    records.map(({ id }) => storable(id)),
    settlements.map(({ lease }) => storable(lease)),
    records.map(({ state }) => state),
    records.map(({ attempts }) => attempts),
    records.map(({ due_at }) => due_at),
    records.map(({ lease }) => (lease === null ? null : storable(lease))),
    records.map(({ finished_at }) => finished_at),
    settlements.map(({ attempt }) => historyLine(attempt)),
  ];
}

/** The values of the statement `recorded`. */
function recordedValues(settlements: readonly Settlement[]): unknown[] {
  const records = settlements.map(({ delivery }) => delivery);
  return [
    records.map(({ id }) => storable(id)),
    records.map(({ attempts }) => attempts),
    records.map(({ due_at }) => due_at),
    settlements.map(({ attempt }) => historyLine(attempt)),
  ];
}
