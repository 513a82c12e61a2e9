/** Bounds the memory of requests: each is let in before its body is read, or refused. */
import { mayTake } from '../ground/fair-share.js';
import { Problem } from '../ground/problem.js';

/** What may be in the process at a time; one project may have no more than it leaves to the others. */
export interface AdmissionLimits {
  readonly requests: number;
  /** Bytes of bodies. */
  readonly bytes: number;
}

/** Counts what is in the process; mutable. */
export interface Admission {
  /**
   * Lets a request in.
   *
   * @param bytes - Of its body, as announced; the most that it may have where nothing is announced.
   * @returns To be called once, when the request has been answered.
   * @throws Problem `overloaded`
   */
  enter(project: string, bytes: number): () => void;
}

interface Load {
  requests: number;
  bytes: number;
}

/** Empty at first. */
export function createAdmission(limits: AdmissionLimits): Admission {
  const total: Load = { requests: 0, bytes: 0 };
  const projects = new Map<string, Load>();
  const fits = (own: Load, bytes: number): boolean =>
    mayTake(own.requests, 1, total.requests, limits.requests) &&
    mayTake(own.bytes, bytes, total.bytes, limits.bytes);
  const add = (load: Load, requests: number, bytes: number): void => {
    load.requests += requests;
    load.bytes += bytes;
  };
  return {
    enter(project, bytes) {
      const own = projects.get(project) ?? { requests: 0, bytes: 0 };
      if (!fits(own, bytes)) throw overloaded();
      projects.set(project, own);
      for (const load of [total, own]) add(load, 1, bytes);
      return () => {
        for (const load of [total, own]) add(load, -1, -bytes);
        if (own.requests === 0) projects.delete(project);
      };
    },
  };
}

const overloaded = (): Problem =>
  new Problem('overloaded', 'more comes in than can be stored; try again', { retryAfter: 1 });
