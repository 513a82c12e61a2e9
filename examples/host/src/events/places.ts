/** Places for work of which a project may have only so much under way, so that it does not take the others' time. */
import { Problem } from '../ground/problem.js';

/** Places of every project. */
export interface Places {
  /**
   * Runs work in a place of the project.
   *
   * @throws Problem (as a rejection) `too_many_requests` where it has none left.
   */
  take<T>(project: string, work: () => Promise<T>): Promise<T>;
}

const RETRY_SECONDS = 1;

/** @param most - Places of each project. */
export function createPlaces(most: number): Places {
  const taken = new Map<string, number>();
  const add = (project: string, change: 1 | -1): void => {
    const now = (taken.get(project) ?? 0) + change;
    if (now === 0) taken.delete(project);
    else taken.set(project, now);
  };
  return {
    async take(project, work) {
      if ((taken.get(project) ?? 0) >= most) {
        const message = `the project has ${most} searches under way, which is the most: try again when one has ended`;
        throw new Problem('too_many_requests', message, { retryAfter: RETRY_SECONDS });
      }
      add(project, 1);
      try {
        return await work();
      } finally {
        add(project, -1);
      }
    },
  };
}
