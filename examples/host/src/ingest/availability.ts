/** Whether the database is away: once a call has failed, requests are refused at once until it answers again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from '../db/index.js';
import { Problem } from '../ground/problem.js';

/** The known state of the database; mutable. */
export interface Availability {
  /** @throws Problem `store_unavailable` while the database is away. */
  assertThere(): void;
  /** Tells of a failure; those that say that the database is away begin to ask it. */
  failed(error: unknown): void;
  stop(): void;
}

const ASK_AGAIN_MS = 250;

export const storeUnavailable = (): Problem =>
  new Problem('store_unavailable', 'the database cannot be reached; try again', { retryAfter: 1 });

/**
 * @param ping - Rejects while the database does not answer.
 * @param wentAway - Called when the database is found to be away.
 */
export function createAvailability(ping: () => Promise<void>, wentAway: () => void): Availability {
  let isAway = false;
  let isStopped = false;
  const ask = async (): Promise<void> => {
    while (isAway && !isStopped) {
      await sleep(ASK_AGAIN_MS, undefined, { ref: false });
      isAway = await ping().then(
        () => false,
        () => true,
      );
    }
  };
  return {
    assertThere() {
      if (isAway) throw storeUnavailable();
    },
    failed(error) {
      if (!(error instanceof DatabaseUnavailable) || isAway) return;
      isAway = true;
      wentAway();
      void ask();
    },
    stop: () => void (isStopped = true),
  };
}
