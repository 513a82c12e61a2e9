/**
 * Work in threads of the process, so that requests and deliveries do not wait for it.
 *
 * A worker is the code inside a thread: a file that ends in `worker.ts`, makes a table of jobs and passes it to
 * `serve`. The caller imports the worker's type alone, and declares its limits: {@link createPool} shares threads
 * between projects, and {@link startThread} is one thread for callers that share it out themselves.
 */
export { createPool, type Pool } from './pool.js';
export { startThread, type Thread, ThreadLost } from './thread.js';

/** The niceness of work for which nobody's events wait. */
export const BACKGROUND = 10;
