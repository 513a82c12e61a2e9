/** Settlements as the columns of one statement. */
import type { Settlement } from '../../delivery/store.js';
import { historyLine } from '../sql/record.js';
import { storable } from '../sql/text.js';

/** The values of `settle`. */
export function settleValues(settlements: readonly Settlement[]): unknown[] {
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
