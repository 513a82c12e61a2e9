/** All that the transport records of an attempt that failed, besides the answer's status and Retry-After. */
import { expect } from 'vitest';
import type { AttemptOutcome, FailureCode } from '../../../src/delivery/transport.js';

/** Codes of `node:dns`, getaddrinfo and the system, by their beginnings. */
const CODE = '(E[A-Z0-9]{2,20}|EAI_[A-Z]{4,6}|unknown error)';
/** At most the 253 octets that DNS has room for, a dot at the end, and no blanks. */
const HOST = '[^\\s<>@/?#|^%]{1,254}';

const sentences: Readonly<Partial<Record<FailureCode, readonly string[]>>> = {
  http_status: ['the receiver answered [2-9]\\d\\d(; redirects are not followed)?'],
  timeout: [
    'no (answer from DNS|connection|TLS handshake|complete response headers) within (\\d+|0\\.\\d{1,3}) s',
  ],
  connection_refused: ['nothing listens at the address and port'],
  connection_reset: [
    'the connection was closed before complete response headers',
    'the connection was closed during the TLS handshake',
  ],
  connection_failed: [
    'the network has no route to the receiver',
    'the receiver did not accept the connection',
    `the connection failed \\(${CODE}\\)`,
  ],
  dns_failure: [`${HOST} could not be resolved \\(${CODE}\\)`],
  tls_failure: [
    'the certificate has expired',
    'the certificate is not valid yet',
    'the certificate has been revoked',
    'the certificate is self-signed, or its chain ends in an untrusted root',
    'the certificate chain does not lead to a trusted root; an intermediate may be missing',
    'the certificate is for another name',
    'the certificate is not for servers',
    'the certificate cannot be verified',
    'the receiver does not speak TLS at this port',
    'the receiver does not speak TLS at this port, or no version in common',
    'the receiver speaks only versions of TLS before 1\\.2',
    'the receiver does not speak HTTP/1\\.1',
    'the receiver does not know the name in the URL',
    'the receiver refuses the handshake; it may want a client certificate',
    'the receiver ended the TLS handshake',
    'the receiver requires cryptography that is no longer safe',
    'the TLS handshake failed',
  ],
  protocol_error: [
    'the answer is not HTTP/1\\.1',
    'the response switches protocols',
    'the answer contradicts its own length',
    'more than 16 informational responses',
  ],
  headers_too_large: ['the response headers are too large'],
  address_refused: [
    `${HOST} is not a public address \\([\\w '-]{5,40}\\); use one that is`,
    `${HOST} is, or resolves to, an address that is not public \\([\\w '-]{5,40}\\); use one that is`,
    `${HOST} is, or resolves to, an address that is not public \\(not an IP address, or one with a zone\\); use one that is`,
  ],
  url_refused: [
    'not an absolute URL; write it as https://host/path',
    'longer than 8192 characters',
    'the scheme( [a-z0-9+.-]{1,31}:)? is not supported; use https: or http:',
    'credentials in the URL are not supported; deliveries are authenticated by their signature',
    'the host is too long for a DNS name: at most 253 characters, and 63 between two dots',
    'port \\d{1,5} belongs to another protocol; use 443, 80 or a port above 1024',
  ],
  internal_error: [
    'a request header has a name or value that HTTP does not allow',
    'the transport was closed',
    'the transport broke',
    'the sender stopped before the receiver had answered',
  ],
};

/** Fails unless an outcome is made of these words alone. */
export function expectOwnWords(outcome: AttemptOutcome): void {
  if (outcome.ok) {
    expect(Object.keys(outcome).sort()).toEqual(['ok', 'status']);
    return;
  }
  const known = new Set(['ok', 'failure', 'transient', 'detail', 'status', 'retry_after_seconds']);
  expect(Object.keys(outcome).filter((key) => !known.has(key))).toEqual([]);
  expect(outcome.detail).toMatch(new RegExp(`^(${sentences[outcome.failure]?.join('|') ?? 'no sentence'})$`));
}
