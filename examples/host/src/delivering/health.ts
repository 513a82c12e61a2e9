/** Passes on what attempts show about endpoints, without a write for every attempt of one that fails for days. */
import type { SchedulerCallbacks } from 'headgate/delivery';

/** Records the health of endpoints. `since` is in Unix ms; each method compares it with the stored one. */
export interface EndpointHealth {
  failing(endpointId: string, since: number): Promise<void>;
  recovered(endpointId: string, since: number): Promise<void>;
  /** The endpoint has been failing for a day or more; pauses it where the project's option says so. */
  exhausted(endpointId: string, since: number): Promise<void>;
}

/** The library repeats its report with the next attempt, so what is left out here comes again. */
const REPEAT_MS = 10_000;
const MOST_KNOWN = 10_000;

/**
 * Callbacks of the scheduler. The same sign of an endpoint is passed on at most every ten seconds.
 *
 * @param failed - Called with the error that `health` rejects with.
 */
export function healthCallbacks(
  health: EndpointHealth,
  now: () => number,
  failed: (error: unknown) => void,
): SchedulerCallbacks {
  const told = new Map<string, number>();
  const isNews = (sign: string): boolean => {
    const at = now();
    const before = told.get(sign);
    if (before !== undefined && at - before < REPEAT_MS && at >= before) return false;
    if (told.size >= MOST_KNOWN) told.clear();
    told.set(sign, at);
    return true;
  };
  return {
    endpointFailing: (id, since) => {
      // `since` is the end of each attempt until it is stored, so it does not tell signs apart.
      if (isNews(`failing ${id}`)) health.failing(id, since).catch(failed);
    },
    endpointRecovered: (id, since) => {
      told.delete(`failing ${id}`);
      if (isNews(`recovered ${id} ${since}`)) health.recovered(id, since).catch(failed);
    },
    endpointExhausted: (id, since) => {
      if (isNews(`exhausted ${id} ${since}`)) health.exhausted(id, since).catch(failed);
    },
  };
}
