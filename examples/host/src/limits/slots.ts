/** How much long work goes on at once: each piece has a thread of its own. */
import { Problem } from '../errors/problem.js';

/** The slots of one process. */
export interface Slots {
  /**
   * Takes a slot.
   *
   * @returns Gives it back; call it once.
   * @throws Problem `too_many_requests` where the project has no other, `overloaded` where nobody has.
   */
  take(project: string): () => void;
}

const MAX_OF_PROJECT = 2;
const MAX_OF_PROCESS = 8;
const RETRY_SECONDS = 5;

export function createSlots(): Slots {
  const taken = new Map<string, number>();
  let all = 0;
  const add = (project: string, one: 1 | -1): void => {
    all += one;
    const count = (taken.get(project) ?? 0) + one;
    if (count === 0) taken.delete(project);
    else taken.set(project, count);
  };
  return {
    take(project) {
      if ((taken.get(project) ?? 0) >= MAX_OF_PROJECT) {
        const message = `${MAX_OF_PROJECT} dry-runs or imports of this project are under way: wait for one to end`;
        throw new Problem('too_many_requests', message, { retryAfter: RETRY_SECONDS });
      }
      if (all >= MAX_OF_PROCESS) {
        const message = 'too many dry-runs and imports are under way: try again';
        throw new Problem('overloaded', message, { retryAfter: RETRY_SECONDS });
      }
      add(project, 1);
      return () => add(project, -1);
    },
  };
}
