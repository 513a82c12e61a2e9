import { errors } from 'undici';
import type { AttemptFailure, FailureCode } from '../../delivery/transport.js';
import { AddressRefusedError, LookupError } from './address-guard.js';
import { ConnectTimeoutError, HandshakeClosedError, ResponseTooLargeError } from './connect.js';

/** Failures that the same request to the same endpoint would meet again. */
const lasting: ReadonlySet<FailureCode> = new Set(['url_refused', 'address_refused']);

export const failed = (
  failure: FailureCode,
  detail: string,
  transient = !lasting.has(failure),
): AttemptFailure => ({ ok: false, failure, transient, detail });

/** A response that is not 2xx; redirects (3xx, but for 304) are answers, never followed. */
export function failedStatus(status: number, retryAfter: number | undefined): AttemptFailure {
  const note = status >= 300 && status < 400 && status !== 304 ? '; redirects are not followed' : '';
  return {
    ...failed('http_status', `the receiver answered ${status}${note}`),
    status,
    ...(retryAfter === undefined ? {} : { retry_after_seconds: retryAfter }),
  };
}

/** Names what ended an attempt. The texts are our own: an error's message may quote what the receiver sent. */
export function failureOf(error: unknown): AttemptFailure {
  if (error instanceof AddressRefusedError) return failed('address_refused', error.message);
  if (error instanceof LookupError) return failed('dns_failure', error.message);
  if (error instanceof ConnectTimeoutError) return failed('timeout', error.message);
  if (error instanceof HandshakeClosedError) return failed('connection_reset', closedEarly);
  if (error instanceof ResponseTooLargeError) return failed('headers_too_large', oversized);
  if (error instanceof errors.HTTPParserError) return failed('protocol_error', 'the answer is not HTTP/1.1');
  if (isUpgrade(error)) return failed('protocol_error', 'the answer switches protocols');
  const code = codeOf(error);
  const known = byCode[code];
  if (known !== undefined) return failed(...known);
  if (tlsCode.test(code)) return failed('tls_failure', tlsDetail(code));
  if (code === 'unknown') return failed('internal_error', 'the transport broke');
  return failed('connection_failed', `the connection failed (${code})`);
}

/** A 101; undici has no code of its own for it. */
const isUpgrade = (error: unknown): boolean =>
  error instanceof errors.SocketError && error.message === 'bad upgrade';

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown';
}

const closed = 'the connection was closed before complete response headers';
const closedEarly = 'the connection was closed during the TLS handshake';
const oversized = 'the response headers are too large';
const unreachable = 'the network has no way to the receiver';
const selfSigned = 'the certificate is signed by nobody that is trusted (self-signed)';
const incomplete = 'the certificate chain does not lead to a trusted root; an intermediate may be missing';

const byCode: Readonly<Record<string, readonly [FailureCode, string, boolean?]>> = {
  ECONNREFUSED: ['connection_refused', 'nothing listens at the address and port'],
  ECONNRESET: ['connection_reset', closed],
  EPIPE: ['connection_reset', closed],
  UND_ERR_SOCKET: ['connection_reset', closed],
  EHOSTUNREACH: ['connection_failed', unreachable],
  ENETUNREACH: ['connection_failed', unreachable],
  ETIMEDOUT: ['connection_failed', 'the receiver did not take the connection'],
  UND_ERR_INVALID_ARG: [
    'internal_error',
    'a request header has a name or value that HTTP does not allow',
    false,
  ],
  UND_ERR_DESTROYED: ['internal_error', 'the transport was closed'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['protocol_error', 'the answer contradicts its own length'],
  UND_ERR_HEADERS_OVERFLOW: ['headers_too_large', oversized],
  CERT_HAS_EXPIRED: ['tls_failure', 'the certificate has expired'],
  CERT_NOT_YET_VALID: ['tls_failure', 'the certificate is not valid yet'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['tls_failure', selfSigned],
  SELF_SIGNED_CERT_IN_CHAIN: ['tls_failure', selfSigned],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['tls_failure', incomplete],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['tls_failure', incomplete],
  ERR_TLS_CERT_ALTNAME_INVALID: ['tls_failure', 'the certificate is for another name'],
  ERR_SSL_WRONG_VERSION_NUMBER: ['tls_failure', 'the receiver does not speak TLS at this port'],
  EPROTO: ['tls_failure', 'the receiver does not speak TLS at this port, or no version in common'],
};

/** Codes of OpenSSL, of Node's TLS, and of certificate verification. */
const tlsCode =
  /^(ERR_SSL|ERR_TLS|CERT_|CRL_|UNABLE_TO_|ERROR_IN_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH)/;

/** What alerts of the receiver mean; OpenSSL has changed the beginnings of these codes from one version to the next. */
const alerts: readonly (readonly [RegExp, string])[] = [
  [/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/, 'the receiver speaks only versions of TLS before 1.2'],
  [/ALERT_HANDSHAKE_FAILURE/, 'the receiver refuses the handshake; it may want a client certificate'],
  [/NO_APPLICATION_PROTOCOL/, 'the receiver does not speak HTTP/1.1'],
];

const tlsDetail = (code: string): string =>
  alerts.find(([pattern]) => pattern.test(code))?.[1] ?? `TLS failed (${code})`;
