import { expect, test } from 'vitest';
import { failureOf } from '../../../src/adapters/http/failure.js';

const coded = (code: string): Error =>
  Object.assign(new Error('a message that quotes sk_live_secret'), { code });

test.for([
  ['ECONNREFUSED', 'connection_refused'],
  ['ECONNRESET', 'connection_reset'],
  ['EPIPE', 'connection_reset'],
  ['EHOSTUNREACH', 'connection_failed'],
  ['ENETUNREACH', 'connection_failed'],
  ['ETIMEDOUT', 'connection_failed'],
  ['EADDRNOTAVAIL', 'connection_failed'],
  ['EMFILE', 'connection_failed'],
  ['CERT_HAS_EXPIRED', 'tls_failure'],
  ['CERT_NOT_YET_VALID', 'tls_failure'],
  ['CERT_REVOKED', 'tls_failure'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_failure'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls_failure'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls_failure'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_failure'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls_failure'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'tls_failure'],
  ['EPROTO', 'tls_failure'],
] as const)('%s is a %s, and transient', ([code, failure]) => {
  const outcome = failureOf(coded(code));
  expect(outcome).toMatchObject({ ok: false, failure, transient: true });
  expect(outcome.detail).not.toContain('secret');
});

test.for([new TypeError('sk_live_secret'), 'sk_live_secret', null])('%o is an internal_error', (error) => {
  const outcome = failureOf(error);
  expect(outcome).toMatchObject({ ok: false, failure: 'internal_error', transient: true });
  expect(outcome.detail).not.toContain('secret');
});

test.for([
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'refuses the handshake'],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'refuses the handshake'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'before 1.2'],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'before 1.2'],
  ['ERR_SSL_BAD_SIGNATURE', 'TLS failed (ERR_SSL_BAD_SIGNATURE)'],
] as const)('%s, by whatever version of OpenSSL: %s', ([code, text]) => {
  expect(failureOf(coded(code))).toMatchObject({
    failure: 'tls_failure',
    detail: expect.stringContaining(text),
  });
});
