/** Stores events in batches, and hands over those that this process decides. */
import { type Database, DatabaseUnavailable } from '../db/index.js';
import type { PersistedEvent } from '../stored/event-json.js';
import { createGroupCommit, type GroupCommit } from '../limits/group-commit.js';
import { type NewEvent, type Persisted, persistEvents } from './persist.js';
import type { Incoming } from './reading.js';

/** The part of deciding that ingest needs. */
export interface Decide {
  hasRoom(project: string, units: number): boolean;
  take(events: readonly PersistedEvent[]): void;
  /** How long no other process decides the events that `take` was given. */
  readonly leaseMs: number;
}

/** Dependencies of storing. */
export interface StoringParts {
  readonly db: Database;
  readonly now: () => number;
  readonly decide: Decide;
  /** Called after each transaction with the number of its new events. */
  readonly committed: (events: number, ms: number) => void;
  /** Called with the error of each transaction that failed. */
  readonly failed: (error: unknown) => void;
}

/** Most events of a transaction: two hundred would block SQLite's event loop for too long. */
export const MAX_BATCH = 50;
/** At 1,000 events a second a transaction has about ten of them instead of one or two. */
const GAP_MS = 10;
const ENOUGH = 12;
const MAX_BATCH_BYTES = 4_194_304;
const COMMIT_TIMEOUT_MS = 5_000;

export const createStoring = (parts: StoringParts): GroupCommit<Incoming, Persisted> =>
  createGroupCommit<Incoming, Persisted>({
    write: (batch) => store(batch, parts),
    // While one transaction is synced, the next is written.
    width: parts.db.dialect === 'sqlite' ? 2 : 4,
    gapMs: GAP_MS,
    enough: ENOUGH,
    maxItems: MAX_BATCH,
    maxBytes: MAX_BATCH_BYTES,
    timeoutMs: COMMIT_TIMEOUT_MS,
    timedOut() {
      const error = new DatabaseUnavailable(new Error('a transaction takes too long'));
      parts.failed(error);
      return error;
    },
  });

async function store(
  batch: readonly Incoming[],
  { db, now, decide, committed, failed }: StoringParts,
): Promise<readonly Persisted[]> {
  const began = now();
  const isHeld = batch.map(({ event }) => decide.hasRoom(event.project, event.data.length));
  const events = batch.map((one, i): NewEvent => ({
    ...one,
    decideAt: isHeld[i] === true ? began + decide.leaseMs : began,
  }));
  try {
    const results = await db.transaction((tx) => persistEvents(tx, events, began));
    const isNew = (i: number): boolean => {
      const result = results[i];
      return typeof result === 'object' && !result.duplicate;
    };
    committed(batch.filter((_, i) => isNew(i)).length, now() - began);
    decide.take(batch.filter((_, i) => isNew(i) && isHeld[i] === true).map(({ event }) => event));
    return results;
  } catch (error) {
    failed(error);
    throw error;
  }
}
