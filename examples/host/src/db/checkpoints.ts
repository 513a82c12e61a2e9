/**
 * Keeps the log of SQLite short without holding up the process. SQLite itself does so in the commit that makes the log
 * too long: it copies 16 MB and syncs them, while nothing else runs. Here a thread does that beforehand, so that little
 * is left for a commit.
 */
import { createPool } from '../threads/index.js';
import type { CheckpointWorker } from './checkpoint-worker.js';

/** The log of one file. */
export interface Checkpoints {
  /** Counts what a transaction has written, in bytes; about right is enough. */
  written(bytes: number): void;
  /** Closes the connection of the thread. */
  end(): Promise<void>;
}

/** A quarter of the length at which SQLite does it by itself. */
const EVERY_BYTES = 4_194_304;
/** A log that a reader keeps long is looked at again after this time, since nothing else may be written. */
const AGAIN_MS = 1_000;

/** The thread starts when there is something to do for the first time. */
export function createCheckpoints(path: string): Checkpoints {
  const pool = createPool<CheckpointWorker>({
    file: new URL('./checkpoint-worker.js', import.meta.url),
    data: path,
  });
  let bytes = 0;
  let running: Promise<void> | null = null;
  let hasRun = false;
  let isEnding = false;
  let again: NodeJS.Timeout | undefined;
  const runIfDue = (): void => {
    if (bytes >= EVERY_BYTES) run();
  };
  const run = (): void => {
    if (running !== null || isEnding) return;
    clearTimeout(again);
    bytes = 0;
    hasRun = true;
    // If the thread is lost, SQLite's own checkpoints go on, and another thread may start.
    const result = pool.run('checkpoint', undefined).catch(() => 'done');
    running = result.then((told) => {
      running = null;
      if (told === 'behind' && !isEnding) again = setTimeout(run, AGAIN_MS).unref();
      runIfDue();
    });
  };
  return {
    written(more) {
      bytes += more;
      runIfDue();
    },
    async end() {
      isEnding = true;
      clearTimeout(again);
      await running;
      if (hasRun) await pool.run('close', undefined).catch(() => undefined);
      await pool.close();
    },
  };
}
