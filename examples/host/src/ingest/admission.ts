/** Bounds the memory of requests: each is let in before its body is read, or refused. */
import { mayTake } from '../ground/fair-share.js';
import { Problem } from '../ground/problem.js';
import { createByteBudget } from '../ground/byte-budget.js';

/** Limits of the requests in the process; one project may take no more than it leaves to the others. */
export interface AdmissionLimits {
  readonly requests: number;
  /** Bytes of bodies. */
  readonly bytes: number;
  /** Bytes of bodies that one project may send a second, for long; for a moment it may send those of two seconds. */
  readonly bytesPerSecond: number;
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
  /**
   * Counts the bytes of a body, before it is read where its length is announced.
   *
   * @throws Problem `too_many_requests` where the project sends more than it may; then they are not counted.
   */
  spend(project: string, bytes: number): void;
}

interface Load {
  requests: number;
  bytes: number;
}

/**
 * Empty at first.
 *
 * @param now - Unix ms.
 */
export function createAdmission(limits: AdmissionLimits, now: () => number): Admission {
  const budget = createByteBudget(limits.bytesPerSecond);
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
    spend(project, bytes) {
      const waitMs = budget.take(project, bytes, now());
      if (waitMs > 0) throw tooManyBytes(limits.bytesPerSecond, waitMs);
    },
  };
}

const overloaded = (): Problem =>
  new Problem('overloaded', 'more comes in than can be stored; try again', { retryAfter: 1 });

const tooManyBytes = (most: number, waitMs: number): Problem =>
  new Problem(
    'too_many_requests',
    `the project sends more than ${most} bytes a second: send the request again later`,
    { retryAfter: Math.ceil(waitMs / 1_000) },
  );
