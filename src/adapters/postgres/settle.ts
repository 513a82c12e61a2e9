/** Settlements as the columns of statements. */
import type { Settlement } from '../../delivery/store.js';
import { historyLine } from '../sql/record.js';
import { storable } from '../sql/text.js';
import type { Database } from './database.js';
import type { Statements } from './statements.js';

/** Where in a list a settlement stands. */
interface Place {
  readonly place: number;
}

/** Works like `DeliveryStore.settle`. */
export async function settle(
  database: Database,
  statements: Statements,
  settlements: readonly Settlement[],
): Promise<readonly boolean[]> {
  const written = await database.rows<Place>(statements.settle, settleValues(settlements));
  // Only where something was not: a lease has passed to somebody else, or the answer was lost the first time.
  const isAll = written.length === settlements.length;
  const known = isAll ? [] : await database.rows<Place>(statements.recorded, recordedValues(settlements));
  const recorded = new Set([...written, ...known].map(({ place }) => place));
  return settlements.map((_, place) => recorded.has(place));
}

/** The values of `settle`. */
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

/** The values of `recorded`. */
function recordedValues(settlements: readonly Settlement[]): unknown[] {
  const records = settlements.map(({ delivery }) => delivery);
  return [
    records.map(({ id }) => storable(id)),
    records.map(({ attempts }) => attempts),
    records.map(({ due_at }) => due_at),
    settlements.map(({ attempt }) => historyLine(attempt)),
  ];
}
