/**
 * Searches in a thread, so that requests and deliveries do not wait while events are read and parsed. Projects take
 * turns: each search is bounded, so a project waits for about one search of each other.
 */
import { type DatabaseOptions, DatabaseUnavailable } from '../db/index.js';
import { Problem } from '../errors/problem.js';
import { BACKGROUND, createPool } from '../threads/index.js';
import type { RunSearch } from './search.js';
import type { SearchWorker } from './search-worker.js';

/** Searches of all projects, in this process. */
export interface Searches {
  readonly search: RunSearch;
  stop(): Promise<void>;
}

/** Searches that may wait; each project has two under way at most. */
const MAX_WAITING = 64;
const MAX_HEAP_MB = 256;
/** A search takes less than a hundredth of this, unless patterns take long to prepare. */
const HANG_MS = 10_000;

/** The thread starts with the first search. */
export function createSearches(database: DatabaseOptions): Searches {
  const pool = createPool<SearchWorker>({
    file: new URL('./search-worker.js', import.meta.url),
    data: database,
    niceness: BACKGROUND,
    maxHeapMb: MAX_HEAP_MB,
    errors: { DatabaseUnavailable },
    turns: { atOnce: 1, ofProject: 1, waiting: MAX_WAITING, allWaiting: MAX_WAITING, of: 'searches' },
    maxMs: HANG_MS,
    tooLong: () =>
      new Problem('overloaded', 'the match takes too long to prepare: use fewer patterns, or shorter ones', {
        retryAfter: 1,
      }),
  });
  return {
    search: (request, signal) => pool.run('search', request, { project: request.project, signal }),
    stop: () => pool.close(),
  };
}
