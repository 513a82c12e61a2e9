/** A transport with scripted answers, which records its requests. */
import { callable, part } from '../delivery/arguments.js';
import type { Clock } from '../delivery/clock.js';
import type { AttemptFailure, AttemptOutcome, AttemptRequest, Transport } from '../delivery/transport.js';

/** One request to a scripted transport. */
export interface SentAttempt {
  readonly request: AttemptRequest;
  /** Unix ms. */
  readonly at: number;
  /** Requests in flight when it came, including itself. */
  readonly inFlight: number;
  /** The number of them to the same URL. */
  readonly inFlightToUrl: number;
}

/** A scripted answer: a status or an outcome, at once or after a delay. */
export interface ScriptedAnswer {
  /** An HTTP status, or a whole outcome. */
  readonly outcome: number | AttemptOutcome;
  /**
   * Delay of the answer, in milliseconds.
   * @defaultValue `0`
   */
  readonly afterMs?: number;
}

/** A transport for tests. */
export interface ScriptedTransport extends Transport {
  /** Every request so far, in order. */
  readonly sent: readonly SentAttempt[];
}

/**
 * A transport that sends nothing, gives scripted answers and records its requests.
 *
 * @param clock - The clock of the test.
 * @param answer - Called once for each request, with the number of earlier requests to its URL.
 * @throws `OptionError` `invalid_option` for an invalid argument.
 */
export function createScriptedTransport(
  clock: Clock,
  answer: (request: AttemptRequest, earlier: number) => ScriptedAnswer,
): ScriptedTransport {
  part(['now', 'at'], 'a clock, such as createManualClock()')('clock', clock);
  callable('a function from a request to { outcome }')('answer', answer);
  const sent: SentAttempt[] = [];
  const counts = new Map<string, number>();
  const flying: string[] = [];
  return {
    sent,
    async send(request, signal) {
      const { url } = request;
      const earlier = counts.get(url) ?? 0;
      counts.set(url, earlier + 1);
      flying.push(url);
      const inFlightToUrl = flying.filter((one) => one === url).length;
      sent.push({ request, at: clock.now(), inFlight: flying.length, inFlightToUrl });
      const { outcome, afterMs = 0 } = answer(request, earlier);
      const aborted = afterMs > 0 && (await pause(clock, afterMs, signal));
      flying.splice(flying.indexOf(url), 1);
      if (aborted) return failure('timeout', 'Given up');
      return typeof outcome === 'number' ? answered(outcome) : outcome;
    },
    close: () => Promise.resolve(),
  };
}

/** Resolves to false after a delay, or to true as soon as the signal fires. */
const pause = (clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(true);
    const cancel = clock.at(clock.now() + ms, () => resolve(false));
    signal.addEventListener('abort', () => {
      cancel();
      resolve(true);
    });
  });

function answered(status: number): AttemptOutcome {
  if (status >= 200 && status < 300) return { ok: true, status };
  return { ...failure('http_status', `The endpoint answered ${status}`), status };
}

const failure = (code: AttemptFailure['failure'], detail: string): AttemptFailure => ({
  ok: false,
  failure: code,
  transient: true,
  detail,
});
