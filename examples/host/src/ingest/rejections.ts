/** Counts requests whose source could not be verified, by channel. They are written together, never one a request. */
import type { Database } from '../db/index.js';
import { COUNT_REJECTED } from './statements.js';

const WRITE_EVERY_MS = 1_000;

/** Counts that wait to be written. */
export interface Rejections {
  count(channel: string, at: number): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

/** @param failed - Called where counts could not be written; they are written with the next. */
export function createRejections(db: Database, failed: (error: unknown) => void): Rejections {
  let waiting = new Map<string, { n: number; at: number }>();
  let timer: NodeJS.Timeout | null = null;
  const add = (channel: string, n: number, at: number): void => {
    const known = waiting.get(channel);
    waiting.set(channel, { n: n + (known?.n ?? 0), at: Math.max(at, known?.at ?? 0) });
    timer ??= setTimeout(() => void write(), WRITE_EVERY_MS).unref();
  };
  const write = async (): Promise<void> => {
    timer = null;
    const counts = [...waiting].sort(([a], [b]) => (a < b ? -1 : 1));
    waiting = new Map();
    if (counts.length === 0) return;
    try {
      await db.run(COUNT_REJECTED, [JSON.stringify(counts.map(([id, { n, at }]) => ({ id, n, at })))]);
    } catch (error) {
      for (const [channel, { n, at }] of counts) add(channel, n, at);
      failed(error);
    }
  };
  return {
    count: (channel, at) => add(channel, 1, at),
    async stop() {
      if (timer !== null) clearTimeout(timer);
      await write();
      if (timer !== null) clearTimeout(timer);
    },
  };
}
