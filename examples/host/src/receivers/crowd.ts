/** How many requests from outside are read or kept waiting at a time: each holds a body or a connection. */
import { mayTake } from '../ground/fair-share.js';
import { Problem } from '../ground/problem.js';

/** Of all projects; one alone may have half. With bodies of 256 KiB, 64 MiB. */
const MAX_AT_A_TIME = 256;

/** Runs work for a project. */
export type Crowd = <T>(project: string, work: () => Promise<T>) => Promise<T>;

/** Empty at first. */
export function createCrowd(): Crowd {
  const projects = new Map<string, number>();
  let total = 0;
  const count = (project: string, change: 1 | -1): void => {
    const own = (projects.get(project) ?? 0) + change;
    total += change;
    if (own === 0) projects.delete(project);
    else projects.set(project, own);
  };
  return async (project, work) => {
    if (!mayTake(projects.get(project) ?? 0, 1, total, MAX_AT_A_TIME)) throw crowded();
    count(project, 1);
    try {
      return await work();
    } finally {
      count(project, -1);
    }
  };
}

const crowded = (): Problem =>
  new Problem('too_many_requests', 'too many requests wait for receivers of this project; try again', {
    retryAfter: 1,
  });
