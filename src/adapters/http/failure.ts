/** Failed attempts: from errors and statuses to what is recorded. */
import { constants } from 'node:os';
import { errors } from 'undici/index.js';
import type { AttemptFailure, FailureCode } from '../../delivery/transport.js';

/** Failures that a retry without a change would meet again. */
const LASTING: ReadonlySet<FailureCode> = new Set(['url_refused', 'address_refused']);

export const failed = (
  failure: FailureCode,
  detail: string,
  transient = !LASTING.has(failure),
): AttemptFailure => ({ ok: false, failure, transient, detail });

/** The failure of an answer that is not 2xx. Redirects are not followed. */
export function failedStatus(status: number, retryAfter: number | undefined): AttemptFailure {
  const note = status >= 300 && status < 400 && status !== 304 ? '; redirects are not followed' : '';
  return {
    ...failed('http_status', `the receiver answered ${status}${note}`),
    status,
    ...(retryAfter === undefined ? {} : { retry_after_seconds: retryAfter }),
  };
}

/** An error of this folder, which sockets and undici pass on unchanged. Its code and message are recorded. */
export class AttemptError extends Error {
  readonly failure: FailureCode;

  /** @param detail - The recorded sentence. It may have the name of the host, and nothing else of the request. */
  constructor(failure: FailureCode, detail: string) {
    super(detail);
    this.failure = failure;
  }
}

/**
 * The failure for an error.
 *
 * All recorded sentences come from this folder. Of other errors only the code is used, to look up a sentence: their
 * messages may quote what the receiver sent.
 */
export function failureOf(error: unknown): AttemptFailure {
  if (error instanceof AttemptError) return failed(error.failure, error.message);
  if (error instanceof errors.HTTPParserError) return failed('protocol_error', NOT_HTTP);
  const code = codeOf(error);
  const known = BY_CODE.get(code);
  if (known !== undefined) return failed(...known);
  if (TLS_CODE.test(code)) return failed('tls_failure', tlsDetail(code));
  if (isSystemCode(code)) return failed('connection_failed', `the connection failed (${code})`);
  return failed('internal_error', 'the transport broke');
}

/** The `code` of a thrown value; `''` if it has none. */
export function codeOf(error: unknown): string {
  try {
    const { code } = error as { code?: unknown };
    return typeof code === 'string' ? code : '';
  } catch {
    return ''; // null, undefined, or a getter that threw
  }
}

/** True for the name of a system error, such as `EMFILE`. */
export const isSystemCode = (code: string): boolean => Object.hasOwn(constants.errno, code);

export const NOT_HTTP = 'the answer is not HTTP/1.1';
export const OVERSIZED = 'the response headers are too large';
const CLOSED = 'the connection was closed before complete response headers';
const UNREACHABLE = 'the network has no route to the receiver';

const BY_CODE: ReadonlyMap<string, readonly [FailureCode, string, boolean?]> = new Map([
  ['ECONNREFUSED', ['connection_refused', 'nothing listens at the address and port']],
  ['ECONNRESET', ['connection_reset', CLOSED]],
  ['EPIPE', ['connection_reset', CLOSED]],
  ['UND_ERR_SOCKET', ['connection_reset', CLOSED]],
  ['EHOSTUNREACH', ['connection_failed', UNREACHABLE]],
  ['ENETUNREACH', ['connection_failed', UNREACHABLE]],
  ['ETIMEDOUT', ['connection_failed', 'the receiver did not accept the connection']],
  [
    'UND_ERR_INVALID_ARG',
    ['internal_error', 'a request header has a name or value that HTTP does not allow', false],
  ],
  ['UND_ERR_DESTROYED', ['internal_error', 'the transport was closed']],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', ['protocol_error', 'the answer contradicts its own length']],
  ['UND_ERR_HEADERS_OVERFLOW', ['headers_too_large', OVERSIZED]],
  ['ERR_ASSERTION', ['protocol_error', NOT_HTTP]], // thrown by undici for an answer that it does not expect
]);

/** Codes of OpenSSL, of Node's TLS, and of the verification of certificates. */
const TLS_CODE =
  /^(ERR_SSL_|ERR_TLS_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_|HOSTNAME_MISMATCH$|UNSPECIFIED$|EPROTO$)/;

/** Sentences for TLS codes; the first match decides. The prefixes of OpenSSL's codes differ between its versions. */
const TLS_DETAILS: readonly (readonly [RegExp, string])[] = [
  [/^CERT_HAS_EXPIRED$/, 'the certificate has expired'],
  [/^CERT_NOT_YET_VALID$/, 'the certificate is not valid yet'],
  [/^CERT_REVOKED$/, 'the certificate has been revoked'],
  [/SELF_SIGNED_CERT/, 'the certificate is self-signed, or its chain ends in an untrusted root'],
  [
    /^UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/,
    'the certificate chain does not lead to a trusted root; an intermediate may be missing',
  ],
  [/ALTNAME_INVALID$|^HOSTNAME_MISMATCH$/, 'the certificate is for another name'],
  [/^INVALID_PURPOSE$/, 'the certificate is not for servers'],
  [
    /^(CERT_|CRL_|UNABLE_TO_|ERROR_IN_|INVALID_|PATH_LENGTH_|UNSPECIFIED)/,
    'the certificate cannot be verified',
  ],
  [/WRONG_VERSION_NUMBER|HTTP_REQUEST|HTTPS_PROXY/, 'the receiver does not speak TLS at this port'],
  [/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/, 'the receiver speaks only versions of TLS before 1.2'],
  [/NO_APPLICATION_PROTOCOL/, 'the receiver does not speak HTTP/1.1'],
  [/UNRECOGNIZED_NAME/, 'the receiver does not know the name in the URL'],
  [
    /ALERT_HANDSHAKE_FAILURE|CERTIFICATE_REQUIRED/,
    'the receiver refuses the handshake; it may want a client certificate',
  ],
  [/ALERT/, 'the receiver ended the TLS handshake'],
  [/KEY_TOO_SMALL|TOO_WEAK|UNSAFE_LEGACY/, 'the receiver requires cryptography that is no longer safe'],
  [/^EPROTO$/, 'the receiver does not speak TLS at this port, or no version in common'],
];

const tlsDetail = (code: string): string =>
  TLS_DETAILS.find(([pattern]) => pattern.test(code))?.[1] ?? 'the TLS handshake failed';
