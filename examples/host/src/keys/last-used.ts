/** When keys were last used, written for many requests at once. */
import type { Database } from '../db/index.js';
import { TOUCH_KEYS } from './statements.js';

/** How much later than the truth `last_used_at` may be. */
const FLUSH_MS = 10_000;

/** Collects uses, and writes them. */
export interface LastUsed {
  note(keyId: string): void;
  /** Writes what was noted. Never rejects: while the database is away, uses wait for the next time. */
  flush(): Promise<void>;
  /** Writes the rest, and ends the timer. */
  stop(): Promise<void>;
}

/** Has a timer only while there is something to write. */
export function createLastUsed(db: Database, now: () => number): LastUsed {
  const uses = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    // Sorted, so that two processes lock the rows in one order.
    const rows = [...uses].map(([id, at]) => ({ id, at })).sort((a, b) => (a.id < b.id ? -1 : 1));
    if (rows.length === 0) return;
    uses.clear();
    try {
      await db.run(TOUCH_KEYS, [JSON.stringify(rows)]);
    } catch {
      for (const { id, at } of rows) uses.set(id, Math.max(at, uses.get(id) ?? 0));
    }
  };
  return {
    note(keyId) {
      uses.set(keyId, now());
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
    flush,
    stop: flush,
  };
}
