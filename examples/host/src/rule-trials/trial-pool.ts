/**
 * The threads that try rules: warm while somebody types, gone half a minute later. Projects take turns, and none has
 * more than one thread at a time. A job that does not end is ended with its thread.
 */
import type { PatternOptions } from 'headgate';
import { Problem } from '../errors/problem.js';
import { BACKGROUND, createPool, type Pool } from '../threads/index.js';
import type { TrialWorker } from './trial-worker.js';

/** Bounds of a job, in milliseconds. */
export interface TrialLimits {
  /** A job that takes longer ends with the item that it is at. @defaultValue `1_000` */
  readonly endAfterMs?: number;
  /** A job that takes longer is ended with its thread. @defaultValue `5_000` */
  readonly maxMs?: number;
}

/** @param patterns - The work that rules may do on one event; left out, the library's. */
export const createTrialPool = (
  patterns: PatternOptions | undefined,
  { endAfterMs = 1_000, maxMs = 5_000 }: TrialLimits = {},
): Pool<TrialWorker> =>
  createPool<TrialWorker>({
    file: new URL('./trial-worker.js', import.meta.url),
    data: { patterns, endAfterMs },
    niceness: BACKGROUND,
    maxHeapMb: 256,
    turns: { atOnce: 2, ofProject: 1, waiting: 8, allWaiting: 64, countsRunning: true, of: 'trials' },
    maxMs,
    tooLong: () =>
      new Problem('dry_run_timeout', 'the rule takes too long: choose patterns that are simpler'),
    lost: () => new Problem('overloaded', 'the trial was lost: try again', { retryAfter: 1 }),
    idleMs: 30_000,
  });
