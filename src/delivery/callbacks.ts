/** What a scheduler tells its host. */
import { assertKnown, callable, type Check, type Checks, invalid, kindOf, optional } from './arguments.js';
import type { Attempt, Delivery } from './delivery.js';

/**
 * A call of the store that failed, and is made again at `retryAt`; nothing is lost meanwhile. Or a record that is damaged,
 * with a `StoreError` `store_damaged`: everything else of the claim goes on.
 */
export interface StoreFailure {
  readonly operation: 'claim' | 'settle';
  /** What the store threw. */
  readonly error: unknown;
  /** How many times in a row this operation has failed, this time counted. */
  readonly failures: number;
  /** Unix ms. */
  readonly retryAt: number;
}

/** The system's clock was set, or the machine slept. */
export interface ClockJump {
  /** How far it went beyond the time that passed, in milliseconds; negative: it was set back. */
  readonly byMs: number;
}

/**
 * Told as it happens; each may be left out. What is told of an attempt is already recorded. They are not waited
 * for, and one that throws disturbs nothing.
 */
export interface SchedulerCallbacks {
  /** Leases were taken; the attempts begin. */
  claimed?(deliveries: readonly Delivery[]): void;
  /**
   * An attempt was recorded, however it ended. `lateMs` is how long after it was due it started, and `null` where the
   * store does not tell when that was.
   */
  attempted?(delivery: Delivery, attempt: Attempt, lateMs: number | null): void;
  /** A 2xx came. */
  delivered?(delivery: Delivery): void;
  /** The attempt failed; the next one is due at `delivery.due_at`. */
  retrying?(delivery: Delivery): void;
  /** The policy is exhausted, or the endpoint gone: the delivery is a dead letter now. */
  deadLettered?(delivery: Delivery): void;
  /**
   * A lease was given back without an attempt. `error` is what the endpoint look-up or the signer threw, and
   * `undefined` when the scheduler was stopping, or the store took so long to give the lease that it was all but over.
   */
  released?(delivery: Delivery, error: unknown): void;
  /**
   * The attempt had not ended a second before its lease does, or a second after it was told to stop, and was given up;
   * or the lease had passed to somebody else; or, while stopping, the store refused the record until the lease ended or a
   * second after the signal. The attempt, if one was made, is not recorded, and will be repeated when the lease ends. Again and again, it says that the look-up,
   * the signer or the transport hangs.
   */
  leaseLost?(delivery: Delivery, attempt: Attempt | null): void;
  /** A lease was given back without an attempt, since the endpoint's rate limit allows the next one at `due_at`. */
  throttled?(delivery: Delivery): void;
  /**
   * With `pauseAfterDays`: an attempt failed, and the endpoint's `failing_since` is not set. The host sets it to
   * `since`, unless it was set meanwhile. Told again at the next failure if it was not.
   */
  endpointFailing?(endpointId: string, since: number): void;
  /** With `pauseAfterDays`: an attempt succeeded, and `failing_since` is set. The host clears it. */
  endpointRecovered?(endpointId: string, since: number): void;
  /**
   * With `pauseAfterDays`: an attempt failed, and the endpoint has been failing for that long. The host pauses it, if its
   * `failing_since` still is `since`: it may have recovered while the attempt was under way.
   */
  endpointExhausted?(endpointId: string, since: number): void;
  /** The clock was set by more than five seconds, either way. Told once; the scheduler carries on by the new time. */
  clockJumped?(jump: ClockJump): void;
  /** A call of the store failed, or it found a record that is damaged. */
  storeFailed?(failure: StoreFailure): void;
  /**
   * One of these callbacks threw; or `random` did, and there was no jitter; or an endpoint's `failing_since` was no instant,
   * and nothing was told of its health.
   */
  callbackFailed?(error: unknown): void;
}

const callback = optional(callable('a function, or leave it out'));
const CALLBACKS: Checks<SchedulerCallbacks> = {
  claimed: callback,
  attempted: callback,
  delivered: callback,
  retrying: callback,
  deadLettered: callback,
  released: callback,
  leaseLost: callback,
  throttled: callback,
  endpointFailing: callback,
  endpointRecovered: callback,
  endpointExhausted: callback,
  clockJumped: callback,
  storeFailed: callback,
  callbackFailed: callback,
};

/** One object of callbacks. An instance of a class may have more: it is the host's. */
export const callbacks: Check = (name, value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(`${name} is ${kindOf(value)}: give callbacks, or a list of such objects`);
  }
  if (isLiteral(value)) assertKnown(name, value, CALLBACKS, 'callback');
  const members = value as Readonly<Record<string, unknown>>;
  for (const known of Object.keys(CALLBACKS)) callback(`${name}.${known}`, members[known]);
};

function isLiteral(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Calls callbacks so that no throw and no rejection of theirs gets out. */
export type Tell = (say: (on: SchedulerCallbacks) => unknown) => void;

/** @param listeners - The host's callbacks, each told everything; what one of them throws is told to all. */
export function createTell(listeners: readonly SchedulerCallbacks[]): Tell {
  const guarded = (say: () => unknown, failed: (error: unknown) => void): void => {
    try {
      const said = say();
      if (typeof said === 'object' && said !== null) Promise.resolve(said).then(undefined, failed);
    } catch (error) {
      queueMicrotask(() => failed(error));
    }
  };
  // A callbackFailed that fails has nobody left to tell.
  const unheard = (): void => undefined;
  const failed = (error: unknown): void => {
    for (const on of listeners) guarded(() => on.callbackFailed?.(error), unheard);
  };
  return (say) => {
    for (const on of listeners) guarded(() => say(on), failed);
  };
}
