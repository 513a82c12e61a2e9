/** Whether the database is away: once a call has failed, requests are refused at once until it answers again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from '../db/index.js';

/** The known state of the database; mutable. */
export interface Availability {
  /** @throws DatabaseUnavailable while the database is away, or its disk is full. */
  assertThere(): void;
  /** Reports a failure. If it says that the database is unreachable, probing begins. */
  failed(error: unknown): void;
  stop(): void;
}

const ASK_AGAIN_MS = 250;

/**
 * @param ping - Rejects while the database does not answer.
 * @param wentAway - Called with the failure when the database is found to be away.
 */
export function createAvailability(
  ping: () => Promise<void>,
  wentAway: (error: DatabaseUnavailable) => void,
): Availability {
  let away: DatabaseUnavailable | null = null;
  let isStopped = false;
  const ask = async (): Promise<void> => {
    while (away !== null && !isStopped) {
      await sleep(ASK_AGAIN_MS, undefined, { ref: false });
      await ping().then(
        () => (away = null),
        () => undefined,
      );
    }
  };
  return {
    assertThere() {
      if (away !== null) throw away;
    },
    failed(error) {
      if (!(error instanceof DatabaseUnavailable) || away !== null) return;
      away = error;
      wentAway(error);
      void ask();
    },
    stop: () => void (isStopped = true),
  };
}
