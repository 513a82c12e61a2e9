import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import type { AttemptOutcome } from '../../delivery/transport.js';
import type { Drains } from './drain.js';
import { failed, failedStatus, failureOf } from './failure.js';
import { retryAfterSeconds } from './retry-after.js';

/** 1xx responses before the real one; honest receivers send one or two. */
const MAX_INFORMATIONAL = 16;

/** Where there is no connection yet, the connector's deadline ends the attempt in this moment, and says what was missing. */
const CONNECT_GRACE_MS = 50;

/** The limits of one {@link exchange}. */
export interface ExchangeLimits {
  /** Milliseconds from now to complete response headers, connecting included. */
  readonly timeoutMs: number;
  /** Ends the exchange early. */
  readonly signal: AbortSignal;
  /** Where the response body goes. */
  readonly drains: Drains;
}

/** Sends one request. Settles on the status; what becomes of the body afterwards concerns the connection only. */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, signal, drains }: ExchangeLimits,
): Promise<AttemptOutcome> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let settled = false;
    let informational = 0;
    const settle = (outcome: AttemptOutcome): void => {
      settled = true;
      clearTimeout(deadline);
      signal.removeEventListener('abort', stop);
      resolve(outcome);
    };
    const giveUp = (outcome: AttemptOutcome): void => {
      settle(outcome);
      controller?.abort(new Error('given up'));
    };
    const late = (): void =>
      giveUp(failed('timeout', `no complete response headers within ${timeoutMs / 1_000} s`));
    let deadline = setTimeout(() => {
      if (controller === undefined) deadline = setTimeout(late, CONNECT_GRACE_MS);
      else late();
    }, timeoutMs);
    const stop = (): void =>
      giveUp(failed('internal_error', 'the sender stopped before the receiver had answered'));
    if (signal.aborted) {
      stop();
      return;
    }
    setMaxListeners(0, signal); // one signal may stop any number of attempts; Node would warn from 11 on
    signal.addEventListener('abort', stop, { once: true });

    let drained = (): void => undefined;
    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        if (settled) started.abort(new Error('given up'));
      },
      onResponseStart(started, status, headers) {
        if (status >= 200) {
          settle(outcomeOf(status, headers));
          drained = drains.start(started);
        } else if (++informational > MAX_INFORMATIONAL) {
          giveUp(failed('protocol_error', `more than ${MAX_INFORMATIONAL} informational responses`));
        }
      },
      onResponseEnd: () => drained(),
      onResponseError(_, error) {
        drained();
        if (!settled) settle(failureOf(error));
      },
    });
  });
}

const outcomeOf = (status: number, headers: Dispatcher.ResponseData['headers']): AttemptOutcome =>
  status < 300
    ? { ok: true, status }
    : failedStatus(status, retryAfterSeconds(headers['retry-after'], Date.now()));
