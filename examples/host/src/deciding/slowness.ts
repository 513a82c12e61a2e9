/** Which projects have events that take long to decide. Pure. */

/** A project is slow from this average on, in milliseconds an event. */
const SLOW_MS = 5;
/** It is quick again below this average, when it has been slow for a while. */
const QUICK_MS = 1;
const LEAST_SLOW_MS = 60_000;
/** Weight of the last event in the average. */
const WEIGHT = 0.2;
/** Projects that are remembered; those seen longest ago are forgotten first. */
const MOST_PROJECTS = 10_000;

/** Averages by project; mutable. */
export interface Slowness {
  /** Counts an event. */
  record(project: string, ms: number, at: number): void;
  /** Makes a project slow at once. */
  mark(project: string, at: number): void;
  isSlow(project: string): boolean;
  /** Average of the last events, in milliseconds; 0 while nothing is known. */
  average(project: string): number;
}

/** Nothing is known at first, and what is not known is quick. */
export function createSlowness(): Slowness {
  const known = new Map<string, { readonly average: number; readonly slowSince: number | null }>();
  const put = (project: string, average: number, slowSince: number | null): void => {
    known.delete(project);
    known.set(project, { average, slowSince });
    const [oldest] = known.keys();
    if (known.size > MOST_PROJECTS && oldest !== undefined) known.delete(oldest);
  };
  const get = (project: string) => known.get(project) ?? { average: 0, slowSince: null };
  return {
    record(project, ms, at) {
      const { average, slowSince } = get(project);
      const next = average + WEIGHT * (ms - average);
      const isOver = next < QUICK_MS && at - (slowSince ?? at) >= LEAST_SLOW_MS;
      put(project, next, next >= SLOW_MS ? (slowSince ?? at) : isOver ? null : slowSince);
    },
    mark: (project, at) => put(project, Math.max(get(project).average, SLOW_MS), at),
    isSlow: (project) => get(project).slowSince !== null,
    average: (project) => get(project).average,
  };
}
