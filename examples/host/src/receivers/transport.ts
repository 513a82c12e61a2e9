/**
 * Deliveries to the service's own receivers, handed over within the process: they need no name, no certificate and no
 * hole in the address guard, and work behind any proxy. Everything else goes through the transport.
 */
import {
  ATTEMPT_TIMEOUT_MS,
  type AttemptOutcome,
  type AttemptRequest,
  type Exchange,
  type Transport,
} from 'headgate/delivery';
import { pause } from './pause.js';

/** The answer of a receiver to a delivery; null stands for no such receiver. */
export interface HandedOver {
  readonly status_code: number;
  readonly delay_ms: number;
}

/** Dependencies of this transport. */
export interface OwnTransportParts {
  readonly transport: Transport;
  /** Null for a URL that is not one of a receiver of this service. */
  readonly tokenOf: (url: string) => string | null;
  readonly handOver: (token: string, request: AttemptRequest) => Promise<HandedOver | null>;
}

export function createOwnTransport({ transport, tokenOf, handOver }: OwnTransportParts): Transport {
  const deliver = async (
    token: string,
    request: AttemptRequest,
    signal: AbortSignal,
  ): Promise<AttemptOutcome> => {
    const { status_code: status, delay_ms } = (await handOver(token, request)) ?? NOT_FOUND;
    await pause(Math.min(delay_ms, ATTEMPT_TIMEOUT_MS), signal);
    if (signal.aborted) {
      return failed('internal_error', 'the sender stopped before the receiver had answered');
    }
    if (delay_ms >= ATTEMPT_TIMEOUT_MS) return failed('timeout', TOO_LATE);
    if (status < 300) return { ok: true, status };
    return { ...failed('http_status', `the receiver answered ${status}`), status };
  };
  return {
    async send(request, signal) {
      const token = tokenOf(request.url);
      if (token === null) return transport.send(request, signal);
      const began = performance.now();
      try {
        const outcome = await deliver(token, request, signal);
        if (request.exchange === false) return outcome;
        return { ...outcome, exchange: exchangeOf(request, outcome, performance.now() - began) };
      } catch {
        return failed('internal_error', 'the receiver could not keep the request');
      }
    },
    close: () => transport.close(),
  };
}

/** The exchange as it would be on a connection. */
function exchangeOf({ url, headers }: AttemptRequest, { status }: AttemptOutcome, ms: number): Exchange {
  const { host, pathname } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const answered = status === undefined ? null : { status, headers: [], body: NO_BODY, is_complete: true };
  return {
    request_head: `POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`,
    response: answered,
    timings: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: answered && ms, total_ms: ms },
  };
}

const NO_BODY = new Uint8Array();
const NOT_FOUND: HandedOver = { status_code: 404, delay_ms: 0 };
const TOO_LATE = `no complete response headers within ${ATTEMPT_TIMEOUT_MS / 1_000} s`;

const failed = (failure: 'internal_error' | 'timeout' | 'http_status', detail: string) =>
  ({ ok: false, failure, transient: true, detail }) as const;
