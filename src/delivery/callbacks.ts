/** The callbacks through which a scheduler reports to its host. */
import { assertKnown, callable, type Check, type Checks, invalid, kindOf, optional } from './arguments.js';
import type { Attempt, Delivery } from './delivery.js';
import type { AttemptOutcome } from './transport.js';

/**
 * A call of the store that failed and is repeated at `retryAt`; nothing is lost meanwhile. Or a damaged record that a
 * claim found, as a `StoreError` `store_damaged`; the other deliveries of the claim go on.
 */
export interface StoreFailure {
  readonly operation: 'claim' | 'settle';
  /** The error of the store. */
  readonly error: unknown;
  /** How many times in a row this operation has failed, including this time. */
  readonly failures: number;
  /** Unix ms. */
  readonly retryAt: number;
}

/** The system's clock was set, or the machine slept. */
export interface ClockJump {
  /** How far the clock went beyond the time that passed, in milliseconds; negative when it was set back. */
  readonly byMs: number;
}

/** An attempt that is about to be sent. */
export interface AttemptStart {
  /** From 1. */
  readonly number: number;
  /** Unix ms. */
  readonly started_at: number;
  /** The header `traceparent` that the signer gave; `null` without a valid one. */
  readonly traceparent: string | null;
}

/** The trace of an attempt, as the callback `attempting` returns it. */
export interface AttemptTrace {
  /** Sent instead of the request's own `traceparent`; `null` leaves that as it is. */
  readonly traceparent: string | null;
  /** Calls `send` exactly once, immediately, in the context that the trace needs. */
  run(send: () => unknown): void;
  /**
   * The attempt has ended, at `ended_at` (Unix ms). `outcome` is `null` if it was given up, so that it does not count.
   */
  ended(outcome: AttemptOutcome | null, ended_at: number): void;
}

/**
 * Called as things happen; each may be left out. An attempt is recorded before its callback is called. The scheduler
 * does not wait for callbacks, and one that throws does not disturb it.
 */
export interface SchedulerCallbacks {
  /** Leases were taken; the attempts begin. */
  claimed?(deliveries: readonly Delivery[]): void;
  /**
   * An attempt is about to be sent. The callback may return a trace of it, in which the request is then sent; of
   * several callbacks, the first that does so has the attempt.
   */
  attempting?(delivery: Delivery, attempt: AttemptStart): AttemptTrace | undefined;
  /**
   * An attempt was recorded, however it ended. `lateMs` is the time from when it was due to its start, and `null` if
   * the store does not say when it was due.
   */
  attempted?(delivery: Delivery, attempt: Attempt, lateMs: number | null): void;
  /** The endpoint answered with 2xx. */
  delivered?(delivery: Delivery): void;
  /** The attempt failed; the next one is due at `delivery.due_at`. */
  retrying?(delivery: Delivery): void;
  /** The policy is exhausted or the endpoint is gone: the delivery is a dead letter now. */
  deadLettered?(delivery: Delivery): void;
  /**
   * A lease was given back without an attempt. `error` is the error of the endpoint look-up or the signer. It is
   * `undefined` when the scheduler was stopping, or when the store answered only shortly before the lease ended.
   */
  released?(delivery: Delivery, error: unknown): void;
  /**
   * The lease ended before the attempt was recorded; the attempt is repeated when the lease ends. One of these
   * happened:
   *
   * - The attempt had not ended a second before its lease does, or a second after it was told to stop, and was given
   *   up. When that happens often, the look-up, the signer or the transport hangs.
   * - Another scheduler has taken the lease over.
   * - While the scheduler was stopping, the store refused the record until the lease ended, or until a second after the
   *   signal.
   */
  leaseLost?(delivery: Delivery, attempt: Attempt | null): void;
  /** A lease was given back without an attempt: the endpoint's rate limit allows the next attempt at `due_at`. */
  throttled?(delivery: Delivery): void;
  /**
   * With `pauseAfterDays`: an attempt failed, and the endpoint's `failing_since` is not set. The host sets it to
   * `since`, unless it was set meanwhile. Called again at each failure until it is set.
   */
  endpointFailing?(endpointId: string, since: number): void;
  /** With `pauseAfterDays`: an attempt succeeded, and `failing_since` is set. The host clears it. */
  endpointRecovered?(endpointId: string, since: number): void;
  /**
   * With `pauseAfterDays`: an attempt failed, and the endpoint has been failing for that long. The host pauses it if
   * `failing_since` still is `since`: the endpoint may have recovered during the attempt.
   */
  endpointExhausted?(endpointId: string, since: number): void;
  /** The clock was set by more than five seconds, forward or back. The scheduler goes on by the new time. */
  clockJumped?(jump: ClockJump): void;
  /** A call of the store failed, or a claim found a damaged record. */
  storeFailed?(failure: StoreFailure): void;
  /**
   * One of these callbacks threw; or `random` threw, and the delay had no jitter; or the host gave an endpoint a
   * `failing_since` that is not an instant, and its health was not reported.
   */
  callbackFailed?(error: unknown): void;
}

const aCallback = optional(callable('a function, or leave it out'));
const CALLBACKS: Checks<SchedulerCallbacks> = {
  claimed: aCallback,
  attempting: aCallback,
  attempted: aCallback,
  delivered: aCallback,
  retrying: aCallback,
  deadLettered: aCallback,
  released: aCallback,
  leaseLost: aCallback,
  throttled: aCallback,
  endpointFailing: aCallback,
  endpointRecovered: aCallback,
  endpointExhausted: aCallback,
  clockJumped: aCallback,
  storeFailed: aCallback,
  callbackFailed: aCallback,
};

/** Accepts one object of callbacks. Unknown members are refused in a literal, and ignored in an instance of a class. */
export const callbacks: Check = (name, value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(`${name} is ${kindOf(value)}: give callbacks, or a list of such objects`);
  }
  if (isLiteral(value)) assertKnown(name, value, CALLBACKS, 'callback');
  const members = value as Readonly<Record<string, unknown>>;
  for (const known of Object.keys(CALLBACKS)) aCallback(`${name}.${known}`, members[known]);
};

function isLiteral(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Calls callbacks; what they throw or reject with does not reach the caller. */
export type Tell = (say: (on: SchedulerCallbacks) => unknown) => void;

/** @param listeners - All are called. When one throws, `callbackFailed` of each is called with the error. */
export function createTell(listeners: readonly SchedulerCallbacks[]): Tell {
  const guarded = (say: () => unknown, failed: (error: unknown) => void): void => {
    try {
      const said = say();
      if (typeof said === 'object' && said !== null) Promise.resolve(said).then(undefined, failed);
    } catch (error) {
      queueMicrotask(() => failed(error));
    }
  };
  // An error of callbackFailed itself is dropped.
  const drop = (): void => undefined;
  const failed = (error: unknown): void => {
    for (const on of listeners) guarded(() => on.callbackFailed?.(error), drop);
  };
  return (say) => {
    for (const on of listeners) guarded(() => say(on), failed);
  };
}
