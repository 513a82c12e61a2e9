/** One request and the status of its answer. */
import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici/index.js';
import { countsRetryAfter } from '../../delivery/retry-delay.js';
import type { AttemptOutcome, TransportAnswer } from '../../delivery/transport.js';
import type { Drains } from './drain.js';
import { failed, failedStatus, failureOf } from './failure.js';
import { retryAfterSeconds } from './retry-after.js';
import type { Recording, Wire } from './wire.js';

/**
 * Extra time for a request without a connection: the connector's own deadline ends it at about the same time, with an
 * error that says what was missing.
 */
const CONNECT_GRACE_MS = 50;
/** Longest wait for the part of a body that is kept. */
const KEPT_BODY_MS = 1_000;

/** The limits of one {@link exchange}. */
export interface ExchangeLimits {
  /** Milliseconds from now to complete response headers, connecting included. */
  readonly timeoutMs: number;
  /** Ends the exchange when it fires. */
  readonly signal: AbortSignal;
  /** Reads the rest of the response body. */
  readonly drains: Drains;
  /** Null in a transport that keeps no exchanges. */
  readonly wire: Wire | null;
  /** Null if this exchange is not kept. */
  readonly recording: Recording | null;
}

/**
 * Sends one request. Resolves with the status: when the headers are complete, or with a recording when as much of the
 * body has come as is kept. The body does not change the outcome.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<TransportAnswer> {
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
  readonly #resolve: (answer: TransportAnswer) => void;
  /** When the deadline of the attempt ends; by `performance.now()`. */
  readonly #endsAt: number;
  #deadline: NodeJS.Timeout | undefined;
  /** Undefined until the request has a connection. */
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  /** The outcome while the body is recorded. */
  #answered: AttemptOutcome | null = null;
  #drained = (): void => undefined;

  constructor(limits: ExchangeLimits, resolve: (answer: TransportAnswer) => void) {
    this.#limits = limits;
    this.#endsAt = performance.now() + limits.timeoutMs;
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
    const { wire, recording } = this.#limits;
    if (this.#settled) controller.abort(new Error('given up'));
    else wire?.expect(recording);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Dispatcher.ResponseData['headers'],
  ): void {
    const outcome = outcomeOf(status, headers);
    const { recording } = this.#limits;
    if (recording === null) {
      this.#settle(outcome);
      this.#drained = this.#limits.drains.start(controller);
      return;
    }
    recording.answered(status, controller.rawHeaders as Buffer[]);
    this.#answered = outcome;
    clearTimeout(this.#deadline);
    const ms = Math.min(KEPT_BODY_MS, this.#endsAt - performance.now());
    this.#deadline = setTimeout(() => this.#giveUp(outcome), ms);
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (this.#answered === null || this.#settled || this.#limits.recording?.received(piece) !== false) return;
    this.#settle(this.#answered);
    this.#drained = this.#limits.drains.start(controller);
  }

  onResponseEnd(): void {
    this.#drained();
    if (!this.#settled && this.#answered !== null) this.#settle(this.#answered, true);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#drained();
    if (!this.#settled) this.#settle(this.#answered ?? failureOf(error));
  }

  readonly #stop = (): void => this.#giveUp(this.#answered ?? STOPPED);

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

  /** @param isComplete - Whether the whole body was recorded. */
  #settle(outcome: AttemptOutcome, isComplete = false): void {
    this.#settled = true;
    clearTimeout(this.#deadline);
    this.#limits.signal.removeEventListener('abort', this.#stop);
    const { recording } = this.#limits;
    this.#resolve(recording === null ? outcome : { ...outcome, exchange: recording.end(isComplete) });
  }
}

const outcomeOf = (status: number, headers: Dispatcher.ResponseData['headers']): AttemptOutcome =>
  status < 300
    ? { ok: true, status }
    : failedStatus(
        status,
        countsRetryAfter(status) ? retryAfterSeconds(headers['retry-after'], Date.now()) : undefined,
      );
