/** Writes settlements, as columns of two statements. */
import type { Settlement } from '../../delivery/store.js';
import { mayPassKey, type PromotedRow } from '../sql/keys.js';
import type { Keeps } from '../kept.js';
import { attemptRow, NEW_ATTEMPT_COLUMNS, type NewAttemptRow } from '../sql/record.js';
import { storable } from '../sql/text.js';
import type { Database } from './database.js';
import { KeyHolders } from './key-holders.js';
import type { PostgresClient } from './pool.js';
import type { Statements } from './statements.js';

/** Index of a settlement in its batch. */
interface SettledRow {
  readonly nth: number;
}

/** The settlements of a batch that are recorded. */
export interface Settled {
  /** For each in order, whether it is recorded. */
  readonly recorded: readonly boolean[];
  /** Settlements that were not recorded before. */
  readonly fresh: readonly Settlement[];
  /** Deliveries that no longer wait behind one that has finished. */
  readonly promoted: readonly PromotedRow[];
}

interface SettleOptions extends Keeps {
  /** A connection with an open transaction; required if a delivery with an ordering key has finished. */
  readonly client?: PostgresClient | undefined;
}

/** See {@link PostgresStore.settle}. */
export async function settle(
  database: Database,
  statements: Statements,
  settlements: readonly Settlement[],
  options: SettleOptions,
): Promise<Settled> {
  const { client } = options;
  const finished = settlements.map(({ delivery }) => delivery).filter(mayPassKey);
  if (client === undefined || finished.length === 0) {
    return { ...(await settleAll(database, statements, settlements, options)), promoted: [] };
  }
  const keys = new KeyHolders(database, statements);
  await keys.lock(finished, client);
  const settled = await settleAll(database, statements, settlements, options);
  const fresh = settled.fresh.map(({ delivery }) => delivery).filter(mayPassKey);
  return { ...settled, promoted: await keys.settled(fresh, client) };
}

async function settleAll(
  database: Database,
  statements: Statements,
  settlements: readonly Settlement[],
  { client, ...keeps }: SettleOptions,
): Promise<Omit<Settled, 'promoted'>> {
  const rows = settlements.map((one) => attemptRow(one, keeps));
  const written = await database.rows<SettledRow>(statements.settle, settleValues(settlements, rows), client);
  const fresh = new Set(written.map(({ nth }) => nth));
  // Some were not written: another claim has taken the delivery, or they were written before and the answer was lost.
  const isAll = fresh.size === settlements.length;
  const known = isAll
    ? []
    : await database.rows<SettledRow>(statements.recorded, recordedValues(settlements, rows), client);
  const recorded = new Set([...fresh, ...known.map(({ nth }) => nth)]);
  return {
    recorded: settlements.map((_, nth) => recorded.has(nth)),
    fresh: isAll ? settlements : settlements.filter((_, nth) => fresh.has(nth)),
  };
}

type Rows = readonly NewAttemptRow[];

/** The values of the statement `settle`. */
function settleValues(settlements: readonly Settlement[], rows: Rows): unknown[] {
  const records = settlements.map(({ delivery }) => delivery);
  return [
    records.map(({ id }) => storable(id)),
    settlements.map(({ lease }) => storable(lease)),
    records.map(({ state }) => state),
    records.map(({ attempts }) => attempts),
    records.map(({ due_at }) => due_at),
    records.map(({ lease }) => (lease === null ? null : storable(lease))),
    records.map(({ finished_at }) => finished_at),
    ...NEW_ATTEMPT_COLUMNS.map((name) => rows.map((row) => row[name])),
  ];
}

const COMPARED = ['number', 'started_at', 'ended_at', 'failure', 'status'] as const;

/** The values of the statement `recorded`. */
function recordedValues(settlements: readonly Settlement[], rows: Rows): unknown[] {
  const records = settlements.map(({ delivery }) => delivery);
  return [
    records.map(({ id }) => storable(id)),
    records.map(({ attempts }) => attempts),
    records.map(({ due_at }) => due_at),
    ...COMPARED.map((name) => rows.map((row) => row[name])),
  ];
}
