/** One request and the status of its answer. */
import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici/index.js';
import { countsRetryAfter } from '../../delivery/retry-delay.js';
import type { AttemptOutcome } from '../../delivery/transport.js';
import type { Drains } from './drain.js';
import { failed, failedStatus, failureOf } from './failure.js';
import { retryAfterSeconds } from './retry-after.js';

/**
 * Extra time for a request without a connection: the connector's own deadline ends it at about the same time, with an
 * error that says what was missing.
 */
const CONNECT_GRACE_MS = 50;

/** The limits of one {@link exchange}. */
export interface ExchangeLimits {
  /** Milliseconds from now to complete response headers, connecting included. */
  readonly timeoutMs: number;
  /** Ends the exchange when it fires. */
  readonly signal: AbortSignal;
  /** Reads the response body. */
  readonly drains: Drains;
}

/** Sends one request. Resolves with the status; the body is read later and does not change the outcome. */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<AttemptOutcome> {
  if (limits.signal.aborted) return Promise.resolve(STOPPED);
  return new Promise((resolve) => {
    const exchange = new Exchange(limits, resolve);
    dispatcher.dispatch(request, exchange);
    exchange.startDeadline();
  });
}

const STOPPED = failed('internal_error', 'the sender stopped before the receiver had answered');

/**
 * The handler that undici calls for one request. Made for the request, and dropped once its connection is done with it.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: ExchangeLimits;
  readonly #resolve: (outcome: AttemptOutcome) => void;
  #deadline: NodeJS.Timeout | undefined;
  /** Undefined until the request has a connection. */
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #drained = (): void => undefined;

  constructor(limits: ExchangeLimits, resolve: (outcome: AttemptOutcome) => void) {
    this.#limits = limits;
    this.#resolve = resolve;
    setMaxListeners(0, limits.signal); // one signal may stop many attempts, and Node warns from 11 listeners on
    limits.signal.addEventListener('abort', this.#stop, { once: true });
  }

  /** Called after the dispatch, so that the deadline of a new connection is set before this one. */
  startDeadline(): void {
    if (!this.#settled) this.#deadline = setTimeout(() => this.#expire(), this.#limits.timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(new Error('given up'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Dispatcher.ResponseData['headers'],
  ): void {
    this.#settle(outcomeOf(status, headers));
    this.#drained = this.#limits.drains.start(controller);
  }

  onResponseEnd(): void {
    this.#drained();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#drained();
    if (!this.#settled) this.#settle(failureOf(error));
  }

  readonly #stop = (): void => this.#giveUp(STOPPED);

  #expire(): void {
    if (this.#controller === undefined) this.#deadline = setTimeout(() => this.#late(), CONNECT_GRACE_MS);
    else this.#late();
  }

  #late(): void {
    const seconds = this.#limits.timeoutMs / 1_000;
    this.#giveUp(failed('timeout', `no complete response headers within ${seconds} s`));
  }

  #giveUp(outcome: AttemptOutcome): void {
    this.#settle(outcome);
    this.#controller?.abort(new Error('given up'));
  }

  #settle(outcome: AttemptOutcome): void {
    this.#settled = true;
    clearTimeout(this.#deadline);
    this.#limits.signal.removeEventListener('abort', this.#stop);
    this.#resolve(outcome);
  }
}

const outcomeOf = (status: number, headers: Dispatcher.ResponseData['headers']): AttemptOutcome =>
  status < 300
    ? { ok: true, status }
    : failedStatus(
        status,
        countsRetryAfter(status) ? retryAfterSeconds(headers['retry-after'], Date.now()) : undefined,
      );
