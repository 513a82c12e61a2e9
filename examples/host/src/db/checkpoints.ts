/**
 * Keeps the log of SQLite short without holding up the process. SQLite itself does so in the commit that makes the log too long:
 * it copies 16 MB and syncs them, while nothing else runs. Here a thread does that beforehand, so that little is left for a commit.
 */
import { Worker } from 'node:worker_threads';
import type { CheckpointOrder, CheckpointTold } from './checkpoint-thread.js';

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
  let worker: Worker | null = null;
  let bytes = 0;
  let isRunning = false;
  let isEnding = false;
  let again: NodeJS.Timeout | undefined;
  const done = (told?: CheckpointTold): void => {
    isRunning = false;
    if (told === 'behind' && !isEnding) again = setTimeout(() => run(), AGAIN_MS).unref();
    runIfDue();
  };
  const runIfDue = (): void => {
    if (bytes >= EVERY_BYTES) run();
  };
  const run = (): void => {
    if (isRunning || isEnding) return;
    clearTimeout(again);
    worker ??= startThread(path, done, () => (worker = null));
    isRunning = true;
    bytes = 0;
    worker.postMessage('now' satisfies CheckpointOrder);
  };
  return {
    written(more) {
      bytes += more;
      runIfDue();
    },
    async end() {
      const ended = worker;
      isEnding = true;
      clearTimeout(again);
      if (ended === null) return;
      worker = null;
      await new Promise<void>((resolve) => {
        ended.on('message', (told: CheckpointTold) => told === 'closed' && resolve());
        ended.once('exit', () => resolve());
        ended.postMessage('end' satisfies CheckpointOrder);
      });
      await ended.terminate();
    },
  };
}

/**
 * @param done - Called after each checkpoint, and where there will be no more of this thread.
 * @param lost - Called where the thread ends by itself; SQLite's own checkpoints go on, and another thread may start.
 */
function startThread(path: string, done: (told?: CheckpointTold) => void, lost: () => void): Worker {
  const worker = new Worker(threadUrl(), { workerData: path, execArgv: [], env: {} });
  worker.unref();
  worker.on('message', done);
  worker.on('error', () => undefined);
  worker.once('exit', () => {
    lost();
    done();
  });
  return worker;
}

/** The sources are started by a module that compiles them; the build makes one file of each thread. */
const threadUrl = (): URL =>
  new URL(
    import.meta.url.endsWith('.ts') ? './checkpoint-thread.mjs' : './checkpoint-thread.js',
    import.meta.url,
  );
