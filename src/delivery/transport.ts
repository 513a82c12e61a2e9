/** What carries one attempt to a customer's URL. */

/** Time from the start of an attempt to complete response headers, in milliseconds. See docs/delivery.md. */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** One POST, ready to go: every header is set and the signature covers exactly these bytes. */
export interface AttemptRequest {
  /** The customer's URL, as the endpoint has it now; nothing about it has been checked. */
  readonly url: string;
  /** All headers of docs/signing.md. */
  readonly headers: Readonly<Record<string, string>>;
  /** The raw request body. */
  readonly body: Uint8Array;
}

/**
 * Why an attempt failed.
 *
 * - `http_status`: an answer came, and it was not 2xx; a redirect is one of these, it is never followed.
 * - `timeout`: no connection, or no complete response headers, within 10 s.
 * - `connection_refused`: nothing listens there.
 * - `connection_reset`: the peer broke the connection off.
 * - `connection_failed`: no connection for another reason (network unreachable, broken pipe, …).
 * - `dns_failure`: the name has no address.
 * - `tls_failure`: the handshake or the certificate failed.
 * - `protocol_error`: what came back was not HTTP/1.1 or 1.0 with a status from 200 to 999.
 * - `headers_too_large`: the response headers passed the limit.
 * - `address_refused`: the address guard does not let anybody connect there.
 * - `url_refused`: the URL is not one that may be called (scheme, credentials, syntax, length).
 * - `endpoint_gone`: the endpoint no longer exists; nothing was sent.
 * - `internal_error`: the transport itself broke; or the sender refused to send, and `detail` has the code.
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

/** An attempt that a 2xx answered. */
export interface AttemptSuccess {
  readonly ok: true;
  /** 200..299. */
  readonly status: number;
}

/** An attempt that failed. */
export interface AttemptFailure {
  readonly ok: false;
  readonly failure: FailureCode;
  /** The HTTP status, where an answer came. */
  readonly status?: number;
  /** `false`: trying again without a change cannot help. The policy retries all the same. */
  readonly transient: boolean;
  /**
   * What the answer's Retry-After header asked for: whole seconds from the answer, at least 0. Left out where there was
   * none that makes sense. It is the receiver's wish, and no more than that.
   */
  readonly retry_after_seconds?: number;
  /**
   * A sentence for people; holds no body, secret or signature. The scheduler records at most 500 code points: of a longer
   * one the first 499, and an ellipsis.
   */
  readonly detail: string;
}

/** How an attempt ended. */
export type AttemptOutcome = AttemptSuccess | AttemptFailure;

/** Carries attempts over the network. */
export interface Transport {
  /**
   * Makes one attempt. Never rejects: a failed attempt is a value. Ends within {@link ATTEMPT_TIMEOUT_MS}.
   *
   * @param request - What to send.
   * @param signal - Fires when the host gives the attempt up; the attempt then ends at once, however it stands.
   */
  send(request: AttemptRequest, signal: AbortSignal): Promise<AttemptOutcome>;
  /** Gives back connections; no attempt is sent afterwards. */
  close(): Promise<void>;
}
