/** The port that sends attempts to customers' URLs. */

/** Time from the start of an attempt to complete response headers, in milliseconds. See docs/delivery.md. */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** One POST, ready to send: every header is set, and the signature covers exactly these bytes. */
export interface AttemptRequest {
  /** The endpoint's current URL, unchecked. */
  readonly url: string;
  /** All headers of docs/signing.md. */
  readonly headers: Readonly<Record<string, string>>;
  /** The raw request body. */
  readonly body: Uint8Array;
  /** `false`: a transport that keeps exchanges keeps none of this request. */
  readonly exchange?: boolean;
}

/**
 * Why an attempt failed.
 *
 * - `http_status`: the answer was not 2xx. Redirects are among these, since they are not followed.
 * - `timeout`: no connection, or no complete response headers, within 10 s.
 * - `connection_refused`: nothing listens at the address and port.
 * - `connection_reset`: the receiver closed the connection before it answered.
 * - `connection_failed`: no connection for another reason, such as an unreachable network.
 * - `dns_failure`: the name could not be resolved.
 * - `tls_failure`: the handshake or the certificate failed.
 * - `protocol_error`: the answer was not HTTP/1.1 or 1.0 with a status from 200 to 999.
 * - `headers_too_large`: the response headers exceeded the limit.
 * - `address_refused`: the address guard does not allow connections to the address.
 * - `url_refused`: the URL may not be called, because of its scheme, credentials, syntax or length.
 * - `endpoint_gone`: the endpoint no longer exists; nothing was sent.
 * - `internal_error`: the transport itself failed; or the sender refused to send, and `detail` has the code.
 */
export type FailureCode =
  | 'http_status'
  | 'timeout'
  | 'connection_refused'
  | 'connection_reset'
  | 'connection_failed'
  | 'dns_failure'
  | 'tls_failure'
  | 'protocol_error'
  | 'headers_too_large'
  | 'address_refused'
  | 'url_refused'
  | 'endpoint_gone'
  | 'internal_error';

/** An attempt that was answered with 2xx. */
export interface AttemptSuccess {
  readonly ok: true;
  /** 200..299. */
  readonly status: number;
}

/** An attempt that failed. */
export interface AttemptFailure {
  readonly ok: false;
  readonly failure: FailureCode;
  /** The HTTP status, if there was an answer. */
  readonly status?: number;
  /** `false`: a retry cannot help unless something is changed. The policy retries all the same. */
  readonly transient: boolean;
  /**
   * The Retry-After header of an answer with status 429 or 503, in whole seconds from the answer, at least 0. Left out
   * for every other status, and if there was no valid header.
   */
  readonly retry_after_seconds?: number;
  /**
   * A sentence for people, without a body, secret or signature. The scheduler records at most 500 code points: the
   * first 499 of a longer one, and an ellipsis.
   */
  readonly detail: string;
}

/** How an attempt ended. */
export type AttemptOutcome = AttemptSuccess | AttemptFailure;

/** Most bytes of a response body that an {@link Exchange} holds. */
export const MAX_EXCHANGE_BODY_BYTES = 16 * 1_024;

/** The request and the response of an attempt. Its request body is that of the delivery. */
export interface Exchange {
  /**
   * The request line and all headers as they were written, each line with its CRLF, and the empty line after them;
   * `null` if nothing was written.
   */
  readonly request_head: string | null;
  /** `null` unless the response headers were complete. */
  readonly response: ExchangeResponse | null;
  readonly timings: ExchangeTimings;
}

/** The answer of a receiver. */
export interface ExchangeResponse {
  /** 200 to 999. */
  readonly status: number;
  /** In the order of the answer, and as often as they were in it. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** At most {@link MAX_EXCHANGE_BODY_BYTES}, as sent: not decompressed. */
  readonly body: Uint8Array;
  /** `false` if the body was longer, or did not end in time. */
  readonly is_complete: boolean;
}

/** Times in milliseconds, with fractions. Each is `null` for a step that was not taken, or did not end. */
export interface ExchangeTimings {
  /** Look-up of the host name; like the next two, `null` on a connection that was used before. */
  readonly dns_ms: number | null;
  readonly connect_ms: number | null;
  readonly tls_ms: number | null;
  /** From the written request to complete response headers. */
  readonly first_byte_ms: number | null;
  /** From the start of the attempt to the end of what is kept of the response. */
  readonly total_ms: number;
}

/** The answer of a transport: an outcome, and perhaps its exchange. */
export type TransportAnswer = AttemptOutcome & {
  /** Left out unless the transport keeps exchanges. */
  readonly exchange?: Exchange;
};

/** Sends attempts over the network. */
export interface Transport {
  /**
   * Makes one attempt. Never rejects: a failed attempt is a value. Ends within {@link ATTEMPT_TIMEOUT_MS}.
   *
   * @param request - The request to send.
   * @param signal - Ends the attempt at once when it fires.
   */
  send(request: AttemptRequest, signal: AbortSignal): Promise<TransportAnswer>;
  /** Closes all connections; no attempt may be sent afterwards. */
  close(): Promise<void>;
}
