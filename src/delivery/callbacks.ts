/** What a scheduler tells its host. */
import type { Attempt, Delivery } from './delivery.js';

/** A call of the store that failed. It is made again at `retryAt`; nothing is lost meanwhile. */
export interface StoreFailure {
  readonly operation: 'claim' | 'settle';
  /** What the store threw. */
  readonly error: unknown;
  /** Unix ms. */
  readonly retryAt: number;
}

/**
 * Told as it happens; each may be left out. What is told of an attempt is already recorded. They are not waited
 * for, and one that throws disturbs nothing.
 */
export interface SchedulerCallbacks {
  /** Leases were taken; the attempts begin. */
  claimed?(deliveries: readonly Delivery[]): void;
  /** An attempt was recorded, however it ended. */
  attempted?(delivery: Delivery, attempt: Attempt): void;
  /** A 2xx came. */
  delivered?(delivery: Delivery): void;
  /** The attempt failed; the next one is due at `delivery.due_at`. */
  retrying?(delivery: Delivery): void;
  /** The policy is exhausted, or the endpoint gone: the delivery is a dead letter now. */
  deadLettered?(delivery: Delivery): void;
  /**
   * A lease was given back without an attempt. `error` is what the endpoint look-up or the signer threw, and
   * `undefined` when the scheduler was stopping.
   */
  released?(delivery: Delivery, error: unknown): void;
  /**
   * The attempt had not ended a second before its lease does, or a second after it was told to stop, and was given up;
   * or the lease had passed to somebody else; or the store stayed away until it ended while stopping. The attempt, if
   * one was made, is not recorded, and will be repeated when the lease ends. Again and again, it says that the look-up,
   * the signer or the transport hangs.
   */
  leaseLost?(delivery: Delivery, attempt: Attempt | null): void;
  /** A call of the store failed. */
  storeFailed?(failure: StoreFailure): void;
  /** One of these callbacks threw. */
  callbackFailed?(error: unknown): void;
}

/** Calls callbacks so that no throw and no rejection of theirs gets out. */
export type Tell = (say: (on: SchedulerCallbacks) => unknown) => void;

/** @param on - The host's callbacks. */
export function createTell(on: SchedulerCallbacks): Tell {
  const guarded = async (say: (on: SchedulerCallbacks) => unknown): Promise<void> => {
    await say(on);
  };
  return (say) => {
    guarded(say)
      .catch((error: unknown) => guarded(() => on.callbackFailed?.(error)))
      // A callbackFailed that fails has nobody left to tell.
      .catch(() => undefined);
  };
}
