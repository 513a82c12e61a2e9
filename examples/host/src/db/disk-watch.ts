/**
 * Notices that the disk of a database is full. Reads work then, so a database that is only read seems well. From the
 * first write that the disk refuses, each ping writes as well, until one succeeds.
 */
import type { Database, Queries, Transaction } from './port.js';
import { DatabaseUnavailable } from './unavailable.js';

/** More than a usual batch of events. What compresses well would prove nothing. */
const PROBE_BYTES = 1_048_576;
/** Pings that come meanwhile get the answer of the last probe. */
const PROBE_EVERY_MS = 1_000;

const WRITE = `insert into disk_probe (id, filler) values (1, $1) on conflict (id) do update set filler = $1`;
const CLEAR = 'delete from disk_probe';

/** Parts of {@link watchDisk}. */
export interface DiskWatchParts {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Returns a text that does not compress. */
  readonly filler: (bytes: number) => string;
}

/** The same database, whose `ping` rejects while its disk is full. */
export function watchDisk(db: Database, { now, filler }: DiskWatchParts): Database {
  let full: DatabaseUnavailable | null = null;
  let probing: Promise<void> | null = null;
  let probedAt = -Infinity;
  const noted = (error: unknown): never => {
    if (error instanceof DatabaseUnavailable && error.isFull) full ??= error;
    throw error;
  };
  const probe = async (): Promise<void> => {
    probedAt = now();
    try {
      await db.transaction((tx) => tx.run(WRITE, [filler(PROBE_BYTES)]));
      await db.transaction((tx) => tx.run(CLEAR));
      full = null;
    } catch (error) {
      if (error instanceof DatabaseUnavailable && error.isFull) full = error;
      else throw error;
    }
  };
  return {
    ...db,
    run: (...statement: Parameters<Queries['run']>) => db.run(...statement).catch(noted),
    insert: (...rows: Parameters<Queries['insert']>) => db.insert(...rows).catch(noted),
    transaction: <T>(work: (tx: Transaction) => Promise<T>) => db.transaction(work).catch(noted),
    async ping() {
      await db.ping();
      if (full === null) return;
      if (now() - probedAt >= PROBE_EVERY_MS) {
        probing ??= probe().finally(() => (probing = null));
      }
      await probing;
      if (full !== null) throw full;
    },
  };
}
