/** Traces attempts: the callback `attempting` begins a trace, and the request carries its `traceparent`. */
import { traceparentOf } from '../traceparent.js';
import type { AttemptTrace, SchedulerCallbacks } from './callbacks.js';
import type { Delivery } from './delivery.js';
import type { AttemptFailure, AttemptOutcome, AttemptRequest } from './transport.js';

type Send = (request: AttemptRequest) => Promise<unknown>;

/** A trace that cannot disturb its attempt, no matter what the callback does. */
interface SafeTrace {
  send(request: AttemptRequest, send: Send): Promise<unknown>;
  ended(outcome: AttemptOutcome | null, endedAt: number): void;
}

/** Begins the trace of an attempt. */
export type BeginTrace = (
  delivery: Delivery,
  startedAt: number,
  next: AttemptRequest | AttemptFailure,
) => SafeTrace;

const UNTRACED: SafeTrace = { send: (request, send) => send(request), ended: () => undefined };

/**
 * @param listeners - The first of them that returns a trace has the attempt.
 * @param failed - Called with what they throw.
 */
export function createTracing(
  listeners: readonly SchedulerCallbacks[],
  failed: (error: unknown) => void,
): BeginTrace {
  const guarded = <Result>(work: () => Result): Result | undefined => {
    try {
      return work();
    } catch (error) {
      failed(error);
      return undefined;
    }
  };
  return (delivery, started_at, next) => {
    const traceparent = 'headers' in next ? traceparentOf(next.headers.traceparent) : null;
    const start = { number: delivery.attempts + 1, started_at, traceparent };
    for (const on of listeners) {
      const trace = guarded(() => on.attempting?.(delivery, start));
      if (isTrace(trace)) return safe(trace, guarded);
    }
    return UNTRACED;
  };
}

const isTrace = (value: unknown): value is AttemptTrace =>
  typeof (Object(value) as Partial<AttemptTrace>).run === 'function';

const safe = (trace: AttemptTrace, guarded: (work: () => void) => void): SafeTrace => ({
  send(request, send) {
    const traceparent = traceparentOf(trace.traceparent);
    const traced =
      traceparent === null ? request : { ...request, headers: { ...request.headers, traceparent } };
    let sent: Promise<unknown> | null = null;
    const once = (): Promise<unknown> => (sent ??= send(traced));
    guarded(() => trace.run(once));
    return once();
  },
  ended(outcome, endedAt) {
    guarded(() => trace.ended(outcome, endedAt));
  },
});
