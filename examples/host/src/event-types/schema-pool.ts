/**
 * The threads that compile schemas and check events by them. Projects take turns, and none has more than one thread at
 * a time; a job that does not end is ended with its thread, which is the last bound: the work of a job is counted.
 */
import { Problem } from '../errors/problem.js';
import { createPool, type Pool } from '../threads/index.js';
import type { SchemaWorker } from './schema-worker.js';

/** A job that takes longer is ended with its thread. */
const MAX_MS = 5_000;
/** Threads give way to taking events in, which is what most of them wait for. */
const NICENESS = 5;
/** As many checks as ingest lets events in. */
const TURNS = { atOnce: 2, ofProject: 1, waiting: 1_000, allWaiting: 2_000, of: 'checks by a schema' };

/** @param maxMs - For tests. */
export const createSchemaPool = (maxMs = MAX_MS): Pool<SchemaWorker> =>
  createPool<SchemaWorker>({
    file: new URL('./schema-worker.js', import.meta.url),
    data: undefined,
    niceness: NICENESS,
    maxHeapMb: 512,
    turns: TURNS,
    maxMs,
    tooLong: () =>
      new Problem('overloaded', 'checking by the schema takes too long: try again, or simplify the schema', {
        retryAfter: 1,
      }),
    lost: () => new Problem('overloaded', 'the check by the schema was lost: try again', { retryAfter: 1 }),
    idleMs: 60_000,
  });
