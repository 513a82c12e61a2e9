/** Refusals of calls that are too many. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../errors/problem.js';

const MOMENT_MS = 250;

/**
 * Answers a refusal after a moment, so that a caller who asks again at once costs little.
 *
 * @param work - May throw the problem `too_many_requests`.
 */
export async function refusedSlowly<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && error.code === 'too_many_requests') await sleep(MOMENT_MS);
    throw error;
  }
}
